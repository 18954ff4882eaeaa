import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aRecord } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import { repetitions } from "../../../test/support/soak.ts";
import type { SplitEvent } from "../alert/event.ts";
import type { SplitRecord } from "../split/split.ts";
import { HOUR_MS } from "../time/day.ts";
import { diffSplits } from "./diff.ts";
import { applyPatch } from "./snapshot.ts";

/**
 * One row per company, ex dates far ahead, and of date, listing and symbol only one moves, so that the identity of a row is
 * never ambiguous.
 */
const MOVING_DATES = ["AAAA", "BBBB", "CCCC"];
const MOVING_LISTINGS = ["DDDD", "EEEE"];
const NEW_SYMBOLS: Readonly<Record<string, string>> = { FFFF: "FNEW", GGGG: "GNEW" };
const TICKERS = [...MOVING_DATES, ...MOVING_LISTINGS, ...Object.keys(NEW_SYMBOLS)];
const RATIOS = ["1:10", "1:20", "20:1", "odd"];
const DATES = ["2027-03-01", "2027-03-02", "2027-06-01"];
const EXCHANGES = ["NASDAQ", "TSX", "OTC"];

/** By the first symbol of the company. */
type Upstream = ReadonlyMap<string, SplitRecord>;

function keyOf(row: SplitRecord): string {
  return TICKERS.find((first) => first.startsWith(row.ticker.slice(0, 1))) ?? row.ticker;
}

/** The changes before one poll, and the faults of its answer. */
interface PollStep {
  readonly edits: readonly { readonly ticker: string; readonly row: SplitRecord | null }[];
  /** Tickers missing from this answer only. */
  readonly omitted: readonly string[];
  /** Tickers whose rows are garbled in this answer only. */
  readonly garbled: readonly string[];
  readonly reversed: boolean;
  readonly minutes: number;
}

const someRow = (ticker: string): fc.Arbitrary<SplitRecord> =>
  fc
    .record({
      ratio: fc.constantFrom(...RATIOS),
      exDate: fc.constantFrom(...(MOVING_DATES.includes(ticker) ? DATES : DATES.slice(0, 1))),
      exchange: fc.constantFrom(...(MOVING_LISTINGS.includes(ticker) ? EXCHANGES : EXCHANGES.slice(0, 1))),
      ticker: fc.constantFrom(ticker, NEW_SYMBOLS[ticker] ?? ticker),
      company: fc.constantFrom(ticker, `${ticker} Inc.`),
    })
    .map(aRecord);

function somePollSteps(options: {
  tickers: readonly string[];
  minutes: fc.Arbitrary<number>;
  maxSteps: number;
}): fc.Arbitrary<PollStep[]> {
  const { tickers, minutes, maxSteps } = options;
  const edit = fc
    .constantFrom(...tickers)
    .chain((ticker) =>
      fc.record({ ticker: fc.constant(ticker), row: fc.option(someRow(ticker), { nil: null, freq: 4 }) }),
    );
  const rarely = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...TICKERS]) },
  );
  const step = fc.record({
    edits: fc.array(edit, { maxLength: 2 }),
    omitted: rarely,
    garbled: rarely,
    reversed: fc.boolean(),
    minutes,
  });
  return fc.array(step, { minLength: 1, maxLength: maxSteps });
}

/** Symbol, ratio, date and exchange, as a person would compare them. */
function termsOf(row: SplitRecord): string {
  const ratio = row.ratioText === "20:1" ? "1:20" : row.ratioText;
  return `${row.ticker} ${ratio} ${row.exDate} ${row.exchange}`;
}

function edited(upstream: Upstream, { edits }: PollStep): Upstream {
  const after = new Map(upstream);
  for (const { ticker, row } of edits) {
    if (row === null) after.delete(ticker);
    else after.set(ticker, row);
  }
  return after;
}

function answerOf(upstream: Upstream, { omitted, garbled, reversed }: PollStep): readonly SplitRecord[] {
  const rows = [...upstream].flatMap(([key, row]) => (omitted.includes(key) || garbled.includes(key) ? [] : [row]));
  return reversed ? rows.toReversed() : rows;
}

/** Reference model for polls less than once an hour. */
class Reader {
  readonly #known = new Map<string, { row: SplitRecord; missed: number; missing: boolean }>();
  #suspiciousPolls = 0;

