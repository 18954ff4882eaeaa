import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";
import { headingOf } from "./headline.ts";

const HEADLINE = "Harbor Mills plunges on 1-for-20 reverse stock split";
const PROSE =
  "May 4, 2026 9:22 AM ET By A. Writer, News Editor. The stock will continue to trade under the symbol “HRBM” on Nasdaq.";

describe("the heading of a release", () => {
  it.each(["", " ", "News", "Press Release", "Exhibit 99.1", "EX-99.1", "Form 8-K", "6-K"])(
    "is the headline at the beginning of the text if it is %j",
    (heading) => {
      for (const line of [HEADLINE, `# ${HEADLINE}`, `date 2026-05-04 ${HEADLINE}`, `Skip to content\n\n${HEADLINE}`])
        expect(headingOf({ heading, content: `${line}\n\n${PROSE}` })).toBe(HEADLINE);
    },
  );

  it("is kept if it states anything", () => {
    expect(headingOf({ heading: "Harbor Mills in the news", content: `${HEADLINE}\n\n${PROSE}` })).toBe(
      "Harbor Mills in the news",
    );
  });

  it.each([
    ["a sentence", `${HEADLINE}.`],
    ["an item of a list", `• ${HEADLINE}`],
    ["a row of a table", `| ${HEADLINE} | 1:20 |`],
    ["a line that continues", `${HEADLINE}:`],
    ["a line about something else", "Harbor Mills reports its results of the third quarter"],
    ["a line below the prose", `${PROSE}\n\nTolland Corp. (NYSE: TLLD) announces 1-for-9 reverse stock split`],
  ])("isn't %s", (_, content) => {
    expect(headingOf({ heading: "", content })).toBe("");
  });

  it("names the company of a text without a heading", () => {
    const { splits } = extractFacts({
      heading: "",
      content: `${HEADLINE}\n\n${PROSE}\n\n• It will effect a 1-for-20 reverse stock split on May 11, 2026.`,
    });
    expect(splits).toMatchObject([{ ticker: "HRBM", company: "Harbor Mills", ratio: { oldShares: 20 } }]);
  });

  it("isn't a line of a paragraph with a fixed width", () => {
    const content = [
      "On May 4, 2026, Harbor Mills Ltd. announced that it plans to change the ratio of its ADSs to its",
      "ordinary shares, par value $0.01 per share, from the current ratio of one",
      "(1) ADS to one hundred (100) ordinary shares, to a new ratio of one (1) ADS to four hundred",
      "(400) ordinary shares. For its holders, that has the same effect as a one-for-four reverse ADS split.",
    ].join("\n");
    expect(headingOf({ heading: "", content })).toBe("");
    const { splits } = extractFacts({ heading: "", content: `${content} It will be effective on May 11, 2026.` });
    expect(splits).toMatchObject([{ ratio: { newShares: 1, oldShares: 4 } }]);
  });
});
