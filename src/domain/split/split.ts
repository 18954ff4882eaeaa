import { z } from "zod";
import { fractionEvidenceSchema } from "../article/article.ts";
import { hasSameName, nameKey } from "../article/company-name.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { daySchema, instantSchema } from "../time/day.ts";
import { exchangeSchema } from "./exchange.ts";
import { isSameRatio, ratioName, ratioSchema } from "./ratio.ts";
import { canonicalTicker, listedTicker, selectorsOf, type Ticker, tickerSchema } from "./ticker.ts";

export const splitRecordSchema = z.object({
  ticker: tickerSchema,
  /** The symbol as the source writes it; absent if that is the ticker. */
  symbol: z.string().exactOptional(),
  exchange: exchangeSchema,
  company: z.string(),
  /** Ratio text as received from the data service. */
  ratioText: z.string(),
  /** Null if `ratioText` is not the ratio of a reverse split; alerts then show the raw text with a mark. */
  ratio: ratioSchema.nullable(),
  /** First trading day on the split-adjusted basis. */
  exDate: daySchema,
  dateAnnounced: daySchema.nullable(),
  /** Symbols under which the split was listed before; absent if its symbol never changed. */
  formerTickers: z.array(tickerSchema).exactOptional(),
  /** Names under which the split was listed before; absent if its company's name never changed. */
  formerCompanies: z.array(z.string()).exactOptional(),
});

/** One row of the data service, validated. */
export type SplitRecord = Infer<typeof splitRecordSchema>;

/** What articles are compared with: company and listing of splits. */
export type ListedSplit = Pick<SplitRecord, "ticker" | "exchange" | "company">;

/** Listed splits by ticker. */
export type ListedSplits = ReadonlyMap<Ticker, readonly ListedSplit[]>;

/** The symbol as the source writes it, for texts. */
export function shownSymbol({ ticker, symbol }: Pick<SplitRecord, "ticker" | "symbol">): string {
  return symbol ?? ticker;
}

/** A stored record with its ticker in the canonical form. */
function canonicalRecord(stored: SplitRecord): SplitRecord {
  const ticker = listedTicker(canonicalTicker(stored.ticker), stored.exchange);
  return ticker === stored.ticker ? stored : { ...stored, ticker, symbol: shownSymbol(stored) };
}

const rowKeySchema = z.string().brand<"RowKey">();

/** `NASDAQ:ACME 2026-03-10`: identifies a row of a list across sources. */
export type RowKey = z.infer<typeof rowKeySchema>;

export function rowKey({ ticker, exchange, exDate }: Pick<SplitRecord, "ticker" | "exchange" | "exDate">): RowKey {
  return `${exchange}:${ticker} ${exDate}` as RowKey;
}

export const splitIdSchema = z.string().brand<"SplitId">();

/** Internal id of a split; never reused. */
export type SplitId = z.infer<typeof splitIdSchema>;

const statedIn = { url: z.string(), source: z.string(), published: daySchema };

export const statementsSchema = z.object({
  fraction: fractionEvidenceSchema.extend(statedIn).nullable(),
  /** The sentence is absent if the CUSIP is in no sentence, and in records of earlier versions. */
  newCusip: z.object({ value: z.string(), sentence: z.string().exactOptional(), ...statedIn }).nullable(),
});

/** What the issuer's newest releases state about a split and no row contains; null if not stated. */
export type Statements = Infer<typeof statementsSchema>;

