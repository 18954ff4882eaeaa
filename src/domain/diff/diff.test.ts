import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord } from "../../../test/support/builders.ts";
import { PolledSource, SETTINGS } from "../../../test/support/polled-source.ts";
import type { Event } from "../alert/event.ts";
import { rowKey, type SplitRecord } from "../split/split.ts";
import { diffSplits, missingCandidates } from "./diff.ts";
import { applyPatch } from "./snapshot.ts";

/** Other splits, far from their ex dates, so that a single split is a small share of the list. */
const OTHERS = ["AAAA", "BBBB", "CCCC", "DDDD"].map((ticker) => aRecord({ ticker, exDate: "2026-09-10" }));

/** Short form of events: `changed ACME ratio,exDate`. */
function summaries(events: readonly Event[]): string[] {
  return events.map((event) => {
    if (!("record" in event)) return event.kind;
    const terms = event.kind === "changed" ? ` ${event.terms.join(",")}` : "";
    return `${event.kind} ${event.record.ticker}${terms}`;
  });
}

function ids(events: readonly Event[]): string[] {
  return events.map(({ id }) => id);
}

function followingAcme(parts: Parameters<typeof aRecord>[0] = {}): PolledSource {
  return PolledSource.settled([...OTHERS, aRecord(parts)]);
}

function ratioPolls(source: PolledSource, ratio: string, times = 1): readonly Event[] {
  return source.poll([...OTHERS, aRecord({ ratio })], times);
}

describe("an unchanged list", () => {
  it("makes no events and no patch, in any row order", () => {
    const source = followingAcme();
    const rows = [...OTHERS, aRecord()];
    expect(source.diff(rows)).toEqual({ outcome: "complete", patch: null, events: [] });
    expect(source.diff(rows.toReversed())).toEqual({ outcome: "complete", patch: null, events: [] });
    expect(source.diff([...rows, ...rows])).toEqual({ outcome: "complete", patch: null, events: [] });
  });

  it("makes the same ids when it is compared with the same snapshot again", () => {
    const source = followingAcme();
    const rows = [...OTHERS, aRecord({ ratio: "1:25" }), aRecord({ ticker: "EEEE" }), aRecord({ ticker: "FFFF" })];
    const reading = source.listOf(rows);
    const first = diffSplits(source.snapshot, reading, SETTINGS);
    const again = diffSplits(source.snapshot, { ...reading, records: rows.toReversed() }, SETTINGS);
    expect(again).toEqual(first);
    expect(ids(first.events)).toHaveLength(3);
  });

  it("makes no new ids for committed events", () => {
    const source = followingAcme();
    const rows = [...OTHERS, aRecord({ ratio: "1:25" }), aRecord({ ticker: "EEEE" })];
    expect(source.poll(rows)).toHaveLength(2);
    expect(source.poll(rows, 40)).toEqual([]);
  });
});

describe("a new row", () => {
  it("is announced once, with the fraction treatment of a release", () => {
    const source = PolledSource.settled(OTHERS);
    const fraction = { treatment: "round_up", level: null, sentence: "Fractions are rounded up." } as const;
    source.readArticles([aKnownArticle({ fraction })]);
    const [event, ...more] = source.poll([...OTHERS, aRecord()], 5);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      kind: "announced",
      alreadyEffective: false,
      record: aRecord(),
      at: source.at - 4 * 120_000,
      sample: false,
      fraction: { ...fraction, url: "https://wire.example/acme-1" },
    });
  });

  it.each([
    ["2026-02-27", true],
    ["2026-03-02", false],
    ["2026-03-03", false],
  ])("with the ex date %s is announced on 2026-03-02 as already in effect: %s", (exDate, alreadyEffective) => {
    const source = PolledSource.settled(OTHERS);
    expect(source.poll([...OTHERS, aRecord({ exDate })])).toMatchObject([{ kind: "announced", alreadyEffective }]);
  });

  it("of the sample data is marked as sample", () => {
    const source = new PolledSource();
    source.poll(OTHERS, 4, { sample: true });
    expect(source.poll([...OTHERS, aRecord()], 1, { sample: true })).toMatchObject([{ sample: true }]);
  });

  it("for a ticker whose split took effect is a second split, even if the first is still listed", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-06T15:00:00Z");
    const second = aRecord({ exDate: "2026-08-04", ratio: "1:50" });
    const events = source.poll([...OTHERS, aRecord({ exDate: "2026-03-04" }), second]);
    expect(summaries(events)).toEqual(["announced ACME"]);
    expect(new Set(source.splits.map(({ id }) => id)).size).toBe(6);
  });

  it("for a ticker whose split took effect and left is a second split", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-06T15:00:00Z");
    expect(summaries(source.poll([...OTHERS, aRecord({ exDate: "2026-08-04" })]))).toEqual(["announced ACME"]);
    expect(source.splits.find(({ record }) => record.exDate === "2026-03-04")?.status).toBe("closed");
  });

  it("beside the known one of the same ticker is a second split", () => {
    const source = followingAcme();
    const events = source.poll([...OTHERS, aRecord(), aRecord({ exDate: "2026-08-04" })]);
    expect(summaries(events)).toEqual(["announced ACME"]);
  });

  it("that was quarantined is announced once it is readable", () => {
    const source = PolledSource.settled(OTHERS);
    expect(source.poll(OTHERS, 5, { unreadable: ["ACME"] })).toEqual([]);
    expect(summaries(source.poll([...OTHERS, aRecord()]))).toEqual(["announced ACME"]);
  });
});

