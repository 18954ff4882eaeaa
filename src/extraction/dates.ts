import { type Day, daysBetween, parseDay, type Weekday, weekdayOf, yearOf } from "../domain/time/day.ts";

/** A calendar day where a text names it. */
export interface DateMatch {
  readonly day: Day;
  /** Its weekday, where one is named beside it, is part of it. */
  readonly start: number;
  readonly end: number;
  /** The weekday beside it is that of another day, so one of the two is a slip. */
  readonly contradicts: boolean;
}

/** How a month begins in English and French, without accents, each at its number. */
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
  ...pairs("sun mon tue wed thu fri sat"),
  ...pairs("dim lun mar mer jeu ven sam"),
]);

const FULL_MONTHS = "January February March April May June July August September October November December".split(" ");
const FRENCH_MONTHS =
  "janvier février fevrier mars avril mai juin juillet août aout septembre octobre novembre décembre decembre".split(
    " ",
  );

/** A month; a blank may have slipped into a long name. */
const MONTH = `(${[...FULL_MONTHS.map((name) => name.split("").join(" ?")), ...FRENCH_MONTHS].join("|")}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)`;
/** `29`, `5th`; not the beginning of a year, a time, a percentage or a long number. */
const DAY_OF_MONTH = String.raw`(\d \d(?=, ?20)|\d{1,2})(?: ?(?:st|nd|rd|th)(?![a-z]))?(?![\d%]|[:.]\d|,\d{3}(?!\d))`;
const YEAR = String.raw`(, ?2 ?0 ?\d ?\d|,? ?(?:19|20)\d\d)(?!\d)`;

/** How the parts of a day are written. Groups: see `readParts`. */
const FORMS: readonly { readonly pattern: RegExp; readonly order: "mdy" | "dmy" | "ymd" }[] = [
  { pattern: new RegExp(String.raw`${MONTH}\.? ?${DAY_OF_MONTH}(?: ?${YEAR})?`, "gi"), order: "mdy" },
  {
    pattern: new RegExp(
      String.raw`(?<![\d.,:-])(\d{1,2})(?: ?(?:st|nd|rd|th|er))?(?: (?:day )?of)?[ -]?${MONTH}\.?[ -]?${YEAR}`,
      "gi",
    ),
    order: "dmy",
  },
  {
    // Without its year only behind a word that dates follow: `Proposal 2 May Be Adopted` names none.
    pattern: new RegExp(
      String.raw`(?<=\b(?:on|effective|from|until|by|before|after|since|(?:mon|tues|wednes|thurs|fri)day,?) (?:the )?)(\d{1,2})(?: ?(?:st|nd|rd|th))?(?: of)? ${MONTH}(?![a-z])(?!\.?,? ?(?:19|20)\d\d|\.? ?\d)`,
      "gi",
    ),
    order: "dmy",
  },
  { pattern: /(?<![\d-])(20\d\d)[-/](\d\d)[-/](\d\d)(?![\d-])/g, order: "ymd" },
  { pattern: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:20)?\d\d)(?![\d/])/g, order: "mdy" },
];

const WEEKDAY =
  "(?:(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?|(lun|mar|mercre|jeu|vendre|same)di|(diman)che)";
const WEEKDAY_BEFORE = new RegExp(`(?<![a-z])${WEEKDAY}[.,]{0,2} ?(?:the |le )?$`, "i");
const WEEKDAY_AFTER = new RegExp(String.raw`^,? ?\(${WEEKDAY}\)`, "i");
const WEEKDAY_REACH = 20;

/** A sentence names a day or two; a table of hundreds is read no further. */
const MOST_DATES = 12;

/**
 * The days that a sentence names, in order. One without a year is the one nearest to `near`, and left out where that
 * is not known.
 */
export function findDates(plain: string, near: Day | null): readonly DateMatch[] {
  if (!/\d/.test(plain)) return [];
  const found = FORMS.flatMap(({ pattern, order }) => readForm(plain, near, { pattern, order }));
  const sorted = found.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0)).slice(0, MOST_DATES);
}

function readForm(plain: string, near: Day | null, { pattern, order }: (typeof FORMS)[number]): DateMatch[] {
  const mentions: DateMatch[] = [];
  for (const found of plain.matchAll(pattern)) {
    const day = readDay(found, order, near);
    if (day) mentions.push(withWeekday(plain, day, found.index, found.index + found[0].length));
    if (mentions.length === MOST_DATES) break;
  }
  return mentions;
}

function readDay(found: RegExpExecArray, order: "mdy" | "dmy" | "ymd", near: Day | null): Day | undefined {
  const [year, month, day] = readParts(found, order);
  const monthNumber = readMonth(month);
  const digits = day.replaceAll(" ", "");
  if (monthNumber === undefined) return undefined;
  if (year !== "") return dayOf(readYear(year), monthNumber, digits);
  if (near === null) return undefined;
  const around = [-1, 0, 1].map((step) => dayOf(yearOf(near) + step, monthNumber, digits));
  return around
    .filter((one) => one !== undefined)
    .toSorted((a, b) => Math.abs(daysBetween(near, a)) - Math.abs(daysBetween(near, b)))[0];
}

/** Year (empty where there is none), month and day of the month, as written. */
function readParts(found: RegExpExecArray, order: "mdy" | "dmy" | "ymd"): readonly [string, string, string] {
  const [, first = "", second = "", third = ""] = found;
  if (order === "ymd") return [first, second, third];
  return order === "mdy" ? [third, first, second] : [third, second, first];
}

function readMonth(written: string): number | undefined {
  if (/\d/.test(written)) return Number(written);
  const bare = fold(written.replaceAll(" ", ""));
  // In small letters `may` is a verb, and `mar` the end of another word; the French months are written small.
  if (/^[a-z]/.test(written) && !FRENCH_MONTHS.some((name) => fold(name) === bare)) return undefined;
  return MONTH_STARTS.findIndex((start) => start.test(bare)) + 1;
}

function readYear(written: string): number {
  const digits = written.replace(/\D/g, "");
  return Number(digits.length === 2 ? `20${digits}` : digits);
}

function dayOf(year: number, month: number, dayOfMonth: string): Day | undefined {
  return parseDay(`${year}-${String(month).padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`);
}

function withWeekday(plain: string, day: Day, start: number, end: number): DateMatch {
  const before = WEEKDAY_BEFORE.exec(plain.slice(Math.max(0, start - WEEKDAY_REACH), start));
  const after = WEEKDAY_AFTER.exec(plain.slice(end, end + WEEKDAY_REACH));
  const named = [before, after].map(readWeekday).filter((weekday) => weekday !== undefined);
  return {
    day,
    start: start - (before?.[0].length ?? 0),
    end,
    contradicts: named.some((weekday) => weekday !== weekdayOf(day)),
  };
}

/** The weekday that a pattern round `WEEKDAY` found. */
function readWeekday(found: RegExpExecArray | null): Weekday | undefined {
  const name = found?.slice(1).find((group: string | undefined) => group !== undefined);
  return found && name !== undefined ? WEEKDAYS.get(fold(name).slice(0, 3)) : undefined;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll("é", "e").replaceAll("û", "u");
}

function pairs(names: string): (readonly [string, Weekday])[] {
  const days: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
  const list = names.split(" ");
  return days.map((day) => [list[day] ?? "", day] as const);
}
