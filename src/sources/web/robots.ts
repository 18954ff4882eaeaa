import robotsParser from "robots-parser";
import { DAY_MS } from "../../domain/time/day.ts";
import type { HttpAnswer } from "../../http/client.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { createKeyedMutex } from "../../lib/mutex.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { FetchError } from "./fetch-error.ts";

/** Robots rules of sites (RFC 9309), cached for a day. */
export interface Robots {
  /** Throws a FetchError if the rules can't be read, because the site must not be read without its rules. */
  check(url: URL, request: RobotsRequest): Promise<RobotsRule>;
}

export interface RobotsRule {
  readonly allowed: boolean;
  /** The site's `Crawl-delay`; 0 if it has none. */
  readonly delayMs: number;
}

export interface RobotsRequest {
  /** Minimum pause before the request for the rules. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

interface Rules {
  isAllowed(url: string, robot: string): boolean | undefined;
  /** `Crawl-delay` in seconds. */
  getCrawlDelay(robot: string): number | undefined;
}

/** The package's types declare a default export, but Node imports the function itself. */
const parseRules = robotsParser as unknown as (url: string, text: string) => Rules;

interface CachedRules {
  readonly rules: Rules;
  readonly until: MonotonicTime;
}

const NOTHING_ALLOWED: Rules = { isAllowed: () => false, getCrawlDelay: () => undefined };

/** RFC 9309 (2.5) permits a client to ignore the rest of a longer file. */
const MAX_RULES_BYTES = 500 * 1024;
const MAX_SITES = 200;
/** Longer delays are intended for crawlers of whole sites; alerts would be too late. */
const MAX_DELAY_MS = 20_000;
/** Rules with more wildcards allow nothing, because matching each takes time. Real rules have some hundred wildcards. */
const MAX_WILDCARDS = 5_000;

interface RobotsParts {
  readonly clock: Clock;
  /** Product name that the site's rules are checked for. */
  readonly productOf: (url: URL) => string;
  readonly get: (url: URL, request: RobotsRequest) => Promise<HttpAnswer>;
}

export function createRobots({ clock, productOf, get }: RobotsParts): Robots {
  const cached = new BoundedMap<string, CachedRules>(MAX_SITES);
  // Concurrent requests to a site share one request for its rules.
  const runExclusively = createKeyedMutex();

  function cachedRules(origin: string): Rules | undefined {
    const entry = cached.get(origin);
    return entry && entry.until > clock.monotonic() ? entry.rules : undefined;
  }

  async function fetchRules(origin: string, request: RobotsRequest): Promise<Rules> {
    const url = new URL("/robots.txt", origin);
    const answer = await get(url, request).catch((error: unknown) => {
      throw error instanceof FetchError ? toRobotsError(error) : error;
    });
    const text = answer.status === 200 ? answer.body.toString("utf8", 0, MAX_RULES_BYTES) : "";
    const rules = text.split("*").length > MAX_WILDCARDS ? NOTHING_ALLOWED : parseRules(url.href, text);
    cached.set(origin, { rules, until: clock.monotonic() + DAY_MS });
    return rules;
  }

  return {
    check: async (url, request) => {
      const { origin } = url;
      const rules = await runExclusively(origin, async () => {
        request.signal.throwIfAborted();
        return cachedRules(origin) ?? fetchRules(origin, request);
      });
      const product = productOf(url);
      return { allowed: rules.isAllowed(url.href, product) ?? true, delayMs: delayMs(rules, product) };
    },
  };
}

function delayMs(rules: Rules, product: string): number {
  const requestedMs = (rules.getCrawlDelay(product) ?? 0) * 1_000;
  return Math.min(Math.max(0, requestedMs), MAX_DELAY_MS);
}

function toRobotsError({ failure, message, retryAfterMs }: FetchError): FetchError {
  return new FetchError(failure, `the robots rules cannot be read: ${message}`, { retryAfterMs });
}
