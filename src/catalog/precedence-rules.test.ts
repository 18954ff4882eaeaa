import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import {
  catalogOf,
  differences,
  finra,
  history,
  NOTHING,
  type NoticeParts,
  nasdaq,
  notice,
  nyse,
  onlySplit,
  postponed,
  release,
  rows,
  type Statement,
  withEvidence,
} from "../../test/support/statements.ts";
import { completeSplits, historyOf } from "./catalog-split.ts";

describe("a split that several sources state", () => {
  it("is announced once, by the first, and is enriched by the others", () => {
    const split = onlySplit(
      nasdaq("2026-03-06", { company: "ACME ROBOTICS INC COM", newCusip: "00000A109" }),
      release("2026-03-06", {}, { source: "businesswire" }),
      finra("2026-03-09"),
    );
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10"]);
    expect(split).toMatchObject({ company: "Acme Robotics Inc.", conflicts: [] });
    expect(split.facts.newCusip).toMatchObject([{ value: "00000A109", source: "nasdaq" }]);
    expect(rows(nasdaq("2026-03-06"), finra("2026-03-09"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-06"]);
  });

  it("was announced on the earliest public day", () => {
    expect(rows(release("2026-03-02"), nasdaq("2026-03-06"))[0]).toMatch(/2026-03-02$/);
    expect(rows(nasdaq("2026-03-06"), release("2026-03-07"))[0]).toMatch(/2026-03-06$/);
    expect(rows(release("2026-03-11"), nasdaq("2026-03-12"))[0]).toMatch(/unknown$/);
  });

  it("has the company's name from the release, and from the notice if there is none", () => {
    const official = nasdaq("2026-03-01", { company: "ACME ROBOTICS INC" });
    expect(onlySplit(official).company).toBe("ACME ROBOTICS INC");
    expect(onlySplit(official, release("2026-03-02")).company).toBe("Acme Robotics Inc.");
  });

  it("names the source, link, day and sentence of each term", () => {
    const official = nasdaq("2026-03-06", { id: "7", evidence: { ratio: "a one-for-twenty (1-20) reverse split" } });
    const split = onlySplit(release("2026-03-02", {}, { source: "newsfile" }), official);
    expect(split.facts.ratio).toMatchObject([
      {
        value: { newShares: 1, oldShares: 20 },
        source: "nasdaq",
        url: "https://nasdaq.example/7",
        evidence: "a one-for-twenty (1-20) reverse split",
        day: "2026-03-06",
      },
      { source: "newsfile", evidence: null, day: "2026-03-02" },
    ]);
    expect(split.facts.company.map(({ source }) => source)).toEqual(["newsfile", "nasdaq"]);
    expect(split.facts.announced.map(({ source, value }) => `${source} ${value}`)).toEqual([
      "newsfile 2026-03-02",
      "nasdaq 2026-03-06",
    ]);
  });

  it("has the exchange of the notice", () => {
    const split = onlySplit(release("2026-03-02", { exchange: "NYSEAMERICAN" }), nasdaq("2026-03-06"));
    expect(completeSplits(split)).toMatchObject([{ exchange: "NASDAQ" }]);
    expect(history(split)).toEqual(["announced by globenewswire, 2026-03-10", "corrected by nasdaq, 2026-03-10"]);
  });

  it("is complete once a release states the ratio that NYSE's list lacks, with NYSE's date", () => {
    const listed = nyse("2026-03-02", { exDate: "2026-03-11" });
    expect(rows(listed)).toEqual([]);
    expect(rows(listed, release("2026-03-04", { exchange: "NYSE" }))).toEqual(["NYSE:ACME 1:20 2026-03-11 2026-03-02"]);
    expect(rows(listed, release("2026-03-04", { ticker: null, exchange: null }))).toHaveLength(1);
  });

  it("has the exchange of the release if NYSE's list states none", () => {
    const listed = nyse("2026-03-02", { listings: ["ACME"] });
    const split = onlySplit(listed, release("2026-03-04", { exchange: "NYSEAMERICAN" }));
    expect(completeSplits(split)).toMatchObject([
      { ticker: "ACME", exchange: "NYSEAMERICAN", announced: "2026-03-02" },
    ]);
    expect(history(split)).toEqual(["announced by nyse, 2026-03-10", "announced by globenewswire, 2026-03-10"]);
  });

  it("keeps both listings of a dual-listed share if NYSE's list states no exchange", () => {
    const dual = release("2026-03-04", { exchange: "NYSEAMERICAN" }, { tags: ["NYSEAMERICAN: ACME", "TSX: ACME"] });
    expect(rows(nyse("2026-03-02", { listings: ["ACME"] }), dual)).toEqual([
      "NYSEAMERICAN:ACME 1:20 2026-03-10 2026-03-02",
      "TSX:ACME 1:20 2026-03-10 2026-03-02",
    ]);
  });

  it("never has a ratio from NYSE or a CUSIP from FINRA", () => {
    const split = onlySplit(nyse("2026-03-02", { ratio: "1:7" }), finra("2026-03-02", { ratio: null, newCusip: "1" }));
    expect(split.facts).toMatchObject({ ratio: [], newCusip: [] });
  });
});

describe("sources that disagree", () => {
  it("are both kept; the exchange's ratio applies", () => {
    const split = onlySplit(nasdaq("2026-03-06", { ratio: "1:15" }), release("2026-03-07", { ratio: "1:16" }));
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 15 } }]);
    expect(differences(split)).toEqual(["ratio: nasdaq 1:15, globenewswire 1:16"]);
    expect(split.conflicts).toMatchObject([{ url: split.facts.ratio[1]?.url, usedUrl: split.facts.ratio[0]?.url }]);
  });

  it("on the date are one split, with the exchange's date", () => {
    const said = release("2026-03-02", { exDate: "2026-03-17" });
    const split = onlySplit(said, nasdaq("2026-03-06"));
    expect(split.exDate).toBe("2026-03-10");
    expect(differences(split)).toEqual(["exDate: nasdaq 2026-03-10, globenewswire 2026-03-17"]);
    expect(history(split)).toEqual(["announced by globenewswire, 2026-03-17", "corrected by nasdaq, 2026-03-10"]);
  });

  it("on the CUSIP are marked", () => {
    const split = onlySplit(
      nasdaq("2026-03-06", { newCusip: "00000A109" }),
      notice("cse", "2026-03-06", { newCusip: "00000B107" }),
    );
    expect(differences(split)).toEqual(["newCusip: nasdaq 00000A109, cse 00000B107"]);
  });

  it("are in order of authority, regardless of which is latest", () => {
    const split = onlySplit(nasdaq("2026-03-02", { ratio: "1:15" }), finra("2026-03-05", { ratio: "1:16" }));
    expect(split.ratio).toMatchObject({ oldShares: 15 });
    expect(differences(split)).toEqual(["ratio: nasdaq 1:15, finra 1:16"]);
  });

  it.each([
    ["a legal date before the trading date", "effective at 5:00 p.m. on March 9, 2026", "2026-03-09", 0],
    ["an approximate date", "on or about March 13, 2026", "2026-03-13", 0],
    ["another first trading day", "will begin trading on March 9, 2026", "2026-03-09", 1],
    ["a legal date after the trading date", "effective at 5:00 p.m. on March 11, 2026", "2026-03-11", 1],
  ])("do not include %s: %s", (_, sentence, exDate, expected) => {
    const said = withEvidence(release("2026-03-02", { exDate }), { exDate: sentence });
    expect(differences(onlySplit(said, nasdaq("2026-03-06")))).toHaveLength(expected);
  });
});

