import { companyNameOf } from "../company-name.ts";
import { unreadable } from "../web/fetch-error.ts";
import { type FeedItem, readFeed } from "../web/read-feed.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { accessionOfIndex, type Filing } from "./filing.ts";

/**
 * Parses a page of the latest filings, without duplicates. EDGAR lists a filing once for each of its filers and subjects. An entry
 * is identified by the address of its index page. Throws a FetchError for another feed.
 */
export function readLatestFilings(answer: WebAnswer): readonly Filing[] {
  const { title, items } = readFeed(answer);
  const filings = items.flatMap((item) => filingOf(item) ?? []);
  const isEmptyList = items.length === 0 && (title === "" || /filings/i.test(title));
  if (filings.length === 0 && !isEmptyList)
    throw unreadable(answer, "expected the feed of the latest filings, got another feed");
  const byAccession = new Map<string, Filing>();
  for (const filing of filings) {
    if (!byAccession.has(filing.accession)) byAccession.set(filing.accession, filing);
  }
  return [...byAccession.values()];
}

/** `8-K - QUILLMERE THERAPEUTICS, INC. (0009999901) (Filer)` */
const TITLE = /^([A-Z\d][\w/-]{0,19})\s{0,5}(?:[–—:]|\s-|-\s)\s{0,5}(.{1,400})$/i;
/** Number and role of the filer after its name. */
const FILER = /(?:\s{0,5}[([][^()[\]]{0,60}[)\]]){1,4}$/;
const ITEM = /\bitems?[\s:]{1,4}(\d{1,2}\.\d\d)\b/gi;

function filingOf({ heading, teaser, url, publishedAt: filedAt }: FeedItem): Filing | null {
  const { pathname } = new URL(url);
  const [, form, filer = ""] = TITLE.exec(heading) ?? [];
  const accession = accessionOfIndex(new URL(url));
  const cik = /\/data\/(\d{1,10})\//.exec(pathname)?.[1] ?? /\b(\d{10})\b/.exec(heading)?.[1];
  if (form === undefined || cik === undefined || accession === null) return null;
  const items = [...teaser.matchAll(ITEM)].flatMap(([, item]) => item ?? []);
  const company = companyNameOf(filer.replace(FILER, ""));
  return { accession, cik: String(Number(cik)), company, form: form.toUpperCase(), filedAt, items, hits: null };
}
