import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { type Destination, destinationKey, isPerson, parseDestinationKey, parsePersonKey } from "./destination.ts";

describe("destinationKey", () => {
  it("contains platform, kind and id", () => {
    expect(destinationKey(ALICE)).toBe("web:person:alice");
    expect(destinationKey(GENERAL)).toBe("web:channel:general");
  });

  it("differs if platform, kind or id differs", () => {
    const destinations = [
      ALICE,
      { ...ALICE, id: "bob" },
      { ...ALICE, platform: "slack" },
      { ...ALICE, kind: "channel" as const },
      { ...ALICE, id: "person:alice" },
    ];
    expect(new Set(destinations.map(destinationKey)).size).toBe(destinations.length);
  });
});

const anyDestination: fc.Arbitrary<Destination> = fc.record({
  platform: fc.stringMatching(/^[a-z]+$/),
  kind: fc.constantFrom("channel", "person"),
  // Ids are the platforms' own: colons are likelier here than in any text.
  id: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(":", "person", "channel", "a") })),
});

describe("parseDestinationKey", () => {
  it("inverts destinationKey for any id", () => {
    fc.assert(
      fc.property(anyDestination, (destination) => {
        expect(parseDestinationKey(destinationKey(destination))).toEqual(destination);
      }),
    );
  });
});

describe("parsePersonKey", () => {
  it("inverts destinationKey for people", () => {
    fc.assert(
      fc.property(anyDestination.filter(isPerson), (person) => {
        expect(parsePersonKey(destinationKey(person))).toEqual(person);
      }),
    );
  });
});
