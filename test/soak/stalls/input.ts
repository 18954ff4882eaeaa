import { addDays } from "../../../src/domain/time/day.ts";
import { day } from "../../support/builders.ts";
import { anArticleRow, aSplitRow } from "../../support/upstream.ts";

/** Large but possible numbers. */
export const SPLITS = 500;
export const ARTICLES = 8_000;

/** `AAAQ`, `BAAQ`, … */
export function symbol(n: number): string {
  const parts = [n, Math.floor(n / 26), Math.floor(n / 676)];
  return `${String.fromCharCode(...parts.map((part) => 65 + (part % 26)))}Q`;
}

export function splitRows(): Record<string, unknown>[] {
  return Array.from({ length: SPLITS }, (_, n) =>
    aSplitRow({ ticker: symbol(n), ex_date: addDays(day("2026-03-03"), n % 60) }),
  );
}

/** Articles of which the newest page has the longest texts. */
export function articleRows(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) =>
    anArticleRow({
      url: `https://wire.example/${n}`,
      date_published: addDays(day("2026-03-01"), -Math.floor(n / 150)),
      content: `Acme (NASDAQ: ${symbol(n % SPLITS)}) announces a 1-for-20 split. `.repeat(n < 40 ? 3_500 : 30),
    }),
  );
}

/** A text of at most `length` characters. */
export function repeat(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}
