import { z } from "zod";
import type { Infer } from "../schema-parts.ts";

const shareCount = z.int().positive();

export const ratioSchema = z.object({ newShares: shareCount, oldShares: shareCount });

/** New shares per old shares in lowest integers, fewer new than old: 1-for-7.7 is 10 for 77. */
export type Ratio = Infer<typeof ratioSchema>;

const PAIR = /^\s*(\d[\d,]*(?:\.\d+)?)\s*(?::|\/|(?:-\s*)?for(?:\s*-)?)\s*(\d[\d,]*(?:\.\d+)?)\s*$/i;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Parses `1:20`, `20:1`, `1-for-7.7`, `1:2,400`. A reverse split reduces the number of shares, so the smaller number
 * is the number of new shares. Returns undefined for anything else, such as an equal pair, a zero, a range or words.
 */
export function parseRatio(text: string): Ratio | undefined {
  const pair = PAIR.exec(text);
  const left = readNumber(pair?.[1]);
  const right = readNumber(pair?.[2]);
  if (left === undefined || right === undefined) return undefined;
  return makeRatio(left, right);
}

/** True for pairs of equal numbers, such as `1:1` and `2,000-for-2000.0`. */
export function isEqualPair(text: string): boolean {
  const pair = PAIR.exec(text);
  const [left, right] = [readNumber(pair?.[1]), readNumber(pair?.[2])].map(Number);
  return left === right && left !== 0;
}

/** Ratio of two decimal numbers of shares in either order. */
function makeRatio(left: string, right: string): Ratio | undefined {
  const decimals = Math.max(decimalsOf(left), decimalsOf(right));
  return ratioOfIntegers(scaleToInteger(left, decimals), scaleToInteger(right, decimals));
}

/** Ratio of two whole numbers of shares in either order; undefined for equal numbers, zero and unsafe integers. */
export function ratioOfIntegers(a: number, b: number): Ratio | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a < 1 || b < 1 || a === b) return undefined;
  const divisor = Number(greatestCommonDivisor(BigInt(a), BigInt(b)));
  return { newShares: Math.min(a, b) / divisor, oldShares: Math.max(a, b) / divisor };
}

/** Combined ratio of consecutive splits; undefined for none, or if the result exceeds safe integers. */
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

/** Wire format of the data service, `new:old`: `1:20`. */
export function ratioCode(ratio: Ratio): string {
  return `${ratio.newShares}:${ratio.oldShares}`;
}

/** Display form: `1-for-2,400`, `1-for-7.7`, or `3-for-7` if the old shares per new share are not a short decimal. */
export function ratioName(ratio: Ratio): string {
  const perNew = ratio.oldShares / ratio.newShares;
  const rounded = Number(perNew.toFixed(4));
  const isExact = Math.abs(rounded * ratio.newShares - ratio.oldShares) < 1e-9;
  return isExact ? oldPerNewName(rounded) : `${shareText(ratio.newShares)}-for-${shareText(ratio.oldShares)}`;
}

/** Display form of a number of old shares per new share: `1-for-2,400`. */
export function oldPerNewName(perNew: number): string {
  return `1-for-${shareText(perNew)}`;
}

/** Created once: `toLocaleString` with options creates a format for each number, which takes a hundred times as long. */
const SHARES_FORMAT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });

function shareText(shares: number): string {
  return SHARES_FORMAT.format(shares);
}

/** Number of old shares per new share: 20 for 1-for-20. */
export function oldPerNew(ratio: Ratio): number {
  return ratio.oldShares / ratio.newShares;
}

export function isSameRatio(a: Ratio | null, b: Ratio | null): boolean {
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

function scaleToInteger(text: string, decimals: number): number {
  const [whole = "", fraction = ""] = text.split(".");
  return Number(whole + fraction.padEnd(decimals, "0"));
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
