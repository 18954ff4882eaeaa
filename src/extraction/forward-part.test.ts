import { describe, expect, it } from "vitest";
import { withoutForwardPart } from "./ex-date.ts";
import { splitSentences } from "./sentences.ts";
import { plainText } from "./text.ts";

function kept(body: string, heading = "Ridge Funds Announces Share Splits"): readonly string[] {
  const sentences = [...splitSentences(plainText(heading), true), ...splitSentences(plainText(body), false)];
  return withoutForwardPart(sentences)
    .filter(({ inHeading }) => !inHeading)
    .map(({ plain }) => plain);
}

describe("a release on forward and reverse splits", () => {
  it("is read without its sentences on forward splits", () => {
    const reverse = "All reverse splits take effect before the open on June 9, 2026.";
    expect(kept(`All forward splits take effect before the open on June 8, 2026. ${reverse}`)).toEqual([reverse]);
  });

  it("keeps a sentence on both", () => {
    const both = "The forward and reverse splits take effect before the open on June 9, 2026.";
    expect(kept(both)).toEqual([both]);
  });

  it("is read without what stands under a heading on forward splits, up to the next one", () => {
    const body =
      "Forward Splits\n\nThe funds will trade at post-split prices on June 8, 2026.\n\nReverse Splits\n\nThe funds will trade at post-split prices on June 9, 2026.";
    expect(kept(body)).toEqual(["Reverse Splits", "The funds will trade at post-split prices on June 9, 2026."]);
  });

  it("goes on behind a sentence in passing", () => {
    const next = "The funds will trade at post-split prices on June 9, 2026.";
    expect(kept(`There are forward splits too. ${next}`)).toEqual([next]);
  });
});
