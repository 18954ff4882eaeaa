import { afterEach, describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { anObservation } from "../../test/support/observations.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { aRelease, mention } from "../../test/support/releases.ts";
import { memorySourceRecords } from "../../test/support/source-records.ts";
import { type CatalogSource, createCatalog } from "../data-service/server/served-catalog.ts";
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { followStatements, type Statement, type StatementReading } from "./follow-statements.ts";
import { followSources, type LiveSources } from "./live-sources.ts";
import { FetchError } from "./web/fetch-error.ts";
import { createHostQueue } from "./web/host-queue.ts";

const STARTED_AT = Date.parse("2026-03-02T14:00:00Z");

const opened: LiveSources[] = [];

afterEach(async () => {
  for (const live of opened.splice(0)) await live.stop();
});

/** A source whose readings the test sets. */
class ScriptedSource {
  readonly name: string;
  reading: Partial<StatementReading> = {};

  constructor(name = "bulletin") {
    this.name = name;
  }

  readonly intervalMs = (): number => MINUTE_MS;

  readonly read = async (): Promise<StatementReading> => {
    const { statements = [], failures = [] } = this.reading;
    return { items: statements, statements, failures, ...this.reading };
  };

  /** Shows a notice of a split of each ticker, published at that time. */
  publish(publishedAt: Instant, ...tickers: readonly string[]): void {
    const { statements = [] } = this.reading;
    this.reading = { statements: [...statements, ...tickers.map((ticker) => aNotice(ticker, publishedAt))] };
  }
}

function aNotice(ticker: string, publishedAt: Instant): Statement {
  return {
    id: `notice ${ticker}`,
    url: `https://bulletin.example/${ticker}`,
    kind: "announced",
    listings: [mention(`NASDAQ: ${ticker}`)],
    company: `${ticker} Robotics Inc.`,
    ratio: { newShares: 1, oldShares: 20 },
    exDate: day("2026-06-01"),
    newCusip: null,
    evidence: {},
    publishedAt,
  };
}

interface Run {
  readonly live: LiveSources;
  readonly source: CatalogSource;
  /** Tickers of listed splits that cause no alert, and of the others. */
  readonly silent: () => readonly string[];
  readonly news: () => readonly string[];
}

const UNREACHABLE = { failures: [new FetchError("unreachable", "no connection")] };

/** Follows the sources on the stored records and reads each once. */
async function follow(
  sources: readonly ScriptedSource[],
  { clock = new ManualClock("2026-03-02T14:00:00Z"), store = memorySourceRecords() } = {},
) {
  const log = recordedLog();
  const openers = sources.map(
    (source) => async (parts: Parameters<typeof followStatements>[1]) => followStatements(source, parts),
  );
  const client = { clock, log, queue: createHostQueue(clock), version: "0.0.0", contact: null };
  const live = await followSources(openers, { ...client, store, keepTextsMs: 400 * DAY_MS });
  opened.push(live);
  const catalog = createCatalog({ clock, keepAfterExDate: 7 });
  const source = live.serve(catalog);
  await clock.advance(0);
  const tickers = (isSilent: boolean): readonly string[] =>
    catalog
      .splits()
      .filter(({ ticker }) => [...source.backfilledRows()].some((row) => row.includes(`:${ticker} `)) === isSilent)
      .map(({ ticker }) => ticker);
  const run: Run = { live, source, silent: () => tickers(true), news: () => tickers(false) };
  const reads = (name = "bulletin") => store.sourceReads.stored.get(name);
  return { ...run, clock, store, log, reads, catalog };
}

describe("the reads of a source", () => {
  it("begin with the first reading that shows an item, and are filled by the first complete one", async () => {
    const source = new ScriptedSource();
    const { clock, reads } = await follow([source, new ScriptedSource("other")]);
    await clock.advance(10 * MINUTE_MS);
    expect(reads()).toBeUndefined();

    source.publish(clock.now() - 9 * DAY_MS, "ACME");
    source.reading = { ...source.reading, untriedPages: 2 };
    await clock.advance(MINUTE_MS);
    const firstReadAt = STARTED_AT + 11 * MINUTE_MS;
    expect(reads()).toEqual({ source: "bulletin", firstReadAt, lastReadAt: firstReadAt, filledAt: null });

    source.reading = { ...source.reading, untriedPages: 0, unresolved: UNREACHABLE.failures };
    await clock.advance(MINUTE_MS);
    expect(reads()?.filledAt).toBeNull();
    source.reading = { ...source.reading, unresolved: [] };
    await clock.advance(MINUTE_MS);
    expect(reads()).toMatchObject({ firstReadAt, filledAt: clock.now() });
  });

  it("are filled after a week even if a part of the source still fails", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT, "ACME");
    source.reading = { ...source.reading, ...UNREACHABLE };
    const { clock, reads } = await follow([source]);
    await clock.advance(7 * DAY_MS - MINUTE_MS);
    expect(reads()?.filledAt).toBeNull();
    await clock.advance(MINUTE_MS);
    expect(reads()?.filledAt).toBe(STARTED_AT + 7 * DAY_MS);
  });

  it("are written at most every five minutes, and not while the source can't be read", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT, "ACME");
    const { clock, reads, store } = await follow([source]);
    await clock.advance(60 * MINUTE_MS);
    expect(reads()?.lastReadAt).toBe(clock.now());
    expect(store.sourceReads.writes).toBeLessThanOrEqual(14);
    source.reading = UNREACHABLE;
    await clock.advance(60 * MINUTE_MS);
    expect(reads()?.lastReadAt).toBe(clock.now() - 60 * MINUTE_MS);
  });

  it("are saved after a later reading if the store refused them", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT, "ACME");
    const store = memorySourceRecords();
    store.sourceReads.isFull = true;
    const { clock, reads, log } = await follow([source], { store });
    expect(log.count("source reads not saved")).toBeGreaterThan(0);
    store.sourceReads.isFull = false;
    await clock.advance(MINUTE_MS);
    expect(reads()?.firstReadAt).toBeGreaterThanOrEqual(STARTED_AT);
  });

  it("begin with the first record of a source whose reads an earlier run did not store", async () => {
    const store = memorySourceRecords();
    const observedAt = STARTED_AT - 30 * DAY_MS;
    await store.observations.put([
      anObservation({ source: "bulletin", observedAt }),
      anObservation({ source: "bulletin", observedAt: observedAt + DAY_MS }),
    ]);
    await store.releases.put([aRelease({ source: "prnewswire", foundAt: observedAt })]);
    const source = new ScriptedSource();
    source.reading = UNREACHABLE;
    const { reads } = await follow([source], { store });
    expect(reads()).toEqual({
      source: "bulletin",
      firstReadAt: observedAt,
      lastReadAt: observedAt + DAY_MS,
      filledAt: null,
    });
    expect(reads("prnewswire")).toMatchObject({ firstReadAt: observedAt });
  });
});

