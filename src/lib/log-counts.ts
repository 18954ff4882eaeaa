import type { Log } from "../ports/log.ts";

/** Lines that the process has written to its log, by level. */
export const loggedLines: Record<keyof Log, number> = { debug: 0, info: 0, warn: 0, error: 0 };
