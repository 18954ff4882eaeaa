import { EVENT_KIND_TRAITS, type EventKind, type MatchableEvent, type TestEvent } from "../../domain/alert/event.ts";
import type { RatioRange, ReleaseKind } from "../../domain/article/article.ts";
import type { Exchange } from "../../domain/split/exchange.ts";
import { type Ratio, ratioCode } from "../../domain/split/ratio.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { addDays, type Day, dayInZone, HOUR_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE, nextTradingDay } from "../../domain/time/trading-day.ts";
import { EXAMPLE_TICKER } from "../example-tickers.ts";

const EXCHANGE = "NASDAQ" as Exchange;
const COMPANY = "Zorvane Robotics, Inc.";
const RATIO: Ratio = { newShares: 1, oldShares: 20 };
const PREVIOUS_RATIO: Ratio = { newShares: 1, oldShares: 15 };

/** Trading days until the ex date of the example. */
const DAYS_AHEAD = 5;
const OTHER_DAYS_AHEAD: { readonly [K in EventKind]?: number } = { effective: 0, reminder: 1 };

/** Kind and heading of the example's release. */
const RELEASE = { kind: "reverse_split", heading: "Zorvane Robotics Announces 1-for-20 Reverse Stock Split" } as const;
const OTHER_RELEASES: { readonly [K in EventKind]?: { readonly kind: ReleaseKind; readonly heading: string } } = {
  postponed: { kind: "postponed", heading: "Zorvane Robotics Postpones Reverse Stock Split" },
  cancelled: { kind: "cancelled", heading: "Zorvane Robotics Cancels Reverse Stock Split" },
  early: { kind: "ratio_range", heading: "Zorvane Robotics Stockholders Approve Reverse Stock Split" },
};

/** Range of the example of a release before a split. */
const RANGE: RatioRange = {
  bounds: [{ newShares: 1, oldShares: 5 }, RATIO],
  sentence: "Stockholders approved a reverse stock split at a ratio between 1-for-5 and 1-for-20.",
};

const FRACTION = {
  treatment: "round_up",
  level: null,
  sentence: "Any fractional share that would result will be rounded up to the nearest whole share.",
} as const;

const PREVIOUS_FRACTION = {
  treatment: "cash_in_lieu",
  level: null,
  sentence: "Holders will receive cash in lieu of fractional shares.",
} as const;

/** Event of the kind that a test shows, about an invented company. Its schema selects the fields of the kind. */
export function exampleEvent({ id, at }: Pick<TestEvent, "id" | "at">, kind: EventKind): MatchableEvent {
  const today = dayInZone(at, MARKET_ZONE);
  const exDate = tradingDayAfter(today, OTHER_DAYS_AHEAD[kind] ?? DAYS_AHEAD);
  const record = exampleRecord(RATIO, exDate, today);
  const was = exampleRecord(PREVIOUS_RATIO, addDays(exDate, -7), today);
  const article = exampleRelease(kind, record, at);
  const { url, source, heading, published } = article;
  const fields = {
    kind,
    id,
    at,
    sample: false,
    splitId: id,
    record,
    was,
    article,
    splits: kind === "early" ? [] : [{ record }],
    fraction: { ...FRACTION, url, source },
    release: { url, source, heading, published, kind: article.kind },
    disagreements: [],
    alreadyEffective: false,
    terms: ["ratio", "exDate", "fraction"],
    stated: {
      was: { fraction: { ...PREVIOUS_FRACTION, url, source, published }, newCusip: null },
      now: { fraction: { ...FRACTION, url, source, published }, newCusip: null },
    },
    flapping: false,
    explainsMissing: false,
    pollsMissed: 3,
    withdrawnBy: null,
    daysLeft: 1,
    state: "begun",
    since: at - HOUR_MS,
    problem: "the source didn't answer within 10 seconds",
  };
  return EVENT_KIND_TRAITS[kind].schema.parse(fields) as MatchableEvent;
}

function exampleRecord(ratio: Ratio, exDate: Day, dateAnnounced: Day): SplitRecord {
  const ticker = EXAMPLE_TICKER as Ticker;
  return { ticker, exchange: EXCHANGE, company: COMPANY, ratioText: ratioCode(ratio), ratio, exDate, dateAnnounced };
}

function exampleRelease(kind: EventKind, { ticker, exchange, company, ratio, exDate }: SplitRecord, at: number) {
  const release = OTHER_RELEASES[kind] ?? RELEASE;
  return {
    ...release,
    url: `https://sample.example/businesswire/${release.kind}`,
    source: "businesswire",
    version: "1",
    published: dayInZone(at, MARKET_ZONE),
    seenAt: at,
    kindSentence: kind === "early" ? RANGE.sentence : `${release.heading}.`,
    concerns: [{ ticker, exchange }],
    fraction: FRACTION,
    ...(kind === "early"
      ? { range: RANGE, terms: [] }
      : { terms: [{ ticker, exchange, company, ratio, exDate, newCusip: null }] }),
  };
}

/** The n-th trading day after `day`; `day` if `n` is 0. */
function tradingDayAfter(day: Day, n: number): Day {
  let candidate = day;
  for (let remaining = n; remaining > 0; remaining -= 1) candidate = nextTradingDay(EXCHANGE, candidate) ?? candidate;
  return candidate;
}