describe("old news causes no alert", () => {
  it("if the source is empty at its first readings", async () => {
    const [source, other] = [new ScriptedSource(), new ScriptedSource("other")];
    other.publish(STARTED_AT, "OTHR");
    const { clock, silent, news } = await follow([source, other]);
    await clock.advance(3 * DAY_MS);
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA", "OLDB");
    await clock.advance(HOUR_MS);
    expect([silent(), news()]).toEqual([["OLDA", "OLDB"], ["OTHR"]]);
  });

  it("if the source is reached days after the others, and its pages even later", async () => {
    const [source, other] = [new ScriptedSource(), new ScriptedSource("other")];
    other.publish(STARTED_AT, "OTHR");
    source.reading = UNREACHABLE;
    const { clock, silent, news } = await follow([source, other]);
    await clock.advance(5 * DAY_MS);
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA");
    source.reading = { ...source.reading, untriedPages: 1 };
    await clock.advance(2 * DAY_MS);
    source.publish(STARTED_AT - 19 * DAY_MS, "OLDB");
    await clock.advance(HOUR_MS);
    expect([silent(), news()]).toEqual([["OLDA", "OLDB"], ["OTHR"]]);
  });

  it("if the source is enabled at a later start", async () => {
    const [source, other] = [new ScriptedSource(), new ScriptedSource("other")];
    other.publish(STARTED_AT, "OTHR");
    const first = await follow([other]);
    await first.clock.advance(3 * DAY_MS);
    await first.live.stop();
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA", "OLDB");
    const { silent, news, clock } = await follow([other, source], { store: first.store, clock: first.clock });
    await clock.advance(HOUR_MS);
    expect([silent(), news()]).toEqual([["OLDA", "OLDB"], ["OTHR"]]);
  });
});

describe("news causes an alert", () => {
  it("if it was published while splitwatch was stopped, also in a first run that was killed", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA");
    source.reading = { ...source.reading, untriedPages: 1 };
    const first = await follow([source]);
    await first.live.stop();
    first.clock.skip(10 * DAY_MS);
    source.publish(STARTED_AT + 3 * DAY_MS, "NEWA");
    const second = await follow([source], { store: first.store, clock: first.clock });
    await second.clock.advance(HOUR_MS);
    expect([second.silent(), second.news()]).toEqual([["OLDA"], ["NEWA"]]);

    await second.live.stop();
    second.clock.skip(30 * DAY_MS);
    source.publish(STARTED_AT + 20 * DAY_MS, "NEWB");
    const third = await follow([source], { store: first.store, clock: first.clock });
    await third.clock.advance(HOUR_MS);
    expect([third.silent(), third.news()]).toEqual([["OLDA"], ["NEWA", "NEWB"]]);
  });

  it("if the source could not be read for days", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA");
    const { clock, silent, news } = await follow([source]);
    await clock.advance(HOUR_MS);
    source.publish(STARTED_AT + DAY_MS, "NEWA");
    const { reading } = source;
    source.reading = UNREACHABLE;
    await clock.advance(9 * DAY_MS);
    source.reading = reading;
    await clock.advance(HOUR_MS);
    expect([silent(), news()]).toEqual([["OLDA"], ["NEWA"]]);
  });
});
