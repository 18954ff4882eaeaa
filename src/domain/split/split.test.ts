import { describe, expect, it } from "vitest";
import { aRecord } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import { changedTerms, hasSameRatio, latestRecord, ratioLabel } from "./split.ts";

describe("changedTerms", () => {
  it.each([
    [{}, []],
    [{ company: "Acme Inc." }, []],
    [{ dateAnnounced: null }, []],
    [{ ratio: "20:1" }, []],
    [{ ratio: "1-for-20" }, []],
    [{ ratio: "1:25" }, ["ratio"]],
    [{ ratio: "soon" }, ["ratio"]],
    [{ exDate: "2026-03-11" }, ["exDate"]],
    [{ exchange: "OTC" }, ["exchange"]],
    [{ ratio: "1:25", exDate: "2026-03-11", exchange: "OTC" }, ["ratio", "exDate", "exchange"]],
  ])("of a record that becomes %j are %j", (parts, terms) => {
    expect(changedTerms(aRecord(), aRecord(parts))).toEqual(terms);
    expect(changedTerms(aRecord(parts), aRecord())).toEqual(terms);
  });
});

describe("hasSameRatio", () => {
  it.each([
    ["1:20", "20:1", true],
    ["1:20", "1:21", false],
    ["tbd", "tbd", true],
    ["tbd", "TBD", false],
    ["1:1", "2:2", false],
    ["1:1", "1:20", false],
  ])("of %j and %j is %s", (a, b, same) => {
    expect(hasSameRatio(aRecord({ ratio: a }), aRecord({ ratio: b }))).toBe(same);
  });
});

describe("ratioLabel", () => {
  it.each([
    ["20:1", "1-for-20"],
    ["1:1", "1:1"],
    ["1:20 to 1:40", "1:20 to 1:40"],
  ])("formats %j as %s", (text, words) => {
    expect(ratioLabel(aRecord({ ratio: text }))).toBe(words);
  });
});

describe("latestRecord", () => {
  it("is the latest listed record, even if another record was alerted last", () => {
    const source = PolledSource.settled([aRecord({ ratio: "1:10" })]);
    source.poll([aRecord({ ratio: "1:11" })]);
    source.poll([aRecord({ ratio: "1:12" })]);
    source.poll([aRecord({ ratio: "1:13" })]);
    source.poll([aRecord({ ratio: "1:14" })]);
    const [split] = source.splits;
    expect(split && latestRecord(split).ratioText).toBe("1:14");
    expect(split?.record.ratioText).toBe("1:13");
  });
});
