import type { App, AppSystem, StartedApp } from "../app/app.ts";
import { type Config, readConfig } from "../config/index.ts";
import { SourceFolderError } from "../data-service/server/folder-source.ts";
import { ListenError } from "../http/server.ts";
import { createSettlingClock, settleWithin, systemClock } from "../lib/clock.ts";
import { errorMessage } from "../lib/error-text.ts";
import { createLog } from "../lib/log.ts";
import { createScheduler } from "../lib/scheduler.ts";
import type { Log } from "../ports/log.ts";
import { StoreError } from "../ports/store.ts";
import { EXIT, exitCodeOfFailure, type Invocation, printProblem, type Stop } from "./invocation.ts";
import { serviceStartupMessage, startupMessage } from "./startup-message.ts";

export type CreateApp = (config: Config, system: AppSystem) => App;

/** A stop may take 10 seconds in total; 2 of them are reserved for the process to exit. */
const STOP_TIMEOUT_MS = 8_000;

/** Errors whose message is sufficient for the operator; their stack is not logged. */
const EXPECTED_FAILURES = [StoreError, ListenError, SourceFolderError];

/** Runs everything that is configured. Resolves with the exit code; throws a ConfigError. */
export function start(invocation: Invocation, createApp: CreateApp): Promise<number> {
  return runApp(invocation, createApp, { mode: "everything", message: startupMessage });
}

/** Runs the data service alone. */
export function service(invocation: Invocation, createApp: CreateApp): Promise<number> {
  return runApp(invocation, createApp, { mode: "service", message: serviceStartupMessage });
}

interface RunOptions {
  readonly mode: AppSystem["mode"];
  /** Lines to print once the app runs. */
  readonly message: (config: Config, started: StartedApp) => readonly string[];
}

/** Runs the app until a stop is requested. */
async function runApp(invocation: Invocation, createApp: CreateApp, { mode, message }: RunOptions): Promise<number> {
  const config = readConfig(invocation);
  const log = createLog({ ...config.log, secrets: config.secrets, credentialPatterns: config.credentialPatterns });
  for (const warning of config.warnings) log.warn("configuration warning", { warning });
  invocation.onFurtherError((error) => log.error("uncaught error", { error }));
  const clock = createSettlingClock(systemClock);
  const app = createApp(config, { clock, log, scheduler: createScheduler(log, clock), mode });
  const starting = app.start();
  const running = starting.then((started) => {
    for (const text of message(config, started)) invocation.out(text);
    return invocation.stopRequested;
  });
  try {
    // A stop may be requested before the app has started.
    return exitCodeOf(await Promise.race([running, invocation.stopRequested]), log);
  } catch (error) {
    if (!EXPECTED_FAILURES.some((kind) => error instanceof kind)) log.error("start failed", { error });
    printProblem(errorMessage(error), config, invocation);
    return exitCodeOfFailure(error);
  } finally {
    await stopInTime(app, starting, log);
  }
}

/** Logs why the app stops. */
function exitCodeOf(stop: Stop, log: Log): number {
  if (stop.kind === "signal") {
    log.info("stopping", { signal: stop.signal });
    return EXIT.ok;
  }
  log.error("uncaught error", { error: stop.error });
  return EXIT.failed;
}

async function stopInTime(app: App, starting: Promise<unknown>, log: Log): Promise<void> {
  const stopped = await settleWithin(stopAfterStart(app, starting, log), STOP_TIMEOUT_MS, systemClock);
  if (stopped === null) log.warn("stop timed out", { afterMs: STOP_TIMEOUT_MS });
}

/** Waits for the start to finish first; resources opened after the stop would leak. */
async function stopAfterStart(app: App, starting: Promise<unknown>, log: Log): Promise<void> {
  const [outcome] = await Promise.allSettled([starting]);
  try {
    await app.stop();
    if (outcome.status === "fulfilled") log.info("stopped");
  } catch (error) {
    log.error("stop failed", { error });
  }
}
