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

const hitSchema = z.object({
  _id: z.string().max(300),
  _source: z.object({
    ciks: z.array(z.string().max(20)).min(1),
    display_names: z.array(z.string().max(500)).default([]),
    form: z.string().max(20),
    file_type: z.string().max(20).nullish(),
    file_date: z.string().max(20).nullish(),
    items: z.array(z.string().max(20)).nullish(),
  }),
});

const answerSchema = z.object({ hits: z.object({ hits: z.array(z.unknown()).max(1_000) }) });

export interface SearchPage {
  /** Number of documents on the page, including invalid ones. */
  readonly documentCount: number;
  readonly filings: readonly Filing[];
}

/** Parses a page of results. The documents of a filing are returned as one filing with several hits. */
export function readSearchPage(answer: WebAnswer): SearchPage {
  const parsed = answerSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected JSON with hits, got JSON of another shape");
  const { hits } = parsed.data.hits;
  return { documentCount: hits.length, filings: mergeHits(hits.flatMap(filingOf)) };
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
  if (!isAccession(accession) || !isFileName(file) || !Number.isSafeInteger(cik)) return [];
  const { form, items, display_names: names } = source;
  const hits = [{ type: source.file_type ?? form, file }];
  const company = companyOf(names[0] ?? "");
  const filedOn = parseDay(source.file_date ?? "");
  const filedAt = filedOn === undefined ? null : instantAt(filedOn, 0, MARKET_ZONE);
  return [{ accession, cik: String(cik), company, form, filedAt, items: items ?? [], hits }];
}

function companyOf(displayName: string): string {
  return companyNameOf(NAME.exec(displayName)?.[1] ?? displayName);
}
