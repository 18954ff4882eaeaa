import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArticleRow, SplitRow } from "../../src/data-service/schema.ts";
import { WIRES, type Wire } from "../../src/domain/article/wire.ts";

/** Manual label of one release: the fields that the tests use. */
interface Label {
  readonly id: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly company: string | null;
  readonly ratio: string | null;
  readonly ex_date: string | null;
  readonly date_announced: string;
  /** The release states all terms of an upcoming split. */
  readonly expect_record: boolean;
  /** False if the text does not name the ticker. */
  readonly ticker_in_text?: boolean;
  /** The release that this one corrects. */
  readonly supersedes?: string;
  /** Splits of a release about several funds. */
  readonly records?: readonly { readonly ticker: string; readonly ratio: string }[];
}

/** A release as the data service serves it, with the tickers that it concerns. */
export interface LabeledRelease {
  readonly article: ArticleRow;
  readonly tickers: readonly string[];
}

/** Row of a split in the list, from a day on. */
export interface Terms {
  readonly from: string;
  readonly row: SplitRow;
}

/** A split with its terms in chronological order. */
export interface LabeledSplit {
  readonly ticker: string;
  readonly terms: readonly [Terms, ...Terms[]];
}

type RawRelease = Omit<ArticleRow, "source" | "url"> & {
  readonly id: string;
  readonly source: string;
  readonly url: string | null;
};

/** Reads releases.jsonl and labels.jsonl. */
export function readLabeledReleases(folder: string): {
  readonly releases: readonly LabeledRelease[];
  readonly splits: readonly LabeledSplit[];
} {
  const raw = readJsonLines(join(folder, "releases.jsonl")) as readonly RawRelease[];
  const labels = readJsonLines(join(folder, "labels.jsonl")) as readonly Label[];
  const labelOf = new Map(labels.map((label) => [label.id, label]));
  return {
    releases: raw.map(({ id, source, url, ...article }) => ({
      article: { ...article, source: asWire(source), url: url ?? `https://wire.example/${id}` },
      tickers: tickersOf(labelOf.get(id)),
    })),
    splits: splitsOf(labels),
  };
}

/** Supported wires in place of the unsupported ones in the corpus. */
const WIRE_SUBSTITUTES: Readonly<Record<string, Wire>> = {
  newmediawire: "accesswire",
  prism: "prnewswire",
  citybiz: "businesswire",
  newsdirect: "newsfile",
  thenewswire: "globenewswire",
};

function asWire(source: string): Wire {
  const wire = WIRES.find((known) => known === source) ?? WIRE_SUBSTITUTES[source];
  if (wire === undefined) throw new Error(`no substitute for the wire ${source}`);
  return wire;
}

function tickersOf(label: Label | undefined): readonly string[] {
  if (label?.records) return label.records.map(({ ticker }) => ticker);
  return label?.ticker && label.ticker_in_text !== false ? [label.ticker] : [];
}

/** One split per ticker and ex date. A correction adds new terms to the same split. */
function splitsOf(labels: readonly Label[]): readonly LabeledSplit[] {
  const inOrder = labels
    .filter((label) => label.expect_record)
    .toSorted((a, b) => (a.date_announced < b.date_announced ? -1 : 1));
  const splits = new Map<string, LabeledSplit>();
  const keyOf = new Map<string, string>();
  for (const label of inOrder) {
    for (const row of rowsOf(label)) {
      const corrected = label.supersedes === undefined ? undefined : keyOf.get(label.supersedes);
      const key = corrected ?? `${row.ticker} ${row.ex_date}`;
      keyOf.set(label.id, key);
      const known = splits.get(key);
      const first = known?.terms[0].row.date_announced ?? row.date_announced;
      const terms = { from: label.date_announced, row: { ...row, date_announced: first } };
      if (known === undefined) splits.set(key, { ticker: row.ticker, terms: [terms] });
      else if (corrected !== undefined) splits.set(key, { ...known, terms: [...known.terms, terms] });
    }
  }
  return [...splits.values()];
}

function rowsOf(label: Label): readonly SplitRow[] {
  const records = label.records ?? [{ ticker: label.ticker ?? "", ratio: label.ratio ?? "" }];
  return records.map(({ ticker, ratio }) => ({
    ticker,
    exchange: label.exchange ?? "",
    company: label.company ?? "",
    ratio,
    ex_date: label.ex_date ?? "",
    date_announced: label.date_announced,
  }));
}

function readJsonLines(path: string): readonly unknown[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as unknown);
}
