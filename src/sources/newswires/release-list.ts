/** Releases per page of PR Newswire's list. */
const PAGE_SIZE = 100;

/** Address of a page of PR Newswire's list of all releases, newest first, on the host of the feed. The first page is 1. */
export function releaseListUrl(feed: string, page: number): string {
  return new URL(`/news-releases/news-releases-list/?page=${page}&pagesize=${PAGE_SIZE}`, feed).href;
}

/**
 * Address of the list of a section of PR Newswire, by the address of its feed: `/rss/A/B.rss` and `/news-releases/A/B/`. Null for
 * the feed of all news.
 */
export function sectionListUrl(feed: string): string | null {
  const [, section, list] = /^\/rss\/([\w-]{1,100})\/([\w-]{1,100})\.rss$/.exec(new URL(feed).pathname) ?? [];
  return list === undefined ? null : new URL(`/news-releases/${section}/${list}/`, feed).href;
}
