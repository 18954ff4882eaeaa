import { type Ratio, ratioCode, sameRatio } from "../domain/split/ratio.ts";
import { findRatioCandidates, type RatioCandidate } from "./ratio-candidates.ts";
import {
  BOUND_CONNECTOR,
  CHANGED_FROM,
  CHANGED_TO,
  COMPLETED_AFTER,
  COMPLETED_BEFORE,
  EARLIER_AFTER,
  EARLIER_BEFORE,
  RANGE_CONNECTOR,
  REPLACED_AFTER,
  REPLACED_BEFORE,
  RETROSPECTIVE,
  REVERSE_WORDS,
  REVISED_BEFORE,
} from "./ratio-rules.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** The ratio of a reverse split with the sentence that tells it. `contradicts`: a text tells two, so none is believed. */
export interface RatioResult {
  readonly ratio: Ratio | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

export const NO_RATIO: RatioResult = { ratio: null, sentence: null, contradictory: false };

/** How much a telling counts: only the highest that a text has are compared. */
const RANKS = ["done", "plain", "revised"] as const;
type Rank = (typeof RANKS)[number];

const NEAR = 120;
const AHEAD = /\b(?:will|shall|expect\w*|scheduled|today|to be)\b/i;
const YEAR = /\b(?:19|20)\d\d\b/g;

/** The ratio of the reverse split that a release speaks of. Never a bound of a range, nor the ratio of a split that is over. */
export function findRatio(sentences: readonly Sentence[]): RatioResult {
  if (!sentences.some(({ plain }) => plain.search(REVERSE_WORDS) >= 0)) return NO_RATIO;
  const lead = new Set(leadSentences(sentences));
  const year = yearOf(lead);
  const ranked = sentences.flatMap((sentence) =>
    withoutRanges(findRatioCandidates(sentence)).flatMap((sighting) => {
      const rank = rankOf(sighting, { inLead: lead.has(sentence), year });
      return rank ? [{ sighting, rank }] : [];
    }),
  );
  const highest = RANKS.findLast((rank) => ranked.some((one) => one.rank === rank));
  return agreedRatio(ranked.filter(({ rank }) => rank === highest).map(({ sighting }) => sighting));
}

/** The one ratio that all of these tell; its sentence is one of the body, where it can be. */
export function agreedRatio(tellings: readonly { readonly ratio: Ratio; readonly sentence: Sentence }[]): RatioResult {
  const [first] = tellings;
  if (!first) return NO_RATIO;
  if (new Set(tellings.map(({ ratio }) => ratioCode(ratio))).size > 1) return { ...NO_RATIO, contradictory: true };
  const { sentence } = tellings.find((one) => !one.sentence.inHeading) ?? first;
  return { ratio: first.ratio, sentence, contradictory: false };
}

/** Leaves out the bounds of ranges: what is told as one, and different pairs that are joined. */
function withoutRanges(sightings: readonly RatioCandidate[]): readonly RatioCandidate[] {
  const kept: RatioCandidate[] = [];
  let inRange = false;
  for (const [index, sighting] of sightings.entries()) {
    const isBound: boolean = sighting.isBound || inRange;
    const next = sightings[index + 1];
    const leadsOn: boolean = next !== undefined && !sameRatio(sighting.ratio, next.ratio) && isJoined(sighting, next);
    inRange = leadsOn && !isChangedFrom(sighting);
    if (!isBound && !leadsOn) kept.push(sighting);
  }
  return kept;
}

function isJoined(first: RatioCandidate, second: RatioCandidate): boolean {
  const gap = first.after.slice(0, second.start - first.end);
  return (first.isBound ? BOUND_CONNECTOR : RANGE_CONNECTOR).test(gap);
}

/** `changed the ratio from 1-for-30 to 1-for-25`: no range, but an old ratio and its successor. */
function isChangedFrom({ before }: RatioCandidate): boolean {
  return CHANGED_FROM.test(before.slice(-NEAR));
}

interface Place {
  readonly inLead: boolean;
  /** The year of the release, as its first lines give it. */
  readonly year: number | undefined;
}

/** Undefined: the ratio of another split, or one that was taken back. */
function rankOf(sighting: RatioCandidate, { inLead, year }: Place): Rank | undefined {
  const before = sighting.before.slice(-NEAR);
  const after = sighting.after.slice(0, NEAR);
  if (REPLACED_BEFORE.test(before) || REPLACED_AFTER.test(after)) return undefined;
  if (CHANGED_TO.test(before) || REVISED_BEFORE.test(before)) return "revised";
  const isDone = COMPLETED_BEFORE.test(before) || COMPLETED_AFTER.test(after);
  if (isDone) return isNews(sighting.sentence, { inLead, year }) ? "done" : undefined;
  if (RETROSPECTIVE.test(`${before} ${after}`) && !AHEAD.test(sighting.sentence.plain)) return undefined;
  return EARLIER_BEFORE.test(before) || EARLIER_AFTER.test(after) ? "done" : "plain";
}

/** What a release tells as done is its news where it stands at its beginning and speaks of no year gone by. */
function isNews({ plain }: Sentence, { inLead, year }: Place): boolean {
  const last = yearsIn(plain).at(-1);
  return inLead && !RETROSPECTIVE.test(plain) && (last === undefined || year === undefined || last >= year);
}

function yearOf(lead: ReadonlySet<Sentence>): number | undefined {
  return [...lead]
    .filter(({ inHeading }) => !inHeading)
    .slice(0, 3)
    .flatMap(({ plain }) => yearsIn(plain))[0];
}

function yearsIn(plain: string): readonly number[] {
  return [...plain.matchAll(YEAR)].map(([year]) => Number(year)).toSorted((a, b) => a - b);
}
