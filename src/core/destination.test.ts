import { describe, expect, it } from "vitest";
import { ALICE, GENERAL } from "../../test/support/builders.ts";
import { destinationKey } from "./destination.ts";

describe("destinationKey", () => {
  it("tells platform, kind and id", () => {
    expect(destinationKey(ALICE)).toBe("web:person:alice");
    expect(destinationKey(GENERAL)).toBe("web:channel:general");
  });

  it("differs where any of them does", () => {
    const places = [
      ALICE,
      { ...ALICE, id: "bob" },
      { ...ALICE, platform: "slack" },
      { ...ALICE, kind: "channel" as const },
      { ...ALICE, id: "person:alice" },
    ];
    expect(new Set(places.map(destinationKey)).size).toBe(places.length);
  });
});
