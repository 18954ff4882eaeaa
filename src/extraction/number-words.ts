import { type Ratio, ratioOfIntegers } from "../domain/split/ratio.ts";

/** A number of shares as a fraction of whole numbers: 7.7 is 77 over 10, `16 2/3` is 50 over 3. */
export interface Amount {
  readonly numerator: number;
  readonly denominator: number;
}

const UNITS = list("one two three four five six seven eight nine");
const TEENS = list("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen");
const TENS = list("twenty thirty forty fifty sixty seventy eighty ninety");

const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, index) => [word, index + 1] as const),
  ...TEENS.map((word, index) => [word, index + 10] as const),
  ...TENS.map((word, index) => [word, index * 10 + 20] as const),
  ["fourty", 40],
  ["hundred", 100],
  ["thousand", 1000],
]);

const PARTS: ReadonlyMap<string, number> = new Map([
  ["half", 2],
  ["third", 3],
  ["quarter", 4],
  ["fourth", 4],
  ["fifth", 5],
  ["sixth", 6],
  ["eighth", 8],
  ["tenth", 10],
  ["twentieth", 20],
  ["fortieth", 40],
  ["fiftieth", 50],
  ["hundredth", 100],
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["¼", "1/4"],
  ["½", "1/2"],
  ["¾", "3/4"],
  ["⅓", "1/3"],
  ["⅔", "2/3"],
  ["⅛", "1/8"],
]);

/** Between the words of one number: `twenty four`, `twenty-four`, and `twentyfour` where a blank was lost. */
const GAP = "[ -]{0,2}";
const UNIT = UNITS.join("|");
const BELOW_100 = `(?:(?:${TENS.join("|")}|fourty)(?:${GAP}(?:${UNIT}))?|${TEENS.join("|")}|${UNIT})`;
const BELOW_1000 = `(?:(?:${BELOW_100}${GAP})?hundred(?:${GAP}(?:and[ -])?${BELOW_100})?|${BELOW_100})`;
const CARDINAL = `(?:${BELOW_1000}${GAP}thousand(?:,?${GAP}(?:and[ -])?${BELOW_1000})?|${BELOW_1000})`;
const PART = `(?:(?:an?|${UNIT})[ -](?:${[...PARTS.keys()].join("|")})s?)`;

/** A number is a word of its own, or hangs on one of these where a blank was lost: `forevery`, `forten`, `tenshares`. */
const BEGINS = "(?<![a-z])|(?<=(?<![a-z])(?:for|each|forevery|foreach))";
const ENDS = "(?![a-z])|(?=for|shares?|post|pre|new|old|existing|issued|ordinary|common|outstanding)";

const WORDS = new RegExp(
  `(?:${BEGINS})(?:(${PART})|(${CARDINAL})(?: and (${PART}))?)(?:${ENDS})|(\\d+) and (${PART})(?:${ENDS})`,
  "gi",
);
/** The longest first: `seven` stands in `seventy`. */
const WORD = new RegExp([...VALUES.keys()].toSorted((a, b) => b.length - a.length).join("|"), "g");

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)/g;
const SIGN = / ?[¼½¾⅓⅔⅛]/g;

/** A number as `withDigits` leaves it, in one group: `20`, `7.7`, `16 2/3`. */
export const AMOUNT_PATTERN = String.raw`\d+(?:\.\d+)?(?: \d{1,2}\/\d{1,2}(?![\d/]))?`;
const IN_BRACKETS = new RegExp(String.raw`(${AMOUNT_PATTERN}) ?[([] ?(${AMOUNT_PATTERN}) ?[)\]]`, "g");
const READ = /^(\d+|(?=\.))(?:\.(\d+))?(?: (\d+)\/(\d+))?$/;
const ONLY_PARTS = /^(\d+)\/(\d+)$/;

/** One text for all ways to write a number: `forty (40)` and `forty` become `40`, `six and one-quarter` becomes `6 1/4`. */
export function normalizeNumbers(plain: string): string {
  return plain
    .replaceAll(WORDS, spellOut)
    .replaceAll(THOUSANDS, (digits) => digits.replaceAll(",", ""))
    .replaceAll(SIGN, (sign) => ` ${SIGNS.get(sign.trim()) ?? ""}`)
    .replaceAll(IN_BRACKETS, (all, first: string, second: string) => (isSame(first, second) ? first : all));
}

/** Reads `20`, `7.7`, `.05`, `16 2/3`, `1/2`. Undefined for anything else, and for numbers too large to be exact. */
export function parseAmount(text: string): Amount | undefined {
  const parts = ONLY_PARTS.exec(text);
  if (parts) return amount(Number(parts[1]), Number(parts[2]));
  const [all, whole = "", decimals = "", over = "0", under = "1"] = READ.exec(text) ?? [];
  if (all === undefined) return undefined;
  const scale = 10 ** decimals.length;
  const base = Number(whole + decimals);
  return amount(base * Number(under) + Number(over) * scale, scale * Number(under));
}

/** The ratio of two numbers of shares, in either order. */
export function ratioOfAmounts(left: Amount, right: Amount): Ratio | undefined {
  return ratioOfIntegers(left.numerator * right.denominator, right.numerator * left.denominator);
}

function amount(over: number, under: number): Amount | undefined {
  return under > 0 && Number.isSafeInteger(over) && Number.isSafeInteger(under)
    ? { numerator: over, denominator: under }
    : undefined;
}

function isSame(first: string, second: string): boolean {
  const [a, b] = [parseAmount(first), parseAmount(second)];
  return a !== undefined && b !== undefined && a.numerator * b.denominator === b.numerator * a.denominator;
}

function spellOut(...groups: readonly unknown[]): string {
  const [, part, cardinal, mixedPart, digits, digitsPart] = groups.map((group) =>
    typeof group === "string" ? group.toLowerCase() : "",
  );
  if (part) return readPart(part);
  const whole = digits || String(readCardinal(cardinal ?? ""));
  const rest = mixedPart || digitsPart;
  return rest ? `${whole} ${readPart(rest)}` : whole;
}

/** `one-half` is `1/2`. */
function readPart(text: string): string {
  const [count = "", ...rest] = text.split(/[ -]/);
  const name = rest.join("").replace(/s$/, "").replace("halve", "half");
  return `${VALUES.get(count) ?? 1}/${PARTS.get(name) ?? 1}`;
}

function readCardinal(text: string): number {
  let thousands = 0;
  let below = 0;
  for (const [word] of text.matchAll(WORD)) {
    if (word === "hundred") below = Math.max(1, below) * 100;
    else if (word === "thousand") {
      thousands = below * 1000;
      below = 0;
    } else below += VALUES.get(word) ?? 0;
  }
  return thousands + below;
}

function list(words: string): readonly string[] {
  return words.split(" ");
}