  constructor(rows: readonly SplitRecord[]) {
    for (const row of rows) this.#known.set(keyOf(row), { row, missed: 0, missing: false });
  }

  /** `garbled`: symbols of the unreadable rows. */
  read(rows: readonly SplitRecord[], garbled: readonly string[]): string[] {
    const shown = new Map(rows.map((row) => [keyOf(row), row]));
    if (this.#isSuspicious(shown, garbled)) {
      for (const key of shown.keys()) this.#sawAgain(key);
      return [];
    }
    const gone = [...this.#known].filter(([key, { row }]) => !shown.has(key) && !garbled.includes(row.ticker));
    return [...rows.flatMap((row) => this.#see(row)), ...gone.flatMap(([key]) => this.#miss(key))].toSorted();
  }

  #isSuspicious(shown: ReadonlyMap<string, SplitRecord>, garbled: readonly string[]): boolean {
    const isGarbled = (row: SplitRecord): boolean => garbled.includes(row.ticker);
    const expected = [...this.#known].filter(([, { missed, missing }]) => missed === 0 && !missing);
    // A row under another symbol counts as lost until the list repeats.
    const lost = expected.filter(([key, { row }]) => shown.get(key)?.ticker !== row.ticker && !isGarbled(row));
    const empty = shown.size === 0 && garbled.length === 0 && lost.length > 0;
    const shrunk = lost.length > 1 && lost.length / expected.length > 0.5;
    this.#suspiciousPolls = empty || shrunk ? this.#suspiciousPolls + 1 : 0;
    if (this.#suspiciousPolls < 3) return this.#suspiciousPolls > 0;
    this.#suspiciousPolls = 0;
    return false;
  }

  #sawAgain(key: string): void {
    const known = this.#known.get(key);
    if (known && !known.missing) known.missed = 0;
  }

  #see(row: SplitRecord): string[] {
    const known = this.#known.get(keyOf(row));
    this.#known.set(keyOf(row), { row, missed: 0, missing: false });
    if (!known) return [`announced ${termsOf(row)}`];
    const change = `${termsOf(known.row)} -> ${termsOf(row)}`;
    if (known.missing && known.row.ticker === row.ticker) return [`returned ${change}`];
    return termsOf(known.row) === termsOf(row) ? [] : [`changed ${change}`];
  }

  #miss(key: string): string[] {
    const known = this.#known.get(key);
    if (!known || known.missing) return [];
    known.missed += 1;
    known.missing = known.missed === 3;
    return known.missing ? [`missing ${termsOf(known.row)}`] : [];
  }
}

function summary(event: SplitEvent): string {
  const { kind, record } = event;
  const now = termsOf(record);
  return "was" in event ? `${kind} ${termsOf(event.was)} -> ${now}` : `${kind} ${now}`;
}

/** The previous terms according to the event. */
function termsBefore(event: SplitEvent): string | undefined {
  return "was" in event ? termsOf(event.was) : undefined;
}

function isHistory(event: SplitEvent): boolean {
  return event.kind === "changed" && event.terms.length === 0;
}

function splitEvents(events: ReturnType<PolledSource["poll"]>): SplitEvent[] {
  return events.filter((event): event is SplitEvent => "splitId" in event);
}

/** Symbols of the rows that are garbled; only rows that exist can be. */
function garbledSymbols(upstream: Upstream, { garbled }: PollStep): readonly string[] {
  return garbled.flatMap((key) => upstream.get(key)?.ticker ?? []);
}

/** Polls once and checks the invariants of every poll. */
function checkedPoll(source: PolledSource, upstream: Upstream, step: PollStep): SplitEvent[] {
  const rows = answerOf(upstream, step);
  const before = source.snapshot;
  source.wait(step.minutes - 2);
  const unreadable = garbledSymbols(upstream, step);
  const diff = source.diff(rows, { unreadable });
  expect(diff.outcome === "suspicious" && diff.events.length > 0).toBe(false);
  expect(diff.patch ? applyPatch(source.snapshot, diff.patch) : before).toEqual(source.snapshot);
  const reading = source.listOf(rows.toReversed(), { unreadable });
  expect(diffSplits(before, reading, source.settings)).toEqual(diff);
  // Polling the same list again only counts absences.
  const again = diff.outcome === "complete" ? diffSplits(source.snapshot, reading, source.settings).events : [];
  expect(again.filter(({ kind }) => kind !== "missing")).toEqual([]);
  return splitEvents(diff.events);
}

const someStart = fc
  .subarray([...TICKERS])
  .chain((tickers) => fc.tuple(...tickers.map(someRow)))
  .map((rows) => new Map<string, SplitRecord>(rows.map((row) => [keyOf(row), row])));

const QUIET = { edits: [], omitted: [], garbled: [], reversed: false };

const slowPolls = somePollSteps({ tickers: TICKERS, minutes: fc.constantFrom(61, 90, 1500), maxSteps: 40 });
/** Three splits that change often. */
const fastPolls = somePollSteps({
  tickers: ["AAAA", "DDDD", "FFFF"],
  minutes: fc.constantFrom(2, 2, 2, 2, 2, 20, 70),
  maxSteps: 60,
});

describe("a source polled less than once an hour", () => {
  it("makes exactly the events of the reference model, each once, with old and new terms", () => {
    fc.assert(
      fc.property(someStart, slowPolls, (start, steps) => {
        const source = PolledSource.settled([...start.values()]);
        const reader = new Reader([...start.values()]);
        const seen = new Set<string>();
        let upstream: Upstream = start;
        for (const step of steps) {
          upstream = edited(upstream, step);
          const events = checkedPoll(source, upstream, step);
          for (const { id } of events) {
            expect(seen.has(id)).toBe(false);
            seen.add(id);
          }
          const news = events.filter((event) => !isHistory(event)).map(summary);
          expect(news.toSorted()).toEqual(reader.read(answerOf(upstream, step), garbledSymbols(upstream, step)));
        }
      }),
      { numRuns: repetitions({ short: 150, full: 2_000 }) },
    );
  });
});

describe("a source polled every two minutes that flaps arbitrarily", () => {
  it("makes an unbroken chain of events that ends with the source's terms", () => {
    fc.assert(
      fc.property(someStart, fastPolls, (start, list) => {
        const source = PolledSource.settled([...start.values()]);
        const lastTold = new Map(source.splits.map(({ id, record }) => [id, termsOf(record)]));
        let upstream: Upstream = start;
        const quietHours = Array.from({ length: 12 }, (): PollStep => ({ ...QUIET, minutes: 31 }));
        for (const step of [...list, ...quietHours]) {
          upstream = edited(upstream, step);
          for (const event of checkedPoll(source, upstream, step)) {
            expect(termsBefore(event) ?? lastTold.get(event.splitId)).toBe(lastTold.get(event.splitId));
            expect(!isHistory(event) && termsBefore(event) === termsOf(event.record) && event.kind === "changed").toBe(
              false,
            );
            lastTold.set(event.splitId, termsOf(event.record));
          }
        }
        const listed = source.splits.filter(({ status }) => status === "listed").map(({ record }) => record);
        expect(listed.map(termsOf).toSorted()).toEqual([...upstream.values()].map(termsOf).toSorted());
        for (const { id, record } of source.splits) expect(termsOf(record)).toBe(lastTold.get(id));
      }),
      { numRuns: repetitions({ short: 150, full: 2_000 }) },
    );
  });

  it("makes no events for an hour after a flapping event, and at maxSteps three transitions an hour", () => {
    fc.assert(
      fc.property(someStart, fastPolls, (start, list) => {
        const source = PolledSource.settled([...start.values()]);
        const turnsTold = new Map<string, number[]>();
        const silentUntil = new Map<string, number>();
        let upstream: Upstream = start;
        for (const step of list) {
          upstream = edited(upstream, step);
          const events = checkedPoll(source, upstream, step).filter((event) => !isHistory(event));
          for (const { splitId, at, ...event } of events) {
            expect(at).toBeGreaterThanOrEqual(silentUntil.get(splitId) ?? 0);
            if ("flapping" in event && event.flapping) silentUntil.set(splitId, at + HOUR_MS);
            const recent = (turnsTold.get(splitId) ?? []).filter((earlier) => at - earlier < HOUR_MS);
            if (event.kind !== "announced") turnsTold.set(splitId, [...recent, at]);
            expect(recent.length).toBeLessThan(3);
          }
        }
      }),
      { numRuns: repetitions({ short: 150, full: 2_000 }) },
    );
  });
});
