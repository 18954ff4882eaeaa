import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MinHeap } from "./claims.ts";

describe("MinHeap", () => {
  it("gives back all that was put in, the lowest first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (ranks) => {
        const heap = new MinHeap<{ rank: number }>();
        for (const rank of ranks) heap.push({ rank });
        const out: number[] = [];
        for (let entry = heap.pop(); entry; entry = heap.pop()) out.push(entry.rank);
        expect(out).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it("shows the lowest without taking it, between pushes and pops in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer(), { freq: 3 })), (steps) => {
        const heap = new MinHeap<{ rank: number }>();
        let model: number[] = [];
        for (const step of steps) {
          const popped = step === null ? heap.pop()?.rank : heap.push({ rank: step });
          expect(popped).toBe(step === null ? model[0] : undefined);
          model = step === null ? model.slice(1) : [...model, step].toSorted((a, b) => a - b);
          expect(heap.lowest?.rank).toBe(model[0]);
        }
      }),
    );
  });
});
