import { describe, expect, it } from "vitest";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { extractFacts } from "./extract.ts";

function issuerIn(content: string, heading = ""): string | null {
  return extractFacts({ heading, content }).security.company;
}

describe("the issuer's name", () => {
  it.each([
    ["OSLO, May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HRBM) today announced", "Harbor Mills, Inc."],
    [
      "OSLO, May 4, 2026 (GLOBE NEWSWIRE) — via QRS — Harbor Mills Inc. (NASDAQ: HRBM) (“HM” or the “Company”)",
      "Harbor Mills Inc.",
    ],
    [
      "OSLO, OR - May 4, 2026 (NEWMEDIAWIRE) - Harbor Mills, Inc., (“HM” or the “Company”) (Nasdaq: HRBM, HRBMW)",
      "Harbor Mills, Inc.",
    ],
    ["Oslo, Norway--(BUSINESS WIRE)--Harbor Mills plc (NYSE: HRBM) today", "Harbor Mills plc"],
    [
      'Oslo--(Newsfile Corp. - May 4, 2026) - Quarry Lake Resources Ltd. (TSXV: QLR) (OTCQB: QLRFF) (the "Company")',
      "Quarry Lake Resources Ltd.",
    ],
    ["OSLO / ACCESSWIRE / May 4, 2026 / Harbor Mills N.V. (NASDAQ:HRBM)", "Harbor Mills N.V."],
    ["OSLO, May 4, 2026 – TheNewswire – **Quarry Lake S.A.** (CSE: QLR)(OTCQB: QLRFF)", "Quarry Lake S.A."],
    [
      "OSLO, May 4, 2026 /PRNewswire/ -- [Harbor Mills Corp.](https://quotes.example/HRBM) (OTC: HRBM), a maker",
      "Harbor Mills Corp.",
    ],
    ['OSLO, May 4, 2026 /PRNewswire/ -- The Quarry Group, Inc. ("Quarry") (NYSE: QRY)', "The Quarry Group, Inc."],
    ["The biotech company Tide Labs, Inc. (Nasdaq: TIDE) announced", "Tide Labs, Inc."],
    ['The Board of Directors of Tide Labs AG (the "Company") has resolved', "Tide Labs AG"],
    ["Today, Bank of the Lake Corporation (NYSE: BOL) announced", "Bank of the Lake Corporation"],
    ["Harbor Mills (formerly Lake Mills Inc.) (Nasdaq: HRBM) announced", "Harbor Mills"],
    ['Tide Labs Ltd. ("Tide" or the "Company"; NASDAQ: TIDE), a leader', "Tide Labs Ltd."],
    ["bioTide Labs, Inc. (Nasdaq: BTID) announced", "bioTide Labs, Inc."],
    ["It announced that tidex SE (Nasdaq: TDX) splits", "tidex SE"],
    ["180 Harbor Corp. (Nasdaq: HRBM) announced", "180 Harbor Corp."],
    ["Smith & Lake Co., Ltd. (Nasdaq: SLCO) announced", "Smith & Lake Co., Ltd."],
    [
      "will split the shares of the Peak Daily Silver Bear 2X Shares (Ticker: PKBR) (the “Fund”).",
      "Peak Daily Silver Bear 2X Shares",
    ],
    ["Harbor Mills, Inc. (Nasdaq: (HRBM) (“HM” or the “Company”), has", "Harbor Mills, Inc."],
    ["OSLO, May 4, 2026 /PRNewswire/ - Quarry-Lake Mines Ltée (TSX: QLR)", "Quarry-Lake Mines Ltée"],
    ["It splits.\n\nAbout Harbor Mills, Inc.\n\nWe mill.", "Harbor Mills, Inc."],
    ["OSLO, May 4, 2026 - Harbor Mills, a maker of boats, has announced it will split", "Harbor Mills"],
    ["OSLO, May 4, 2026 (GLOBE NEWSWIRE) -- Peak , a provider of funds, has announced splits of three", "Peak"],
    ["Érable Métaux Inc. (TSXV: ERM) annonce", "Érable Métaux Inc."],
    ["Harbor Mills, Inc., a maker of boats, (Nasdaq: HRBM) announced", "Harbor Mills, Inc."],
    ["Harbor Mills Corp., formerly Boat Corp. (OTC: HRBM), announced", "Harbor Mills Corp."],
    ["Today Harbor Mills, Inc. (Nasdaq: HRBM) announced", "Harbor Mills, Inc."],
    ["The Oslo-based Harbor Mills Inc. (Nasdaq: HRBM) announced", "Harbor Mills Inc."],
    ["On May 4, 2026 Harbor Mills reported a reverse split.", "Harbor Mills"],
    ["Harbor Mills Inc. is postponing the split. An updated timeline for it will be announced.", "Harbor Mills Inc."],
    ["Harbor Mills Corp. said it will split. This report was first published in Oslo.", "Harbor Mills Corp."],
    ["Harbor Mills Inc.'s shares did a reverse split. Harbor Mills' board voted for it.", "Harbor Mills Inc."],
    ["The board of Harbor Mills Corp. announced a reverse split.", "Harbor Mills Corp."],
    ["Harbor Mills, maker of small boats, announced a reverse split.", "Harbor Mills"],
    ["Core Points - Harbor Mills, Inc. has received an extension.", "Harbor Mills, Inc."],
    ["Shareholders in Harbor Mills Inc. approved a reverse split.", "Harbor Mills Inc."],
    ["04 May 2026 - 11:00AM Harbor Mills Limited (NASDAQ: HRBM), a maker", "Harbor Mills Limited"],
    ["OSLO -- Harbor Mills, Inc. (“HM”) [NASDAQ: HRBM], a maker of boats, today announced", "Harbor Mills, Inc."],
    ["Ratio will change to one ADR per two shares.", null],
    ["Harbor Mills (the maker of boats) will effect a reverse split.", "Harbor Mills"],
    ["This announcement follows. The reverse split is announced. It will effect a split.", null],
    ['The reverse split (the "Reverse Split") and the market (“Nasdaq”) follow.', null],
    ["The Company (Nasdaq: HRBM) announced", null],
    ["", null],
  ])("finds the name in: %s", (content, company) => {
    expect(issuerIn(content)).toBe(company);
  });

  it("uses the heading if the body has no name", () => {
    expect(issuerIn("It splits.", "Harbor Mills Inc. (NASDAQ: HRBM) Announces Reverse Split")).toBe(
      "Harbor Mills Inc.",
    );
    expect(issuerIn("It splits.", "Harbor Mills Announces Reverse Split")).toBe("Harbor Mills");
  });

  it("ignores brackets that present no issuer", () => {
    expect(issuerIn("One (1) share of Lake Mills Corp. (see below) for Harbor Mills Inc. (Nasdaq: HRBM).")).toBe(
      "Harbor Mills Inc.",
    );
  });

  it.each(["A (", "Inc. (the Company ", "Harbor, Inc. of the ", "- ", "(Nasdaq: X) ", "Harbor ", "Inc. announced, "])(
    "takes time linear in the number of %j",
    async (piece) => {
      const readPieces = (size: number): unknown => issuerIn(piece.repeat(size / piece.length));
      expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
    },
  );
});
