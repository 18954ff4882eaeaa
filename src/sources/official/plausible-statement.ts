import { oldPerNew } from "../../domain/split/ratio.ts";
import { addDays, type Day, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { multiLine, oneLine } from "../../lib/external-text.ts";
import type { Statement } from "./statement.ts";

/** No source has older notices. */
const OLDEST_PUBLICATION = Date.parse("2000-01-01T00:00:00Z");
/** Days before and after today within which an ex date is plausible. */
const MAX_PAST_DAYS = 366;
const MAX_FUTURE_DAYS = 731;
const MAX_OLD_PER_NEW = 1_000_000;

const MAX_ID_LENGTH = 200;
const MAX_URL_LENGTH = 1_000;
/** A notice names the main listing, listings in other markets and a new symbol. */
const MAX_LISTINGS = 20;
const MAX_COMPANY_LENGTH = 300;
const MAX_EVIDENCE_LENGTH = 2_000;

/**
 * Returns the statement with bounded, safe texts and without implausible terms, such as an ex date in the year 9999, a ratio
 * of one to a billion or a publication in the year 1. A dropped ex date or ratio remains in the evidence.
 */
export function plausibleStatement(statement: Statement, now: Instant): Statement {
  const { id, url, listings, company, ratio, exDate, evidence, publishedAt } = statement;
  const isPlausibleTime = publishedAt !== null && publishedAt >= OLDEST_PUBLICATION;
  return {
    ...statement,
    id: oneLine(id, MAX_ID_LENGTH),
    url: oneLine(url, MAX_URL_LENGTH),
    listings: listings.slice(0, MAX_LISTINGS),
    company: company === null ? null : companyName(company),
    ratio: ratio !== null && oldPerNew(ratio) <= MAX_OLD_PER_NEW ? ratio : null,
    exDate: exDate !== null && isPlausibleDay(exDate, now) ? exDate : null,
    evidence: Object.fromEntries(
      Object.entries(evidence).map(([term, text]) => [term, multiLine(text, MAX_EVIDENCE_LENGTH)]),
    ),
    publishedAt: isPlausibleTime ? publishedAt : null,
  };
}

function companyName(text: string): string | null {
  const name = oneLine(text, MAX_COMPANY_LENGTH);
  return /[\p{L}\p{N}]/u.test(name) ? name : null;
}

function isPlausibleDay(day: Day, now: Instant): boolean {
  const today = dayInZone(now, MARKET_ZONE);
  return day >= addDays(today, -MAX_PAST_DAYS) && day <= addDays(today, MAX_FUTURE_DAYS);
}
