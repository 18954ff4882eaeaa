import { describe, expect, it } from "vitest";
import { RENAMED_KEYS, RENAMED_VALUES, renameFields } from "./renamed-fields.ts";

const RENAMES = { keys: { place: "destination" }, values: { state: { doubted: "suspicious" } } };

describe("renaming persisted fields", () => {
  it("renames keys and values at every depth, and nothing else", () => {
    const old = {
      place: { id: "place", place: [1, { place: null, state: "suspicious" }] },
      kind: "suspicious",
      n: 1.5,
    };
    expect(renameFields(old, RENAMES)).toEqual({
      destination: { id: "place", destination: [1, { destination: null, state: "suspicious" }] },
      kind: "suspicious",
      n: 1.5,
    });
  });

  it("keeps keys that are names of inherited properties", () => {
    const unusual = JSON.parse('{"constructor":1,"toString":"x","__proto__":{"place":2}}');
    expect(JSON.stringify(renameFields(unusual, RENAMES))).toBe(
      '{"constructor":1,"toString":"x","__proto__":{"destination":2}}',
    );
  });

  it("is idempotent with the declared names", () => {
    for (const table of [RENAMED_KEYS, ...Object.values(RENAMED_VALUES)])
      for (const name of Object.values(table)) expect(Object.keys(table)).not.toContain(name);
  });
});
