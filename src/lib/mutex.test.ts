import { describe, expect, it } from "vitest";
import { createTurns, createTurnsByKey } from "./mutex.ts";

/** Work that notes when it begins and ends, and may fail. */
function noted(notes: string[], name: string, fails = false): () => Promise<string> {
  return async () => {
    notes.push(`${name} begins`);
    await Promise.resolve();
    notes.push(`${name} ends`);
    if (fails) throw new Error(name);
    return name;
  };
}

describe("turns", () => {
  it("run one after the other, also after one that failed", async () => {
    const notes: string[] = [];
    const inTurn = createTurns();
    const done = await Promise.allSettled([inTurn(noted(notes, "a", true)), inTurn(noted(notes, "b"))]);
    expect(notes).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(done).toMatchObject([{ reason: new Error("a") }, { value: "b" }]);
  });

  it("by key wait for those of the same key alone", async () => {
    const notes: string[] = [];
    const inTurn = createTurnsByKey();
    const [a, other, b] = [
      inTurn("x", noted(notes, "a", true)),
      inTurn("y", noted(notes, "other")),
      inTurn("x", noted(notes, "b")),
    ];
    expect(await Promise.allSettled([a, other, b])).toMatchObject([{ reason: new Error("a") }, {}, { value: "b" }]);
    expect(notes.filter((note) => !note.startsWith("other"))).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(notes.indexOf("other begins")).toBeLessThan(notes.indexOf("a ends"));
  });
});
