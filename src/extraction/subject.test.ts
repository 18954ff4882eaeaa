import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";

describe("the subject of a release", () => {
  it.each([
    ["Acme Robotics, Inc. (NASDAQ: ACME) today announced a 1-for-20 reverse stock split.", "Acme Robotics, Inc."],
    [
      'Acme Robotics, Inc. (NASDAQ: ACME) (the "Company") makes robots. The Company will effect a 1-for-20 reverse split.',
      "Acme Robotics, Inc.",
    ],
    [
      "Tide Research LLC today reported that the reverse stock split of Acme Robotics (NASDAQ: ACME) has been cancelled.",
      "Tide Research LLC",
    ],
  ])("is the company that announces in: %s", (content, subject) => {
    expect(extractFacts({ heading: "Reverse stock split", content }).subject).toBe(subject);
  });
});
