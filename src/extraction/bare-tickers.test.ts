import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";

function read(content: string, heading = ""): string {
  const { security } = extractFacts({ heading, content });
  return security.ticker === null ? "none" : `${security.ticker} of ${security.company}`;
}

describe("a ticker beside its company's name", () => {
  it.each([
    ["Harbor Mills (HRBM) announced that it will effect a reverse split.", "HRBM of Harbor Mills"],
    ["Tide & Sons Inc. (TDE) will effect a 1-for-9 reverse split.", "TDE of Tide & Sons Inc."],
    ["OSLO, May 4, 2026 -- Harbor Mills (HRBM) today announced a reverse split.", "HRBM of Harbor Mills"],
    ["- Harbor Mills (HRBM) said it will split.", "HRBM of Harbor Mills"],
    ["Harbor Mills HRBM announces a split.", "HRBM of Harbor Mills"],
    ["Harbor Mills (HRBM), Tide Labs and others met.", "HRBM of Harbor Mills"],
    ["Harbor Mills Corp stock (HMC) has seen a decline. HMC announced a split.", "HMC of Harbor Mills Corp"],
    ["Shares of Harbor Mills Inc HRBM are falling. HRBM stock lost 5%.", "HRBM of Harbor Mills Inc"],
    ["Harbor Mills (HRBM) stockholders approved a split.", "HRBM of Harbor Mills"],
    ["Harbor Mills Ltd HRBM announces a ratio change.", "HRBM of Harbor Mills Ltd"],
    ["Harbor Mills Ltd. HRBM shares are higher. HRBM rose.", "HRBM of Harbor Mills Ltd."],
  ])("finds the ticker in: %s", (content, found) => {
    expect(read(content)).toBe(found);
  });

  it("finds the ticker in a heading", () => {
    expect(read("It splits.", "Harbor Mills (HRBM) to effect 1-for-9 reverse split")).toBe("HRBM of Harbor Mills");
  });

  it.each([
    ["ABHO: Aldmoor Bay announces terms of its reverse split", "ABHO of Aldmoor Bay Holding ASA"],
    ["ABHO - Aldmoor Bay Holding ASA: reverse split", "ABHO of Aldmoor Bay Holding ASA"],
    ["ABHO: Key information relating to the reverse split", "ABHO of Aldmoor Bay Holding ASA"],
    ["ABH: Key information relating to the reverse split", "none"],
    ["HRBM: Key information relating to the reverse split", "none"],
    ["NEWS: Key information relating to the reverse split", "none"],
    ["ALDMOOR: Aldmoor Bay announces reverse split", "none"],
    ["UPDATE: Aldmoor Bay announces reverse split", "none"],
    ["ABHX: Aldmoor Bay announces reverse split", "none"],
  ])("reads the label of a heading only if it abbreviates the name: %s", (heading, found) => {
    const content = 'Aldmoor Bay Holding ASA (the "Company") will carry out a reverse split in the ratio 18:1.';
    expect(read(content, heading)).toBe(found);
  });

  it.each([
    ["short for the name", "Harbor Property Trust (HPT) announced a reverse split. The HPT board met."],
    ["a word that is not a ticker", "Harbor Mills Inc. (SEC) announced a reverse split."],
    ["an officer", "Harbor Mills Inc. CEO said it will split."],
    ["a regulator", "The State Banking Commission (SBCO) announced rules."],
    ["a symbol in another order than the name", "Harbor Mills MHRB announces a split."],
    ["short for the words before it", "Harbor Mills announced a reverse stock split (RSS)."],
    ["in quotes", 'Harbor Mills ("HRBM") announced a reverse split.'],
  ])("ignores %s", (_, content) => {
    expect(read(content)).toBe("none");
  });

  it("sets the ticker of the split, untagged, and quotes its sentence", () => {
    const sentence = "Harbor Mills (HRBM) announced a 1-for-9 reverse stock split.";
    const facts = extractFacts({
      heading: "Reverse split",
      content: `${sentence} On Nasdaq it will begin trading on a split-adjusted basis on May 4, 2026.`,
    });
    expect(facts.mentions).toEqual([{ ticker: "HRBM", exchange: null, tagged: false }]);
    expect(facts.splits).toMatchObject([{ ticker: "HRBM", exchange: "NASDAQ", company: "Harbor Mills" }]);
    expect(facts.evidence.ticker).toBe(sentence);
  });

  it("is not used where the text has another form of ticker", () => {
    const content = "Harbor Mills (HRBM) announced a reverse split of its stock (NASDAQ: HMIL).";
    expect(extractFacts({ heading: "", content }).mentions.map(({ ticker }) => ticker)).toEqual(["HMIL"]);
  });
});
