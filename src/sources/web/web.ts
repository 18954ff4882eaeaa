import {
  createHttpClient,
  followRedirects,
  type HttpAnswer,
  HttpError,
  type HttpLimits,
  type HttpRequest,
} from "../../http/client.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import { type AddressRule, createAddressRule } from "./address-rule.ts";
import { errorOf } from "./answer-error.ts";
import { FetchError } from "./fetch-error.ts";
import type { RequestKind } from "./host-backoff.ts";
import type { HostQueue } from "./host-queue.ts";
import { createRobots, type Robots } from "./robots.ts";
import { DEFAULT_AGENT, productOf } from "./user-agent.ts";
import type { WebAnswer } from "./web-answer.ts";

export interface WebRequest {
  /** `feed`: an address that is polled, such as a feed or an API. `page`: one of many pages that a feed links to. */
  readonly kind: "feed" | "page";
  readonly method?: "GET" | "POST";
  /** Headers that override the defaults of the request's kind. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum size of the answer; default: 5 MB for a feed, 10 MB for a page. */
  readonly maxBytes?: number;
  /** Minimum pause after the host's last answer. */
  readonly paceMs: number;
  /** Whether to retry an address that its host sometimes redirects, by mistake, to the same address with a slash. */
  readonly retriesSlashRedirect?: boolean;
  /** Whether a usable answer holds credentials of this visit, so that it is never recorded. */
  readonly holdsCredentials?: boolean;
  readonly signal: AbortSignal;
}

/** An answer to a request for a document, usable or not. */
export interface DocumentAnswer {
  /** Address of the request. */
  readonly url: URL;
  readonly kind: WebRequest["kind"];
  readonly answer: HttpAnswer;
}

/** Receives every answer except redirects, robots rules and those that hold credentials. */
export type AnswerListener = (document: DocumentAnswer) => void;

/** Web client with one request at a time per host, robots rules, and backoff for hosts that fail or refuse. */
export interface Web {
  /** Resolves with an answer of status 200, 203, 204 or 304; every other outcome is a FetchError. */
  request(url: string, request: WebRequest): Promise<WebAnswer>;
  /** Number of requests sent, including those for robots rules. */
  readonly requestCount: number;
  /** Aborts the requests in flight. */
  close(): Promise<void>;
}

export interface WebParts {
  readonly clock: Clock;
  /** Shared by all sources. */
  readonly queue: HostQueue;
  /** Reads the robots rules. */
  readonly reader: DocumentReader;
  /** User-Agent header for a host. The robots rules are checked for its product name. */
  readonly userAgentFor: (host: string) => string;
  /** Configured addresses, whose hosts may be this machine or in its network. */
  readonly configured: readonly string[];
  readonly onAnswer?: AnswerListener | undefined;
  readonly limits?: Partial<HttpLimits>;
}

const MEGABYTE = 1024 * 1024;
const MAX_BYTES: Readonly<Record<RequestKind, number>> = { feed: 5 * MEGABYTE, page: 10 * MEGABYTE, robots: MEGABYTE };
const MAX_REDIRECTS = 5;
const ACCEPT: Readonly<Record<RequestKind, string>> = {
  feed: "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1",
  page: "text/html, application/xhtml+xml, */*;q=0.1",
  robots: "text/plain, */*;q=0.1",
};

export function createWeb({ clock, queue, reader, userAgentFor, configured, onAnswer, limits }: WebParts): Web {
  const rule = createAddressRule(configured);
  const http = createHttpClient(DEFAULT_AGENT, limits, { isAddressAllowed: rule.mayConnect });
  let requestCount = 0;
  const sendOnce = (url: URL, request: HttpRequest): Promise<HttpAnswer> => {
    requestCount += 1;
    return http.request(url, { ...request, headers: { "user-agent": userAgentFor(url.host), ...request.headers } });
  };
  const parts: WebClientParts = { sendOnce, clock, queue, onAnswer };
  const robots = createRobots({
    clock,
    reader,
    productOf: ({ host }) => productOf(userAgentFor(host)),
    get: (url, options) => withRedirects(url, rule, (hop) => send(parts, hop, { kind: "robots", ...options })),
  });
  return {
    request: async (url, request) => {
      const start = parseUrl(url);
      try {
        return await withRedirects(start, rule, async (hop) => {
          const hopRequest = hop.origin === start.origin ? request : toCrossSiteRequest(request);
          return sendPaced(parts, hop, hopRequest, await crawlDelayOf(robots, hop, request));
        });
      } catch (error) {
        throw request.signal.aborted ? new FetchError("unreachable", "the read was stopped") : error;
      }
    },
    get requestCount() {
      return requestCount;
    },
    close: () => http.close(),
  };
}

interface WebClientParts {
  /** Sends one request. */
  readonly sendOnce: (url: URL, request: HttpRequest) => Promise<HttpAnswer>;
  readonly clock: Clock;
  readonly queue: HostQueue;
  readonly onAnswer: AnswerListener | undefined;
}

type AnyRequest = Omit<WebRequest, "kind"> & { readonly kind: RequestKind };

function parseUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new FetchError("unreadable", "got an address that cannot be parsed, expected http:// or https://");
}

