import * as fc from "fast-check";
import type { Treatment } from "../../src/domain/article/article.ts";
import { type Exchange, parseExchange } from "../../src/domain/split/exchange.ts";
import { addDays, type Day, parseDay, weekdayOf } from "../../src/domain/time/day.ts";
import { tradingDayBefore, tradingDayKind } from "../../src/domain/time/trading-day.ts";

/** Terms of an invented split, for which releases are generated. */
export interface Facts {
  readonly company: string;
  readonly ticker: string;
  /** Spelling in the tag, and code. */
  readonly exchange: readonly [string, string];
  readonly old: number;
  readonly announced: Day;
  readonly exDate: Day;
  readonly treatment: Treatment;
  readonly newCusip: string | null;
}

/** Wording of each part of a release. */
export interface ReleaseStyle {
  readonly noun: string;
  readonly heading: (facts: Facts, noun: string) => string;
  readonly dateline: (date: string) => string;
  readonly date: (day: Day) => string;
  readonly tag: (exchange: string, ticker: string) => string;
  readonly ratio: (old: number, noun: string) => string;
  readonly exDate: (date: string, before: string) => string;
  readonly fraction: number;
  readonly cusip: (cusip: string) => string;
  readonly fillers: readonly string[];
  readonly distort: (text: string) => string;
}

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const NEW_YORK = parseExchange("NASDAQ") as Exchange;
const COMPANIES = [
  "Harbor Mills, Inc.",
  "Quarry Lake Resources Ltd.",
  "Sable Peak Holdings plc",
  "Umber Biologics Corp.",
];
const EXCHANGES: readonly (readonly [string, string])[] = [
  ["NASDAQ", "NASDAQ"],
  ["Nasdaq", "NASDAQ"],
  ["Nasdaq Capital Market", "NASDAQ"],
  ["NYSE American", "NYSEAMERICAN"],
  ["NYSE", "NYSE"],
  ["OTCQB", "OTC"],
  ["TSX-V", "TSXV"],
  ["TSX", "TSX"],
  ["CSE", "CSE"],
];
const NOUNS = ["reverse stock split", "reverse split", "reverse share split", "share consolidation"];

