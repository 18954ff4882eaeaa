import type { Day } from "../domain/time/day.ts";
import { type DateRule, matchesDateRule } from "./date-rules.ts";
import { type DateMatch, findDates } from "./dates.ts";
import type { ExDateResult } from "./ex-date.ts";
import type { Sentence } from "./sentences.ts";

/** The day in a release's own dateline, with the sentence that holds it. */
export interface DatelineResult {
  readonly day: Day | null;
  readonly sentence: Sentence | null;
}

/** How a dateline is told from any other date. */
export interface DatelineRule extends DateRule<"dateline"> {
  /** Only among the first so many sentences of the body. */
  readonly maxSentences: number;
}

/** Subheadings, bullets and a contact may stand before the dateline. */
const OPENING_SENTENCES = 60;
/** How much of a sentence beside a date is looked at, in characters. */
const REACH = 120;

const WIRE =
  "(?:globe ?newswire|pr ?newswire|business ?wire|access ?wire|access newswire|newsfile(?: corp\\.?)?|new ?media ?wire|the ?newswire|cnw|canada newswire|marketwire[ds]?|prism ?mediawire|ein ?presswire|newswire|news ?direct|acn newswire|eqs[- ]news|marketwatch|cision|wire)";

/** A place in capitals or with capitals, and nothing that makes a sentence. */
const PLACE = String.raw`^[^\p{L}]{0,6}(?:\p{Lu}[\p{L}\d_.'&]*[\s,;|/()\-]{1,4}(?:(?:of|and|the|de|du|la|le|del|on|am|an der) )?){1,12}$`;

/** The surest first. */
export const DATELINE_RULES: readonly DatelineRule[] = [
  {
    name: "before the wire's name",
    category: "dateline",
    after: new RegExp(String.raw`^[^A-Za-z\d]{1,8}(?:via )?${WIRE}\b`, "i"),
    maxSentences: OPENING_SENTENCES,
    example: "HARBOR CITY, Ore., May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. announced",
  },
  {
    name: "behind the wire's name",
    category: "dateline",
    before: new RegExp(String.raw`(?<![a-z])${WIRE}[^A-Za-z\d]{1,8}$`, "i"),
    // Not `(BUSINESS WIRE)--May 4, 2026 was the day …`.
    after: /^[^A-Za-z\d]*(?:[-/):]|$)/,
    maxSentences: OPENING_SENTENCES,
    example: "Harbor City, Oregon--(Newsfile Corp. - May 4, 2026) - Harbor Mills, Inc. announced",
  },
  {
    name: "behind a place, before a dash",
    category: "dateline",
    before: new RegExp(PLACE, "u"),
    after: /^\)? ?(?:\([^)]{0,60}\)|\/[^/]{0,40}\/)? ?(?:-|\/|:|\|)/,
    maxSentences: 30,
    example: "HARBOR CITY - May 4, 2026 - Harbor Mills, Inc. announced",
  },
  {
    name: "behind a place, alone",
    category: "dateline",
    before: new RegExp(PLACE, "u"),
    after: /^\W*$/,
    maxSentences: 8,
    example: "HARBOR CITY, Ore., May 4, 2026",
  },
  {
    name: "alone",
    category: "dateline",
    before: /^(?:\W*|(?:date|released?|published|issued|for immediate release)[^a-z\d]{1,4})$/i,
    after: /^\W*$/,
    maxSentences: 8,
    example: "FOR IMMEDIATE RELEASE: May 4, 2026",
  },
  {
    name: "alone, with the hour",
    category: "dateline",
    before: /^\W*$/,
    after: /^,?\W{0,3}(?:at )?\d{1,2}[:.]\d\d ?(?:[ap]\.?m\.?)?(?: ?[A-Z]{1,4})?\W*$/i,
    maxSentences: 3,
    example: "May 4, 2026 8:30 AM ET",
  },
  {
    name: "first of all, before a place or a dash",
    category: "dateline",
    before: /^\W*$/,
    after: /^(?:,? [A-Z][A-Z .]{2,40}(?:, [A-Za-z. ]{2,20}?)?)? ?-/,
    maxSentences: 1,
    example: "May 4, 2026 HARBOR CITY, Ore. - Harbor Mills, Inc. announced",
  },
  {
    name: "first of all, in a line of its own",
    category: "dateline",
    before: /^(?:\W*|(?:for immediate release|date(?=:)|released?|published|issued|posted)[^a-z\d]{1,4}(?:on )?)$/i,
    // The blank was the end of its line.
    after: /^(?:,?[^A-Za-z\d]{0,3}(?:at )?\d{1,2}[:.]\d\d ?(?:[AaPp]\.?[Mm]\b\.?)?(?: ?[A-Z]{2,4}\b)?)?\W{1,4}\p{Lu}/u,
    maxSentences: 1,
    example: "Released: May 4, 2026 at 8:30 a.m. ET Harbor Mills, Inc. announced",
  },
  {
    name: "today, by its date",
    category: "dateline",
    before: /\btoday,? \(?$/i,
    after: /^\)?,? (?!.{0,40}\b(?:effect|trad))/i,
    maxSentences: 2,
    example: "Harbor Mills, Inc. today, May 4, 2026, announced",
  },
  {
    name: "first of all, in words",
    category: "dateline",
    before: /^(?:On|Today,) $/,
    after: /^,? [A-Z][^.;]{0,90}/,
    maxSentences: 1,
    example: "On May 4, 2026, Harbor Mills, Inc. announced",
  },
];

