import type { CatalogSplit, Conflict } from "../../catalog/catalog-split.ts";
import { isPending, type Release } from "../../catalog/release.ts";
import { addDays, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { isOnSplit } from "./rows.ts";
import { type WireState, wireProblem } from "./wire-state.ts";

/** What is older is no news any more, right or wrong. */
const TOLD_FOR_DAYS = 10;

/** What is wrong with the data now, in sentences: the wires first, then what stands in single releases. */
export function problemsOf({
  states,
  splits,
  releases,
  now,
}: {
  readonly states: readonly WireState[];
  readonly splits: readonly CatalogSplit[];
  readonly releases: Iterable<Release>;
  readonly now: Instant;
}): readonly string[] {
  const since = addDays(dayInZone(now, MARKET_ZONE), -TOLD_FOR_DAYS);
  const recent = [...releases].filter((release) => release.published >= since);
  return [
    ...states.flatMap((state) => wireProblem(state) ?? []),
    ...recent.flatMap((release) => unreadPage(release) ?? []),
    ...recent.flatMap((release) => contradiction(release) ?? []),
    ...splits.flatMap((split) =>
      split.conflicts.filter(({ day }) => day >= since).map((conflict) => disagreement(split, conflict)),
    ),
  ];
}

function unreadPage(release: Release): string | null {
  const { url, problem, facts } = release;
  if (problem === null || !isPending(release) || !isOnSplit(release)) return null;
  const shown = facts === null ? "it is tried again" : "what the feed says of it is served";
  return `The page of a release could not be read: ${url} (${problem}); ${shown}`;
}

function contradiction({ url, facts }: Release): string | null {
  if (facts === null || facts.contradictions.length === 0) return null;
  return `A release contradicts itself on ${facts.contradictions.join(" and ")}, so that is not stated: ${url}`;
}

function disagreement({ listings, company }: CatalogSplit, { kind, url, against }: Conflict): string {
  const name = listings[0]?.ticker ?? company ?? "A split";
  if (kind === "same-day")
    return `${name}: two releases of one day state different terms; ${url} stands, ${against} does not`;
  return `${name}: ${url} repeats terms that ${against} had replaced; it is not believed`;
}