describe("a notice that is updated in place", () => {
  const first = { id: "7", newCusip: "00000A109" };
  const revised = (issuedOn: string, parts: NoticeParts): Statement => nasdaq(issuedOn, { ...first, ...parts });

  it("replaces ratio and date, even if they agreed with the release", () => {
    const split = onlySplit(
      release("2026-03-02"),
      nasdaq("2026-03-05", first),
      revised("2026-03-08", { ratio: "1:30", exDate: "2026-03-24" }),
    );
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 30 }, exDate: "2026-03-24" }]);
    expect(history(split)).toEqual(["announced by globenewswire, 2026-03-10", "corrected by nasdaq, 2026-03-24"]);
    expect(split.conflicts).toEqual([]);
  });

  it("may move the split by months", () => {
    const moved = revised("2026-03-08", { kind: "postponed", exDate: "2026-07-01" });
    const split = onlySplit(nasdaq("2026-03-05", first), moved);
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10", "postponed by nasdaq, 2026-07-01"]);
  });

  it("empties the date with 'to be announced', although the release still states one", () => {
    const statements = [
      release("2026-03-02"),
      nasdaq("2026-03-05", first),
      revised("2026-03-08", { kind: "postponed", exDate: null }),
    ];
    const split = onlySplit(...statements);
    expect(split).toMatchObject({ status: "postponed", exDate: null, lastExDate: "2026-03-10" });
    expect(split.facts.exDate).toEqual([]);
    expect(rows(...statements, release("2026-03-09", {}, { announced: null, source: "newsfile" }))).toEqual([]);
    expect(rows(...statements, revised("2026-03-20", { exDate: "2026-03-26" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-26 2026-03-02",
    ]);
    expect(rows(...statements, release("2026-03-18", { exDate: "2026-03-30" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-30 2026-03-02",
    ]);
  });

  it("that withdraws the date prevails over a release of the same day", () => {
    const withdrawn = revised("2026-03-08", { kind: "postponed", exDate: null });
    const dated = release("2026-03-08", { exDate: "2026-03-30" });
    expect(rows(release("2026-03-02"), nasdaq("2026-03-05", first), withdrawn, dated)).toEqual([]);
  });

  it("that cancels the split is not undone by a republished release", () => {
    const cancelled = revised("2026-03-08", { kind: "cancelled", exDate: null });
    const repost = release("2026-03-09", {}, { announced: null });
    expect(rows(nasdaq("2026-03-05", first), cancelled, repost)).toEqual([]);
    expect(rows(nasdaq("2026-03-05", first), cancelled, release("2026-03-09"))).toHaveLength(1);
  });

  it("that cancels the split states no date any more", () => {
    const other = { listings: ["NASDAQ: ACME"], id: "8" };
    const split = onlySplit(
      nasdaq("2026-03-05"),
      finra("2026-03-05", other),
      finra("2026-03-06", { ...other, kind: "cancelled", exDate: "2026-03-12" }),
    );
    expect(split).toMatchObject({ status: "announced", exDate: "2026-03-10", conflicts: [] });
  });

  it("cancels the split, and can restore it", () => {
    const statements = [
      release("2026-03-02"),
      nasdaq("2026-03-05", first),
      revised("2026-03-08", { kind: "cancelled", exDate: null }),
    ];
    expect(rows(...statements)).toEqual([]);
    const split = onlySplit(...statements, revised("2026-03-09", {}));
    expect(history(split).map((event) => event.split(" ")[0])).toEqual(["announced", "cancelled", "announced"]);
    expect(completeSplits(split)).toHaveLength(1);
  });

  it("makes no event if nothing changes", () => {
    const again = revised("2026-03-08", { evidence: { exDate: "March 10" } });
    const split = onlySplit(nasdaq("2026-03-05", first), again);
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10"]);
    expect(split.facts.exDate[0]?.day).toBe("2026-03-05");
  });

  it("is applied in the order of observation, regardless of its date", () => {
    const backdated = revised("2026-03-03", { exDate: "2026-03-12", observedAt: Date.parse("2026-03-08T12:00:00Z") });
    expect(onlySplit(nasdaq("2026-03-05", first), backdated).exDate).toBe("2026-03-12");
  });
});

describe("a notice that is issued again", () => {
  it("replaces the one of the same split", () => {
    const split = onlySplit(nasdaq("2026-03-05"), nasdaq("2026-03-06", { exDate: "2026-03-17" }));
    expect(split.exDate).toBe("2026-03-17");
    expect(split.conflicts).toEqual([]);
  });

  it("remains in force when the former one is cancelled", () => {
    const former = { id: "7" };
    const again = nasdaq("2026-03-06", { id: "8", exDate: "2026-03-12" });
    const cancelled = nasdaq("2026-03-07", { ...former, kind: "cancelled", exDate: null });
    expect(rows(nasdaq("2026-03-05", former), again, cancelled)).toEqual(["NASDAQ:ACME 1:20 2026-03-12 2026-03-05"]);
  });

  it("may be the cancellation of another", () => {
    const cancelled = nasdaq("2026-03-07", { id: "8", kind: "cancelled", exDate: null });
    expect(onlySplit(nasdaq("2026-03-05", { id: "7" }), cancelled).status).toBe("cancelled");
    expect(catalogOf(cancelled)).toEqual([]);
  });
});

describe("a withdrawal by the issuer", () => {
  it.each([
    ["later than the notice", "2026-03-09", []],
    ["on the same day", "2026-03-06", []],
    ["earlier than the notice", "2026-03-05", ["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]],
  ])("applies %s", (_, published, expected) => {
    const statements = [release("2026-03-02"), nasdaq("2026-03-06")];
    expect(rows(...statements, postponed(published))).toEqual(expected);
    expect(rows(...statements, release(published, NOTHING, { kind: "cancelled" }))).toEqual(expected);
  });

  it("applies even if no release announced the split", () => {
    const split = onlySplit(nasdaq("2026-03-06"), release("2026-03-09", NOTHING, { kind: "cancelled" }));
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10", "cancelled by globenewswire, no date"]);
  });

  it("applies if it names only the revoked date", () => {
    expect(onlySplit(nasdaq("2026-03-06"), postponed("2026-03-09", "2026-03-10")).status).toBe("postponed");
  });

  it("that names the date of the exchange's own postponement does not revoke it", () => {
    const statements = [
      nasdaq("2026-03-06", { id: "7" }),
      nasdaq("2026-03-09", { id: "7", kind: "postponed", exDate: "2026-03-17" }),
    ];
    expect(onlySplit(...statements, postponed("2026-03-10", "2026-03-17")).exDate).toBe("2026-03-17");
  });

  it("moves the date until the exchange revises its notice", () => {
    const statements = [nasdaq("2026-03-06", { id: "7" }), postponed("2026-03-09", "2026-03-17")];
    const split = onlySplit(...statements);
    expect(split).toMatchObject({ exDate: "2026-03-17", conflicts: [] });
    const followed = onlySplit(...statements, nasdaq("2026-03-10", { id: "7", exDate: "2026-03-17" }));
    expect(history(followed)).toEqual(["announced by nasdaq, 2026-03-10", "postponed by globenewswire, 2026-03-17"]);
    const other = onlySplit(...statements, nasdaq("2026-03-10", { id: "7", exDate: "2026-03-18" }));
    expect(other.exDate).toBe("2026-03-18");
  });

  it("is revoked by a later revision of the notice", () => {
    const statements = [nasdaq("2026-03-06", { id: "7" }), release("2026-03-07", NOTHING, { kind: "cancelled" })];
    expect(rows(...statements, nasdaq("2026-03-08", { id: "7", exDate: "2026-03-11" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-11 2026-03-06",
    ]);
  });

  it("is revoked by a reinstatement, with the exchange's date", () => {
    const reinstated = release("2026-03-08", NOTHING, { kindSentence: "The reverse split will proceed as planned." });
    const cancelled = release("2026-03-07", NOTHING, { kind: "cancelled" });
    expect(rows(nasdaq("2026-03-06"), cancelled, reinstated)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-06"]);
  });
});

describe("a reinstatement by the issuer", () => {
  it("restores a split that the exchange cancelled", () => {
    const statements = [nasdaq("2026-03-05", { id: "7" }), nasdaq("2026-03-06", { id: "7", kind: "cancelled" })];
    const reinstated = release("2026-03-08", NOTHING, { kindSentence: "The reverse split will proceed as planned." });
    expect(rows(...statements)).toEqual([]);
    expect(rows(...statements, release("2026-03-02"), reinstated)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });
});

describe("the history", () => {
  it("names the notice that made the last event as the source of the effective date", () => {
    const split = onlySplit(release("2026-03-02"), nasdaq("2026-03-06", { id: "7", exDate: "2026-03-11" }));
    expect(historyOf(split, day("2026-03-11")).at(-1)).toMatchObject({
      kind: "effective",
      day: "2026-03-11",
      url: "https://nasdaq.example/7",
    });
  });
});
