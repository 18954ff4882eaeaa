import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { leadSentences } from "./sentences.ts";

function cut(text: string): string[] {
  return sentencesOf({ content: text }).map(({ plain }) => plain);
}

describe("splitSentences", () => {
  it.each([
    ["a time of day", "It takes effect at 5:00 p.m. Eastern Time on June 4. Trading follows."],
    ["a time in New York", "It takes effect at 5:00 p.m. New York time on June 4. Trading follows."],
    ["a company's form", "Harbor Mills, Inc. (Nasdaq: HMIL) makes paper. The mill is old."],
    ["a form before a name", "Harbor Mills Corp. Chairman Ann Lee spoke. Nobody answered."],
    ["a decimal", "The ratio is 1-for-7.5 and the price $0.001. No shares are issued."],
    ["a numbered rule", "See Rule No. 5 of the exchange. It is short."],
    ["an abbreviated month", "On Sept. 4 the board met. It agreed."],
    ["a country", "It trades in the U.S. Capital Market today. Nothing else changes."],
    ["a title", "Mr. Stone and Dr. J. P. Hill signed. All were glad."],
    ["a state", "BOISE, Calif. June 3, 2026 is the dateline. The rest follows."],
    ["a closing quote", "They call it “the Split.” The rest follows."],
    ["a closing bracket", "It was agreed (in May.) The rest follows."],
    ["a question", "What is a reverse split? It makes fewer shares."],
  ])("does not split at %s", (_, text) => {
    expect(cut(text)).toHaveLength(2);
  });

  it.each([
    ["p.m.", "It takes effect at 5:00 p.m. The shares open next day.", "It takes effect at 5:00 p.m."],
    ["Inc.", "The agent is Harbor Trust Inc. No fractional shares will be issued.", "The agent is Harbor Trust Inc."],
    ["U.S.", "It sells in the U.S. The rest goes abroad.", "It sells in the U.S."],
  ])("splits after %s if a new sentence starts there", (_, text, first) => {
    expect(cut(text)[0]).toBe(first);
  });

  it("splits where the space is missing", () => {
    expect(cut("They keep their shares.No fractional shares will be issued.")).toEqual([
      "They keep their shares.",
      "No fractional shares will be issued.",
    ]);
  });

  it("splits at the end of a paragraph, with or without a stop", () => {
    expect(cut("About Harbor Mills\n\nHarbor Mills makes paper")).toEqual([
      "About Harbor Mills",
      "Harbor Mills makes paper",
    ]);
  });

  it("keeps the original text of each sentence", () => {
    const raw = "First  “one”.\n\nThe **second**\none.";
    const sentences = sentencesOf({ heading: raw });
    expect(sentences.map(({ verbatim }) => verbatim)).toEqual(["First  “one”.", "The **second**\none."]);
    expect(sentences.every(({ inHeading }) => inHeading)).toBe(true);
  });

  it("cuts endless text at a space", () => {
    const sentences = cut("endless words ".repeat(1_000));
    expect(sentences.length).toBeGreaterThan(5);
    expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    expect(sentences.join(" ")).toBe("endless words ".repeat(1_000).trim());
  });

  it.each(["", " ", "\n\n\n", "***", "**"])("finds no words in %j", (text) => {
    expect(cut(text).join("")).not.toMatch(/\w/);
  });
});

describe("leadSentences", () => {
  it("returns the heading and the first sentences", () => {
    const heading = sentencesOf({ heading: "The heading" });
    const body = sentencesOf({ content: "The body goes on. ".repeat(30) });
    const lead = leadSentences([...heading, ...body]);
    expect(lead[0]?.plain).toBe("The heading");
    expect(lead).toHaveLength(9);
  });
});
