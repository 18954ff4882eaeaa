import { type Day, daysBetween, parseDay, type Weekday, weekdayOf, yearOf } from "../domain/time/day.ts";
import { findMatches } from "./text-rule.ts";

/** A calendar day in a text. */
export interface DateMatch {
  readonly day: Day;
  /** The range includes a weekday beside the date. */
  readonly start: number;
  readonly end: number;
  /** Whether the weekday beside the date belongs to another day. */
  readonly hasWrongWeekday: boolean;
}

/** First letters of the months in English and French, without accents. The index is the month's number minus 1. */
const MONTH_STARTS = [
  /^jan/,
  /^fe[bv]/,
  /^mar/,
  /^a[pv]r/,
  /^ma[yi]/,
  /^jui?n/,
  /^jui?l/,
  /^a[uo]/,
  /^s/,
  /^o/,
  /^n/,
  /^d/,
];
const WEEKDAYS: ReadonlyMap<string, Weekday> = new Map<string, Weekday>([
  ...weekdayEntries("sun mon tue wed thu fri sat"),
  ...weekdayEntries("dim lun mar mer jeu ven sam"),
]);

const FULL_MONTHS = "January February March April May June July August September October November December".split(" ");
const FRENCH_MONTHS =
  "janvier février fevrier mars avril mai juin juillet août aout septembre octobre novembre décembre decembre".split(
    " ",
  );

/** A month. A long name may contain a stray space. */
const MONTH = `(${[...FULL_MONTHS.map((name) => name.split("").join(" ?")), ...FRENCH_MONTHS].join("|")}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)`;
/** `29` or `5th`, but not the start of a year, a time, a percentage or a longer number. */
const DAY_OF_MONTH = String.raw`(\d \d(?=, ?20)|\d{1,2})(?: ?(?:st|nd|rd|th)(?![a-z]))?(?![\d%]|[:.]\d|,\d{3}(?!\d))`;
const YEAR = String.raw`(, ?2 ?0 ?\d ?\d|,? ?(?:19|20)\d\d)(?!\d)`;

/** Notations of a date. `order` is that of the groups year, month and day. */
const NOTATIONS: readonly { readonly pattern: RegExp; readonly order: "mdy" | "dmy" | "ymd" }[] = [
  { pattern: new RegExp(String.raw`${MONTH}\.? ?${DAY_OF_MONTH}(?: ?${YEAR})?`, "gi"), order: "mdy" },
  {
    pattern: new RegExp(
      String.raw`(?<![\d.,:-])(\d{1,2})(?: ?(?:st|nd|rd|th|er))?(?: (?:day )?of)?[ -]?${MONTH}\.?[ -]?${YEAR}`,
      "gi",
    ),
    order: "dmy",
  },
  {
    // A date without a year requires a preposition or weekday: `Proposal 2 May Be Adopted` contains none.
    pattern: new RegExp(
      String.raw`(?=\d)(?<=\b(?:on|effective|from|today|until|by|before|after|since|(?:date|day):|(?:mon|tues|wednes|thurs|fri)day,?) (?:the )?)(\d{1,2})(?: ?(?:st|nd|rd|th))?(?: of)? ${MONTH}(?![a-z])(?!\.?,? ?(?:19|20)\d\d|\.? ?\d)`,
      "gi",
    ),
    order: "dmy",
  },
  { pattern: /(?<![\d-])(20\d\d)[-/](\d\d)[-/](\d\d)(?![\d-])/g, order: "ymd" },
  { pattern: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:20)?\d\d)(?![\d/])/g, order: "mdy" },
  // Without a year only after a label: `ex-date 5/4`.
  { pattern: /(?=\d)(?<=\b(?:date|effective):? )(\d{1,2})\/(\d{1,2})(?![\d/])/gi, order: "mdy" },
  { pattern: /(?<![\d-])(\d\d)-(\d\d)-(20\d\d)(?![\d-])/g, order: "mdy" },
  // A number above 12 is a day.
  { pattern: /(?<![\d/-])(1[3-9]|2\d|3[01])[/-](\d{1,2})[/-](20\d\d)(?![\d/-])/g, order: "dmy" },
  { pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(20\d\d)(?![\d.]\d)/g, order: "dmy" },
];

const WEEKDAY =
  "(?:(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?|(lun|mar|mercre|jeu|vendre|same)di|(diman)che)";
