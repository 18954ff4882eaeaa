/** How many new shares stand for how many old ones, in lowest integers; fewer new than old. 1-for-7.7 is 10 for 77. */
export interface Ratio {
  readonly newShares: number;
  readonly oldShares: number;
}

const PAIR = /^\s*(\d[\d,]*(?:\.\d+)?)\s*(?::|\/|-?\s*for\s*-?)\s*(\d[\d,]*(?:\.\d+)?)\s*$/i;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Reads `1:20`, `20:1`, `1-for-7.7`, `1:2,400`. A reverse split leaves fewer shares, so the smaller side is the new one,
 * whichever side it came on. Undefined for anything else: an equal pair, a zero, a range, words.
 */
export function parseRatio(text: string): Ratio | undefined {
  const pair = PAIR.exec(text);
  const left = readNumber(pair?.[1]);
  const right = readNumber(pair?.[2]);
  if (left === undefined || right === undefined) return undefined;
  return makeRatio(left, right);
}

/** `1:1`, `2,000-for-2000.0`: it can be read, but nothing is split. */
export function isEqualPair(text: string): boolean {
  const pair = PAIR.exec(text);
  const [left, right] = [readNumber(pair?.[1]), readNumber(pair?.[2])].map(Number);
  return left === right && left !== 0;
}

/** The ratio of two decimal numbers of shares, given as text, in either order. */
function makeRatio(left: string, right: string): Ratio | undefined {
  const decimals = Math.max(decimalsOf(left), decimalsOf(right));
  return ratioOfIntegers(scaled(left, decimals), scaled(right, decimals));
}

/** The ratio of two whole numbers of shares, in either order. Undefined for an equal pair, a zero, or what is no safe integer. */
export function ratioOfIntegers(a: number, b: number): Ratio | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a < 1 || b < 1 || a === b) return undefined;
  const divisor = Number(greatestCommonDivisor(BigInt(a), BigInt(b)));
  return { newShares: Math.min(a, b) / divisor, oldShares: Math.max(a, b) / divisor };
}

/** What several splits come to, one after the other. Undefined for none, or for what is beyond safe integers. */
export function multiplyRatios(ratios: readonly Ratio[]): Ratio | undefined {
  let newShares = 1n;
  let oldShares = 1n;
  for (const ratio of ratios) {
    newShares *= BigInt(ratio.newShares);
    oldShares *= BigInt(ratio.oldShares);
  }
  const divisor = greatestCommonDivisor(newShares, oldShares);
  return ratioOfIntegers(Number(newShares / divisor), Number(oldShares / divisor));
}

/** `new:old`, as the data service writes it: `1:20`. */
export function ratioCode(ratio: Ratio): string {
  return `${ratio.newShares}:${ratio.oldShares}`;
}

/** As people say it: `1-for-20`, `1-for-7.7`; `3-for-10` and `3-for-7` where one new share would not be a short decimal. */
export function ratioName(ratio: Ratio): string {
  const perNew = ratio.oldShares / ratio.newShares;
  const short = Number(perNew.toFixed(4));
  const exact = Math.abs(short * ratio.newShares - ratio.oldShares) < 1e-9;
  return exact ? `1-for-${short}` : `${ratio.newShares}-for-${ratio.oldShares}`;
}

/** How many old shares make one new share: 20 for 1-for-20. */
export function oldPerNew(ratio: Ratio): number {
  return ratio.oldShares / ratio.newShares;
}

export function sameRatio(a: Ratio | null, b: Ratio | null): boolean {
  return a === b || (a !== null && b !== null && a.newShares === b.newShares && a.oldShares === b.oldShares);
}

function readNumber(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!text.includes(",")) return text;
  return THOUSANDS.test(text) ? text.replaceAll(",", "") : undefined;
}

function decimalsOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

function scaled(text: string, decimals: number): number {
  const [whole = "", fraction = ""] = text.split(".");
  return Number(whole + fraction.padEnd(decimals, "0"));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
