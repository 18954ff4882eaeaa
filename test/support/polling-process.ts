import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Processes, SplitwatchProcess } from "./process.ts";
import { readMetric, readReadiness } from "./web-chat.ts";

const EVERY_SECOND = `poll: { splits: "* * * * * *", articles: "* * * * * *" }\n`;

/** Longer than a busy machine takes for anything. In milliseconds. */
const PATIENCE_MS = 60_000;

/** What polls `upstream` every second, with its state in `dataDir`. */
export interface PollingOptions {
  readonly folder: string;
  readonly dataDir: string;
  readonly upstream: { readonly url: string; readonly key: string };
}

export async function startPolling(processes: Processes, start: PollingOptions): Promise<SplitwatchProcess> {
  const settings = join(start.folder, "every-second.yaml");
  await mkdir(start.folder, { recursive: true });
  await writeFile(settings, EVERY_SECOND);
  return processes.start({
    cwd: start.folder,
    env: {
      SPLITS_API_URL: start.upstream.url,
      SPLITS_API_KEY: start.upstream.key,
      SPLITWATCH_CONFIG: settings,
      DATA_DIR: start.dataDir,
    },
  });
}

/** How often this process has read the whole list of splits and saved what came of it. */
export function countCompletePolls(life: SplitwatchProcess): number {
  return life.log().filter(({ msg, resource, outcome }) => {
    return msg === "poll completed" && resource === "splits" && outcome === "complete";
  }).length;
}

/** Resolves when it has read the whole list so often since its start. */
export async function waitForPolls(life: SplitwatchProcess, times: number): Promise<void> {
  while (countCompletePolls(life) < times) await Promise.race([life.nextLog("poll completed"), rejectIfEnded(life)]);
}

/** Resolves when every alert is out, and all that it has to do can be done. */
export async function waitUntilIdle(address: string): Promise<void> {
  await until(async () => (await readReadiness(address)).ready);
  await until(async () => (await readMetric(address, "splitwatch_outbox_pending")) === 0);
}

/** Looks again and again: what happens in another process can only be looked for. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it did not come to be in ${PATIENCE_MS} ms: ${String(isSo)}`);
    await pause(50);
  }
}

/** Ends it as an operator does. */
export async function stopGracefully(life: SplitwatchProcess): Promise<void> {
  life.signal("SIGTERM");
  const { code, signal } = await life.ended;
  if (code !== 0) throw new Error(`SIGTERM ended splitwatch with ${code ?? signal}:\n${life.err()}`);
}

export async function rejectIfEnded(life: SplitwatchProcess): Promise<never> {
  const { code, signal } = await life.ended;
  throw new Error(`splitwatch ended by itself with ${code ?? signal}:\n${life.err()}`);
}
