import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { anObservation } from "../../test/support/observations.ts";
import { aRelease, type FactParts, type SplitParts } from "../../test/support/releases.ts";
import { growthFactor } from "../../test/support/timing.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { Evidence } from "../extraction/facts.ts";
import { buildCatalog } from "./catalog.ts";
import { type CatalogSplit, completeSplits, historyOf, type TermConflict } from "./catalog-split.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";
import { observationsOf } from "./release-observations.ts";

type Statement = { readonly release: Release } | { readonly notice: Observation };

let made = 0;

/** A release of the day `published` about 1-for-20 on 2026-03-10, unless it says otherwise. */
function release(
  published: string,
  said: SplitParts = {},
  parts: FactParts & { source?: string } = {},
): { readonly release: Release } {
  made += 1;
  const { source = "globenewswire", ...facts } = parts;
  const url = `https://wire.example/${made}`;
  return { release: aRelease({ url, source, published, facts: { announced: published, splits: [said], ...facts } }) };
}

/** The release with the sentences that its terms were read from. */
function withEvidence(said: { readonly release: Release }, evidence: Evidence): Statement {
  const { facts } = said.release;
  return { release: { ...said.release, facts: facts && { ...facts, evidence } } };
}

type NoticeParts = Parameters<typeof anObservation>[0] & {};

function notice(source: string, issuedOn: string, parts: NoticeParts = {}): Statement {
  made += 1;
  const id = parts.id ?? `${made}`;
  const url = `https://${source}.example/${id}`;
  return { notice: anObservation({ source, id, url, issuedOn, evidence: {}, ...parts }) };
}

const nasdaq = (issuedOn: string, parts?: NoticeParts): Statement => notice("nasdaq", issuedOn, parts);
const finra = (issuedOn: string, parts: NoticeParts = {}): Statement =>
  notice("finra", issuedOn, { listings: ["OTC: ACME"], ...parts });
const nyse = (issuedOn: string, parts: NoticeParts = {}): Statement =>
  notice("nyse", issuedOn, { listings: ["NYSE: ACME"], ratio: null, ...parts });

const halt = (parts: NoticeParts = {}): Statement =>
  notice("halts", "2026-03-09", { kind: "confirmed", ratio: null, ...parts });

/** A release that postpones the split, by default without a new date. */
function postponed(published: string, exDate: string | null = null): Statement {
  return release(published, { ratio: null, exDate }, { kind: "postponed" });
}

function catalogOf(...statements: readonly Statement[]): readonly CatalogSplit[] {
  return buildCatalog({
    releases: statements.flatMap((statement) => ("release" in statement ? [statement.release] : [])),
    observations: statements.flatMap((statement) => ("notice" in statement ? [statement.notice] : [])),
  });
}

function onlySplit(...statements: readonly Statement[]): CatalogSplit {
  const [split, ...others] = catalogOf(...statements);
  if (!split || others.length > 0) throw new Error(`got ${others.length + (split ? 1 : 0)} splits, expected one`);
  return split;
}

/** Listed rows, one line each. */
function rows(...statements: readonly Statement[]): readonly string[] {
  return catalogOf(...statements)
    .flatMap(completeSplits)
    .map(({ ticker, exchange, ratio, exDate, announced }) =>
      [`${exchange}:${ticker}`, ratioCode(ratio), exDate, announced ?? "unknown"].join(" "),
    );
}

function history({ events }: CatalogSplit): readonly string[] {
  return events.map(({ kind, source, terms }) => `${kind} by ${source}, ${terms.exDate ?? "no date"}`);
}

function differences({ conflicts }: CatalogSplit): readonly string[] {
  return conflicts
    .filter((conflict): conflict is TermConflict => conflict.kind === "differs")
    .map(
      ({ term, used, other }) => `${term}: ${used.source} ${text(used.value)}, ${other.source} ${text(other.value)}`,
    );
}

function text(value: TermConflict["used"]["value"]): string {
  return typeof value === "string" ? value : ratioCode(value);
}

const NOTHING = { ratio: null, exDate: null };

describe("a split that several sources state", () => {
  it("is announced once, by the first, and is enriched by the others", () => {
    const split = onlySplit(
      nasdaq("2026-03-06", { company: "ACME ROBOTICS INC COM", newCusip: "00000A109" }),
      release("2026-03-06", {}, { source: "businesswire" }),
      finra("2026-03-09"),
    );
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10"]);
    expect(split).toMatchObject({ company: "Acme Robotics Inc.", newCusip: "00000A109", conflicts: [] });
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
    expect(split).toMatchObject({ ratio: null, newCusip: null });
  });
});

