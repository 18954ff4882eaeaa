import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import type { Store } from "../ports/store.ts";

/**
 * Reads why destinations on the platform are paused whose ids start with the prefix. The returned function gives the reason for one
 * of them; null if it isn't paused.
 */
export async function readPauseReasons(
  { pauses }: Pick<Store, "pauses">,
  platform: string,
  idPrefix: string,
): Promise<(destination: Destination) => string | null> {
  const found = await pauses.on(platform, idPrefix);
  const reasons = new Map(found.map(({ to, reason }) => [destinationKey(to), reason]));
  return (destination) => reasons.get(destinationKey(destination)) ?? null;
}