export const splitSchema = z.object({
  id: splitIdSchema,
  /**
   * `listed`: on the list of the source. `missing`: left the list before its ex date, and an alert was created. `closed`: left the
   * list after its ex date, as all splits do; stored so that its return triggers no alert.
   */
  status: z.enum(["listed", "missing", "closed"]),
  /** The terms of the last alert. If `pendingRecord` is set, the source shows other terms. */
  record: splitRecordSchema,
  /** Number of events so far; the next event has the id `<id>.<revision + 1>`. */
  revision: countSchema,
  firstSeenAt: instantSchema,
  /** Time when the split left the list; null while it is listed. */
  removedAt: instantSchema.nullable(),
  /** Number of consecutive complete polls without the split; stops at the configured limit. */
  pollsMissed: countSchema,
  /** Times of the last three transitions: the terms changed, or the split disappeared or returned. */
  transitionTimes: z.array(instantSchema),
  /** Listed terms of a flapping split; an alert about them is created once they are stable for an hour. */
  pendingRecord: splitRecordSchema.nullable(),
  /** Set by a release; cleared when the source changes the terms. */
  withdrawal: z
    .object({
      kind: z.enum(["postponed", "cancelled"]),
      /** The withdrawn ex date; null if the list already showed the new date when the release was read. */
      exDate: daySchema.nullable(),
    })
    .nullable(),
  /** The ex date for which each reminder was last created. Key: trading days before the ex date; `0` is the `effective` event. */
  reminded: z.record(z.string(), daySchema),
  /**
   * Absent until a release states something new. `alerted`: the statements of the last alert; present while a change since then
   * awaits its alert.
   */
  statements: z.object({ current: statementsSchema, alerted: statementsSchema.exactOptional() }).exactOptional(),
});

/** A split that splitwatch follows. */
export type Split = Infer<typeof splitSchema>;

/** A stored split with its ticker in the canonical form. */
export function canonicalSplit(stored: Split): Split {
  const record = canonicalRecord(stored.record);
  const pendingRecord = stored.pendingRecord && canonicalRecord(stored.pendingRecord);
  return record === stored.record && pendingRecord === stored.pendingRecord
    ? stored
    : { ...stored, record, pendingRecord };
}

export type SplitStatus = Split["status"];

/** The latest listed terms, which may not have been alerted yet. */
export function latestRecord({ record, pendingRecord }: Split): SplitRecord {
  return pendingRecord ?? record;
}

/** The tickers with which a person can select the split of a record, also by its former tickers: see `selectorsOf`. */
export function selectorsOfRecord(
  record: Pick<SplitRecord, "ticker" | "formerTickers" | "exchange">,
): readonly Ticker[] {
  return symbolsOf(record).flatMap((ticker) => selectorsOf(ticker, [record.exchange]));
}

/** The current symbol of a split, then its former ones. */
export function symbolsOf({
  ticker,
  formerTickers = [],
}: Pick<SplitRecord, "ticker" | "formerTickers">): readonly Ticker[] {
  return [ticker, ...formerTickers];
}

/** The present name of the split's company, then its former ones. */
export function companiesOf({ company, formerCompanies = [] }: SplitRecord): readonly string[] {
  return [company, ...formerCompanies];
}

/** More than a company can have during one split. */
const MAX_FORMER_COMPANIES = 5;

/** A row of a split with the symbols and the names under which the split was listed before. */
export function withFormerNames(record: SplitRecord, split: Split): SplitRecord {
  const earlier = [split.record, latestRecord(split)];
  const tickers = new Set(earlier.flatMap(symbolsOf).filter((ticker) => ticker !== record.ticker));
  const names = earlier.flatMap(companiesOf).filter((company) => !hasSameName(company, record.company));
  const companies = new Map(names.map((company) => [nameKey(company), company]));
  return {
    ...record,
    ...(tickers.size > 0 ? { formerTickers: [...tickers] } : {}),
    ...(companies.size > 0 ? { formerCompanies: [...companies.values()].slice(0, MAX_FORMER_COMPANIES) } : {}),
  };
}

export const TERMS = ["ticker", "ratio", "exDate", "exchange"] as const;

/** A term whose change triggers an alert. */
export type Term = (typeof TERMS)[number];

export function changedTerms(before: SplitRecord, after: SplitRecord): Term[] {
  return TERMS.filter((term) => !isSameTerm(term, before, after));
}

function isSameTerm(term: Term, a: SplitRecord, b: SplitRecord): boolean {
  return term === "ratio" ? hasSameRatio(a, b) : a[term] === b[term];
}

/** True if the ratios are equal. Two ratios that can't be parsed are equal only if their texts are identical. */
export function hasSameRatio(a: SplitRecord, b: SplitRecord): boolean {
  return a.ratio === null && b.ratio === null ? a.ratioText === b.ratioText : isSameRatio(a.ratio, b.ratio);
}

/** `1-for-20`, or the source's text if it could not be parsed. */
export function ratioLabel(record: SplitRecord): string {
  return record.ratio ? ratioName(record.ratio) : record.ratioText;
}