const HEADINGS: readonly ReleaseStyle["heading"][] = [
  ({ company }, noun) => `${company} Announces ${titleCase(noun)}`,
  ({ company }, noun) => `${company} to Effect ${titleCase(noun)}`,
  ({ company, old }, noun) => `${company} Announces 1-for-${old} ${titleCase(noun)}`,
  ({ company }, noun) => `${company} Sets Ratio and Date of ${titleCase(noun)} to Regain Compliance`,
];
const DATELINES: readonly ReleaseStyle["dateline"][] = [
  (date) => `DULUTH, Minn., ${date} (GLOBE NEWSWIRE) -- `,
  (date) => `NEW HAVEN, Conn., ${date} /PRNewswire/ -- `,
  (date) => `LOS GATOS, Calif.--(BUSINESS WIRE)--${date}--`,
  (date) => `BOISE, ID / ACCESS Newswire / ${date} / `,
  (date) => `Vancouver, British Columbia--(Newsfile Corp. - ${date}) - `,
  (date) => `OTTAWA, ON - ${date} (NEWMEDIAWIRE) - `,
];
const MONTHS = "January February March April May June July August September October November December".split(" ");
const SHORT_MONTHS = "Jan. Feb. March April May June July Aug. Sept. Oct. Nov. Dec.".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DATES: readonly ReleaseStyle["date"][] = [
  (day) => `${monthOf(day, MONTHS)} ${dayOfMonth(day)}, ${day.slice(0, 4)}`,
  (day) => `${monthOf(day, SHORT_MONTHS)} ${dayOfMonth(day)}, ${day.slice(0, 4)}`,
  (day) => `${monthOf(day, MONTHS)} ${day.slice(8)}, ${day.slice(0, 4)}`,
  (day) => `${dayOfMonth(day)} ${monthOf(day, MONTHS)} ${day.slice(0, 4)}`,
];
const TAGS: readonly ReleaseStyle["tag"][] = [
  (exchange, ticker) => `(${exchange}: ${ticker})`,
  (exchange, ticker) => `(${exchange}:${ticker})`,
  (exchange, ticker) => `(the “Company”; ${exchange}: ${ticker})`,
  (exchange, ticker) => `(**${exchange}: ${ticker}**)`,
  (exchange, ticker) => `(${exchange}: ${ticker}; Frankfurt: 1AA)`,
];
const RATIOS: readonly ReleaseStyle["ratio"][] = [
  (old, noun) => `a 1-for-${old} ${noun} of its common stock`,
  (old, noun) => `a 1 for ${old} ${noun} of its common stock`,
  (old, noun) => `a one-for-${numberWords(old)} ${noun} of its common stock`,
  (old, noun) => `a one-for-${numberWords(old)} (1-for-${old}) ${noun} of its common stock`,
  (old, noun) => `a ${noun} at a ratio of one (1) share for every ${numberWords(old)} (${old}) shares`,
  (old, noun) => `a ${noun} on the basis of one new share for every ${old} old shares`,
  (old, noun) =>
    `a ${noun} on the basis of one post-consolidation share for each ${numberWords(old)} pre-consolidation shares`,
  (old, noun) => `a ${noun} of ${numberWords(old)} (${old}) shares to one (1) share`,
  (old, noun) => `a ${old}:1 ${noun} of its shares`,
  (old, noun) => `a 1:${old} ${noun} of its shares`,
  (old, noun) => `a ${old}-for-1 ${noun} of its shares`,
  (old, noun) => `a ${noun}, at which every ${old} shares outstanding will be combined into one share`,
  (old, noun) => `a ${noun}, in which each share outstanding will be converted into 1/${old} of a share`,
  (old, noun) =>
    `a one-for-${numberWords(old)} (1-for-${old}) ${noun}, where the stockholders had approved not less than one-for-two (1-for-2) and not more than one-for-one thousand (1-for-1,000)`,
];
const EX_DATES: readonly ReleaseStyle["exDate"][] = [
  (date) => `The shares are expected to begin trading on a split-adjusted basis when the market opens on ${date}.`,
  (date) => `It will be effective for trading purposes as of the commencement of trading on ${date}.`,
  (date, before) =>
    `It takes effect after the close of trading on ${before}, and the shares begin trading on a split-adjusted basis on ${date}.`,
  (date) =>
    `It becomes effective at 12:01 a.m. Eastern Time on ${date}, and the shares will begin trading on a post-split basis at the open of the market that same day.`,
  (date) => `Beginning with the opening of trading on ${date}, the shares will trade on a split-adjusted basis.`,
  (date) => `The shares will commence trading on a post-consolidation basis on or about ${date}.`,
  (date) => `The new shares are expected to start trading on the exchange on ${date}.`,
  (date) => `The first day of trading on the new basis will be ${date}.`,
  (date, before) =>
    `It takes effect at 5:00 p.m. Eastern Time on ${before}. A share is worth its closing trading price (as adjusted for the reverse split) on ${before}. The shares will begin trading on a split-adjusted basis on ${date}.`,
  (date) =>
    `The effective date will be ${date} (the “Effective Date”). The shares begin trading on a post-split basis on the Effective Date.`,
  (date) =>
    `It will be effective prior to the market open on ${date}, when the shares begin trading at their post-split price.`,
];
const FRACTIONS: Readonly<Record<Treatment, readonly string[]>> = {
  round_up: [
    "Any fractional share will be rounded up to the nearest whole share.",
    "Fractional shares will be rounded up, and adjustments will be made to options and equity plans.",
    "No cash will be paid; fractional shares will be rounded up to the next whole share.",
    "Any stockholder who would be left with a fractional share will receive one whole share in its place.",
  ],
  round_nearest: [
    "Fractional shares will be rounded to the nearest whole share.",
    "A fraction of one-half or more is rounded up, and a fraction of less than one-half is rounded down.",
  ],
  round_down: [
    "All fractional shares will be rounded down to the nearest whole number of shares.",
    "Any fractional share will be cancelled without compensation.",
  ],
  cash_in_lieu: [
    "Stockholders will receive a cash payment in lieu of any fractional share.",
    "Fractional shares will be aggregated and sold by the agent, and the net proceeds paid to the holders.",
  ],
};
const CUSIPS: readonly ReleaseStyle["cusip"][] = [
  (cusip) => `The new CUSIP number will be ${cusip}.`,
  (cusip) => `The shares will have a new CUSIP number (${cusip.slice(0, 6)} ${cusip.slice(6)}).`,
];
const FILLERS = [
  "The stockholders had approved a range of 1-for-2 to 1-for-999 at the meeting of April 3, 2017, for which the record date was March 1, 2017.",
  "The number of shares outstanding falls in proportion from about 88,214,000.",
  "The exercise price of all options and warrants will be adjusted.",
  "The deficiency letter of February 2, 2017 gave the issuer 180 days, and the closing bid price must be at least $1.00 for 10 consecutive business days.",
  "Holders of certificates will hear from the transfer agent at (212) 555-0100 between 9:30 a.m. and 4:00 p.m.",
  "The issuer has filed its Consolidated Statements of Operations with its annual report.",
  "Forward-looking statements may prove wrong, and nobody undertakes to update them.",
];
const DISTORTIONS: readonly ReleaseStyle["distort"][] = [
  (text) => text,
  (text) => text.replaceAll("-", "\u2011"),
  (text) => text.replace(/ (?=\d)/g, "\u00a0"),
  (text) => text.replace(/ (\S+ \S+ \S+ \S+ \S+ \S+) /g, " $1\n"),
  (text) => text.replace(/(?<=[a-z)]{2})\. (?=[A-Z])/g, ".  \n\n  "),
  (text) => text.replace(/\b(reverse|consolidation|split-adjusted)\b/g, "**$1**"),
  (text) => text.replace(/\b(for) (every|each) /g, "$1$2 ").replace(/\b(on) (?=[A-Z][a-z]+ \d)/g, "$1"),
  (text) => text.replaceAll("“", '"').replaceAll("”", '"'),
];

