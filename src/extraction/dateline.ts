import { WIRES, type Wire } from "../domain/article/wire.ts";
import type { Day } from "../domain/time/day.ts";
import { type DateRule, matchesDateRule } from "./date-rules.ts";
import { type DateMatch, findDates } from "./dates.ts";
import type { ExDateResult } from "./ex-date.ts";
import { decodeMarkup } from "./markup.ts";
import { toPlainText } from "./plain-text.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** Day of a release's dateline, with its sentence. */
export interface DatelineResult {
  readonly day: Day | null;
  readonly sentence: Sentence | null;
}

/** Text beside a date that makes it the date of a dateline. A test matches every rule against its example. */
export interface DatelineRule extends DateRule {
  /** Number of sentences, from the start of the body, in which the rule applies. */
  readonly maxSentences: number;
}

/** Number of body sentences searched for a dateline: subheadings, bullets and a contact may precede it. */
const MAX_OPENING_SENTENCES = 60;
/** Length of the text beside a date that the rules read, in characters. */
const DATE_CONTEXT = 120;

const WIRE_NAME =
  "(?:globe ?newswire|pr ?newswire|business ?wire|access ?wire|access newswire|newsfile(?: corp\\.?)?|new ?media ?wire|the ?newswire|cnw|canada newswire|marketwire[ds]?|prism ?mediawire|ein ?presswire|newswire|news ?direct|acn newswire|eqs[- ]news|marketwatch|cision|wire)";

/** Text before the date of a dateline: a city, so only capitalized words. Lines in capitals and a bracket may precede it. */
const CITY = String.raw`(?:^[^\p{L}]{0,6}|\) )(?:\p{Lu}[\p{L}\d_.'&]*[\s,;|/()\-]{1,4}(?:(?:of|and|the|de|du|la|le|del|on|am|an der) )?){1,20}$`;

/** Ordered from the most to the least specific. */
export const DATELINE_RULES: readonly DatelineRule[] = [
  {
    name: "before the wire's name",
    after: new RegExp(String.raw`^[^A-Za-z\d]{1,8}(?:via )?${WIRE_NAME}\b`, "i"),
    maxSentences: MAX_OPENING_SENTENCES,
    example: "HARBOR CITY, Ore., May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. announced",
  },
  {
    name: "after the wire's name",
    before: new RegExp(String.raw`(?<![a-z])${WIRE_NAME}[^A-Za-z\d]{1,8}$`, "i"),
    // Excludes `(BUSINESS WIRE)--May 4, 2026 was the day …`.
    after: /^[^A-Za-z\d]*(?:[-/):]|$)/,
    maxSentences: MAX_OPENING_SENTENCES,
    example: "Harbor City, Oregon--(Newsfile Corp. - May 4, 2026) - Harbor Mills, Inc. announced",
  },
  {
    name: "after a city, before a dash",
    before: new RegExp(CITY, "u"),
    after: /^\)? ?(?:\([^)]{0,60}\)|\/[^/]{0,40}\/)? ?(?:-|\/|:|\|)/,
    maxSentences: 30,
    example: "HARBOR CITY - May 4, 2026 - Harbor Mills, Inc. announced",
  },
  {
    name: "after a city, on its own line",
    before: new RegExp(CITY, "u"),
    after: /^\W*$/,
    maxSentences: 8,
    example: "HARBOR CITY, Ore., May 4, 2026",
  },
  {
    name: "on its own line",
    before:
      /^(?:\W*|(?:date|released?|published|issued|for immediate release)[^a-z\d]{1,4}|le \d{1,2}(?:er)? [a-zéû]{3,9} ?\/ ?)$/i,
    after: /^\W*$/,
    maxSentences: 8,
    example: "FOR IMMEDIATE RELEASE: May 4, 2026",
  },
  {
    name: "on its own line, with a time",
    before: /^\W*$/,
    after: /^,?\W{0,3}(?:at )?\d{1,2}[:.]\d\d ?(?:[ap]\.?m\.?)?(?: ?[A-Z]{1,4})?\W*$/i,
    maxSentences: 3,
    example: "May 4, 2026 8:30 AM ET",
  },
  {
    name: "at the start, before a city or a dash",
    before: /^\W*$/,
    after: /^(?:,? [A-Z][A-Z .]{2,40}(?:, [A-Za-z. ]{2,20}?)?)? ?-/,
    maxSentences: 1,
    example: "May 4, 2026 HARBOR CITY, Ore. - Harbor Mills, Inc. announced",
  },
  {
    name: "at the start, formerly on a separate line",
    before: /^(?:\W*|(?:for immediate release|date|released?|published|issued|posted)[^a-z\d]{1,4}(?:on )?)$/i,
    // The space before the capital letter was the end of a line.
    after: /^(?:,?[^A-Za-z\d]{0,3}(?:at )?\d{1,2}[:.]\d\d ?(?:[AaPp]\.?[Mm]\b\.?)?(?: ?[A-Z]{2,4}\b)?)?\W{1,4}\p{Lu}/u,
    maxSentences: 1,
    example: "Released: May 4, 2026 at 8:30 a.m. ET Harbor Mills, Inc. announced",
  },
  {
    name: "today with its date",
    before: /\btoday,? \(?$/i,
    after: /^\)?,? (?!.{0,40}\b(?:effect|trad))/i,
    maxSentences: 2,
    example: "Harbor Mills, Inc. today, May 4, 2026, announced",
  },
  {
    name: "at the start, within a sentence",
    before: /^(?:On|Today,) $/,
    after: /^,? [A-Z][^.;]{0,90}/,
    maxSentences: 1,
    example: "On May 4, 2026, Harbor Mills, Inc. announced",
  },
];

