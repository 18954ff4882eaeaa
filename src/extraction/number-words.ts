import { isSameRatio, type Ratio, ratioOfIntegers } from "../domain/split/ratio.ts";
import { oncePerSentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** Exact number of shares: 7.7 is 77/10, `16 2/3` is 50/3. */
export interface Amount {
  readonly numerator: number;
  readonly denominator: number;
}

const UNITS = splitWords("one two three four five six seven eight nine");
const TEENS = splitWords("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen");
const TENS = splitWords("twenty thirty forty fifty sixty seventy eighty ninety");

const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, index) => [word, index + 1] as const),
  ...TEENS.map((word, index) => [word, index + 10] as const),
  ...TENS.map((word, index) => [word, index * 10 + 20] as const),
  ["fourty", 40],
  ["hundred", 100],
  ["thousand", 1000],
]);

const DENOMINATORS: ReadonlyMap<string, number> = new Map([
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

const FRACTION_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["¼", "1/4"],
  ["½", "1/2"],
  ["¾", "3/4"],
  ["⅓", "1/3"],
  ["⅔", "2/3"],
  ["⅛", "1/8"],
]);

/** Separator of the words of one number: `twenty four`, `twenty-four`, `twentyfour`. */
const GAP = "[ -]{0,2}";
const UNIT = UNITS.join("|");
const BELOW_100 = `(?:(?:${TENS.join("|")}|fourty)(?:${GAP}(?:${UNIT}))?|${TEENS.join("|")}|${UNIT})`;
const BELOW_1000 = `(?:(?:${BELOW_100}${GAP})?hundred(?:${GAP}(?:and[ -])?${BELOW_100})?|${BELOW_100})`;
const CARDINAL = `(?:${BELOW_1000}${GAP}thousand(?:,?${GAP}(?:and[ -])?${BELOW_1000})?|${BELOW_1000})`;
const FRACTION = `(?:(?:an?|${UNIT})[ -](?:${[...DENOMINATORS.keys()].join("|")})s?)`;

/** Words that a number may be joined to where a space is missing: `forten`, `foreveryten`, `tenshares`. */
const START = "(?<![a-z])|(?<=(?<![a-z])(?:for|each|forevery|foreach))";
const END = "(?![a-z])|(?=for|shares?|post|pre|new|old|existing|issued|ordinary|common|outstanding)";

const WORDS = new RegExp(
  `(?=[aefhnost])(?:${START})(?:(${FRACTION})|(${CARDINAL})(?: and (${FRACTION}))?)(?:${END})|(\\d{1,20}) and (${FRACTION})(?:${END})`,
  "gi",
);
/** Longer words first, because `seventy` contains `seven`. */
const WORD = new RegExp([...VALUES.keys()].toSorted((a, b) => b.length - a.length).join("|"), "g");

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)/g;
const FRACTION_CHARACTER = / ?[¼½¾⅓⅔⅛]/g;

/** A number in the output of `normalizeNumbers`: `20`, `7.7`, `16 2/3`. */
export const AMOUNT_PATTERN = String.raw`\d{1,20}(?:\.\d{1,20})?(?: \d{1,2}\/\d{1,2}(?![\d/]))?`;
const IN_BRACKETS = new RegExp(String.raw`(${AMOUNT_PATTERN}) ?[([] ?(${AMOUNT_PATTERN}) ?[)\]]`, "g");
const DECIMAL_OR_MIXED = /^(\d+|(?=\.))(?:\.(\d+))?(?: (\d+)\/(\d+))?$/;
const FRACTION_ONLY = /^(\d+)\/(\d+)$/;

const SINGLE = /\ba single\b/gi;

/** Writes all numbers as digits: `forty (40)` and `forty` become `40`, `six and one-quarter` becomes `6 1/4`. */
export function normalizeNumbers(plain: string): string {
  return plain
    .replaceAll(SINGLE, "1")
    .replaceAll(WORDS, toDigits)
    .replaceAll(THOUSANDS, (digits) => digits.replaceAll(",", ""))
    .replaceAll(FRACTION_CHARACTER, (sign) => ` ${FRACTION_CHARACTERS.get(sign.trim()) ?? ""}`)
    .replaceAll(IN_BRACKETS, (all, first: string, second: string) => (isSameAmount(first, second) ? first : all));
}

