import {
  createHttpClient,
  followRedirects,
  type HttpAnswer,
  type HttpClient,
  HttpError,
  type HttpLimits,
} from "../../http/client.ts";
import type { Clock } from "../../ports/clock.ts";
import { type AddressRule, addressRule } from "./address-rule.ts";
import { createHostBackoff, type HostBackoff, type RequestKind } from "./host-backoff.ts";
import { createHostQueue, type HostQueue } from "./host-queue.ts";
import { WireError } from "./newswire.ts";
import { createRobots, type Robots } from "./robots.ts";
import { errorOf } from "./web-answer.ts";

export interface WebRequest {
  readonly kind: "feed" | "page";
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Minimum pause after the host's last answer. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

export interface WebAnswer extends HttpAnswer {
  /** Address of the answer, after redirects. */
  readonly url: URL;
}

/** Web client with one request at a time per host, robots rules, and backoff for hosts that fail or refuse. */
export interface Web {
  /** Resolves with an answer of status 200, 203 or 304; every other outcome is a WireError. */
  request(url: string, request: WebRequest): Promise<WebAnswer>;
  /** Aborts the requests in flight. */
  close(): Promise<void>;
}

export interface WebParts {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Configured feeds, which may be on this machine or in its network. */
  readonly feeds: readonly string[];
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

export function createWeb({ clock, userAgent, feeds, limits }: WebParts): Web {
  const rule = addressRule(feeds);
  const http = createHttpClient(userAgent, limits, { useProxy: true, isAddressAllowed: rule.mayConnect });
  const parts: WebClientParts = { http, clock, queue: createHostQueue(clock), backoff: createHostBackoff(clock) };
  const robots = createRobots(clock, (url, options) =>
    withRedirects(url, rule, (hop) => send(parts, hop, { kind: "robots", ...options })),
  );
  return {
    request: async (url, request) => {
      const start = parseUrl(url);
      try {
        return await withRedirects(start, rule, async (hop) => {
          const sent = hop.origin === start.origin ? request : forAnotherSite(request);
          return send(parts, hop, { ...sent, paceMs: await paceOf(robots, hop, request) });
        });
      } catch (error) {
        throw request.signal.aborted ? new WireError("unreachable", "the reading was stopped") : error;
      }
    },
    close: () => http.close(),
  };
}

interface WebClientParts {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly queue: HostQueue;
  readonly backoff: HostBackoff;
}

type AnyRequest = Omit<WebRequest, "kind"> & { readonly kind: RequestKind };

function parseUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new WireError("unreadable", "got an address that cannot be parsed, expected http:// or https://");
}

/** Removes validators, tokens and cookies, which belong to the first site. */
function forAnotherSite({ kind, paceMs, signal }: WebRequest): WebRequest {
  return { kind, paceMs, signal };
}

/** The longer of `paceMs` and the site's crawl delay. Throws a WireError if the robots rules forbid the address. */
async function paceOf(robots: Robots, url: URL, { paceMs, signal }: WebRequest): Promise<number> {
  const { allowed, delayMs } = await robots.check(url, { paceMs, signal });
  if (allowed) return Math.max(paceMs, delayMs);
  throw new WireError("refused", `${nameOf(url)}: the robots rules of ${url.host} do not allow it`);
}

async function withRedirects(
  start: URL,
  rule: AddressRule,
  get: (url: URL) => Promise<HttpAnswer>,
): Promise<WebAnswer> {
  const check = (target: URL, from?: URL): void => {
    const isDowngrade = from?.protocol === "https:" && target.protocol === "http:";
    const problem = isDowngrade ? "it redirects from https: to http:" : rule.problemOf(target);
    if (problem !== null) throw new WireError("unreadable", `${nameOf(start)} leads elsewhere: ${problem}`);
  };
  check(start);
  try {
    const { answer, url } = await followRedirects(start, get, { max: MAX_REDIRECTS, check });
    return { ...answer, url };
  } catch (error) {
    throw error instanceof HttpError ? asWireError(error, nameOf(start)) : error;
  }
}

/** Sends one request through the host's queue, unless the host is in backoff. */
function send({ http, clock, queue, backoff }: WebClientParts, url: URL, request: AnyRequest): Promise<HttpAnswer> {
  const { kind, method = "GET", headers, paceMs, signal } = request;
  const exchange = async (): Promise<HttpAnswer> => {
    try {
      const answer = await http.request(url, {
        method,
        headers: { accept: ACCEPT[kind], "accept-language": "en", ...headers },
        signal,
        limits: { maxBodyBytes: MAX_BYTES[kind] },
      });
      const error = errorOf(answer, { name: nameOf(url), kind, now: clock.now() });
      backoff.record(url, kind, error);
      if (error) throw error;
      return answer;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const wireError = asWireError(error, nameOf(url));
      if (!signal.aborted) backoff.record(url, kind, wireError);
      throw wireError;
    }
  };
  backoff.check(url, kind);
  return queue.run({ host: url.host, paceMs, signal }, () => {
    // An earlier request in the queue may have failed meanwhile.
    backoff.check(url, kind);
    return exchange();
  });
}

function asWireError(error: HttpError, name: string): WireError {
  const message = `${name}: ${error.message}`;
  if (error.failure === "too-large" || error.failure === "timeout") return new WireError(error.failure, message);
  return new WireError(error.failure === "bad-answer" ? "unreadable" : "unreachable", message);
}

const MAX_NAME_LENGTH = 120;

/** An address as errors show it, without query and credentials, which may be secret. */
function nameOf({ host, pathname }: URL): string {
  return (host + pathname).slice(0, MAX_NAME_LENGTH);
}