describe("a silent row", () => {
  it("is followed without an announcement, and its changes make events", () => {
    const source = followingAcme();
    const late = aRecord({ ticker: "LATE" });
    const rows = [...OTHERS, aRecord(), late, aRecord({ ticker: "NEWS" })];
    expect(summaries(source.poll(rows, 1, { silentRows: new Set([rowKey(late)]) }))).toEqual(["announced NEWS"]);
    expect(source.splits.map(({ record }) => record.ticker)).toContain("LATE");
    const changed = rows.map((row) => (row === late ? aRecord({ ticker: "LATE", ratio: "1:30" }) : row));
    expect(summaries(source.poll(changed))).toEqual(["changed LATE ratio"]);
  });

  it("does not silence other rows of its ticker", () => {
    const source = followingAcme();
    const silentRows = new Set([rowKey(aRecord({ ticker: "LATE", exDate: "2026-01-05" }))]);
    expect(summaries(source.poll([...OTHERS, aRecord(), aRecord({ ticker: "LATE" })], 1, { silentRows }))).toEqual([
      "announced LATE",
    ]);
  });
});

describe("changed terms", () => {
  it.each([
    ["the ratio", { ratio: "1:25" }, "ratio"],
    ["an unreadable ratio", { ratio: "1:25 or so" }, "ratio"],
    ["the ex date", { exDate: "2026-03-17" }, "exDate"],
    ["the exchange", { exchange: "OTC" }, "exchange"],
    ["ratio and date together", { ratio: "1:25", exDate: "2026-03-17" }, "ratio,exDate"],
    ["exchange and date together", { exchange: "OTC", exDate: "2026-03-17" }, "exDate,exchange"],
  ])("make one event with old and new terms: %s", (_, parts, terms) => {
    const source = followingAcme();
    const events = source.poll([...OTHERS, aRecord(parts)], 10);
    expect(summaries(events)).toEqual([`changed ACME ${terms}`]);
    expect(events).toMatchObject([{ was: aRecord(), record: aRecord(parts), flapping: false }]);
  });

  it("after the ex date make a change event", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-06T15:00:00Z");
    const events = source.poll([...OTHERS, aRecord({ exDate: "2026-03-04", ratio: "1:25" })]);
    expect(summaries(events)).toEqual(["changed ACME ratio"]);
  });

  it("that revert make two events", () => {
    const source = followingAcme();
    source.poll([...OTHERS, aRecord({ ratio: "1:25" })]);
    const back = source.poll([...OTHERS, aRecord()]);
    expect(back).toMatchObject([{ kind: "changed", was: aRecord({ ratio: "1:25" }), record: aRecord() }]);
    expect(back[0]?.id).toMatch(/\.2$/);
  });

  it("are counted from zero after an hour without transitions", () => {
    const source = followingAcme();
    for (const ratio of ["1:21", "1:22", "1:23", "1:24", "1:25", "1:26"]) {
      source.wait(58);
      expect(source.poll([...OTHERS, aRecord({ ratio })])).toMatchObject([{ kind: "changed", flapping: false }]);
    }
  });

  it("for the third time exactly an hour after the first are not flapping", () => {
    const source = followingAcme();
    for (const ratio of ["1:21", "1:22", "1:23"]) {
      expect(ratioPolls(source, ratio)).toMatchObject([{ flapping: false }]);
      source.wait(28);
    }
  });

  it("of the company name or announcement date only go to the history", () => {
    const source = followingAcme();
    const renamed = aRecord({ company: "Acme Inc.", dateAnnounced: null });
    const events = source.poll([...OTHERS, renamed], 3);
    expect(events).toMatchObject([{ kind: "changed", terms: [], was: aRecord(), record: renamed, flapping: false }]);
  });

  it("of names only are not transitions", () => {
    const source = followingAcme();
    for (const company of ["A", "B", "C", "D", "E"]) source.poll([...OTHERS, aRecord({ company })]);
    expect(source.poll([...OTHERS, aRecord({ company: "E", ratio: "1:25" })])).toMatchObject([{ flapping: false }]);
  });

  it("end a withdrawal", () => {
    const source = followingAcme();
    source.readArticles([]);
    source.readArticles([aKnownArticle({ kind: "postponed" })]);
    expect(source.splits.find(({ withdrawal }) => withdrawal !== null)).toMatchObject({
      withdrawal: { exDate: "2026-03-10" },
    });
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-17" })]);
    expect(source.splits.every(({ withdrawal }) => withdrawal === null)).toBe(true);
  });
});