/** Text of a sentence with all numbers as digits. */
export const withDigits = oncePerSentence(({ plain }) => normalizeNumbers(plain));

/** Parses `20`, `7.7`, `.05`, `16 2/3` and `1/2`. Returns undefined for other text and for numbers too large to be exact. */
export function parseAmount(text: string): Amount | undefined {
  const fraction = FRACTION_ONLY.exec(text);
  if (fraction) return exactAmount(Number(fraction[1]), Number(fraction[2]));
  const [all, whole = "", decimals = "", numerator = "0", denominator = "1"] = DECIMAL_OR_MIXED.exec(text) ?? [];
  if (all === undefined) return undefined;
  const scale = 10 ** decimals.length;
  const base = Number(whole + decimals);
  return exactAmount(base * Number(denominator) + Number(numerator) * scale, scale * Number(denominator));
}

const PAIR = `(${AMOUNT_PATTERN}) ?(?:[:/-]|-? ?(?:for|to)(?: ?-| every)?) ?(${AMOUNT_PATTERN})`;
/** `1-25`, and `1-for-25 (1-25)`. */
const WHOLE_RATIO = new RegExp(String.raw`^\(?${PAIR}(?:(?: ?\( ?${PAIR} ?)?\))?$`, "i");

/** Parses a text that is the ratio of a reverse split, new:old, in the output of `normalizeNumbers`. Null for any other text. */
export function parseWholeRatio(text: string): Ratio | null {
  const [all, newShares = "", oldShares = "", repeatedNew = newShares, repeatedOld = oldShares] =
    WHOLE_RATIO.exec(text) ?? [];
  if (all === undefined) return null;
  const [ratio, repeated] = [reverseRatio(newShares, oldShares), reverseRatio(repeatedNew, repeatedOld)];
  return isSameRatio(ratio, repeated) ? ratio : null;
}

function reverseRatio(newShares: string, oldShares: string): Ratio | null {
  const [left, right] = [parseAmount(newShares), parseAmount(oldShares)];
  if (left === undefined || right === undefined) return null;
  const isReverse = left.numerator * right.denominator < right.numerator * left.denominator;
  return isReverse ? (ratioOfAmounts(left, right) ?? null) : null;
}

/** Returns the ratio of two numbers of shares, in either order. */
export function ratioOfAmounts(left: Amount, right: Amount): Ratio | undefined {
  return ratioOfIntegers(left.numerator * right.denominator, right.numerator * left.denominator);
}

function exactAmount(numerator: number, denominator: number): Amount | undefined {
  const isExact = denominator > 0 && Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return isExact ? { numerator, denominator } : undefined;
}

function isSameAmount(first: string, second: string): boolean {
  const [a, b] = [parseAmount(first), parseAmount(second)];
  return a !== undefined && b !== undefined && a.numerator * b.denominator === b.numerator * a.denominator;
}

function toDigits(...groups: readonly unknown[]): string {
  const [, fraction, cardinal, mixedFraction, digits, digitsFraction] = groups.map((group) =>
    typeof group === "string" ? group.toLowerCase() : "",
  );
  if (fraction) return parseFraction(fraction);
  const whole = digits || String(parseCardinal(cardinal ?? ""));
  const fractionText = mixedFraction || digitsFraction;
  return fractionText ? `${whole} ${parseFraction(fractionText)}` : whole;
}

/** `one-half` is `1/2`. */
function parseFraction(text: string): string {
  const [count = "", ...nameParts] = text.split(/[ -]/);
  const name = nameParts.join("").replace(/s$/, "").replace("halve", "half");
  return `${VALUES.get(count) ?? 1}/${DENOMINATORS.get(name) ?? 1}`;
}

function parseCardinal(text: string): number {
  let thousands = 0;
  let belowThousand = 0;
  for (const [word] of findMatches(WORD, text)) {
    if (word === "hundred") belowThousand = Math.max(1, belowThousand) * 100;
    else if (word === "thousand") {
      thousands = belowThousand * 1000;
      belowThousand = 0;
    } else belowThousand += VALUES.get(word) ?? 0;
  }
  return thousands + belowThousand;
}

function splitWords(words: string): readonly string[] {
  return words.split(" ");
}