const tradingDays = fc
  .date({ min: new Date("2018-01-02"), max: new Date("2027-12-01"), noInvalidDate: true })
  .map((at) => nextTradingDay(parseDay(at.toISOString().slice(0, 10)) as Day));

export const releaseFacts: fc.Arbitrary<Facts> = fc
  .record({
    company: fc.constantFrom(...COMPANIES),
    ticker: fc.stringMatching(/^[B-H][A-M]{2}X$/),
    exchange: fc.constantFrom(...EXCHANGES),
    old: fc.integer({ min: 2, max: 900 }),
    announced: tradingDays,
    away: fc.integer({ min: 1, max: 12 }),
    treatment: fc.constantFrom<Treatment>("round_up", "round_nearest", "round_down", "cash_in_lieu"),
    newCusip: fc.option(fc.stringMatching(/^[1-9]\d{4}[A-HJ-N][1-9]0[1-9]$/)),
  })
  .map(({ away, ...facts }) => ({ ...facts, exDate: nextTradingDay(addDays(facts.announced, away)) }));

export const releaseStyles: fc.Arbitrary<ReleaseStyle> = fc.record({
  noun: fc.constantFrom(...NOUNS),
  heading: fc.constantFrom(...HEADINGS),
  dateline: fc.constantFrom(...DATELINES),
  date: fc.constantFrom(...DATES, withWeekday),
  tag: fc.constantFrom(...TAGS),
  ratio: fc.constantFrom(...RATIOS),
  exDate: fc.constantFrom(...EX_DATES),
  fraction: fc.nat(5),
  cusip: fc.constantFrom(...CUSIPS),
  fillers: fc.shuffledSubarray(FILLERS),
  distort: fc.constantFrom(...DISTORTIONS),
});

/** Writes the release about `facts` in one style. */
export function writeRelease(
  facts: Facts,
  style: ReleaseStyle,
): { readonly heading: string; readonly content: string } {
  const { company, ticker, exchange, old, announced, exDate, treatment, newCusip } = facts;
  const date = (day: Day): string => style.date(day);
  const sent = DATES[announced < "2022" ? 0 : 1] ?? date;
  const wordings = FRACTIONS[treatment];
  const opening = `${style.dateline(sent(announced))}${company} ${style.tag(exchange[0], ticker)} today announced ${style.ratio(old, style.noun)}.`;
  const body = [
    opening,
    style.exDate(date(exDate), date(tradingDayBefore(NEW_YORK, exDate, 1))),
    ...(newCusip === null ? [] : [style.cusip(newCusip)]),
    ...style.fillers,
    `No fractional shares will be issued. ${wordings[style.fraction % wordings.length] ?? ""}`,
  ];
  return { heading: style.heading(facts, style.noun), content: style.distort(body.join("\n\n")) };
}

function withWeekday(day: Day): string {
  return `${WEEKDAYS[weekdayOf(day)] ?? ""}, ${DATES[0]?.(day) ?? ""}`;
}

function nextTradingDay(day: Day): Day {
  return tradingDayKind(NEW_YORK, day) !== "closed" ? day : nextTradingDay(addDays(day, 1));
}

function monthOf(day: Day, names: readonly string[]): string {
  return names[Number(day.slice(5, 7)) - 1] ?? "";
}

function dayOfMonth(day: Day): number {
  return Number(day.slice(8));
}

function titleCase(noun: string): string {
  return noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** A whole number from 1 to 999 in words: `two hundred forty-nine`. */
function numberWords(number: number): string {
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  if (hundreds > 0) return [`${SMALL[hundreds]} hundred`, ...(rest > 0 ? [numberWords(rest)] : [])].join(" ");
  if (rest < 20) return SMALL[rest] ?? "";
  const tens = TENS[Math.floor(rest / 10)] ?? "";
  return rest % 10 === 0 ? tens : `${tens}-${SMALL[rest % 10]}`;
}
