import { describe, expect, it } from "vitest";
import { createKeyedMutex, createMutex } from "./mutex.ts";

/** Work that records its start and end, and may fail. */
function recorded(steps: string[], name: string, fails = false): () => Promise<string> {
  return async () => {
    steps.push(`${name} starts`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (fails) throw new Error(name);
    return name;
  };
}

describe("mutex", () => {
  it("runs work one after another, also after a failure", async () => {
    const steps: string[] = [];
    const mutex = createMutex();
    const done = await Promise.allSettled([mutex(recorded(steps, "a", true)), mutex(recorded(steps, "b"))]);
    expect(steps).toEqual(["a starts", "a ends", "b starts", "b ends"]);
    expect(done).toMatchObject([{ reason: new Error("a") }, { value: "b" }]);
  });

  it("waits only for work under the same key", async () => {
    const steps: string[] = [];
    const mutex = createKeyedMutex();
    const [a, other, b] = [
      mutex("x", recorded(steps, "a", true)),
      mutex("y", recorded(steps, "other")),
      mutex("x", recorded(steps, "b")),
    ];
    expect(await Promise.allSettled([a, other, b])).toMatchObject([{ reason: new Error("a") }, {}, { value: "b" }]);
    expect(steps.filter((step) => !step.startsWith("other"))).toEqual(["a starts", "a ends", "b starts", "b ends"]);
    expect(steps.indexOf("other starts")).toBeLessThan(steps.indexOf("a ends"));
  });
});
