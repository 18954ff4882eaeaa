import type { App, AppSystem, Started } from "../app/app.ts";
import { type Config, readConfig } from "../config/index.ts";
import { SourceFolderError } from "../data-service/server/folder-source.ts";
import { KeysError } from "../data-service/server/key-file.ts";
import { ListenError } from "../http/server.ts";
import { systemClock } from "../lib/clock.ts";
import { createLog } from "../lib/log.ts";
import { createRedactor } from "../lib/redact.ts";
import { createScheduler } from "../lib/scheduler.ts";
import type { Log } from "../ports/log.ts";
import { StoreError } from "../ports/store.ts";
import { EXIT, type Invocation, type Stop } from "./invocation.ts";

export type CreateApp = (config: Config, system: AppSystem) => App;

/** Leaves two of the ten seconds that a stop may take for the process to end. */
const STOP_WITHIN_MS = 8_000;

/** Their messages say all that the operator needs; a stack would say nothing more. */
const EXPECTED_FAILURES = [StoreError, ListenError, KeysError, SourceFolderError];

/**
 * Runs the app until the process is to end, and stops it then. `told` is printed once it runs. Resolves with the code that
 * the process is to end with; a configuration that cannot be used is a ConfigError.
 */
export async function runApp(
  invocation: Invocation,
  mode: AppSystem["mode"],
  createApp: CreateApp,
  told: (config: Config, started: Started) => readonly string[],
): Promise<number> {
  const config = readConfig(invocation);
  const log = createLog({ ...config.log, secrets: config.secrets, credentialPatterns: config.credentialPatterns });
  warnOfUnused(config, log);
  const app = createApp(config, { clock: systemClock, log, scheduler: createScheduler(log), mode });
  const starting = app.start();
  const running = starting.then((started) => {
    for (const text of told(config, started)) invocation.out(text);
    return invocation.stopRequested;
  });
  try {
    // The word to stop may come before it has started.
    return endedBy(await Promise.race([running, invocation.stopRequested]), log);
  } catch (error) {
    if (!EXPECTED_FAILURES.some((kind) => error instanceof kind)) log.error("start failed", { error });
    invocation.err(`splitwatch: ${createRedactor(config.secrets, config.credentialPatterns)(messageOf(error))}`);
    return EXIT.failed;
  } finally {
    await stopInTime(app, starting, log);
  }
}

function endedBy(stop: Stop, log: Log): number {
  if (stop.kind === "signal") {
    log.info("stopping", { signal: stop.signal });
    return EXIT.done;
  }
  log.error("uncaught error", { error: stop.error });
  return EXIT.failed;
}

async function stopInTime(app: App, starting: Promise<unknown>, log: Log): Promise<void> {
  const enough = new AbortController();
  const late = systemClock.sleep(STOP_WITHIN_MS, enough.signal).then(() => "late" as const);
  const first = await Promise.race([stopLogged(app, starting, log), late]);
  if (first === "late") log.warn("stop timed out", { afterMs: STOP_WITHIN_MS });
  enough.abort();
}

/** Lets a start come to its end first: what it opens while the rest is closed would stay open. */
async function stopLogged(app: App, starting: Promise<unknown>, log: Log): Promise<void> {
  const [start] = await Promise.allSettled([starting]);
  try {
    await app.stop();
    if (start.status === "fulfilled") log.info("stopped");
  } catch (error) {
    log.error("stop failed", { error });
  }
}

function warnOfUnused(config: Config, log: Log): void {
  for (const variable of config.unused) {
    log.warn("environment variable unused", {
      variable,
      reason: "this version has no PostgreSQL part yet",
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