describe("a record that flaps", () => {
  it("is marked as flapping at the third change within an hour, then held until it is stable for an hour", () => {
    const source = followingAcme();
    expect(ratioPolls(source, "1:21")).toMatchObject([{ flapping: false }]);
    expect(ratioPolls(source, "1:22")).toMatchObject([{ flapping: false }]);
    expect(ratioPolls(source, "1:21")).toMatchObject([{ flapping: true, record: { ratioText: "1:21" } }]);
    for (let times = 0; times < 20; times += 1) {
      expect(ratioPolls(source, "1:22")).toEqual([]);
      expect(ratioPolls(source, "1:21")).toEqual([]);
    }
    expect(ratioPolls(source, "1:23", 30)).toEqual([]);
    const events = ratioPolls(source, "1:23", 30);
    expect(events).toMatchObject([{ kind: "changed", flapping: false }]);
    expect(events).toMatchObject([{ was: { ratioText: "1:21" }, record: { ratioText: "1:23" } }]);
  });

  it("makes no event if it ends with the last alerted terms", () => {
    const source = followingAcme();
    for (const ratio of ["1:21", "1:22", "1:23"]) ratioPolls(source, ratio);
    expect(ratioPolls(source, "1:24")).toEqual([]);
    expect(ratioPolls(source, "1:23", 60)).toEqual([]);
    expect(source.splits.every(({ pendingRecord }) => pendingRecord === null)).toBe(true);
    expect(ratioPolls(source, "1:26")).toMatchObject([{ flapping: false }]);
  });

  it("is held for an hour after the clock is set right, if it flapped while the clock was two hours ahead", () => {
    const source = followingAcme();
    source.wait(120);
    for (const ratio of ["1:21", "1:22", "1:23", "1:24"]) ratioPolls(source, ratio);
    source.wait(-120);
    expect(ratioPolls(source, "1:24", 30)).toEqual([]);
    expect(ratioPolls(source, "1:24", 2)).toMatchObject([{ kind: "changed", flapping: false }]);
  });

  it("stays held while it changes more slowly", () => {
    const source = followingAcme();
    for (const ratio of ["1:21", "1:22", "1:23"]) ratioPolls(source, ratio);
    for (const ratio of ["1:24", "1:25", "1:26", "1:27"]) {
      source.wait(50);
      expect(ratioPolls(source, ratio)).toEqual([]);
    }
    source.wait(60);
    expect(ratioPolls(source, "1:27")).toMatchObject([{ was: { ratioText: "1:23" }, record: { ratioText: "1:27" } }]);
  });

  it("keeps one id while its dates alternate across midnight", () => {
    const source = PolledSource.settled([...OTHERS, aRecord({ exDate: "2026-03-02" })], "2026-03-03T04:30:00Z");
    for (const exDate of ["2026-03-20", "2026-03-02", "2026-03-20", "2026-03-02", "2026-03-20"]) {
      source.poll([...OTHERS, aRecord({ exDate })]);
    }
    source.setTo("2026-03-03T05:10:00Z");
    expect(source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })])).toEqual([]);
    expect(source.splits).toHaveLength(5);
  });
});

