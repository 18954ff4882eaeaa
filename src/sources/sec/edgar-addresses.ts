import type { Day } from "../../domain/time/day.ts";

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

/** Address of a filer's name and symbols. */
export function filerUrl(origin: string, cik: string): string {
  return `${origin}/submissions/CIK${cik.padStart(10, "0")}.json`;
}
