import { expect } from "vitest";
import type { Processes } from "./process.ts";

/** Pages that need different files: the web page, fonts and a renderer, schemas, metrics. */
const PATHS = ["/", "/calendar/upcoming.png", "/v1/openapi.json", "/metrics"] as const;

/** What `runOnce` returns if no file is missing. */
export const COMPLETE_RUN = {
  statuses: PATHS.map(() => 200),
  ended: { code: 0, signal: null },
  err: expect.stringContaining("INFO: stopped") as string,
};

/** Starts the program in `dist` in the folder `cwd` with a readable log, requests each kind of page, and stops it. */
export async function runOnce(
  processes: Processes,
  files: { readonly dist: string; readonly cwd: string },
): Promise<unknown> {
  const splitwatch = processes.start({ ...files, args: ["start"], env: { LOG_FORMAT: "pretty" } });
  const address = await splitwatch.ready;
  const answers = await Promise.all(PATHS.map((path) => fetch(`${address}${path}`)));
  splitwatch.signal("SIGTERM");
  const ended = await splitwatch.ended;
  return { statuses: answers.map(({ status }) => status), ended, err: splitwatch.err() };
}
