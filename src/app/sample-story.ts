import { z } from "zod";
import { dayInZone, type Instant, instantSchema } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { parseJson } from "../lib/json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

/** Document with the last start of the sample's story. */
const DOCUMENT = "sample-story";

const documentSchema = z.object({ startedAt: instantSchema });

interface StoryParts {
  readonly store: Pick<Store, "documents" | "rules" | "watchlists">;
  readonly clock: Clock;
}

/** Time at which the sample's story was started last, by any process; null if not on this day, whose dates the sample has. */
export async function readStoryStart({ store, clock }: StoryParts): Promise<Instant | null> {
  const document = documentSchema.safeParse(parseJson((await store.documents.read(DOCUMENT)) ?? ""));
  if (!document.success) return null;
  const { startedAt } = document.data;
  return dayInZone(startedAt, MARKET_ZONE) === dayInZone(clock.now(), MARKET_ZONE) ? startedAt : null;
}

/** Saves that the story starts now, for all processes. Returns the time. */
export async function startStory({ store, clock }: StoryParts): Promise<Instant> {
  const startedAt = clock.now();
  await store.documents.write(DOCUMENT, JSON.stringify({ startedAt }));
  return startedAt;
}

/** True if alerts of the story can be received. */
export async function hasSubscriptions({ rules, watchlists }: StoryParts["store"]): Promise<boolean> {
  return (await rules.count()) > 0 || (await watchlists.count()).people > 0;
}