describe("a split that is no longer listed", () => {
  it("is missing once, after exactly the configured number of polls", () => {
    const source = followingAcme();
    expect(source.poll(OTHERS, 2)).toEqual([]);
    expect(source.poll(OTHERS)).toMatchObject([
      { kind: "missing", pollsMissed: 3, flapping: false, record: aRecord() },
    ]);
    expect(source.poll(OTHERS, 60)).toEqual([]);
  });

  it.each([1, 2, 5])("is missing after %i polls if that is configured", (missingPolls) => {
    const source = new PolledSource({ settings: { missingPolls } });
    source.poll([...OTHERS, aRecord()], 1 + missingPolls);
    expect(source.poll(OTHERS, missingPolls - 1)).toEqual([]);
    expect(summaries(source.poll(OTHERS))).toEqual(["missing ACME"]);
  });

  it("is not missing if it was listed in between", () => {
    const source = followingAcme();
    for (let times = 0; times < 5; times += 1) {
      expect(source.poll(OTHERS, 2)).toEqual([]);
      expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
    }
  });

  it("is a missing candidate only if the list would make it missing", () => {
    const source = followingAcme();
    source.poll(OTHERS, 2);
    source.wait(2);
    expect(missingCandidates(diffSplits(source.snapshot, source.listOf(OTHERS), SETTINGS))).toEqual([aRecord()]);
    expect(missingCandidates(diffSplits(source.snapshot, source.listOf([...OTHERS, aRecord()]), SETTINGS))).toEqual([]);
  });

  it("returns with its current terms", () => {
    const source = followingAcme();
    source.poll(OTHERS, 3);
    const now = aRecord({ exDate: "2026-03-17" });
    const events = source.poll([...OTHERS, now], 3);
    expect(events).toMatchObject([{ kind: "returned", was: aRecord(), record: now, flapping: false }]);
    expect(source.poll(OTHERS, 2)).toEqual([]);
  });

  it("keeps its withdrawal if it returns with the same terms, and drops it otherwise", () => {
    for (const [exDate, withdrawal] of [
      ["2026-03-10", { kind: "postponed", exDate: "2026-03-10" }],
      ["2026-03-17", null],
    ] as const) {
      const source = followingAcme();
      source.readArticles([]);
      source.readArticles([aKnownArticle({ kind: "postponed" })]);
      source.poll(OTHERS, 3);
      source.poll([...OTHERS, aRecord({ exDate })]);
      expect(source.splits.find(({ record }) => record.ticker === "ACME")).toMatchObject({
        status: "listed",
        withdrawal,
      });
    }
  });

  it("leaves and returns without events on and after its ex date", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-04T05:01:00Z");
    expect(source.poll(OTHERS, 10)).toEqual([]);
    expect(source.poll([...OTHERS, aRecord({ exDate: "2026-03-04" })], 10)).toEqual([]);
    expect(source.poll(OTHERS, 10)).toEqual([]);
  });

  it("that is missing makes no event when its ex date comes", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.poll(OTHERS, 3);
    source.setTo("2026-03-04T05:01:00Z");
    expect(source.poll(OTHERS, 3)).toEqual([]);
    expect(source.splits.find(({ record }) => record.ticker === "ACME")?.status).toBe("closed");
  });

  it("is neither listed nor missing while its row is quarantined", () => {
    const source = followingAcme();
    source.poll(OTHERS, 2);
    expect(source.poll(OTHERS, 50, { unreadable: ["ACME"] })).toEqual([]);
    expect(summaries(source.poll(OTHERS))).toEqual(["missing ACME"]);
  });

  it("is purged 90 days after it left, not earlier", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-05T15:00:00Z");
    source.poll(OTHERS);
    source.setTo("2026-06-03T15:00:00Z");
    source.poll(OTHERS);
    expect(source.splits).toHaveLength(5);
    source.wait(10);
    source.poll(OTHERS);
    expect(source.splits).toHaveLength(4);
  });

  it("is not purged by the list that shows it again", () => {
    const source = followingAcme({ exDate: "2026-03-04" });
    source.setTo("2026-03-05T15:00:00Z");
    source.poll(OTHERS);
    source.setTo("2026-07-05T15:00:00Z");
    const diff = source.diff([...OTHERS, aRecord({ exDate: "2026-03-04" })]);
    expect(diff).toMatchObject({ events: [], patch: { removedSplits: [] } });
    expect(source.splits).toHaveLength(5);
  });
});

