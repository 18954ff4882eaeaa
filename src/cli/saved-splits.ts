import type { ListedSplit } from "../catalog/coverage.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { csvRecords } from "../lib/csv.ts";
import { quoteValue } from "../lib/error-text.ts";
import { isJsonObject, parseJson } from "../lib/json.ts";
import { parseFieldDay, parseSplitRatio } from "../sources/notations.ts";

/** Splits of a file that the operator saved: Nasdaq's calendar as JSON, or a CSV of date, symbol and ratio. */
export interface SavedSplits {
  readonly splits: readonly ListedSplit[];
  /** Number of forward splits and stock dividends. */
  readonly skipped: number;
  /** `line 7: got "abc"`, one for each line or row without a readable date, symbol or ratio. */
  readonly unreadable: readonly string[];
}

/** File that contains something else. The message states what is expected. */
export class SavedSplitsError extends Error {
  override readonly name = "SavedSplitsError";
}

const EXPECTED = "expected Nasdaq's calendar as JSON, or a CSV with date, symbol and ratio in each line";
const MAX_ROWS = 100_000;

/**
 * Parses the text of a saved file. Throws a SavedSplitsError for a text in which no row can be read.
 * @param file Name of the file, to which the splits are linked with their line.
 */
export function parseSavedSplits(text: string, file: string): SavedSplits {
  const isJson = /^\s*[[{]/.test(text.replace(/^\uFEFF/, ""));
  const rows = isJson ? jsonRows(text) : csvRows(text);
  const splits = new Map<string, ListedSplit>();
  const unreadable: string[] = [];
  let skipped = 0;
  for (const row of rows.slice(0, MAX_ROWS)) {
    const split = splitOf(row, file);
    if (split === null) unreadable.push(`${row.place}: got ${quoteValue(row.text)}`);
    else if (split === "skipped") skipped += 1;
    else splits.set(`${split.ticker} ${split.exDate}`, split);
  }
  if (rows.length > MAX_ROWS) throw new SavedSplitsError(`got ${rows.length} rows, expected at most ${MAX_ROWS}`);
  if (unreadable.length > 0 && splits.size + skipped === 0) throw new SavedSplitsError(`${unreadable[0]}, ${EXPECTED}`);
  return { splits: [...splits.values()], skipped, unreadable };
}

/** A row with its texts, each undefined if the row has none. */
interface Row {
  /** `line 7` or `row 7`. */
  readonly place: string;
  readonly text: string;
  readonly symbol: string | undefined;
  readonly ratio: string | undefined;
  readonly date: string | undefined;
}

function splitOf({ place, symbol, ratio, date }: Row, file: string): ListedSplit | "skipped" | null {
  const [ticker, exDate, parsed] = [symbolOf(symbol), dayOf(date), ratioOf(ratio)];
  if (parsed === "forward") return "skipped";
  if (ticker === null || exDate === null || parsed === null) return null;
  const url = `${file}:${place.replace(/\D/g, "")}`;
  return { ticker, exchange: null, ratio: parsed, exDate, url, isFund: false };
}

/** `QLMR`, `NASDAQ: QLMR` */
function symbolOf(text: string | undefined): Ticker | null {
  return parseTicker((text ?? "").replace(/^[A-Za-z]{2,12}\s?:\s?/, "")) ?? null;
}

function dayOf(text: string | undefined): Day | null {
  return text === undefined ? null : parseFieldDay(text);
}

const REVERSE_WORDS = /\brevers[a-z]*\b/i;

/** The ratio of a reverse split; `forward` for forward splits and stock dividends such as `5%`; null for other texts. */
function ratioOf(text: string | undefined): Ratio | "forward" | null {
  if (text === undefined) return null;
  const isNamedReverse = REVERSE_WORDS.test(text);
  const bare = text.replace(/\b(?:reverse|forward|stock|share|split)\b/gi, "").trim();
  if (/^\d+(?:\.\d+)?\s?%$/.test(bare)) return "forward";
  const ratio = parseSplitRatio(bare);
  if (ratio !== null) return ratio;
  const swapped = parseSplitRatio(swap(bare));
  if (swapped === null) return null;
  return isNamedReverse ? swapped : "forward";
}

/** `20 : 1` → `1 : 20` */
function swap(ratio: string): string {
  const [left = "", right = "", ...others] = ratio.split(/\s*(?:[:/]|-?\bfor\b-?|-?\bto\b-?|[-–—])\s*/i);
  return others.length > 0 ? "" : `${right}:${left}`;
}

/** Names of the columns and fields; an earlier one takes precedence. */
const NAMES = {
  symbol: ["symbol", "ticker"],
  ratio: ["ratio", "splitratio", "split"],
  date: ["executiondate", "exdate", "effectivedate", "splitdate", "date"],
} as const;

type Column = keyof typeof NAMES;

/** Index of the column among the names of fields; -1: none. */
function indexOfColumn(names: readonly string[], column: Column): number {
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  return NAMES[column].map((name) => plain.indexOf(name)).find((index) => index >= 0) ?? -1;
}

/** Rows of one or several answers: `data.rows`, which is null on days without splits, or a list of rows. */
function jsonRows(text: string): readonly Row[] {
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  const items = rowsIn(value, 0);
  if (items === null)
    throw new SavedSplitsError(`got ${value === undefined ? "incomplete JSON" : "another JSON"}, ${EXPECTED}`);
  return items.map((item, index) => rowOf(item, `row ${index + 1}`));
}

const MAX_DEPTH = 4;

function rowsIn(value: unknown, depth: number): readonly unknown[] | null {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const lists = value.map((item) => rowsIn(item, depth + 1) ?? [item]);
    return lists.flat();
  }
  if (!isJsonObject(value)) return null;
  if ("rows" in value) return value.rows === null ? [] : rowsIn(value.rows, depth + 1);
  if ("data" in value) return value.data === null ? [] : rowsIn(value.data, depth + 1);
  return null;
}

function rowOf(item: unknown, place: string): Row {
  const fields = isJsonObject(item) ? item : {};
  const names = Object.keys(fields);
  const values = Object.values(fields);
  const textOf = (column: Column): string | undefined => {
    const value = values[indexOfColumn(names, column)];
    return typeof value === "string" ? value : undefined;
  };
  const text = JSON.stringify(item);
  return { place, text, symbol: textOf("symbol"), ratio: textOf("ratio"), date: textOf("date") };
}

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Rows of a CSV, by its headings in any order, otherwise by the content of each field. */
function csvRows(text: string): readonly Row[] {
  const records = [...csvRecords(text, delimiterOf(text))];
  const [first, ...others] = records;
  if (first === undefined) throw new SavedSplitsError(`got an empty file, ${EXPECTED}`);
  const columns = columnsOf(first.fields);
  return (columns === null ? records : others).map(({ line, fields }) => {
    const [symbol, ratio, date] = columns ?? columnsByContent(fields);
    return {
      place: `line ${line}`,
      text: fields.join(" "),
      symbol: fields[symbol],
      ratio: fields[ratio],
      date: fields[date],
    };
  });
}

/** The delimiter that parts the first line into the most fields. */
function delimiterOf(text: string): string {
  const line = text.split(/\r?\n/).find((one) => one.trim() !== "") ?? "";
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ",";
}

type Columns = readonly [symbol: number, ratio: number, date: number];

/** Null if the record isn't the row of headings. */
function columnsOf(fields: readonly string[]): Columns | null {
  const columns = [
    indexOfColumn(fields, "symbol"),
    indexOfColumn(fields, "ratio"),
    indexOfColumn(fields, "date"),
  ] as const;
  return columns.includes(-1) ? null : columns;
}

function columnsByContent(fields: readonly string[]): Columns {
  const date = fields.findIndex((field) => parseFieldDay(field) !== null);
  const ratio = fields.findIndex((field, index) => index !== date && ratioOf(field) !== null);
  const symbol = fields.findIndex(
    (field, index) => index !== date && index !== ratio && field === field.toUpperCase() && symbolOf(field) !== null,
  );
  return [symbol, ratio, date];
}