const WEEKDAY_BEFORE = new RegExp(`(?<![a-z])${WEEKDAY}[.,]{0,2} ?(?:the |le )?$`, "i");
const WEEKDAY_AFTER = new RegExp(String.raw`^,? ?\(${WEEKDAY}\)`, "i");
/** Length of the text beside a date in which its weekday may be named, in characters. */
const WEEKDAY_CONTEXT = 20;

/** Maximum number of dates read from one sentence. A sentence with more is a table. */
const MAX_DATES = 12;

/**
 * Finds the days that a sentence names, in text order. A date without a year is the one nearest to `near`, and is omitted
 * if that is null.
 */
export function findDates(plain: string, near: Day | null): readonly DateMatch[] {
  if (!/\d/.test(plain)) return [];
  const matches = NOTATIONS.flatMap(({ pattern, order }) => matchNotation(plain, near, { pattern, order }));
  const sorted = matches.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0)).slice(0, MAX_DATES);
}

function matchNotation(plain: string, near: Day | null, { pattern, order }: (typeof NOTATIONS)[number]): DateMatch[] {
  const matches: DateMatch[] = [];
  for (const match of findMatches(pattern, plain)) {
    const day = parseMatch(match, order, near);
    if (day) matches.push(withWeekday(plain, day, match.index, match.index + match[0].length));
    if (matches.length === MAX_DATES) break;
  }
  return matches;
}

function parseMatch(match: RegExpExecArray, order: "mdy" | "dmy" | "ymd", near: Day | null): Day | undefined {
  const [year, month, day] = datePartsOf(match, order);
  const monthNumber = parseMonth(month);
  const digits = day.replaceAll(" ", "");
  if (monthNumber === undefined) return undefined;
  if (year !== "") return dayOf(parseYear(year), monthNumber, digits);
  if (near === null) return undefined;
  const candidates = [-1, 0, 1].map((step) => dayOf(yearOf(near) + step, monthNumber, digits));
  return candidates
    .filter((candidate) => candidate !== undefined)
    .toSorted((a, b) => Math.abs(daysBetween(near, a)) - Math.abs(daysBetween(near, b)))[0];
}

/** Returns year (may be empty), month and day of the month as written. */
function datePartsOf(match: RegExpExecArray, order: "mdy" | "dmy" | "ymd"): readonly [string, string, string] {
  const [, first = "", second = "", third = ""] = match;
  if (order === "ymd") return [first, second, third];
  return order === "mdy" ? [third, first, second] : [third, second, first];
}

function parseMonth(written: string): number | undefined {
  if (/\d/.test(written)) return Number(written);
  const folded = foldAccents(written.replaceAll(" ", ""));
  // In lower case `may` is a verb and `mar` the end of a word. French months are in lower case.
  if (/^[a-z]/.test(written) && !FRENCH_MONTHS.some((name) => foldAccents(name) === folded)) return undefined;
  return MONTH_STARTS.findIndex((start) => start.test(folded)) + 1;
}

function parseYear(written: string): number {
  const digits = written.replace(/\D/g, "");
  return Number(digits.length === 2 ? `20${digits}` : digits);
}

function dayOf(year: number, month: number, dayOfMonth: string): Day | undefined {
  return parseDay(`${year}-${String(month).padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`);
}

function withWeekday(plain: string, day: Day, start: number, end: number): DateMatch {
  const before = WEEKDAY_BEFORE.exec(plain.slice(Math.max(0, start - WEEKDAY_CONTEXT), start));
  const after = WEEKDAY_AFTER.exec(plain.slice(end, end + WEEKDAY_CONTEXT));
  const weekdays = [before, after].map(parseWeekday).filter((weekday) => weekday !== undefined);
  return {
    day,
    start: start - (before?.[0].length ?? 0),
    end,
    hasWrongWeekday: weekdays.some((weekday) => weekday !== weekdayOf(day)),
  };
}

/** Returns the weekday of a match that contains `WEEKDAY`. */
function parseWeekday(match: RegExpExecArray | null): Weekday | undefined {
  const name = match?.slice(1).find((group: string | undefined) => group !== undefined);
  return match && name !== undefined ? WEEKDAYS.get(foldAccents(name).slice(0, 3)) : undefined;
}

function foldAccents(word: string): string {
  return word.toLowerCase().replaceAll("é", "e").replaceAll("û", "u");
}

function weekdayEntries(names: string): (readonly [string, Weekday])[] {
  const days: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
  const list = names.split(" ");
  return days.map((day) => [list[day] ?? "", day] as const);
}
