import { unreadable } from "../web/fetch-error.ts";
import { type FeedItem, readFeed } from "../web/read-feed.ts";
import type { WebAnswer } from "../web/web.ts";
import { accessionOfIndex, type Filing } from "./filing.ts";

export const LATEST_PAGE_SIZE = 100;

/** Address of the latest filings of a form, newest first. */
export function latestFilingsUrl(origin: string, form: string, start: number): string {
  const query = new URLSearchParams({
    action: "getcurrent",
    type: form,
    company: "",
    dateb: "",
    owner: "include",
    start: String(start),
    count: String(LATEST_PAGE_SIZE),
    output: "atom",
  });
  return `${origin}/cgi-bin/browse-edgar?${query.toString()}`;
}

/** Parses a page of the latest filings, without duplicates. EDGAR lists a filing once for each of its filers and subjects. */
export async function readLatestFilings(answer: WebAnswer): Promise<readonly Filing[]> {
  const { title, items } = await readFeed(answer);
  if (!/latest filings/i.test(title))
    throw unreadable(answer, "expected the feed of the latest filings, got another feed");
  const byAccession = new Map<string, Filing>();
  for (const filing of items.flatMap((item) => filingOf(item) ?? [])) {
    if (!byAccession.has(filing.accession)) byAccession.set(filing.accession, filing);
  }
  return [...byAccession.values()];
}

/** `8-K - QUILLMERE THERAPEUTICS, INC. (0009999901) (Filer)` */
const TITLE = /^(\S{1,20}) - (.{1,300}) \((\d{1,10})\) \(.{1,40}\)$/;

function filingOf({ heading, teaser, url, publishedAt: filedAt }: FeedItem): Filing | null {
  const [, form, company, cik] = TITLE.exec(heading) ?? [];
  const accession = accessionOfIndex(new URL(url));
  if (form === undefined || company === undefined || cik === undefined || accession === null) return null;
  const items = [...teaser.matchAll(/\bItem (\d\.\d\d)\b/g)].flatMap(([, item]) => item ?? []);
  return { accession, cik: String(Number(cik)), company, form, filedAt, items, hits: null };
}
