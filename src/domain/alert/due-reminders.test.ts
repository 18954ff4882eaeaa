import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";

/** 2026-03-10 is a Tuesday, the Monday before it a trading day. */
const EX_DATE = "2026-03-10";
const OTHERS = ["AAAA", "BBBB", "CCCC"].map((ticker) => aRecord({ ticker, exDate: "2027-09-10" }));

function following(parts: Parameters<typeof aRecord>[0] = {}, start?: string): PolledSource {
  const source = PolledSource.settled([...OTHERS, aRecord(parts)], start);
  source.readArticles([]);
  return source;
}

/** 09:00 in New York; from 8 March on, four hours behind UTC. */
function nineOn(date: string): string {
  return `${date}T${date < "2026-03-08" || date > "2026-11-01" ? "14" : "13"}:00:00Z`;
}

/** The reminders due at 09:00 on these days. */
function dueOn(source: PolledSource, dates: readonly string[], before?: readonly number[]): string[] {
  return dates.flatMap((date) => {
    source.setTo(nineOn(date));
    return source.remind(before).map((event) => {
      const days = event.kind === "reminder" ? ` ${event.daysLeft}` : "";
      return `${date} ${event.kind} ${event.record.ticker}${days}`;
    });
  });
}

describe("a reminder", () => {
  it("is made once on the trading day before, and `effective` once on the ex date", () => {
    const week = ["2026-03-06", "2026-03-09", "2026-03-09", "2026-03-10", "2026-03-10", "2026-03-11"];
    expect(dueOn(following(), week)).toEqual(["2026-03-09 reminder ACME 1", "2026-03-10 effective ACME"]);
  });

  it("contains the split, its fraction treatment, and an id derived from split and ex date", () => {
    const source = following();
    const fraction = { treatment: "round_up", level: null, sentence: "Fractions are rounded up." } as const;
    source.readArticles([aKnownArticle({ fraction })]);
    source.setTo(nineOn("2026-03-09"));
    const id = source.splits.find(({ record }) => record.ticker === "ACME")?.id;
    expect(source.remind()).toMatchObject([
      { id: `${id}.before-1.${EX_DATE}`, splitId: id, record: aRecord(), fraction, at: source.at, sample: false },
    ]);
  });

  it.each([
    ["a weekend", "2026-03-09", "2026-03-06"],
    ["a holiday", "2026-07-06", "2026-07-02"],
    ["Thanksgiving", "2026-11-27", "2026-11-25"],
    ["New Year", "2027-01-04", "2026-12-31"],
  ])("is made before %s: ex date %s, sent on %s", (_, exDate, sentOn) => {
    const source = following({ exDate });
    const dayBefore = addDaysText(sentOn, -1);
    expect(dueOn(source, [dayBefore, sentOn])).toEqual([`${sentOn} reminder ACME 1`]);
  });

  it("counts weekdays if holidays are unknown", () => {
    const source = following({ exDate: "2026-07-06", exchange: "TSX" });
    expect(dueOn(source, ["2026-07-02", "2026-07-03"])).toEqual(["2026-07-03 reminder ACME 1"]);
  });

  it("states at least one day, even if the ex date is not a trading day", () => {
    const source = following({ exDate: "2026-03-07" });
    expect(dueOn(source, ["2026-03-05", "2026-03-06"])).toEqual(["2026-03-06 reminder ACME 1"]);
  });

  it("is made for each configured day", () => {
    const days = ["2026-03-02", "2026-03-03", "2026-03-05", "2026-03-09", "2026-03-10"];
    expect(dueOn(following(), days, [5, 3, 1, 0])).toEqual([
      "2026-03-03 reminder ACME 5",
      "2026-03-05 reminder ACME 3",
      "2026-03-09 reminder ACME 1",
      "2026-03-10 effective ACME",
    ]);
  });

  it("is made for a split that is announced late", () => {
    const source = PolledSource.settled(OTHERS, nineOn("2026-03-09"));
    source.poll([...OTHERS, aRecord()]);
    expect(source.remind()).toMatchObject([{ kind: "reminder", daysLeft: 1 }]);
  });

  it("is not made if only the ex date is configured, and vice versa", () => {
    expect(dueOn(following(), ["2026-03-09", "2026-03-10"], [0])).toEqual(["2026-03-10 effective ACME"]);
    expect(dueOn(following(), ["2026-03-09", "2026-03-10"], [1])).toEqual(["2026-03-09 reminder ACME 1"]);
    expect(dueOn(following(), ["2026-03-09", "2026-03-10"], [])).toEqual([]);
  });

  it("missed during downtime is merged into the latest due reminder", () => {
    expect(dueOn(following(), ["2026-03-09", "2026-03-10"], [5, 3, 1, 0])).toEqual([
      "2026-03-09 reminder ACME 1",
      "2026-03-10 effective ACME",
    ]);
    expect(dueOn(following(), ["2026-03-12", "2026-03-13"], [5, 3, 1, 0])).toEqual(["2026-03-12 effective ACME"]);
  });

  it("is made again for an ex date that moved later or earlier", () => {
    const source = following();
    expect(dueOn(source, ["2026-03-09"])).toHaveLength(1);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-17" })]);
    expect(dueOn(source, ["2026-03-10", "2026-03-13", "2026-03-16", "2026-03-17"])).toEqual([
      "2026-03-16 reminder ACME 1",
      "2026-03-17 effective ACME",
    ]);
    const earlier = following({ exDate: "2026-03-17" });
    earlier.poll([...OTHERS, aRecord({ exDate: "2026-03-04" })]);
    expect(dueOn(earlier, ["2026-03-03", "2026-03-04"])).toHaveLength(2);
  });

  it("is not made again for an ex date that moved away and back before it was due", () => {
    const source = following();
    expect(dueOn(source, ["2026-03-09"])).toHaveLength(1);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-17" })]);
    source.poll([...OTHERS, aRecord()]);
    expect(dueOn(source, ["2026-03-09"])).toEqual([]);
  });

  it("waits while the split is flapping", () => {
    const source = following({ exDate: "2026-03-17" }, nineOn("2026-03-10"));
    for (const exDate of ["2026-03-11", "2026-03-17", "2026-03-11", "2026-03-17"]) {
      source.poll([...OTHERS, aRecord({ exDate })]);
    }
    expect(source.remind()).toEqual([]);
    source.wait(60);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-11" })]);
    expect(source.remind()).toMatchObject([{ kind: "reminder", record: { exDate: "2026-03-11" } }]);
  });

  it("is not valid if its day passed before the split was seen", () => {
    const source = following({}, nineOn("2026-03-11"));
    expect(source.stillValid([1, 0], day("2026-03-09"))).toEqual([]);
  });

  it("stays valid after its day for destinations that received no reminders since", () => {
    const source = following();
    dueOn(source, ["2026-03-09", "2026-03-10"]);
    source.setTo(nineOn("2026-03-12"));
    const kinds = (since: string): readonly string[] => source.stillValid([1, 0], day(since)).map(({ kind }) => kind);
    expect([kinds("2026-03-09"), kinds("2026-03-10"), kinds("2026-03-11"), kinds("2026-03-12")]).toEqual([
      ["effective"],
      ["effective"],
      [],
      [],
    ]);
  });

  it("stays valid with the same id for rules added later, until and on the ex date", () => {
    const source = following();
    source.setTo(nineOn("2026-03-09"));
    const [reminder] = source.remind();
    expect(source.stillValid().map(({ id }) => id)).toEqual([reminder?.id]);
    source.setTo(nineOn("2026-03-10"));
    const [effective] = source.remind();
    expect(source.stillValid().map(({ id }) => id)).toEqual([effective?.id]);
    source.setTo(nineOn("2026-03-11"));
    expect(source.stillValid()).toEqual([]);
  });

  it("is not made while a split is missing, and made when it returns", () => {
    const source = following();
    source.poll(OTHERS, 3);
    expect(dueOn(source, ["2026-03-09"])).toEqual([]);
    source.poll([...OTHERS, aRecord()]);
    expect(source.remind()).toHaveLength(1);
  });

  it.each(["postponed", "cancelled"] as const)("is not made for a split that is %s", (kind) => {
    const source = following();
    source.readArticles([aKnownArticle({ kind })]);
    expect(dueOn(source, ["2026-03-09", "2026-03-10", "2026-03-11"])).toEqual([]);
  });

  it("is made for the new date of a postponed split, in any order of list and release", () => {
    const moved = [...OTHERS, aRecord({ exDate: "2026-03-17" })];
    const releaseFirst = following();
    releaseFirst.readArticles([aKnownArticle({ kind: "postponed" })]);
    releaseFirst.poll(moved);
    const listFirst = following();
    listFirst.poll(moved);
    listFirst.readArticles([aKnownArticle({ kind: "postponed" })]);
    for (const source of [releaseFirst, listFirst]) {
      expect(dueOn(source, ["2026-03-10", "2026-03-16", "2026-03-17"])).toEqual([
        "2026-03-16 reminder ACME 1",
        "2026-03-17 effective ACME",
      ]);
    }
  });
});