describe("a split that appears and disappears", () => {
  it("is marked as flapping at the third transition within an hour, then held until it is stable for an hour", () => {
    const source = followingAcme();
    const here = [...OTHERS, aRecord()];
    expect(summaries(source.poll(OTHERS, 3))).toEqual(["missing ACME"]);
    expect(source.poll(here)).toMatchObject([{ kind: "returned", flapping: false }]);
    expect(source.poll(OTHERS, 3)).toMatchObject([{ kind: "missing", flapping: true }]);
    for (let times = 0; times < 30; times += 1) {
      expect(source.poll(here, 2)).toEqual([]);
      expect(source.poll(OTHERS, 4)).toEqual([]);
    }
    expect(source.poll(here, 30)).toEqual([]);
    expect(source.poll(here, 40)).toMatchObject([{ kind: "returned", flapping: false }]);
  });

  it("makes no event if it ends with the last alerted terms", () => {
    const source = followingAcme();
    const here = [...OTHERS, aRecord()];
    source.poll(OTHERS, 3);
    source.poll(here);
    source.poll(OTHERS, 3);
    expect(source.poll(here)).toEqual([]);
    expect(source.poll(OTHERS, 90)).toEqual([]);
    expect(source.poll(here)).toMatchObject([{ kind: "returned", flapping: false }]);
  });

  it("is missing if it was absent for an hour after a flapping return", () => {
    const source = followingAcme();
    source.poll([...OTHERS, aRecord({ ratio: "1:21" })]);
    source.poll([...OTHERS, aRecord({ ratio: "1:22" })]);
    expect(source.poll([...OTHERS, aRecord({ ratio: "1:23" })])).toMatchObject([{ flapping: true }]);
    expect(source.poll([...OTHERS, aRecord({ ratio: "1:24" })])).toEqual([]);
    expect(source.poll(OTHERS, 30)).toEqual([]);
    const events = source.poll(OTHERS, 10);
    expect(events).toMatchObject([{ kind: "missing", flapping: false, record: { ratioText: "1:24" } }]);
  });

  it("counts changes, disappearances and returns together", () => {
    const source = followingAcme();
    source.poll([...OTHERS, aRecord({ ratio: "1:21" })]);
    source.poll([...OTHERS, aRecord()]);
    expect(source.poll(OTHERS, 3)).toMatchObject([{ kind: "missing", flapping: true }]);
    expect(source.poll([...OTHERS, aRecord()], 5)).toEqual([]);
  });
});

describe("a time without polls", () => {
  it("ends with one event per change", () => {
    const source = PolledSource.settled([
      ...OTHERS,
      aRecord(),
      aRecord({ ticker: "GONE", exDate: "2026-04-10" }),
      aRecord({ ticker: "DONE", exDate: "2026-03-04" }),
    ]);
    source.wait(3 * 24 * 60);
    const rows: SplitRecord[] = [
      ...OTHERS,
      aRecord({ ratio: "1:25", exDate: "2026-03-20" }),
      aRecord({ ticker: "NEWA", dateAnnounced: "2026-03-03" }),
      aRecord({ ticker: "NEWB", dateAnnounced: "2026-03-03" }),
      aRecord({ ticker: "NEWC", dateAnnounced: null }),
      aRecord({ ticker: "NEWD", dateAnnounced: "2026-03-03" }),
    ];
    const events = source.poll(rows, 10);
    expect(summaries(events).toSorted()).toEqual([
      "announced NEWA",
      "announced NEWB",
      "announced NEWC",
      "announced NEWD",
      "changed ACME ratio,exDate",
      "missing GONE",
    ]);
    expect(new Set(ids(events)).size).toBe(events.length);
  });
});

describe("the order of the rows", () => {
  const rows = [
    ...OTHERS,
    aRecord({ ratio: "1:25" }),
    aRecord({ ratio: "1:30", exDate: "2026-08-01" }),
    aRecord({ ticker: "NEWA" }),
    aRecord({ ticker: "NEWB", exDate: "2026-03-05" }),
    aRecord({ ticker: "NEWB", exDate: "2026-08-05" }),
    aRecord({ ticker: "NEWB", exDate: "2026-08-05", company: "New B" }),
  ];

  it("changes neither events nor patch", () => {
    const source = followingAcme();
    const expected = diffSplits(source.snapshot, source.listOf(rows), SETTINGS);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(diffSplits(source.snapshot, source.listOf(shuffled), SETTINGS)).toEqual(expected);
      }),
    );
  });

  it("does not matter to a first run", () => {
    const source = new PolledSource();
    const expected = diffSplits(source.snapshot, source.listOf(rows), SETTINGS);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(diffSplits(source.snapshot, source.listOf(shuffled), SETTINGS)).toEqual(expected);
      }),
    );
  });
});

describe("a patch", () => {
  it("is idempotent", () => {
    const source = followingAcme();
    source.wait(2);
    const { patch } = diffSplits(source.snapshot, source.listOf([...OTHERS, aRecord({ ticker: "NEWA" })]), SETTINGS);
    if (!patch) throw new Error("the list made no patch");
    const once = applyPatch(source.snapshot, patch);
    expect(applyPatch(once, patch)).toEqual(once);
  });
});
