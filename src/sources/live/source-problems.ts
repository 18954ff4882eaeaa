import type { CatalogSplit, Conflict } from "../../catalog/catalog-split.ts";
import { describeDifference } from "../../catalog/conflicts.ts";
import { isPending, type Release } from "../../catalog/release.ts";
import { articlesOf } from "../../catalog/served-articles.ts";
import { describeSpeakerConflict } from "../../catalog/speaker-conflicts.ts";
import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { FactField } from "../../extraction/facts.ts";
import { sourceLabel } from "../index.ts";
import { describeProblem, type LabeledStatus } from "../source-status.ts";
import { concernsReverseSplit } from "../split-keywords.ts";
import { listingProblems } from "../symbol-check.ts";
import { type LiveState, statusesOf } from "./live-state.ts";
import { yieldWarnings } from "./usual-yield.ts";

/** Problems of older releases and older conflicts of splits are not reported. */
const PROBLEM_MAX_AGE_DAYS = 10;

/** Problems of the sources, then of single releases and splits, as sentences. */
export function problemsOf(state: LiveState): readonly string[] {
  const now = state.clock.now();
  const today = dayInZone(now, MARKET_ZONE);
  const since = addDays(today, -PROBLEM_MAX_AGE_DAYS);
  const recent = [...state.releases.all()].filter((release) => release.published >= since);
  return [
    ...withStaleLast(statusesOf(state)).flatMap((status) => describeProblem(status, now, status.label) ?? []),
    ...yieldWarnings(state, now),
    ...articlesOf(recent).flatMap((release) => unreadPage(release) ?? []),
    ...recent.flatMap((release) => contradiction(release) ?? []),
    ...state
      .splits()
      .flatMap((split) =>
        split.conflicts.filter(({ day }) => day >= since).map((conflict) => disagreement(split, conflict)),
      ),
    ...state.splits().flatMap((split) => listingProblems(split, state.directory, today)),
  ];
}

/** Moves the sources that can be read but have no new items to the end. */
function withStaleLast(statuses: readonly LabeledStatus[]): readonly LabeledStatus[] {
  const stale = statuses.filter(({ condition }) => condition === "stale");
  return [...statuses.filter((status) => !stale.includes(status)), ...stale];
}

function unreadPage(release: Release): string | null {
  const { url, problem, facts, text, readVersion } = release;
  if (problem === null || !isPending(release) || !concernsReverseSplit(release)) return null;
  const fallback = text !== null && readVersion === null ? "the exhibit of a filing" : "the text in the feed";
  const consequence = facts === null ? "it will be retried" : `${fallback} is used instead`;
  return `The page of a release could not be read: ${url} (${problem}); ${consequence}`;
}

function contradiction({ url, facts }: Release): string | null {
  if (facts === null || facts.contradictions.length === 0) return null;
  const fields = facts.contradictions.map((field) => FIELD_LABELS[field]);
  return `A release states conflicting values for its ${fields.join(" and ")}; they are shown as not stated: ${url}`;
}

/** Display names of extracted fields. */
const FIELD_LABELS: Readonly<Record<FactField, string>> = {
  kind: "subject",
  ticker: "ticker",
  exchange: "exchange",
  company: "company",
  ratio: "ratio",
  exDate: "ex date",
  announced: "announcement date",
  fraction: "fractional shares",
  level: "rounding (per holder or per broker)",
  newCusip: "new CUSIP",
};

function disagreement({ listings, company }: CatalogSplit, conflict: Conflict): string {
  const name = listings[0]?.ticker ?? company ?? "A split";
  const { url } = conflict;
  switch (conflict.kind) {
    case "same-day":
      return `${name}: two releases of the same day state different terms; ${url} is used, ${conflict.earlierUrl} is not`;
    case "outdated":
      return `${name}: ${url} is ignored, because it repeats terms that ${conflict.earlierUrl} replaced`;
    case "differs":
      return `${name}: ${describeDifference(conflict, sourceLabel)} (${conflict.usedUrl}, ${url})`;
    case "not-issuer":
    case "unconfirmed":
    case "still-listed":
      return `${name}: ${describeSpeakerConflict(conflict, sourceLabel)} (${url})`;
  }
}
