import type { Attempt } from "../../src/domain/alert/delivery.ts";
import type { Destination, Person } from "../../src/domain/alert/destination.ts";
import type { Article, KnownArticle, StatedTerms } from "../../src/domain/article/article.ts";
import { DEFAULT_FILTER, type RuleDraft, type RuleFilter } from "../../src/domain/settings/rule.ts";
import { type Exchange, parseExchange } from "../../src/domain/split/exchange.ts";
import { parseRatio } from "../../src/domain/split/ratio.ts";
import type { Split, SplitId, SplitRecord } from "../../src/domain/split/split.ts";
import { parseTicker, type Ticker } from "../../src/domain/split/ticker.ts";
import { type Day, parseDay } from "../../src/domain/time/day.ts";

export const ALICE: Person = { platform: "web", kind: "person", id: "alice" };
export const BOB: Person = { platform: "web", kind: "person", id: "bob" };
export const GENERAL: Destination = { platform: "web", kind: "channel", id: "general" };

export function day(text: string): Day {
  return must(parseDay(text), text);
}

export function ticker(text: string): Ticker {
  return must(parseTicker(text), text);
}

export function exchange(text: string): Exchange {
  return must(parseExchange(text), text);
}

/** A row of the data service; `ratio` is its text. */
export function aRecord(
  parts: {
    ticker?: string;
    exchange?: string;
    company?: string;
    ratio?: string;
    exDate?: string;
    dateAnnounced?: string | null;
  } = {},
): SplitRecord {
  const ratioText = parts.ratio ?? "1:20";
  const announced = parts.dateAnnounced === undefined ? "2026-02-27" : parts.dateAnnounced;
  return {
    ticker: ticker(parts.ticker ?? "ACME"),
    exchange: exchange(parts.exchange ?? "NASDAQ"),
    company: parts.company ?? "Acme Robotics Inc.",
    ratioText,
    ratio: parseRatio(ratioText) ?? null,
    exDate: day(parts.exDate ?? "2026-03-10"),
    dateAnnounced: announced === null ? null : day(announced),
  };
}

/** Split as a poll saves it. */
export function aSplit(record: Parameters<typeof aRecord>[0] = {}, parts: Partial<Split> = {}): Split {
  const made = aRecord(record);
  return {
    id: `split-${made.ticker}` as SplitId,
    status: "listed",
    record: made,
    revision: 1,
    firstSeenAt: Date.parse("2026-03-02T14:00:00Z"),
    removedAt: null,
    pollsMissed: 0,
    transitionTimes: [],
    pendingRecord: null,
    withdrawal: null,
    reminded: {},
    ...parts,
  };
}

export function anArticle(parts: Partial<Omit<Article, "published">> & { published?: string } = {}): Article {
  return {
    source: "globenewswire",
    heading: "Acme Robotics Announces Reverse Stock Split",
    url: "https://wire.example/acme-1",
    content: "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one.",
    ...parts,
    published: day(parts.published ?? "2026-03-02"),
  };
}

export function aKnownArticle(parts: Partial<KnownArticle> = {}): KnownArticle {
  return {
    url: "https://wire.example/acme-1",
    source: "globenewswire",
    heading: "Acme Robotics Announces Reverse Stock Split",
    version: "1",
    published: day("2026-03-02"),
    seenAt: Date.parse("2026-03-02T14:00:00Z"),
    kind: "reverse_split",
    kindSentence: null,
    concerns: [{ ticker: ticker("ACME"), exchange: exchange("NASDAQ") }],
    fraction: null,
    terms: [],
    ...parts,
  };
}

/** Stated terms of ACME's split; terms that are not given are not stated. */
export function someTerms(parts: { ratio?: string; exDate?: string } & Partial<StatedParts> = {}): StatedTerms {
  return {
    ticker: parts.ticker === undefined ? ticker("ACME") : parts.ticker,
    exchange: parts.exchange ?? null,
    company: parts.company ?? null,
    ratio: parts.ratio === undefined ? null : must(parseRatio(parts.ratio), parts.ratio),
    exDate: parts.exDate === undefined ? null : day(parts.exDate),
    newCusip: parts.newCusip ?? null,
  };
}

type StatedParts = Pick<StatedTerms, "ticker" | "exchange" | "company" | "newCusip">;

export function aRule(parts: Partial<RuleFilter & Pick<RuleDraft, "destination" | "mention">> = {}): RuleDraft {
  return { ...DEFAULT_FILTER, destination: GENERAL, createdBy: ALICE, createdAt: 0, mention: null, ...parts };
}

/** An attempt that is being sent for the first time. */
export function anAttempt(parts: Pick<Attempt, "messageId" | "to" | "body"> & Partial<Attempt>): Attempt {
  return {
    deliveries: [],
    replyTo: null,
    createdAt: 0,
    state: "sending",
    sends: 1,
    blindResends: 0,
    notBefore: 0,
    problem: null,
    ...parts,
  };
}

function must<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Error(`test value "${text}" is invalid; fix the test`);
  return value;
}