describe("effective", () => {
  it("is sent for a split that left the list on its ex date", () => {
    const source = following();
    source.setTo("2026-03-10T04:30:00Z");
    source.poll(OTHERS, 4);
    expect(dueOn(source, ["2026-03-10", "2026-03-11"])).toEqual(["2026-03-10 effective ACME"]);
  });

  it("is sent for a split that left the list during downtime", () => {
    const source = following();
    source.setTo(nineOn("2026-03-12"));
    source.poll(OTHERS);
    expect(source.remind()).toMatchObject([{ kind: "effective" }]);
  });

  it("is not sent for a split that went missing before its ex date", () => {
    const source = following();
    source.poll(OTHERS, 3);
    source.setTo("2026-03-10T04:30:00Z");
    expect(source.remind()).toEqual([]);
    source.poll(OTHERS, 4);
    expect(dueOn(source, ["2026-03-10", "2026-03-11"])).toEqual([]);
  });

  it("is sent for a split that went missing and is listed again after its ex date", () => {
    const source = following();
    source.poll(OTHERS, 3);
    source.setTo("2026-03-10T04:30:00Z");
    source.poll(OTHERS);
    source.poll([...OTHERS, aRecord()]);
    expect(dueOn(source, ["2026-03-10"])).toEqual(["2026-03-10 effective ACME"]);
  });

  it("is not sent for splits announced as already in effect, or listed before the first poll", () => {
    const source = PolledSource.settled([...OTHERS, aRecord({ exDate: "2026-02-27" })]);
    source.poll([...OTHERS, aRecord({ exDate: "2026-02-27" }), aRecord({ ticker: "LATE", exDate: "2026-02-26" })]);
    expect(source.remind()).toEqual([]);
  });

  it("is sent for a split first seen on its ex date", () => {
    const source = PolledSource.settled(OTHERS);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-02" })]);
    expect(source.remind()).toMatchObject([{ kind: "effective" }]);
  });

  it("is sent once if the date is later corrected to an earlier day", () => {
    const source = following();
    expect(dueOn(source, ["2026-03-10"])).toHaveLength(1);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-09" })]);
    expect(dueOn(source, ["2026-03-11", "2026-03-12"])).toEqual([]);
  });

  it("is sent again if the date moves later on the ex date itself", () => {
    const source = following();
    expect(dueOn(source, ["2026-03-10"])).toHaveLength(1);
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-12" })]);
    expect(dueOn(source, ["2026-03-11", "2026-03-12"])).toEqual([
      "2026-03-11 reminder ACME 1",
      "2026-03-12 effective ACME",
    ]);
  });

  it("uses the day in New York", () => {
    const source = following();
    dueOn(source, ["2026-03-09"]);
    source.setTo("2026-03-10T03:59:00Z");
    expect(source.remind()).toEqual([]);
    source.setTo("2026-03-10T04:00:00Z");
    expect(source.remind()).toHaveLength(1);
  });
});

describe("a tick with nothing due", () => {
  it("makes no patch", () => {
    const source = following();
    const before = source.snapshot;
    expect(source.remind()).toEqual([]);
    expect(source.snapshot).toBe(before);
  });
});

function addDaysText(date: string, days: number): string {
  return new Date(Date.parse(day(date)) + days * 86_400_000).toISOString().slice(0, 10);
}
