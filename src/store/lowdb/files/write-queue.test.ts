import { describe, expect, it } from "vitest";
import { TurnCounter } from "../../../../test/support/turns.ts";
import { WriteQueue } from "./write-queue.ts";

/** A write that ends on request. */
function slowWrites(): { write: (changes: readonly string[]) => Promise<void>; runs: Run[] } {
  const runs: Run[] = [];
  return {
    runs,
    write: (changes) => new Promise((end, fail) => runs.push({ changes, end, fail: () => fail(new Error("full")) })),
  };
}

interface Run {
  readonly changes: readonly string[];
  end(): void;
  fail(): void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("WriteQueue", () => {
  it("includes changes submitted during a write in the next one; each caller waits for its own write", async () => {
    const { write, runs } = slowWrites();
    const gate = new WriteQueue(write);
    const done: string[] = [];
    const submit = (change: string): void => void gate.submit(change).then(() => done.push(change));

    submit("a");
    await turn();
    submit("b");
    submit("c");
    await turn();
    expect(runs.map((run) => run.changes)).toEqual([["a"]]);

    runs[0]?.end();
    await turn();
    expect(done).toEqual(["a"]);
    expect(runs.map((run) => run.changes)).toEqual([["a"], ["b", "c"]]);
    // Later changes do not delay a caller.
    submit("d");
    runs[1]?.end();
    await turn();
    expect(done).toEqual(["a", "b", "c"]);
    runs[2]?.end();
    await turn();
    expect(done).toEqual(["a", "b", "c", "d"]);
  });

  it.each(["end", "fail"] as const)(
    "lets few of many callers continue per turn after a write (%s)",
    async (outcome) => {
      const { write, runs } = slowWrites();
      const gate = new WriteQueue(write);
      const first = gate.submit("a");
      await turn();
      const turns = new TurnCounter();
      const turnsOfCallers = Array.from({ length: 100 }, async (_, n) => {
        await gate.submit(`b${n}`).catch(() => undefined);
        return turns.count;
      });
      runs[0]?.end();
      await first;
      await turn();
      runs[1]?.[outcome]();
      expect(new Set(await Promise.all(turnsOfCallers)).size).toBe(5);
      turns.stop();
    },
  );

  it("rejects the changes of a failed write and continues with the next", async () => {
    const { write, runs } = slowWrites();
    const gate = new WriteQueue(write);
    const first = gate.submit("a");
    await turn();
    const second = gate.submit("b");

    runs[0]?.fail();
    await expect(first).rejects.toThrow("full");
    await turn();
    runs[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });

  it("starts no write while exclusive work runs, even if that work fails", async () => {
    const { write, runs } = slowWrites();
    const gate = new WriteQueue(write);
    const alone = gate.runExclusive(async () => {
      await turn();
      expect(runs).toHaveLength(0);
      throw new Error("not today");
    });
    const submitted = gate.submit("a");

    await expect(alone).rejects.toThrow("not today");
    await turn();
    runs[0]?.end();
    await submitted;
  });

  it("completes the changes submitted before it was closed, and rejects later ones", async () => {
    const { write, runs } = slowWrites();
    const gate = new WriteQueue(write);
    const first = gate.submit("a");
    await turn();
    const second = gate.submit("b");
    const done: string[] = [];
    const closing = gate.close().then(() => done.push("closed"));
    await expect(gate.submit("c")).rejects.toThrow("the store is closed");
    await expect(gate.runExclusive(async () => undefined)).rejects.toThrow("the store is closed");

    runs[0]?.end();
    await first;
    await turn();
    expect(done).toEqual([]);
    runs[1]?.end();
    await second;
    await closing;
    expect(runs).toHaveLength(2);
  });
});
