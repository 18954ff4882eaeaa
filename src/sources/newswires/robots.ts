import robotsParser from "robots-parser";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { HttpAnswer } from "../../http/client.ts";
import { createKeyedMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import { WireError } from "./newswire.ts";

/** Robots rules of sites (RFC 9309), cached for a day. */
export interface Robots {
  /** Throws a WireError if the rules can't be read: the site must not be read then either. */
  check(url: URL, request: RobotsRequest): Promise<RobotsRule>;
}

export interface RobotsRule {
  readonly allowed: boolean;
  /** The site's `Crawl-delay`; 0 if it has none. */
  readonly delayMs: number;
}

export interface RobotsRequest {
  /** Also applies to the request for the rules. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

interface Rules {
  isAllowed(url: string, robot: string): boolean | undefined;
  /** `Crawl-delay` in seconds, as written. */
  getCrawlDelay(robot: string): number | undefined;
}

/** The package's types declare a default export, but Node imports the function itself. */
const parseRules = robotsParser as unknown as (url: string, text: string) => Rules;

interface CachedRules {
  readonly rules: Rules;
  readonly until: Instant;
}

const NOTHING_ALLOWED: Rules = { isAllowed: () => false, getCrawlDelay: () => undefined };

/** Product token that sites use in their rules. */
const USER_AGENT = "splitwatch";
/** RFC 9309 lets a client ignore the rest. */
const MAX_RULES_BYTES = 500 * 1024;
const MAX_SITES = 200;
/** Longer delays are meant for crawlers of whole sites; they would make alerts useless. */
const MAX_DELAY_MS = 20_000;
/** Matching a wildcard takes time in proportion to the address. Real rules have some hundred. */
const MAX_WILDCARDS = 5_000;

export function createRobots(clock: Clock, get: (url: URL, request: RobotsRequest) => Promise<HttpAnswer>): Robots {
  const cached = new Map<string, CachedRules>();
  // Concurrent requests to a site share one request for its rules.
  const fetchAlone = createKeyedMutex();

  function cachedRules(origin: string): Rules | undefined {
    const known = cached.get(origin);
    return known && known.until > clock.now() ? known.rules : undefined;
  }

  async function fetchRules(origin: string, request: RobotsRequest): Promise<Rules> {
    const url = new URL("/robots.txt", origin);
    const answer = await get(url, request).catch((error: unknown) => {
      throw error instanceof WireError ? toRobotsError(error) : error;
    });
    const text = answer.status === 200 ? answer.body.toString("utf8", 0, MAX_RULES_BYTES) : "";
    const rules = text.split("*").length > MAX_WILDCARDS ? NOTHING_ALLOWED : parseRules(url.href, text);
    cached.delete(origin);
    cached.set(origin, { rules, until: clock.now() + DAY_MS });
    const [oldest] = cached.keys();
    if (cached.size > MAX_SITES && oldest !== undefined) cached.delete(oldest);
    return rules;
  }

  return {
    check: async (url, request) => {
      const { origin } = url;
      const rules = await fetchAlone(origin, async () => {
        request.signal.throwIfAborted();
        return cachedRules(origin) ?? fetchRules(origin, request);
      });
      return { allowed: rules.isAllowed(url.href, USER_AGENT) ?? true, delayMs: delayMs(rules) };
    },
  };
}

function delayMs(rules: Rules): number {
  const requestedMs = (rules.getCrawlDelay(USER_AGENT) ?? 0) * 1_000;
  return Math.min(Math.max(0, requestedMs), MAX_DELAY_MS);
}

function toRobotsError({ failure, message, retryAfterMs }: WireError): WireError {
  return new WireError(failure, `the robots rules cannot be read: ${message}`, { retryAfterMs });
}
