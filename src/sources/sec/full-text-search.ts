import { z } from "zod";
import { type Day, parseDay } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import { groupBy } from "../../lib/collections.ts";
import { companyNameOf } from "../company-name.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web.ts";
import { type Filing, isAccession, isFileName } from "./filing.ts";

const PHRASES = ["reverse stock split", "reverse split", "share consolidation"];

export const SEARCH_PAGE_SIZE = 100;

/** Address of a search for documents of 8-Ks and 6-Ks filed on the days `from` to `to`. `start` is the first hit to return. */
export function searchUrl(origin: string, { from, to, start }: { from: Day; to: Day; start: number }): string {
  const query = new URLSearchParams({
    q: PHRASES.map((phrase) => `"${phrase}"`).join(" OR "),
    forms: "8-K,6-K",
    dateRange: "custom",
    startdt: from,
    enddt: to,
    from: String(start),
  });
  return `${origin}/LATEST/search-index?${query.toString()}`;
}

const text = z.string().max(500).nullish().catch(null);
const texts = z
  .union([z.array(z.coerce.string()), z.string().transform((list) => list.split(","))])
  .nullish()
  .catch(null);

const hitSchema = z.object({
  /** Accession number and file. */
  _id: z.string().max(300),
  _source: z.object({
    ciks: z.array(z.coerce.string().max(20)).min(1),
    form: text,
    root_forms: texts,
    file_type: text,
    display_names: texts,
    file_date: text,
    items: texts,
  }),
});

type HitSource = z.infer<typeof hitSchema>["_source"];

const answerSchema = z.object({ hits: z.object({ hits: z.array(z.unknown()).max(1_000) }) });

export interface SearchPage {
  /** Number of documents on the page, including invalid ones. */
  readonly documentCount: number;
  readonly filings: readonly Filing[];
}

/**
 * Parses a page of results. The documents of a filing are returned as one filing with several hits. Throws a FetchError if none of
 * the hits can be read.
 */
export function readSearchPage(answer: WebAnswer): SearchPage {
  const parsed = answerSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected JSON with hits, got JSON of another shape");
  const { hits } = parsed.data.hits;
  const filings = mergeHits(hits.flatMap(filingOf));
  if (filings.length === 0 && hits.length > 0)
    throw unreadable(answer, "expected hits with the number, filer and form of a filing, got hits of another shape");
  return { documentCount: hits.length, filings };
}

/** Merges entries of the same filing into one entry with all hits. */
export function mergeHits(filings: readonly Filing[]): readonly Filing[] {
  return [...groupBy(filings, ({ accession }) => accession).values()].flatMap((entries) => {
    const [first] = entries;
    return first === undefined ? [] : [{ ...first, hits: entries.flatMap(({ hits }) => hits ?? []) }];
  });
}

/** `Quillmere Therapeutics, Inc.  (QLMR, QLMRW)  (CIK 0009999901)` */
const NAME = /^([^(]{1,300}?)\s*(?:\([^)]{0,200}\)\s*)*$/;

function filingOf(value: unknown): readonly Filing[] {
  const parsed = hitSchema.safeParse(value);
  if (!parsed.success) return [];
  const { _id: id, _source: source } = parsed.data;
  const [accession = "", file = ""] = id.split(":");
  const cik = Number(source.ciks[0]);
  const form = source.form ?? source.root_forms?.[0];
  if (!isAccession(accession) || !isFileName(file) || !Number.isSafeInteger(cik) || !form) return [];
  return [
    { accession, cik: String(cik), form, hits: [{ type: source.file_type ?? form, file }], ...detailsOf(source) },
  ];
}

/** Details that a hit may lack. */
function detailsOf({ display_names, file_date, items }: HitSource): Pick<Filing, "company" | "filedAt" | "items"> {
  const filedOn = parseDay(file_date ?? "");
  return {
    company: companyOf(display_names?.[0] ?? ""),
    filedAt: filedOn === undefined ? null : instantAt(filedOn, 0, MARKET_ZONE),
    items: (items ?? []).map((item) => item.trim()).filter((item) => item !== ""),
  };
}

function companyOf(displayName: string): string {
  return companyNameOf(NAME.exec(displayName)?.[1] ?? displayName);
}
