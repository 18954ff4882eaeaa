import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Processes, SplitwatchProcess } from "./process.ts";
import { waitUntil } from "./wait-until.ts";
import { readMetric, readReadiness } from "./web-chat-client.ts";

const EVERY_SECOND = `poll: { splits: "* * * * * *", articles: "* * * * * *" }\n`;

/** Process that polls `upstream` every second, with its state in `dataDir`. */
export interface PollingOptions {
  readonly folder: string;
  readonly dataDir: string;
  readonly upstream: { readonly url: string; readonly key: string };
  /** Further settings, as YAML. */
  readonly settings?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startPolling(processes: Processes, start: PollingOptions): Promise<SplitwatchProcess> {
  const settings = join(start.folder, "every-second.yaml");
  await mkdir(start.folder, { recursive: true });
  await writeFile(settings, EVERY_SECOND + (start.settings ?? ""));
  return processes.start({
    cwd: start.folder,
    env: {
      SPLITS_API_URL: start.upstream.url,
      SPLITS_API_KEY: start.upstream.key,
      SPLITWATCH_CONFIG: settings,
      DATA_DIR: start.dataDir,
      ...start.env,
    },
  });
}

/** Number of complete and saved polls by this process. */
export function countCompletePolls(splitwatch: SplitwatchProcess, of: "splits" | "articles" = "splits"): number {
  return splitwatch.log().filter(({ msg, resource, outcome }) => {
    return msg === "poll completed" && resource === of && outcome === "complete";
  }).length;
}

/** Resolves after `times` complete polls of the splits, and as many of the articles, since the start. */
export async function waitForPolls(splitwatch: SplitwatchProcess, times: number): Promise<void> {
  for (const resource of ["splits", "articles"] as const)
    while (countCompletePolls(splitwatch, resource) < times)
      await Promise.race([splitwatch.nextLog("poll completed"), rejectIfEnded(splitwatch)]);
}

/** Resolves when the process is ready and all alerts are sent. */
export async function waitUntilIdle(address: string): Promise<void> {
  await waitUntil("the process is ready", async () => (await readReadiness(address)).ready);
  await waitUntil("no delivery is pending", async () => (await readMetric(address, "splitwatch_outbox_pending")) === 0);
}

/** Stops the process with SIGTERM. */
export async function stopGracefully(splitwatch: SplitwatchProcess): Promise<void> {
  splitwatch.signal("SIGTERM");
  const { code, signal } = await splitwatch.ended;
  if (code !== 0) throw new Error(`SIGTERM ended splitwatch with ${code ?? signal}:\n${splitwatch.err()}`);
}

export async function rejectIfEnded(splitwatch: SplitwatchProcess): Promise<never> {
  const { code, signal } = await splitwatch.ended;
  throw new Error(`splitwatch ended unexpectedly with ${code ?? signal}:\n${splitwatch.err()}`);
}
