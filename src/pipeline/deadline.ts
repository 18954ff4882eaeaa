import type { Clock } from "../ports/clock.ts";

/** So long a look at both waits for the articles, and they for the list: neither holds the other up when it hangs. */
const PATIENCE_MS = 10_000;

/** What `work` gives, or null when it takes longer than one resource waits for the other. */
export async function withDeadline<T>(work: Promise<T>, clock: Clock): Promise<T | null> {
  const isThere = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(PATIENCE_MS, isThere.signal).then(() => null)]);
  } finally {
    isThere.abort();
  }
}
