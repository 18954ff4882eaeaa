import { afterEach, describe, expect, it } from "vitest";
import type { FollowedLiveSources } from "../../../test/support/follow-sources.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { type FollowedSources, followScripted, ScriptedSource } from "../../../test/support/scripted-source.ts";
import { memorySourceRecords } from "../../../test/support/source-records.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { FetchError } from "../web/fetch-error.ts";

const STARTED_AT = Date.parse("2026-03-02T14:00:00Z");

const opened: FollowedLiveSources[] = [];

afterEach(async () => {
  for (const live of opened.splice(0)) await live.stop();
});

const UNREACHABLE = { failures: [new FetchError("unreachable", "no connection")] };

async function follow(...given: Parameters<typeof followScripted>): Promise<FollowedSources> {
  const followed = await followScripted(...given);
  opened.push(followed.live);
  return followed;
}

async function readUntilAborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw new FetchError("unreachable", "the poll was stopped");
}

describe("the reads of a source", () => {
  it("begin with the first poll that returns an item; the first complete poll ends the fill", async () => {
    const source = new ScriptedSource();
    const { clock, reads } = await follow([source, new ScriptedSource("other")]);
    await clock.advance(10 * MINUTE_MS);
    expect(reads()).toBeUndefined();

    source.publish(clock.now() - 9 * DAY_MS, "ACME");
    source.result = { ...source.result, untriedPages: 2 };
    await clock.advance(MINUTE_MS);
    const firstReadAt = STARTED_AT + 11 * MINUTE_MS;
    expect(reads()).toEqual({ source: "bulletin", firstReadAt, lastReadAt: firstReadAt, filledAt: null });

    source.result = { ...source.result, untriedPages: 0, unresolved: UNREACHABLE.failures };
    await clock.advance(MINUTE_MS);
    expect(reads()?.filledAt).toBeNull();
    source.result = { ...source.result, unresolved: [] };
    await clock.advance(MINUTE_MS);
    expect(reads()).toMatchObject({ firstReadAt, filledAt: clock.now() });
  });

  it("are not filled before the first fill of all sources has ended, so that a killed run restarts it", async () => {
    const [source, hanging] = [new ScriptedSource(), new ScriptedSource("other")];
    source.publish(STARTED_AT, "ACME");
    Object.assign(hanging, { read: readUntilAborted });
    const first = await follow([source, hanging]);
    await first.clock.advance(59_000);
    expect([first.reads()?.filledAt, first.news()]).toEqual([null, []]);
    await first.live.stop();
    const second = await follow([source, hanging], { store: first.store, clock: first.clock });
    await second.clock.advance(59_000);
    expect([second.reads()?.filledAt, second.news()]).toEqual([null, []]);
    await second.clock.advance(1_000);
    expect([second.reads()?.filledAt, second.news()]).toEqual([second.clock.now(), ["ACME"]]);
  });

  it("are filled after a week even if a part of the source still fails", async () => {
    const source = new ScriptedSource();
    source.publish(STARTED_AT, "ACME");
    source.result = { ...source.result, ...UNREACHABLE };
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
    source.result = UNREACHABLE;
    await clock.advance(60 * MINUTE_MS);
    expect(reads()?.lastReadAt).toBe(clock.now() - 60 * MINUTE_MS);
  });

  it("are saved after a later poll if the store refused them", async () => {
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
    source.result = UNREACHABLE;
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

describe("records of an earlier version, which stored no reads", () => {
  it("are served before a source can be read, and what is found later is news", async () => {
    const store = memorySourceRecords();
    const observedAt = STARTED_AT - 30 * DAY_MS;
    const source = new ScriptedSource();
    await store.observations.put([
      anObservation({ source: "bulletin", observedAt }),
      anObservation({ source: "bulletin", observedAt: observedAt + 2 * DAY_MS }),
    ]);
    source.result = UNREACHABLE;
    const { live, reads, clock, news } = await follow([source], { store });
    expect([await live.reached, reads()?.filledAt]).toEqual([true, observedAt + DAY_MS]);
    source.publish(observedAt - 5 * DAY_MS, "LATE");
    await clock.advance(HOUR_MS);
    expect(news()).toContain("LATE");
  });
});

describe("old news causes no alert", () => {
  it("if the source is empty at its first polls", async () => {
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
    source.result = UNREACHABLE;
    const { clock, silent, news } = await follow([source, other]);
    await clock.advance(5 * DAY_MS);
    source.publish(STARTED_AT - 20 * DAY_MS, "OLDA");
    source.result = { ...source.result, untriedPages: 1 };
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
    source.result = { ...source.result, untriedPages: 1 };
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
    const { result } = source;
    source.result = UNREACHABLE;
    await clock.advance(9 * DAY_MS);
    source.result = result;
    await clock.advance(HOUR_MS);
    expect([silent(), news()]).toEqual([["OLDA"], ["NEWA"]]);
  });
});
