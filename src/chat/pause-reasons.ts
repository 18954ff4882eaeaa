import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import type { Store } from "../ports/store.ts";

/**
 * Reads why destinations on the platform are paused whose ids start with the prefix. The returned function gives the reason for one
 * of them; null if it isn't paused.
 */
export async function readPauseReasons(
  { outbox }: Pick<Store, "outbox">,
  platform: string,
  idPrefix: string,
): Promise<(destination: Destination) => string | null> {
  const pauses = await outbox.pauses(platform, idPrefix);
  const reasons = new Map(pauses.map(({ to, reason }) => [destinationKey(to), reason]));
  return (destination) => reasons.get(destinationKey(destination)) ?? null;
}
