import { z } from "zod";
import { parseDay } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import { companyNameOf } from "../company-name.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { type Filing, isAccession, isFileName, mergeHits } from "./filing.ts";

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

/** `Quillmere Therapeutics, Inc.  (QLMR, QLMRW)  (CIK 0009999901)` */
const NAME = /^([^(]{1,300}?)\s*(?:\([^)]{0,200}\)\s*)*$/;

/** In characters, of a form or an item. */
const MAX_CODE_LENGTH = 50;
const MAX_ITEMS = 50;

function filingOf(value: unknown): readonly Filing[] {
  const parsed = hitSchema.safeParse(value);
  if (!parsed.success) return [];
  const { _id: id, _source: source } = parsed.data;
  const [accession = "", file = ""] = id.split(":");
  const cik = Number(source.ciks[0]);
  const form = (source.form ?? source.root_forms?.[0])?.slice(0, MAX_CODE_LENGTH);
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
    items: (items ?? [])
      .slice(0, MAX_ITEMS)
      .map((item) => item.trim().slice(0, MAX_CODE_LENGTH))
      .filter((item) => item !== ""),
  };
}

/** In characters, with symbols and number. */
const MAX_DISPLAY_NAME_LENGTH = 1_000;

function companyOf(displayName: string): string {
  const name = displayName.slice(0, MAX_DISPLAY_NAME_LENGTH);
  return companyNameOf(NAME.exec(name)?.[1] ?? name);
}
