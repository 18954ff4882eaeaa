import { afterEach, describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { aStatement } from "../../../test/support/observations.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { mention } from "../../../test/support/releases.ts";
import { MemoryObservations } from "../../../test/support/source-records.ts";
import { buildCatalog } from "../../catalog/catalog.ts";
import { type CompleteSplit, completeSplits } from "../../catalog/catalog-split.ts";
import type { Observation } from "../../catalog/observation.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { observationKey, StoreError } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import type { OpenSource } from "../source-definition.ts";
import { FetchError } from "../web/fetch-error.ts";
import { followStatements, type StatementPollResult } from "./follow-statements.ts";
import type { Statement } from "./statement.ts";

const followed: OpenSource[] = [];

afterEach(async () => {
  for (const source of followed.splice(0)) await source.stop();
});

const NOTICE = aStatement();

/** Follows a source whose polls return `shown.statements` or fail with `shown.error`. */
async function follow(statements: readonly Statement[]) {
  const clock = new ManualClock("2026-03-02T14:00:00Z");
  const stored = new MemoryObservations();
  const log = recordedLog();
  const shown: { statements: readonly Statement[]; error: FetchError | null } = { statements, error: null };
  const observations = await openRecordCache(stored, observationKey);
  const read = async (): Promise<StatementPollResult> => {
    if (shown.error !== null) throw shown.error;
    return { items: shown.statements, statements: shown.statements, failures: [] };
  };
  const source = followStatements(
    { name: "bulletin", intervalMs: () => MINUTE_MS, read },
    { observations, clock, log },
  );
  followed.push(source);
  await clock.advance(0);
  return { clock, stored, log, shown, source, poll: () => clock.advance(MINUTE_MS) };
}

function rowsOf(observations: readonly Observation[]): readonly CompleteSplit[] {
  return buildCatalog({ releases: [], observations }).flatMap(completeSplits);
}

/** Notices about different companies, numbered from `first`. */
function noticesOf(count: number, first = 0): readonly Statement[] {
  return Array.from({ length: count }, (_, n) => ({
    ...NOTICE,
    id: `M${first + n}`,
    listings: [mention(`NASDAQ: M${first + n}`)],
    company: `Company ${first + n} Inc.`,
  }));
}

describe("a source of notices", () => {
  it("records the terms of a notice, dated by the source", async () => {
    const { stored, clock } = await follow([NOTICE]);
    const { publishedAt, ...stated } = NOTICE;
    expect(stored.written).toEqual([
      { ...stated, source: "bulletin", issuedOn: "2026-03-02", publishedAt, observedAt: clock.now() },
    ]);
  });

  it("stores all statements of a poll in one write, including several revisions of one notice", async () => {
    const other = { ...NOTICE, id: "B2026-8", url: "https://bulletin.example/B2026-8" };
    const { stored, source, poll } = await follow([NOTICE, other, { ...NOTICE, kind: "cancelled" }]);
    expect(stored.writes).toBe(1);
    expect(stored.written.map(({ id, kind }) => [id, kind])).toEqual([
      ["B2026-7", "announced"],
      ["B2026-8", "announced"],
      ["B2026-7", "cancelled"],
    ]);
    expect(stored.stored.size).toBe(3);
    expect(source.statuses()[0]?.newItemCount).toBe(3);
    await poll();
    // The first version is read again after the revision, as from a source that lists both.
    expect(stored.writes).toBe(2);
  });

  it("records a notice without a time as published when it is read", async () => {
    const { stored, clock } = await follow([{ ...NOTICE, publishedAt: null }]);
    expect(stored.written[0]?.publishedAt).toBe(clock.now());
  });

  it("never dates a notice later than its poll", async () => {
    const { stored, clock } = await follow([{ ...NOTICE, publishedAt: Date.parse("2027-01-01T00:00:00Z") }]);
    expect(stored.written[0]?.publishedAt).toBe(clock.now());
  });

  it("records nothing if the notice is repeated, even in other words", async () => {
    const { stored, shown, poll } = await follow([NOTICE]);
    shown.statements = [{ ...NOTICE, evidence: { ratio: "1-20" } }];
    await poll();
    expect(stored.written).toHaveLength(1);
  });

  it.each<[string, Partial<Statement>]>([
    ["ratio", { ratio: { newShares: 1, oldShares: 30 } }],
    ["ex date", { exDate: null }],
    ["kind", { kind: "cancelled" }],
    ["symbol", { listings: [mention("NASDAQ: ACMX")] }],
  ])("records a revision of the %s, dated by its poll, and keeps the first version", async (_, revised) => {
    const { stored, shown, clock, poll } = await follow([NOTICE]);
    shown.statements = [{ ...NOTICE, ...revised }];
    await poll();
    await poll();
    expect(stored.written).toHaveLength(2);
    expect(stored.written[1]).toMatchObject({ id: NOTICE.id, ...revised, observedAt: clock.now() - MINUTE_MS });
    expect(stored.stored.size).toBe(2);
  });

  it("dates a revision by the source if it states a later time, otherwise by its poll", async () => {
    const { stored, shown, clock, poll } = await follow([NOTICE]);
    const publishedAt = (NOTICE.publishedAt ?? 0) + 1;
    shown.statements = [{ ...NOTICE, kind: "cancelled", publishedAt }];
    await poll();
    shown.statements = [{ ...NOTICE, publishedAt }];
    await poll();
    expect(stored.written.map((written) => written.publishedAt)).toEqual([
      NOTICE.publishedAt,
      publishedAt,
      clock.now(),
    ]);
  });

  it("records a row that repeats the terms of an earlier row, because it replaces the rows between them", async () => {
    const { stored, shown, poll } = await follow([NOTICE]);
    shown.statements = [{ ...NOTICE, url: "https://bulletin.example/later" }];
    await poll();
    await poll();
    expect(stored.written.map(({ url }) => url)).toEqual([NOTICE.url, "https://bulletin.example/later"]);
  });

  it("records one revision after the clock was set back, later than the replaced revision", async () => {
    const { stored, shown, clock, poll } = await follow([NOTICE]);
    clock.setTo("2026-03-02T13:00:00Z");
    shown.statements = [{ ...NOTICE, kind: "cancelled" }];
    await clock.advance(2 * 60 * MINUTE_MS);
    await poll();
    expect(stored.written.map(({ kind }) => kind)).toEqual(["announced", "cancelled"]);
    expect(stored.written[1]?.observedAt).toBeGreaterThan(stored.written[0]?.observedAt ?? 0);
  });

  it("keeps a notice that the source no longer lists", async () => {
    const { stored, shown, poll } = await follow([NOTICE]);
    shown.statements = [];
    await poll();
    expect(rowsOf([...stored.stored.values()])).toMatchObject([{ ticker: "ACME", exDate: "2026-03-10" }]);
    expect(stored.written).toHaveLength(1);
  });

  it("keeps the first and the latest revisions of a notice that alternates between two statements", async () => {
    const { stored, shown, poll } = await follow([NOTICE]);
    for (let n = 1; n <= 60; n += 1) {
      shown.statements = [n % 2 === 0 ? NOTICE : { ...NOTICE, exDate: day("2026-03-12") }];
      await poll();
    }
    const kept = [...stored.stored.values()];
    expect(stored.written).toHaveLength(61);
    expect(kept).toEqual([...stored.written.slice(0, 2), ...stored.written.slice(-20)]);
    expect(rowsOf(kept)).toEqual(rowsOf(stored.written));
  });

  it("retries a failed removal of revisions after later revisions", async () => {
    const { stored, shown, poll } = await follow([NOTICE]);
    const alternate = async (polls: number): Promise<void> => {
      for (let n = 1; n <= polls; n += 1) {
        shown.statements = [n % 2 === 0 ? NOTICE : { ...NOTICE, kind: "cancelled" }];
        await poll();
      }
    };
    await alternate(20);
    stored.remove = () => Promise.reject(new StoreError("no space left"));
    await alternate(5);
    expect(stored.stored.size).toBe(26);
    Reflect.deleteProperty(stored, "remove");
    await alternate(4);
    expect(stored.stored.size).toBe(22);
  });

  it("reports a failed poll, keeps its records, and recovers", async () => {
    const { stored, shown, source, log, poll } = await follow([NOTICE]);
    shown.error = new FetchError("refused", "bulletin.example answered 403");
    await poll();
    expect(source.statuses()[0]).toMatchObject({ condition: "refusing", problem: "bulletin.example answered 403" });
    expect(log.text()).toContain("source read failed");
    shown.error = null;
    await poll();
    expect(source.statuses()[0]).toMatchObject({ condition: "ok", problem: null });
    expect(stored.written).toHaveLength(1);
  });

  it("saves unsaved statements at the next poll", async () => {
    const { stored, shown, poll } = await follow([]);
    stored.isFull = true;
    shown.statements = [NOTICE];
    await poll();
    expect(stored.written).toEqual([]);
    stored.isFull = false;
    await poll();
    expect(stored.written).toHaveLength(1);
  });

  it("records nothing of a list with over 1,000 new notices, and reports it until the list is plausible again", async () => {
    const { stored, shown, source, poll } = await follow([NOTICE]);
    shown.statements = [NOTICE, ...noticesOf(1_001)];
    await poll();
    expect(stored.written).toHaveLength(1);
    expect(source.statuses()[0]?.problem).toBe(
      "got 1001 new statements in one poll, expected at most 1000: none was recorded",
    );
    shown.statements = [{ ...NOTICE, kind: "cancelled" }];
    await poll();
    expect(stored.written).toHaveLength(2);
    expect(source.statuses()[0]).toMatchObject({ condition: "ok", problem: null });
  });

  it("records nothing of a poll with over 2,000 statements, also if most of them repeat", async () => {
    const { stored, shown, source, poll } = await follow([NOTICE]);
    shown.statements = [...noticesOf(1), ...Array.from({ length: 2_000 }, () => NOTICE)];
    await poll();
    expect(stored.written).toHaveLength(1);
    expect(source.statuses()[0]?.problem).toBe(
      "got 2001 statements in one poll, expected at most 2000: none was recorded",
    );
  });

  it("records up to 1,000 new notices a day, and the others on the next day", async () => {
    const { stored, shown, source, clock, poll } = await follow(noticesOf(700));
    shown.statements = noticesOf(1_400);
    await poll();
    await poll();
    expect(stored.written).toHaveLength(1_000);
    expect(source.statuses()[0]?.problem).toContain("more than 1000 new statements in a day");
    clock.skip(DAY_MS);
    await poll();
    expect(stored.written).toHaveLength(1_400);
    expect(new Set(stored.written.map(({ id }) => id)).size).toBe(1_400);
    expect(source.statuses()[0]?.problem).toBeNull();
  });

  it("records no new notices of a symbol with over 30 in a day, but its revisions and other symbols", async () => {
    const { stored, shown, source, poll } = await follow([NOTICE]);
    const ofOneSymbol = noticesOf(31).map((notice) => ({ ...notice, listings: NOTICE.listings }));
    const [other] = noticesOf(1, 100);
    shown.statements = [{ ...NOTICE, kind: "cancelled" }, ...ofOneSymbol, ...(other ? [other] : [])];
    await poll();
    expect(stored.written.map(({ id, kind }) => [id, kind])).toEqual([
      [NOTICE.id, "announced"],
      [NOTICE.id, "cancelled"],
      ["M100", "announced"],
    ]);
    expect(source.statuses()[0]?.problem).toBe(
      "got more than 30 notices of ACME in a day: the others were not recorded",
    );
  });
});