/** Text before the day of first publication: `This release was originally issued on May 4, 2026`. */
const FIRST_PUBLISHED_BEFORE =
  /\b(?:originally|first|initially) (?:issued|published|released|distributed|disseminated|sent out)(?: \w+){0,3} $/i;

/** Text of the opening or the end of a page, before the day of the page itself. */
const PAGE_DAY_RULES: readonly DateRule[] = [
  {
    name: "label",
    before:
      /\b(?:publi(?:shed|cation)|posted|updated|modified|revised|revision|filed|filed_at|date|released?|issued)(?: (?:on|date|at))?: ?"?$|(?:^|[.:;|%\d]) ?date $/i,
    example: "Filed at: May 4, 2026",
  },
  {
    name: "publication",
    before:
      /\b(?:(?:[Ff]irst|[Oo]riginally|[Ll]ast) (?:published|posted|updated|modified|revised|revision)|Published|Posted|Updated)(?: on)? $/,
    example: "This report was first published May 4, 2026",
  },
  {
    name: "byline",
    before: /\b(?:[Bb]y|BY):? (?:\p{Lu}[\p{L}.'-]+[ ,|/-]{1,3}){1,6}$/u,
    example: "By Ann Lee - May 4, 2026",
  },
  {
    name: "report",
    before: /\bdate of (?:report|earliest event reported)(?: \(date of earliest event reported\))?:? ?$/i,
    example: "Date of Report (Date of earliest event reported): May 4, 2026",
  },
  {
    name: "byline without a name",
    before: /(?:^|[.\n] ?)By:? $/,
    after: /^\W{0,4}(?:$|(?:Share|Comments?|Print|Email|Tweet|Read|Updated)\b(?! ?[a-z]))/,
    example: "By May 4, 2026 Share: Related funds",
  },
  {
    name: "wire's name",
    before: new RegExp(String.raw`(?<![a-z])${WIRE_NAME}\W{1,4}$`, "i"),
    example: "Globenewswire· May 4, 2026 11:00",
  },
  {
    name: "at the start, before a title",
    before: /^\W*$/,
    after: /^(?:\W*$|\W{1,4}\p{Lu})/u,
    example: "May 4, 2026 Harbor Mills splits its stock",
  },
];
/** Length of the opening of a page in which its day stands, in characters. */
const MAX_PAGE_OPENING = 500;
const FIRST_PUBLISHED = /\b(?:first|originally) published\b/i;

/**
 * Returns the day on which a page was published, which gives the year of days without one: the stated one, or the first day of a
 * current report. Null if there is neither.
 */
export function findPageDay(sentences: readonly Sentence[]): Day | null {
  const body = sentences.filter(({ inHeading }) => !inHeading);
  for (const { plain, start } of body) {
    if (start > MAX_PAGE_OPENING && !FIRST_PUBLISHED.test(plain)) continue;
    const date = findDates(plain, null).find((found) =>
      PAGE_DAY_RULES.some((rule) =>
        matchesDateRule(
          rule,
          plain.slice(Math.max(0, found.start - DATE_CONTEXT), found.start),
          plain.slice(found.end, found.end + DATE_CONTEXT),
        ),
      ),
    );
    if (date) return date.day;
  }
  return findFilingDay(sentences);
}

/** An item or form of a current report, which states the events of these days. */
const CURRENT_REPORT =
  /\bitem (?:1\.01|3\.0[13]|5\.0[37]|7\.01|8\.01|9\.01)\b|\b(?:8|6)-k\b|\bcurrent report\b|\bdate of (?:earliest event )?report/i;

/** The first day of a current report. */
function findFilingDay(sentences: readonly Sentence[]): Day | null {
  if (!leadSentences(sentences).some(({ plain }) => CURRENT_REPORT.test(plain))) return null;
  for (const { plain } of sentences) {
    const [date] = findDates(plain, null);
    if (date) return date.day;
  }
  return null;
}

/** Names of the wires as written in datelines. */
const WIRE_SIGNATURES: Readonly<Record<Wire, RegExp>> = {
  prnewswire: /\/ ?PR ?Newswire(?:-[A-Za-z -]{1,40})? ?\/|\(PR ?NEWSWIRE\)/i,
  businesswire: /\(BUSINESS ?WIRE\)/i,
  globenewswire: /\(GLOBE ?NEWSWIRE\)/i,
  accesswire: /[/(] ?ACCESS(?:WIRE| Newswire) ?[/)]/i,
  newsfile: /\(Newsfile(?: Corp\.?)?(?: ?- [^()]{4,30})?\)/i,
};
/** Maximum distance from the start of a text to its dateline, in characters. An exhibit's header may precede it. */
const MAX_DATELINE_DISTANCE = 6_000;

/** Returns the wire that the first dateline of a text names, or null. */
export function findDatelineWire(text: string): Wire | null {
  const opening = toPlainText(decodeMarkup(text.slice(0, MAX_DATELINE_DISTANCE))).plain;
  const signatures = WIRES.map((wire) => ({ wire, at: opening.search(WIRE_SIGNATURES[wire]) })).filter(
    ({ at }) => at >= 0,
  );
  return signatures.toSorted((a, b) => a.at - b.at)[0]?.wire ?? null;
}

const NO_DATELINE: DatelineResult = { day: null, sentence: null };

/**
 * Finds the dateline of a release. A release that another wire republished has two: the older one counts. A date without
 * a year is the one nearest to `published`.
 */
export function findDateline(sentences: readonly Sentence[], published: Day | null = null): DatelineResult {
  const opening = sentences.filter(({ inHeading }) => !inHeading).slice(0, MAX_OPENING_SENTENCES);
  const datedSentences = opening.map((sentence) => ({ sentence, dates: findDates(sentence.plain, published) }));
  for (const rule of DATELINE_RULES) {
    const matches = datedSentences
      .slice(0, rule.maxSentences)
      .flatMap(({ sentence, dates }) =>
        dates.filter((date) => matchesDateline(rule, sentence.plain, date)).map(({ day }) => ({ day, sentence })),
      );
    const [oldest] = matches.toSorted((a, b) => (a.day < b.day ? -1 : 1));
    if (oldest) return oldest;
  }
  return NO_DATELINE;
}

/**
 * Returns the day on which a text is news: its dateline, else its publication day. A sentence such as `On May 4, 2026, Harbor Mills
 * effected a reverse split` is a dateline in a filing and history in a financial note, so it isn't enough.
 */
export function findNewsDay({ day, sentence }: DatelineResult, published: Day | null): Day | null {
  return sentence === null || sentence.plain.startsWith("On ") ? published : day;
}

export function matchesDateline(rule: DatelineRule, plain: string, { start, end }: DateMatch): boolean {
  // A dateline is at the start of its sentence.
  if (start > 2 * DATE_CONTEXT) return false;
  const before = plain.slice(Math.max(0, start - DATE_CONTEXT), start);
  return matchesDateRule(rule, before, plain.slice(end, end + DATE_CONTEXT));
}

/**
 * Finds the day on which a release was first published, with its sentence: a stated first publication, else the dateline. Null if
 * the dateline is after the first trading day that the text announces: then the release is a repost.
 */
export function findAnnouncementDay(
  sentences: readonly Sentence[],
  dateline: DatelineResult,
  { exDate, isFuture }: ExDateResult,
): DatelineResult {
  const firstPublication = findFirstPublication(sentences);
  if (firstPublication) return firstPublication;
  const isRepost = dateline.day !== null && isFuture && exDate !== null && exDate < dateline.day;
  return isRepost ? NO_DATELINE : dateline;
}

function findFirstPublication(sentences: readonly Sentence[]): DatelineResult | undefined {
  for (const sentence of sentences.slice(0, MAX_OPENING_SENTENCES)) {
    const { plain } = sentence;
    const date = findDates(plain, null).find(({ start }) =>
      FIRST_PUBLISHED_BEFORE.test(plain.slice(Math.max(0, start - DATE_CONTEXT), start)),
    );
    if (date) return { day: date.day, sentence };
  }
  return undefined;
}
