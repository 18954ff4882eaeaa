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
import { type Asked, createReluctance, type Reluctance } from "./host-backoff.ts";
import { createHostTurns, type HostTurns } from "./host-queue.ts";
import { WireError } from "./newswire.ts";
import { createRobots, type Robots } from "./robots.ts";
import { errorOf } from "./web-answer.ts";

/** What is wanted of an address. */
export interface WebRequest {
  readonly what: "feed" | "page";
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** The least pause after the host's last answer. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

export interface WebAnswer extends HttpAnswer {
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

/** Polite access to the web: one request at a time per host, robots rules kept, a host in trouble or unwilling left alone. */
export interface Web {
  /** An answer with status 200, or 304 to a conditional request. Everything else throws a WireError. */
  ask(url: string, request: WebRequest): Promise<WebAnswer>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

export interface WebParts {
  readonly clock: Clock;
  readonly userAgent: string;
  /** The feeds that the operator has named: they may lie on this machine or in its network. */
  readonly feeds: readonly string[];
  readonly limits?: Partial<HttpLimits>;
}

const MEGABYTE = 1024 * 1024;
const MAX_BYTES: Readonly<Record<Asked, number>> = { feed: 5 * MEGABYTE, page: 10 * MEGABYTE, robots: MEGABYTE };
const MAX_REDIRECTS = 5;
const ACCEPT: Readonly<Record<Asked, string>> = {
  feed: "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1",
  page: "text/html, application/xhtml+xml, */*;q=0.1",
  robots: "text/plain, */*;q=0.1",
};

/** `splitwatch/0.1.0 (+https://splitwatch.example)`: who asks, and where to complain. */
export function userAgentFor(version: string, contact: string | null): string {
  return contact === null ? `splitwatch/${version} (reverse split alerts)` : `splitwatch/${version} (+${contact})`;
}

export function createWeb({ clock, userAgent, feeds, limits }: WebParts): Web {
  const rule = addressRule(feeds);
  const http = createHttpClient(userAgent, limits, { useProxy: true, isAddressAllowed: rule.mayConnect });
  const visits: Visits = { http, clock, turns: createHostTurns(clock), reluctance: createReluctance(clock) };
  const robots = createRobots(clock, (url, asked) =>
    followed(url, rule, (hop) => visit(visits, hop, { what: "robots", ...asked })),
  );
  return {
    ask: async (url, request) => {
      const start = parseUrl(url);
      try {
        return await followed(start, rule, async (hop) => {
          const asked = hop.origin === start.origin ? request : forAnotherSite(request);
          return visit(visits, hop, { ...asked, paceMs: await paceOf(robots, hop, request) });
        });
      } catch (error) {
        throw request.signal.aborted ? new WireError("unreachable", "the reading was stopped") : error;
      }
    },
    close: () => http.close(),
  };
}

interface Visits {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly turns: HostTurns;
  readonly reluctance: Reluctance;
}

type Visit = Omit<WebRequest, "what"> & { readonly what: Asked };

function parseUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new WireError("unreadable", "got an address that cannot be parsed, expected http:// or https://");
}

/** Validators, tokens and cookies are for the host that gave them. */
function forAnotherSite({ what, paceMs, signal }: WebRequest): WebRequest {
  return { what, paceMs, signal };
}

/** Our own pause, or the site's where that is longer. Throws a WireError where the site does not allow the visit. */
async function paceOf(robots: Robots, url: URL, { paceMs, signal }: WebRequest): Promise<number> {
  const { allowed, delayMs } = await robots.ruleOn(url, { paceMs, signal });
  if (allowed) return Math.max(paceMs, delayMs);
  throw new WireError("refused", `${nameOf(url)}: the robots rules of ${url.host} do not allow it`);
}

async function followed(start: URL, rule: AddressRule, get: (url: URL) => Promise<HttpAnswer>): Promise<WebAnswer> {
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
    throw error instanceof HttpError ? toWireError(error, nameOf(start)) : error;
  }
}

/** One request, in its turn. */
function visit({ http, clock, turns, reluctance }: Visits, url: URL, visited: Visit): Promise<HttpAnswer> {
  const { what, method = "GET", headers, paceMs, signal } = visited;
  const send = async (): Promise<HttpAnswer> => {
    try {
      const asked = { accept: ACCEPT[what], "accept-language": "en", ...headers };
      const answer = await http.request(url, {
        method,
        headers: asked,
        signal,
        limits: { maxBodyBytes: MAX_BYTES[what] },
      });
      const error = errorOf(answer, { name: nameOf(url), what, now: clock.now() });
      reluctance.note(url, what, error);
      if (error) throw error;
      return answer;
    } catch (error) {
      throw error instanceof HttpError ? noted(error) : error;
    }
  };
  const noted = (error: HttpError): WireError => {
    const wireError = toWireError(error, nameOf(url));
    if (!signal.aborted) reluctance.note(url, what, wireError);
    return wireError;
  };
  reluctance.check(url, what);
  return turns.take({ host: url.host, paceMs, signal }, () => {
    // While it waited, another visitor may have been turned away.
    reluctance.check(url, what);
    return send();
  });
}

function toWireError(error: HttpError, name: string): WireError {
  const message = `${name}: ${error.message}`;
  if (error.failure === "too-large" || error.failure === "timeout") return new WireError(error.failure, message);
  return new WireError(error.failure === "bad-answer" ? "unreadable" : "unreachable", message);
}

const LONGEST_NAME = 120;

/** An address as errors show it: its query may hold a key, its credentials are one. */
function nameOf({ host, pathname }: URL): string {
  return (host + pathname).slice(0, LONGEST_NAME);
}
