import { describe, expect, it } from "vitest";
import { aKnownArticle } from "../../test/support/builders.ts";
import { growthFactor } from "../../test/support/timing.ts";
import { type ReleaseView, releaseView, type StoredRelease } from "./release-view.ts";

const FRACTION = { treatment: "round_up", level: null, sentence: "Fractions are rounded up to one share." } as const;

function viewOf(text: string | null, parts: Partial<StoredRelease> = {}): ReleaseView {
  const article = aKnownArticle({ fraction: FRACTION, kindSentence: null });
  return releaseView({ article, text, evidence: [], marks: [], isSample: false, ...parts });
}

/** Paragraphs with the quoted parts in brackets. */
function marked({ paragraphs }: ReleaseView): readonly string[] | undefined {
  return paragraphs?.map((parts) => parts.map(({ text, isQuoted }) => (isQuoted ? `[${text}]` : text)).join(""));
}

describe("the view of a release", () => {
  it("marks the quoted sentence and keeps the paragraphs", () => {
    const text = "ACME announces a split.\n\nFractions are rounded up to one share. More.\n  \n\nAbout ACME\nA line.\n";
    expect(marked(viewOf(text))).toEqual([
      "ACME announces a split.",
      "[Fractions are rounded up to one share.] More.",
      "About ACME\nA line.",
    ]);
  });

  it("finds a sentence whose white space differs from the text, also across paragraphs", () => {
    expect(marked(viewOf("A.\r\nFractions are\n  rounded up\u00a0to one share. B."))).toEqual([
      "A.\n[Fractions are\n  rounded up\u00a0to one share.] B.",
    ]);
    expect(marked(viewOf("Fractions are rounded\n\nup to one share. B."))).toEqual([
      "[Fractions are rounded]",
      "[up to one share.] B.",
    ]);
  });

  it("names the terms of each sentence once, and joins sentences that overlap", () => {
    const view = viewOf("The ratio is 1-for-20 on 10 March. Fractions are rounded up to one share.", {
      evidence: [
        { term: "ratio", sentence: "The ratio is 1-for-20 on 10 March." },
        { term: "ex date", sentence: "The ratio is 1-for-20 on 10 March." },
        { term: "company", sentence: "on 10 March. Fractions are" },
      ],
    });
    expect(view.quotes.map(({ terms }) => terms)).toEqual([["Fractional shares"], ["Ratio", "Ex date"], ["Company"]]);
    expect(marked(view)).toEqual(["[The ratio is 1-for-20 on 10 March. Fractions are rounded up to one share.]"]);
  });

  it("has no paragraphs without a stored text, and marks nothing that isn't in the text", () => {
    expect(viewOf(null).paragraphs).toBeNull();
    expect(marked(viewOf("Another text."))).toEqual(["Another text."]);
    expect(viewOf("").paragraphs).toEqual([]);
  });

  it("removes characters that disguise a text, and cuts a long one", () => {
    const view = viewOf(`a\u202eb\u0000c ${"x".repeat(100_000)}`);
    expect(view.paragraphs?.[0]?.[0]?.text.slice(0, 6)).toBe("abc xx");
    expect(view.isCut).toBe(true);
  });

  it("takes time that grows with the length of a hostile text only", async () => {
    expect(await growthFactor(viewHostileText, 3_000)).toBeLessThan(10);
  });
});

function viewHostileText(size: number): void {
  const sentence = `b${"a".repeat(1_999)}`;
  const text = `${"\n \n".repeat(size)}${"a ".repeat(size)}${"a".repeat(2 * size)}`;
  viewOf(text, { evidence: [{ term: "ratio", sentence }] });
}
