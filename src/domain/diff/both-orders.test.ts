import * as fc from "fast-check";
import { expect, it } from "vitest";
import { aKnownArticle, aRecord, exchange, ticker } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import { repetitions } from "../../../test/support/soak.ts";
import { type Event, isSplitEvent } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import type { SplitRecord } from "../split/split.ts";
import { dayInZone } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";

const TICKERS = ["AAAA", "BBBB", "CCCC"];
const HOURS_APART = 2;

/** The changes to one split before a poll: its row, and releases on it. */
interface PollStep {
  readonly symbol: string;
  readonly row: SplitRecord | null;
  readonly release: KnownArticle["kind"] | null;
}

const aPollStep: fc.Arbitrary<PollStep> = fc.constantFrom(...TICKERS).chain((symbol) =>
  fc.record({
    symbol: fc.constant(symbol),
    row: fc.option(
      fc
        .record({ ratio: fc.constantFrom("1:10", "1:20"), exDate: fc.constantFrom("2026-05-11", "2026-05-18") })
        .map((terms) => aRecord({ ...terms, ticker: symbol, company: symbol, dateAnnounced: null })),
      { nil: null, freq: 4 },
    ),
    release: fc.option(fc.constantFrom("reverse_split", "postponed", "cancelled", "other", "approval_only")),
  }),
);

/** Splits withdrawn at most once, while listed: otherwise the result depends on the order. */
const somePolls = fc.array(aPollStep, { minLength: 1, maxLength: 12 }).map((steps) => {
  const withdrawn = new Set<string>();
  return steps.map((step): PollStep => {
    if (step.release !== "postponed" && step.release !== "cancelled") return step;
    if (withdrawn.has(step.symbol) || step.row === null) return { ...step, release: null };
    withdrawn.add(step.symbol);
    return step;
  });
});

/** The events if releases are processed first, or last. */
function eventsOf(steps: readonly PollStep[], first: "releases" | "splits"): readonly string[] {
  const source = PolledSource.settled([]);
  source.readArticles([]);
  const rows = new Map<string, SplitRecord>();
  const events: Event[] = [];
  for (const [number, { symbol, row, release }] of steps.entries()) {
    source.wait(HOURS_APART * 60);
    if (row) rows.set(symbol, row);
    else rows.delete(symbol);
    const listed = [...rows.values()];
    const fresh = release === null ? [] : [releaseOn(symbol, { kind: release, number, at: source.at })];
    if (first === "releases") events.push(...source.readArticles(fresh, { listed }).events);
    events.push(...source.poll(listed));
    if (first === "splits") events.push(...source.readArticles(fresh, { listed }).events);
    // Enough polls for absent splits to be missing.
    events.push(...source.poll(listed, source.settings.missingPolls));
  }
  return events.map(labelOf).toSorted();
}

function releaseOn(symbol: string, parts: { kind: KnownArticle["kind"]; number: number; at: number }): KnownArticle {
  const { kind, number, at } = parts;
  return aKnownArticle({
    url: `https://wire.example/${number}`,
    kind,
    seenAt: at,
    published: dayInZone(at, MARKET_ZONE),
    concerns: [{ ticker: ticker(symbol), exchange: exchange("NASDAQ") }],
  });
}

/** A postponed split returns as changed, or as returned if the list moved its date first. */
function labelOf(event: Event): string {
  if (event.kind === "returned") return `changed ${event.record.ticker}`;
  if (isSplitEvent(event)) return `${event.kind} ${event.record.ticker}`;
  return `${event.kind} ${event.id}`;
}

it("makes the same events whether releases are processed before or after splits", () => {
  fc.assert(
    fc.property(somePolls, (steps) => {
      expect(eventsOf(steps, "releases")).toEqual(eventsOf(steps, "splits"));
    }),
    { numRuns: repetitions({ short: 120, full: 1_500 }) },
  );
});