/** `This release was originally issued on May 4, 2026`. */
const FIRST_ISSUED =
  /\b(?:originally|first|initially) (?:issued|published|released|distributed|disseminated|sent out)(?: \w+){0,3} $/i;

const NONE: DatelineResult = { day: null, sentence: null };

/**
 * The release's own dateline. Of a release that another wire sent out once more, the older of the two. One without a
 * year is the one nearest to `near`.
 */
export function findDateline(sentences: readonly Sentence[], near: Day | null = null): DatelineResult {
  const opening = sentences.filter(({ inHeading }) => !inHeading).slice(0, OPENING_SENTENCES);
  const dated = opening.map((sentence) => ({ sentence, dates: findDates(sentence.plain, near) }));
  for (const rule of DATELINE_RULES) {
    const found = dated
      .slice(0, rule.maxSentences)
      .flatMap(({ sentence, dates }) =>
        dates.filter((date) => matchesDateline(rule, sentence.plain, date)).map(({ day }) => ({ day, sentence })),
      );
    const [oldest] = found.toSorted((a, b) => (a.day < b.day ? -1 : 1));
    if (oldest) return oldest;
  }
  return NONE;
}

export function matchesDateline(rule: DatelineRule, plain: string, { start, end }: DateMatch): boolean {
  // A dateline begins its sentence: one that ended before it would have to be cut within it.
  if (start > 2 * REACH) return false;
  return matchesDateRule(rule, plain.slice(Math.max(0, start - REACH), start), plain.slice(end, end + REACH));
}

/**
 * When a release was first sent out: its dateline, unless it tells an earlier day itself. Null for a repost, known by
 * its telling of a first trading day to come that was over when it was sent out.
 */
export function findAnnouncementDay(
  sentences: readonly Sentence[],
  dateline: Day | null,
  found: ExDateResult,
): Day | null {
  const first = findFirstIssue(sentences);
  if (first) return first;
  const isRepost = dateline !== null && found.isFuture && found.exDate !== null && found.exDate < dateline;
  return isRepost ? null : dateline;
}

function findFirstIssue(sentences: readonly Sentence[]): Day | undefined {
  for (const { plain } of sentences.slice(0, OPENING_SENTENCES)) {
    const told = findDates(plain, null).find(({ start }) =>
      FIRST_ISSUED.test(plain.slice(Math.max(0, start - REACH), start)),
    );
    if (told) return told.day;
  }
  return undefined;
}
