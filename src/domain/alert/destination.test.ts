import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { type Destination, destinationKey, isPerson, parseDestinationKey, parsePersonKey } from "./destination.ts";

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

const anyDestination: fc.Arbitrary<Destination> = fc.record({
  platform: fc.stringMatching(/^[a-z]+$/),
  kind: fc.constantFrom("channel", "person"),
  // Ids are the platforms' own: colons are likelier here than in any text.
  id: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(":", "person", "channel", "a") })),
});

describe("destinationOf", () => {
  it("gives the destination back of every key, whatever its id holds", () => {
    fc.assert(
      fc.property(anyDestination, (to) => {
        expect(parseDestinationKey(destinationKey(to))).toEqual(to);
      }),
    );
  });
});

describe("personOf", () => {
  it("gives the person back of every person's key", () => {
    fc.assert(
      fc.property(anyDestination.filter(isPerson), (person) => {
        expect(parsePersonKey(destinationKey(person))).toEqual(person);
      }),
    );
  });
});
