import { describe, expect, it } from "vitest";
import { withoutOtherReleases } from "./site-furniture.ts";

const RELEASE = "Harbor Mills splits its stock. The ratio is 1-for-12. Fractions are rounded up.\n\nAbout Harbor Mills";
const OTHER = "Tide Corp (NYSE: TDE) Announces 1-for-99 Reverse Stock Split";

describe("withoutOtherReleases", () => {
  it.each([
    "Also from this source",
    "More Releases From This Source",
    "Related News:",
    "You may also like",
    "Latest news",
  ])("removes the list below %j", (line) => {
    expect(withoutOtherReleases(`${RELEASE}\n\n${line}\n\n${OTHER}`)).toBe(`${RELEASE}\n\n`);
  });

  it.each([
    ["navigation above a release", `Latest news\n\n${RELEASE}`],
    ["a sentence that begins with such words", `${RELEASE}\n\nRelated news of the split follows on May 4, 2026.`],
    ["a release without a list", RELEASE],
  ])("keeps %s", (_, text) => {
    expect(withoutOtherReleases(text)).toBe(text);
  });
});
