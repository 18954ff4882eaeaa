import robotsParser from "robots-parser";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { HttpAnswer } from "../../http/client.ts";
import type { Clock } from "../../ports/clock.ts";
import { createHostTurns } from "./host-queue.ts";
import { WireError } from "./newswire.ts";

/** The rules by which a site tells robots where they may go (RFC 9309), and how often. */
export interface Robots {
  /** Throws a WireError where the rules cannot be read: then nothing is allowed for now. */
  ruleOn(url: URL, visit: RobotsVisit): Promise<RobotsRule>;
}

export interface RobotsRule {
  readonly allowed: boolean;
  /** The pause that the site asks for between two visits; 0 where it asks for none. */
  readonly delayMs: number;
}

export interface RobotsVisit {
  /** The rules themselves are asked for at the host's pace too. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

interface Rules {
  isAllowed(url: string, robot: string): boolean | undefined;
  /** `Crawl-delay`, in seconds, as it stands there. */
  getCrawlDelay(robot: string): number | undefined;
}

/** Its types speak of a default export, but what Node imports is the function itself. */
const parseRules = robotsParser as unknown as (url: string, text: string) => Rules;

interface Kept {
  readonly rules: Rules;
  readonly until: Instant;
}

const NOTHING_ALLOWED: Rules = { isAllowed: () => false, getCrawlDelay: () => undefined };

/** By this name a site may address us. */
const OUR_NAME = "splitwatch";
/** What lies beyond need not be read, says the RFC. */
const MOST_RULES = 500 * 1024;
const MOST_SITES = 200;
/** Longer pauses are meant for robots that read whole sites: some ask for an hour, and alerts would be worth nothing. */
const LONGEST_DELAY_MS = 20_000;
/** Each costs time by the length of the address that it is held against. Real rules have some hundred. */
const MOST_WILDCARDS = 5_000;

export function createRobots(clock: Clock, get: (url: URL, visit: RobotsVisit) => Promise<HttpAnswer>): Robots {
  const kept = new Map<string, Kept>();
  // Who comes while the rules are fetched waits for them, and does not fetch them too.
  const turns = createHostTurns(clock);

  function knownRules(origin: string): Rules | undefined {
    const known = kept.get(origin);
    return known && known.until > clock.now() ? known.rules : undefined;
  }

  async function fetchRules(origin: string, visit: RobotsVisit): Promise<Rules> {
    const url = new URL("/robots.txt", origin);
    const answer = await get(url, visit).catch((error: unknown) => {
      throw error instanceof WireError ? asRobotsError(error) : error;
    });
    const text = answer.status === 200 ? answer.body.toString("utf8", 0, MOST_RULES) : "";
    const rules = text.split("*").length > MOST_WILDCARDS ? NOTHING_ALLOWED : parseRules(url.href, text);
    kept.delete(origin);
    kept.set(origin, { rules, until: clock.now() + DAY_MS });
    const [oldest] = kept.keys();
    if (kept.size > MOST_SITES && oldest !== undefined) kept.delete(oldest);
    return rules;
  }

  return {
    ruleOn: async (url, visit) => {
      const turn = { host: url.origin, paceMs: 0, signal: visit.signal };
      const rules = await turns.take(turn, async () => knownRules(url.origin) ?? fetchRules(url.origin, visit));
      return { allowed: rules.isAllowed(url.href, OUR_NAME) ?? true, delayMs: delayMs(rules) };
    },
  };
}

function delayMs(rules: Rules): number {
  const askedMs = (rules.getCrawlDelay(OUR_NAME) ?? 0) * 1_000;
  return Math.min(Math.max(0, askedMs), LONGEST_DELAY_MS);
}

/** A site whose rules are missing for good allows all; one that cannot say them now allows nothing now. */
function asRobotsError({ failure, message, retryAfterMs }: WireError): WireError {
  return new WireError(failure, `the robots rules cannot be read: ${message}`, { retryAfterMs });
}
