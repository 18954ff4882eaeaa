import { parseTicker, selects } from "../../domain/split/ticker.ts";
import { addDays, DAY_MS } from "../../domain/time/day.ts";
import { createHttpClient, DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../http/client.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type ArticlePages, SourceError, type SplitList, type SplitSource } from "../../ports/split-source.ts";
import { MAX_PAGE_SIZE } from "../schema.ts";
import {
  DEFAULT_SEARCH_LIMITS,
  type PageAnswer,
  type PagedSearch,
  readArticlePages,
  type SearchLimits,
} from "./article-pages.ts";
import { createArticleSweep, type SweptAnswer, type SweptPage, type Window } from "./article-sweep.ts";
import { type ArticlePage, readArticlePage, readSplitList } from "./records.ts";
import { type AcceptsData, createResource, type Resource } from "./resource.ts";

export interface ClientLimits extends HttpLimits, SearchLimits {
  /** Maximum number of retries after a temporary failure. */
  readonly retries: number;
  /** Maximum total size of the bodies whose records are cached for 304 answers. */
  readonly cacheBytes: number;
}

/** Fits a page of 40 articles of 200,000 characters, most of them unescaped. Real answers are below 1 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Total size of the pages of a sweep, of which only the validators and addresses stay in memory. */
const SWEPT_BYTES = 1024 * 1024 * 1024;
/** Longer than the interval of a sweep. */
const SWEEP_REVALIDATION_MS = 7 * DAY_MS;

const DEFAULT_LIMITS: ClientLimits = {
  ...DEFAULT_HTTP_LIMITS,
  ...DEFAULT_SEARCH_LIMITS,
  maxBodyBytes: MAX_ANSWER_BYTES,
  retries: 2,
  cacheBytes: 16 * 1024 * 1024,
};

export interface SplitsClientOptions {
  /** Base address without `/v1`; may contain a path and a trailing slash. */
  readonly baseUrl: string;
  /** Null if the service needs no key. */
  readonly apiKey: string | null;
  readonly id: string;
  readonly sample: boolean;
  /** The service is part of this program, so no proxy is used. */
  readonly isEmbedded?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<ClientLimits>;
  /** Called for each answer with data. Returns false to reject the data. Default: accepts all data. */
  readonly acceptsData?: AcceptsData;
  /** Returns a number from 0 (inclusive) to 1 (exclusive); spreads the retries of many clients. */
  readonly random?: () => number;
}

export interface SplitsClient extends SplitSource {
  /** Aborts requests in progress. */
  close(): Promise<void>;
}

/** HTTP client of a Reverse Stock Split Data Service, embedded or remote. */
export function createSplitsClient(options: SplitsClientOptions): SplitsClient {
  const limits: ClientLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const {
    id,
    sample,
    baseUrl,
    apiKey,
    clock,
    log,
    random = Math.random,
    acceptsData = () => true,
    isEmbedded = false,
  } = options;
  const { retries, cacheBytes } = limits;
  const http = createHttpClient("splitwatch", limits, { isDirect: isEmbedded });
  const resourceOptions = { http, baseUrl, apiKey, clock, log, random, retries, cacheBytes, acceptsData };
  const splits = createResource(resourceOptions, readSplitList);
  const pages = createResource(resourceOptions, readArticlePage);
  const sweptOptions = { ...resourceOptions, cacheBytes: SWEPT_BYTES, revalidationMs: SWEEP_REVALIDATION_MS };
  const sweptPages = createResource<SweptPage>(sweptOptions, readArticlePage);
  return {
    id,
    sample,
    listSplits: (signal) => listSplits(splits, signal),
    lookUp: (symbol, signal) => lookUp(splits, symbol, signal),
    searchArticles: (from, signal, search) =>
      searchArticles(pages, { from, signal, limits, now: clock.monotonic(), ...search }),
    changedArticles: createArticleSweep({
      clock,
      limits,
      readPage: (window, page, signal) => readWindow(sweptPages, { window, page, signal }),
    }),
    close: () => http.close(),
  };
}

async function listSplits(splits: Resource<SplitList>, signal: AbortSignal): Promise<SplitList> {
  const answer = await splits({ path: "/v1/splits", query: {} }, signal);
  if (answer.kind === "refused") throw answer.error;
  return answer.value;
}

async function lookUp(splits: Resource<SplitList>, symbol: string, signal: AbortSignal): Promise<SplitList> {
  const answer = await splits({ path: `/v1/splits/${encodeURIComponent(symbol)}`, query: {} }, signal);
  if (answer.kind === "read") return filterBySymbol(symbol, answer.value);
  if (answer.status === 404) return { records: [], quarantined: [] };
  throw answer.error;
}

function filterBySymbol(symbol: string, { records, quarantined }: SplitList): SplitList {
  const ticker = parseTicker(symbol);
  if (ticker === undefined) return { records: [], quarantined };
  return {
    records: records.filter((record) => selects(ticker, record)),
    quarantined: quarantined.filter(
      (row) => row.ticker === null || selects(ticker, { ticker: row.ticker, exchange: null }),
    ),
  };
}

interface WindowPage {
  readonly window: Window;
  readonly page: number;
  readonly signal: AbortSignal;
}

async function readWindow(pages: Resource<SweptPage>, { window, page, signal }: WindowPage): Promise<SweptAnswer> {
  // A day more on both sides, because some services treat `from` or `to` as exclusive.
  const days = { from: addDays(window.from, -1), to: addDays(window.to, 1) };
  const query = { ...days, page: String(page), size: String(MAX_PAGE_SIZE) };
  const answer = await pages({ path: "/v1/articles", query }, signal);
  return answer.kind === "read" ? { kind: "page", page: answer.value, bytes: answer.bytes } : answer;
}

interface Search extends Omit<PagedSearch, "readPage"> {
  readonly signal: AbortSignal;
}

async function searchArticles(pages: Resource<ArticlePage>, search: Search): Promise<ArticlePages> {
  const { from, signal } = search;

  async function readPage(page: number): Promise<PageAnswer> {
    // One day earlier, because some services treat `from` as exclusive.
    const query = { from: addDays(from, -1), page: String(page), size: String(MAX_PAGE_SIZE) };
    const answer = await pages({ path: "/v1/articles", query }, signal);
    return answer.kind === "read" ? { kind: "page", page: answer.value, bytes: answer.bytes } : answer;
  }

  const result = await readArticlePages({ readPage, ...search });
  if (result.urls.size === 0 && result.quarantined.length > 1) {
    const reason = `GET /v1/articles: none of ${result.quarantined.length} rows can be used: ${result.quarantined[0]?.reason}`;
    throw new SourceError("bad-answer", reason);
  }
  return result;
}
