import robotsParser from "robots-parser";
import type { WebAnswer } from "./web-answer.ts";

/** Rules of a site for a product and an address. */
export interface RobotsRule {
  readonly allowed: boolean;
  /** The site's `Crawl-delay` in milliseconds; 0 if it has none. */
  readonly delayMs: number;
}

interface Rules {
  isAllowed(url: string, robot: string): boolean | undefined;
  /** `Crawl-delay` in seconds. */
  getCrawlDelay(robot: string): number | undefined;
}

/** The package's types declare a default export, but Node imports the function itself. */
const parseRules = robotsParser as unknown as (url: string, text: string) => Rules;

/** Longer delays are intended for crawlers of whole sites; alerts would be too late. */
const MAX_DELAY_MS = 20_000;

/** Reads the robots rules of a site (RFC 9309) for an address of the site. */
export function readRobotsRule({ url, body }: WebAnswer, address: string, product: string): RobotsRule {
  const rules = parseRules(url.href, body.toString("utf8"));
  const requestedMs = (rules.getCrawlDelay(product) ?? 0) * 1_000;
  return {
    allowed: rules.isAllowed(address, product) ?? true,
    delayMs: Math.min(Math.max(0, requestedMs), MAX_DELAY_MS),
  };
}
