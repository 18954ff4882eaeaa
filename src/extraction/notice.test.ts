import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { extractFacts } from "./extract.ts";
import { findNoticeTitle, NOTICE_FORMS } from "./notice.ts";

function titleIn(heading: string) {
  return findNoticeTitle(sentencesOf({ heading }));
}

describe("findNoticeTitle", () => {
  it.each(NOTICE_FORMS)("recognizes the example of $exchange", ({ exchange, example }) => {
    expect(titleIn(example)).toMatchObject({
      exchange,
      ticker: "HMIL",
      company: expect.stringMatching(/^Harbor Mills/),
    });
  });

  it.each([
    ["several symbols", "Information Regarding the Reverse Split for Harbor Mills Ltd (HMIL, HMILW)", "HMIL"],
    ["a number before the title", "ECA2026-901 - Information Regarding the Reverse Split for Mills (HMIL)", "HMIL"],
  ])("selects the first symbol of %s", (_, heading, ticker) => {
    expect(titleIn(heading)?.ticker).toBe(ticker);
  });

  it.each([
    ["a release", "Harbor Mills, Inc. (HMIL) Announces Information Regarding the Reverse Stock Split"],
    ["a date", "2026-05-04 - Consolidation - Harbor Mills (HMIL)"],
  ])("finds no title in the heading of %s", (_, heading) => {
    expect(titleIn(heading)).toBeUndefined();
  });

  it("makes the effective date of the notice the first trading day", () => {
    const { splits } = extractFacts({
      heading: "Information Regarding the Reverse Stock Split for Harbor Mills, Inc. (HMIL)",
      content:
        "Harbor Mills, Inc. (HMIL) will effect a one-for-ten (1-10) reverse split. The reverse stock split will become effective on Monday, May 4, 2026.",
    });
    expect(splits).toMatchObject([{ ticker: "HMIL", exDate: "2026-05-04", ratio: { newShares: 1, oldShares: 10 } }]);
  });

  it("returns the share of the notice", () => {
    const heading = "Information Regarding the Reverse Stock Split for Harbor Mills, Inc. (HMIL)";
    const { security } = extractFacts({ heading, content: "Tide Corp (NYSE: TDE) is not affected." });
    expect(security).toEqual({ ticker: "HMIL", exchange: "NASDAQ", company: "Harbor Mills, Inc." });
  });
});