describe("sources that disagree", () => {
  it("are both kept; the exchange's ratio applies", () => {
    const split = onlySplit(nasdaq("2026-03-06", { ratio: "1:15" }), release("2026-03-07", { ratio: "1:16" }));
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 15 } }]);
    expect(differences(split)).toEqual(["ratio: nasdaq 1:15, globenewswire 1:16"]);
    expect(split.conflicts).toMatchObject([{ url: split.facts.ratio[1]?.url, against: split.facts.ratio[0]?.url }]);
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

  it("are in order of authority whichever of them speaks last", () => {
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

  it("is applied in the order of observation, whatever day it bears", () => {
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

describe("one split or two", () => {
  it("is one with a legal date and a trading date", () => {
    expect(rows(release("2026-03-02", { exDate: "2026-03-09" }), nasdaq("2026-03-06"))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-10 2026-03-02",
    ]);
    expect(catalogOf(finra("2026-03-06", { exDate: "2026-03-09" }), nasdaq("2026-03-10"))).toHaveLength(1);
  });

  it("is one with different ratios on one day", () => {
    expect(catalogOf(nasdaq("2026-03-06"), finra("2026-03-09", { ratio: "1:25" }))).toHaveLength(1);
  });

  it.each([
    ["the same ratio more than 20 trading days later", { exDate: "2026-04-09" }, 2],
    ["the same ratio up to 20 trading days later", { exDate: "2026-04-07" }, 1],
    ["another ratio some days after the first", { exDate: "2026-03-31", ratio: "1:5" }, 2],
  ])("is decided by date and ratio: %s", (_, parts, expected) => {
    expect(catalogOf(nasdaq("2026-03-06"), nasdaq("2026-03-30", parts))).toHaveLength(expected);
  });

  it("is two if one source has two notices in force, far apart", () => {
    expect(catalogOf(finra("2026-03-02"), finra("2026-03-02", { exDate: "2026-06-10" }))).toHaveLength(2);
  });

  it("is two if a release follows an effective split with a date far later", () => {
    expect(catalogOf(nasdaq("2026-03-06"), release("2026-03-16", { exDate: "2026-05-11" }))).toHaveLength(2);
  });

  it.each([
    ["two after a cancellation", { kind: "cancelled", exDate: null } as const, 2],
    ["one after a mere revision", { exDate: "2026-03-11" }, 1],
  ])("is %s, for a new notice with another date", (_, revision, expected) => {
    const statements = [nasdaq("2026-03-05", { id: "7" }), nasdaq("2026-03-06", { id: "7", ...revision })];
    expect(catalogOf(...statements, nasdaq("2026-03-13", { exDate: "2026-03-18" }))).toHaveLength(expected);
  });

  it("is one if the notice moves a pending split far ahead", () => {
    expect(rows(release("2026-03-02"), nasdaq("2026-03-05", { exDate: "2026-04-20" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-04-20 2026-03-02",
    ]);
  });

  it.each([
    ["on or about March 10, 2026", "2026-03-13", 1],
    ["on March 10, 2026", "2026-03-13", 2],
    ["on or about March 10, 2026", "2026-03-16", 2],
  ])("is decided by the wording of the date, if the ratios differ: %s, %s", (sentence, exDate, expected) => {
    const said = withEvidence(release("2026-03-02", { ratio: "1:25" }), { exDate: sentence });
    expect(catalogOf(said, nasdaq("2026-03-12", { exDate }))).toHaveLength(expected);
  });

  it("is one with a release that repeats, months later, a date that did not apply", () => {
    const official = [nasdaq("2026-03-06"), finra("2026-03-06", { exDate: "2026-03-17" })];
    expect(catalogOf(...official, release("2026-09-01", { exDate: "2026-03-17" }))).toHaveLength(1);
  });

  it("is two for a Canadian share and its over-the-counter line, each with its own day", () => {
    const statements = [
      release("2026-03-02", { ticker: "ACM", exchange: "CSE" }, { tags: ["CSE: ACM", "OTC: ACMFF"] }),
      finra("2026-03-10", { listings: ["OTC: ACMFF"], exDate: "2026-03-11" }),
    ];
    expect(rows(...statements)).toEqual(["CSE:ACM 1:20 2026-03-10 2026-03-02", "OTC:ACMFF 1:20 2026-03-11 2026-03-10"]);
  });

  it("is twelve for an issuer that splits twelve times", () => {
    const months = Array.from({ length: 12 }, (_, n) => `2025-${String(n + 1).padStart(2, "0")}`);
    const statements = months.flatMap((month) => [
      release(`${month}-03`, { exDate: `${month}-12` }),
      nasdaq(`${month}-10`, { exDate: `${month}-12` }),
      finra(`${month}-11`, { exDate: `${month}-12`, listings: ["NASDAQ: ACME"] }),
    ]);
    expect(rows(...statements)).toEqual(months.map((month) => `NASDAQ:ACME 1:20 ${month}-12 ${month}-03`));
  });

  it.each(["2026-06-10", "2026-06-09"])("is one if a revision moves it to the day of another notice: %s", (exDate) => {
    const statements = [finra("2026-03-02", { id: "7" }), finra("2026-03-03", { exDate: "2026-06-10" })];
    expect(rows(...statements)).toHaveLength(2);
    expect(rows(...statements, finra("2026-03-09", { id: "7", exDate }))).toEqual([
      `OTC:ACME 1:20 ${exDate} 2026-03-02`,
    ]);
  });

  it("is not another one when FINRA's interim symbol ends", () => {
    const confirmed = finra("2026-03-10", { kind: "confirmed" });
    const split = onlySplit(
      finra("2026-03-09"),
      confirmed,
      release("2026-03-12", { ticker: "ACMED", exchange: "OTC" }),
    );
    expect(completeSplits(split)).toMatchObject([{ ticker: "ACME", exDate: "2026-03-10" }]);
    expect(split.confirmations).toHaveLength(1);
  });

  it("is one under the old and the new symbol", () => {
    const renamed = nasdaq("2026-03-06", { listings: ["NASDAQ: ACME", "NASDAQ: ACMX"] });
    const statements = [release("2026-03-02", { ticker: "ACMX" }), renamed, release("2026-03-09", { ticker: "ACME" })];
    expect(rows(...statements)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });
});

describe("a share with two listings", () => {
  const both = release("2026-03-09", { ticker: "ACMX" }, { tags: ["NASDAQ: ACMX", "CSE: ACM"] });
  const first = nasdaq("2026-03-05", { listings: ["NASDAQ: ACMX"] });
  const second = notice("cse", "2026-03-06", { listings: ["CSE: ACM"] });

  it("is one split with a row for each, even if the exchanges speak before the release", () => {
    expect(onlySplit(first, second, both).listings).toHaveLength(2);
    expect(rows(first, second, both)).toEqual([
      "NASDAQ:ACMX 1:20 2026-03-10 2026-03-05",
      "CSE:ACM 1:20 2026-03-10 2026-03-05",
    ]);
  });

  it("is one split even if the exchanges state different days", () => {
    const later = notice("cse", "2026-03-06", { listings: ["CSE: ACM"], exDate: "2026-03-12" });
    const split = onlySplit(first, later, both);
    expect(completeSplits(split).map(({ exDate }) => exDate)).toEqual(["2026-03-10", "2026-03-10"]);
    expect(differences(split)).toEqual(["exDate: nasdaq 2026-03-10, cse 2026-03-12"]);
  });

  it("is two splits while nothing connects them", () => {
    expect(catalogOf(first, second)).toHaveLength(2);
  });
});

describe("a confirmation", () => {
  it("is kept on the split of its day", () => {
    const split = onlySplit(nasdaq("2026-03-06"), halt({ id: "ACME|19:50" }));
    expect(split.confirmations).toMatchObject([{ source: "halts", id: "ACME|19:50" }]);
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10"]);
  });

  it.each([
    ["another day", { exDate: "2026-03-11" }],
    ["no day", { exDate: null }],
    ["another symbol", { listings: ["NASDAQ: OTHR"] }],
    ["another market", { listings: ["TSXV: ACME"] }],
  ])("of %s has no effect", (_, parts) => {
    const split = onlySplit(nasdaq("2026-03-06"));
    expect(onlySplit(nasdaq("2026-03-06", { id: split.observations[0]?.id ?? "" }), halt(parts))).toEqual(split);
  });

  it("without a day does not confirm a postponed split", () => {
    const undated = nasdaq("2026-03-06", { kind: "postponed", exDate: null });
    expect(onlySplit(undated, halt({ exDate: null })).confirmations).toEqual([]);
  });

  it("never makes a split", () => {
    expect(catalogOf(halt())).toEqual([]);
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

const dayOfSpring = fc
  .integer({ min: 0, max: 70 })
  .map((n) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10));

const anyNotice = fc
  .record({
    source: fc.constantFrom("nasdaq", "finra", "nyse", "cse"),
    id: fc.constantFrom("1", "2", "3"),
    issuedOn: dayOfSpring,
    observed: dayOfSpring,
    kind: fc.constantFrom("announced", "announced", "postponed", "cancelled", "confirmed" as const),
    listings: fc.constantFrom(
      ["NASDAQ: ACME"],
      ["OTC: ACME"],
      ["CSE: ACM"],
      ["NASDAQ: ACME", "CSE: ACM"],
      ["NASDAQ: ACME", "NASDAQ: ACMX"],
      ["OTC: BOLT"],
    ),
    company: fc.constantFrom("ACME ROBOTICS INC", "Bolt Ltd.", null),
    ratio: fc.constantFrom("1:20", "1:25", null),
    exDate: fc.option(dayOfSpring),
    newCusip: fc.constantFrom("00000A109", null),
    evidence: fc.constantFrom({}, { exDate: "on or about that day", ratio: "1-for-20" }),
  })
  .map(({ observed, ...parts }): Statement => {
    const observedAt = Date.parse(`${observed}T18:00:00Z`);
    return { notice: anObservation({ ...parts, observedAt, url: `https://${parts.source}.example/${parts.id}` }) };
  });

const anyRelease = fc
  .record({
    published: dayOfSpring,
    announced: fc.option(dayOfSpring),
    kind: fc.constantFrom("reverse_split", "reverse_split", "postponed", "cancelled" as const),
    source: fc.constantFrom("prnewswire", "globenewswire"),
    kindSentence: fc.constantFrom("It will effect a reverse split.", "It will proceed as planned."),
    tags: fc.constantFrom([], ["NASDAQ: ACME", "CSE: ACM"]),
    said: fc.record({
      ticker: fc.constantFrom("ACME", "ACMED", "ACM", "BOLT", null),
      exchange: fc.constantFrom("NASDAQ", "OTC", "CSE", null),
      company: fc.constantFrom("Acme Robotics Inc.", "Bolt Ltd.", null),
      ratio: fc.constantFrom("1:20", "1:25", null),
      exDate: fc.option(dayOfSpring),
    }),
  })
  .map(({ said, published, ...parts }) => release(published, said, parts));

const anyStatements = fc.array(fc.oneof(anyNotice, anyNotice, anyRelease), { maxLength: 14 });

/** Everything that was stated, as the facts of a split must name it. */
function statedIn(statements: readonly Statement[]): readonly Observation[] {
  return statements.flatMap((statement): readonly Observation[] =>
    "release" in statement ? observationsOf(statement.release) : [statement.notice],
  );
}

describe("any statements of all sources", () => {
  it("give the same catalog in any order", () => {
    const orders = anyStatements.chain((statements) =>
      fc.tuple(fc.constant(statements), fc.shuffledSubarray(statements, { minLength: statements.length })),
    );
    fc.assert(
      fc.property(orders, ([statements, shuffled]) => {
        expect(catalogOf(...shuffled)).toEqual(catalogOf(...statements));
      }),
      { numRuns: 400 },
    );
  });

  it("give one row per split and listing, and one listing per market", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        const splits = catalogOf(...statements).map(completeSplits);
        const keys = splits.flat().map(({ ticker, exchange, exDate }) => `${exchange}:${ticker} ${exDate}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const listed of splits) expect(new Set(listed.map(({ exchange }) => exchange)).size).toBe(listed.length);
      }),
      { numRuns: 400 },
    );
  });

  it("give facts that name an existing statement, the first of which applies", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        const stated = statedIn(statements);
        for (const { facts, ratio, exDate, company, newCusip, announced } of catalogOf(...statements)) {
          const applied = [facts.ratio, facts.exDate, facts.company, facts.newCusip, facts.announced];
          expect(applied.map(([first]) => first?.value ?? null)).toEqual([ratio, exDate, company, newCusip, announced]);
          for (const term of ["ratio", "exDate", "company", "newCusip"] as const)
            for (const { source, url, value } of facts[term])
              expect(stated).toContainEqual(expect.objectContaining({ source, url, [term]: value }));
          for (const { source, url } of [...facts.announced, ...facts.listing])
            expect(stated).toContainEqual(expect.objectContaining({ source, url }));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("give a history that ends with the terms of the split", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        for (const { events, ratio, exDate, observations } of catalogOf(...statements)) {
          if (observations.every(({ source }) => source === "prnewswire" || source === "globenewswire")) continue;
          expect(events.at(-1)?.terms).toMatchObject({ ratio, exDate });
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Builds a catalog of `size` releases and as many notices, on a quarter as many splits. */
function buildLargeCatalog(size: number): void {
  const statements = Array.from({ length: size }, (_, n) => {
    const symbol = `T${(n % (size / 4)).toString(36).toUpperCase()}`;
    const company = `C${n % (size / 4)} Co. Ltd.`;
    const parts = { listings: [`NASDAQ: ${symbol}`], company, id: `${n % (size / 2)}`, observedAt: n };
    return [release("2026-03-02", { ticker: symbol, company }), nasdaq("2026-03-06", parts)];
  });
  expect(catalogOf(...statements.flat())).toHaveLength(size / 4);
}

it("builds a catalog in time linear to releases and notices", () => {
  expect(growthFactor(buildLargeCatalog, 2_000)).toBeLessThan(7);
});
