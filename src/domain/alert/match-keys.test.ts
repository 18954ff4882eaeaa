import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyEvents, anyFewFilter } from "../../../test/support/any-event.ts";
import { explainMismatch } from "./match.ts";
import { matchKeysOfEvent, matchKeysOfFilter } from "./match-keys.ts";

it("a filter shares a key with every event that it matches", () => {
  let matches = 0;
  fc.assert(
    fc.property(anyFewFilter, anyEvents, (filter, events) => {
      const keys = new Set(matchKeysOfFilter(filter));
      for (const event of events.filter((one) => explainMismatch(filter, one) === null)) {
        expect(matchKeysOfEvent(event).some((key) => keys.has(key))).toBe(true);
        matches += 1;
      }
    }),
    { numRuns: 500 },
  );
  expect(matches).toBeGreaterThan(100);
});
