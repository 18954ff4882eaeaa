import type { Instant } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";

/** An EDGAR filing that may be about a reverse split. */
export interface Filing {
  /** `0009999999-26-000123` */
  readonly accession: string;
  /** Central Index Key, the SEC's number of the filer, without leading zeros. */
  readonly cik: string;
  readonly company: string;
  /** `8-K`, `8-K/A`, `6-K` */
  readonly form: string;
  /** Null if the list states no time; the start of the day if it states only a day. */
  readonly filedAt: Instant | null;
  /** Items of an 8-K, such as `5.03`; empty for a 6-K, which has none. */
  readonly items: readonly string[];
  /** Documents found by the full-text search; null for a filing from the list of the latest filings. */
  readonly hits: readonly FilingDocument[] | null;
}

export interface FilingDocument {
  /** `8-K`, `EX-99.1` */
  readonly type: string;
  /** Name of the file in the filing's folder. */
  readonly file: string;
}

/** Contents of a filing, from its index page. */
export interface FilingIndex {
  /** Null if the page states no time. */
  readonly acceptedAt: Instant | null;
  readonly documents: readonly FilingDocument[];
}

const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;
const FILE = /^[\w-][\w.-]{0,150}$/;

export function isAccession(text: string): boolean {
  return ACCESSION.test(text);
}

export function isFileName(text: string): boolean {
  return FILE.test(text);
}

/** Address of the filing's folder, with a trailing slash. */
export function folderUrl(origin: string, { cik, accession }: Pick<Filing, "cik" | "accession">): string {
  return `${origin}/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/`;
}

export function indexUrl(origin: string, filing: Pick<Filing, "cik" | "accession">): string {
  return `${folderUrl(origin, filing)}${filing.accession}-index.htm`;
}

/** Filing whose index page has this address; null for another page. */
export function accessionOfIndex({ pathname }: URL): string | null {
  return /\/(\d{10}-\d{2}-\d{6})-index\.html?$/i.exec(pathname)?.[1] ?? null;
}

/** Filing whose folder contains the address; null for an address outside the archives. */
export function accessionOfFolder(address: string): string | null {
  const [, filer, year, number] = /\/data\/\d{1,10}\/(\d{10})(\d{2})(\d{6})\//.exec(address) ?? [];
  return filer === undefined ? null : `${filer}-${year}-${number}`;
}

/** Items that report splits: 3.03 and 5.03 the corporate action, 5.07 the vote, 7.01 and 8.01 a press release. */
const RELEVANT_ITEMS: ReadonlySet<string> = new Set(["3.03", "5.03", "5.07", "7.01", "8.01"]);
/** Items whose text in the main document reports the split, even if the filing has no exhibit. */
const CORPORATE_ACTION_ITEMS: ReadonlySet<string> = new Set(["3.03", "5.03"]);

/** Whether the filing may report a split. A 6-K has no items that state its subject, and a hit of the search may lack them. */
export function mayReportSplit({ form, items, hits }: Pick<Filing, "form" | "items" | "hits">): boolean {
  const isSubjectUnknown = form.startsWith("6-K") || (items.length === 0 && hits !== null);
  return isSubjectUnknown || items.some((item) => RELEVANT_ITEMS.has(item));
}

export function reportsCorporateAction({ items }: Pick<Filing, "items">): boolean {
  return items.some((item) => CORPORATE_ACTION_ITEMS.has(item));
}

export function isRelevantItem(item: string): boolean {
  return RELEVANT_ITEMS.has(item);
}

/** Whether the document is an exhibit 99, which may be a press release. */
export function isReleaseExhibit({ type }: FilingDocument): boolean {
  return /^EX-99(?:\.\d{1,2})?$/.test(type);
}

/** Merges entries of the same filing into one entry with all hits. */
export function mergeHits(filings: readonly Filing[]): readonly Filing[] {
  return [...groupBy(filings, ({ accession }) => accession).values()].flatMap((entries) => {
    const [first] = entries;
    return first === undefined ? [] : [{ ...first, hits: entries.flatMap(({ hits }) => hits ?? []) }];
  });
}
