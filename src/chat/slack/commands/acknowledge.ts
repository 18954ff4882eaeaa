import type { Log } from "../../../ports/log.ts";

/** A connection that breaks now takes the acknowledgement with it: then Slack comes again, and is known. */
export async function acknowledge(ack: () => Promise<void>, log: Log): Promise<void> {
  await ack().catch((error: unknown) => log.debug("slack acknowledgement failed", { error }));
}
