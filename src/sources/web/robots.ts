import { DAY_MS } from "../../domain/time/day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { createKeyedMutex } from "../../lib/mutex.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import { SHARED_READERS } from "../reading/shared-readers.ts";
import { FetchError } from "./fetch-error.ts";
import type { RobotsRule } from "./robots-rule.ts";
import type { WebAnswer } from "./web-answer.ts";

/** Robots rules of sites (RFC 9309), cached for a day. */
export interface Robots {
  /** Throws a FetchError if the rules can't be read, because the site must not be read without its rules. */
  check(url: URL, request: RobotsRequest): Promise<RobotsRule>;
}

export interface RobotsRequest {
  /** Minimum pause before the request for the rules. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

/** The rules of a site. */
interface CachedRules {
  /** Null: the site has none. */
  readonly answer: WebAnswer | null;
  readonly until: MonotonicTime;
}

/** RFC 9309 (2.5) permits a client to ignore the rest of a longer file. */
const MAX_RULES_BYTES = 500 * 1024;
const MAX_SITES = 200;
const NO_RULES: RobotsRule = { allowed: true, delayMs: 0 };

interface RobotsParts {
  readonly clock: Clock;
  /** Product name that the site's rules are checked for. */
  readonly productOf: (url: URL) => string;
  readonly reader: DocumentReader;
  readonly get: (url: URL, request: RobotsRequest) => Promise<WebAnswer>;
}

export function createRobots({ clock, productOf, reader, get }: RobotsParts): Robots {
  const cached = new BoundedMap<string, CachedRules>(MAX_SITES);
  // Concurrent requests to a site share one request for its rules.
  const runExclusively = createKeyedMutex();

  async function fetchRules(origin: string, request: RobotsRequest): Promise<CachedRules> {
    const answer = await get(new URL("/robots.txt", origin), request).catch((error: unknown) => {
      throw error instanceof FetchError ? toRobotsError(error) : error;
    });
    const body = answer.body.subarray(0, MAX_RULES_BYTES);
    const rules = { answer: answer.status === 200 ? { ...answer, body } : null, until: clock.monotonic() + DAY_MS };
    cached.set(origin, rules);
    return rules;
  }

  return {
    async check(url, request) {
      const { answer } = await runExclusively(url.origin, async () => {
        request.signal.throwIfAborted();
        const entry = cached.get(url.origin);
        return entry && entry.until > clock.monotonic() ? entry : fetchRules(url.origin, request);
      });
      if (answer === null) return NO_RULES;
      try {
        return await reader.read(SHARED_READERS, "readRobotsRule", answer, url.href, productOf(url));
      } catch (error) {
        // The next request finds rules that have changed.
        cached.delete(url.origin);
        throw error instanceof FetchError ? toRobotsError(error) : error;
      }
    },
  };
}

function toRobotsError({ failure, message, retryAfterMs }: FetchError): FetchError {
  return new FetchError(failure, `the robots rules cannot be read: ${message}`, { retryAfterMs });
}
