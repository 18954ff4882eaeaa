import { isMailAddress } from "../config/value-schemas.ts";
import type { HostQueue } from "./web/host-queue.ts";

/** User agent for the SEC, which refuses agents without a mail address or with a web address. */
export const SEC_AGENT = "splitwatch {contact}";

/** The SEC permits 10 requests per second over all its hosts. */
export const SEC_PACE_MS = 500;

/** Queue that treats all hosts of the SEC as one host. */
export function secQueue(queue: HostQueue): HostQueue {
  return { ...queue, run: (options, request) => queue.run({ ...options, host: "hosts of the SEC" }, request) };
}

/** Reason why the SEC can't be read with this contact; null: it can. */
export function contactProblem(contact: string | null): string | null {
  return isMailAddress(contact ?? "") ? null : "set SPLITWATCH_CONTACT to a mail address";
}