/** Removes validators, tokens, cookies and the body, which belong to the first site. */
function toCrossSiteRequest({ kind, maxBytes, paceMs, signal }: WebRequest): WebRequest {
  return { kind, paceMs, signal, ...(maxBytes !== undefined && { maxBytes }) };
}

/** Returns the site's crawl delay in milliseconds. Throws a FetchError if the robots rules forbid the address. */
async function crawlDelayOf(robots: Robots, url: URL, { paceMs, signal }: WebRequest): Promise<number> {
  const { allowed, delayMs } = await robots.check(url, { paceMs, signal });
  if (allowed) return delayMs;
  throw new FetchError("refused", `${nameOf(url)}: the robots rules of ${url.host} do not allow it`);
}

/** Pauses before the retries after a mistaken redirect. */
const SLASH_RETRY_PAUSES_MS = [250, 500] as const;

async function sendPaced(
  parts: WebClientParts,
  url: URL,
  request: WebRequest,
  crawlDelayMs: number,
): Promise<HttpAnswer> {
  const pauses = [request.paceMs, ...(request.retriesSlashRedirect === true ? SLASH_RETRY_PAUSES_MS : [])];
  for (const pauseMs of pauses) {
    const answer = await send(parts, url, { ...request, paceMs: Math.max(pauseMs, crawlDelayMs) });
    if (request.retriesSlashRedirect !== true || !isSlashRedirect(answer, url)) return answer;
  }
  const problem = `redirects to the same address with a slash, ${pauses.length} times in a row`;
  throw new FetchError("server-error", `${nameOf(url)} ${problem}`);
}

function isSlashRedirect({ status, header }: HttpAnswer, url: URL): boolean {
  const location = header("location") ?? "";
  if (status < 300 || status >= 400 || !URL.canParse(location, url.href)) return false;
  const { origin, pathname } = new URL(location, url);
  return origin === url.origin && pathname === `${url.pathname}/`;
}

async function withRedirects(
  start: URL,
  rule: AddressRule,
  get: (url: URL) => Promise<HttpAnswer>,
): Promise<WebAnswer> {
  const check = (target: URL, from?: URL): void => {
    const isDowngrade = from?.protocol === "https:" && target.protocol === "http:";
    const problem = isDowngrade ? "it redirects from https: to http:" : rule.problemOf(target);
    const refusal = from === undefined ? "is not requested" : "has a redirect that is not followed";
    if (problem !== null) throw new FetchError("unreadable", `${nameOf(start)} ${refusal}: ${problem}`);
  };
  check(start);
  try {
    const { answer, url } = await followRedirects(start, get, { max: MAX_REDIRECTS, check });
    return { ...answer, url };
  } catch (error) {
    throw error instanceof HttpError ? asFetchError(error, nameOf(start)) : error;
  }
}

/** Sends one request through the host's queue, unless the host is in backoff. */
function send(parts: WebClientParts, url: URL, request: AnyRequest): Promise<HttpAnswer> {
  const { sendOnce, clock, queue } = parts;
  const { kind, method = "GET", headers, body, maxBytes = MAX_BYTES[kind], paceMs, signal } = request;
  const { backoff } = queue;
  const attempt = async (): Promise<HttpAnswer> => {
    try {
      const answer = await sendOnce(url, {
        method,
        headers: { accept: ACCEPT[kind], "accept-language": "en", ...headers },
        ...(body !== undefined && { body }),
        signal,
        limits: { maxBodyBytes: maxBytes },
      });
      const error = errorOf(answer, { name: nameOf(url), kind, now: clock.now() });
      reportDocument(parts, { url, answer, error, request });
      backoff.record(url, kind, error);
      if (error) throw error;
      return answer;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const fetchError = asFetchError(error, nameOf(url));
      if (!signal.aborted) backoff.record(url, kind, fetchError);
      throw fetchError;
    }
  };
  backoff.check(url, kind);
  return queue.run({ host: url.host, kind, paceMs, signal }, async () => {
    // An earlier request in the queue may have failed and started a backoff.
    backoff.check(url, kind);
    return attempt();
  });
}

interface CheckedAnswer extends Pick<DocumentAnswer, "url" | "answer"> {
  /** Null: the answer is usable or a redirect. */
  readonly error: FetchError | null;
  readonly request: AnyRequest;
}

function reportDocument({ onAnswer }: WebClientParts, { url, answer, error, request }: CheckedAnswer): void {
  const { kind, holdsCredentials } = request;
  const isRedirect = answer.status >= 300 && answer.status !== 304;
  if (kind === "robots" || (error === null && (isRedirect || holdsCredentials === true))) return;
  onAnswer?.({ url, kind, answer });
}

function asFetchError(error: HttpError, name: string): FetchError {
  const message = `${name}: ${error.message}`;
  if (error.failure === "too-large" || error.failure === "timeout") return new FetchError(error.failure, message);
  return new FetchError(error.failure === "bad-answer" ? "unreadable" : "unreachable", message);
}

const MAX_NAME_LENGTH = 120;

/** Address for error messages, without query and credentials, which may be secret. */
function nameOf({ host, pathname }: URL): string {
  return (host + pathname).slice(0, MAX_NAME_LENGTH);
}
