import type { Log } from "../../ports/log.ts";

const nothing = (): void => undefined;

/** What goes wrong is told as a finding. */
export const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
