import { expect, it } from "vitest";
import { ALICE, BOB, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, aPendingImport, FAR_FUTURE, T0 } from "../store-builders.ts";

export function describeImports(use: CurrentStore, restart: Restart): void {
  it("survive a restart and are found by id only", async () => {
    await use().imports.save(aPendingImport("i1"), T0);
    for await (const store of acrossRestart(use, restart)) {
      expect(await store.imports.find("i1")).toEqual(aPendingImport("i1"));
      expect(await store.imports.find("i2")).toBeNull();
    }
  });

  it("change from their current state exactly once", async () => {
    await use().imports.save(aPendingImport("i1"), T0);
    const applying = aPendingImport("i1", { state: "applying" });
    const changed = await Promise.all([1, 2].map(() => use().imports.transition(applying, "shown")));
    expect(changed.filter((isChanged) => isChanged)).toHaveLength(1);
    expect(await use().imports.transition(aPendingImport("i2"), "shown")).toBe(false);
    expect(await (await restart()).imports.find("i1")).toEqual(applying);
  });

  it("no longer exist when they are deleted or expired", async () => {
    await use().imports.save(aPendingImport("i1"), T0);
    await use().imports.save(aPendingImport("i2", { until: T0 + 10 }), T0);
    await use().imports.remove("i1");
    await use().imports.remove("unknown");
    expect([await use().imports.find("i1"), await use().imports.find("i2")]).toEqual([null, expect.anything()]);
    await use().imports.save(aPendingImport("i3", { person: BOB }), T0 + 10);
    expect(await use().imports.find("i2")).toBeNull();
    await use().prune(FAR_FUTURE);
    expect(await use().imports.find("i3")).toBeNull();
  });

  it("are limited to the newest three per person", async () => {
    for (const id of ["i1", "i2", "i3", "i4"]) await use().imports.save(aPendingImport(id), T0);
    await use().imports.save(aPendingImport("b1", { person: BOB }), T0);
    const found = await Promise.all(["i1", "i2", "i3", "i4", "b1"].map((id) => use().imports.find(id)));
    expect(found.map((one) => one !== null)).toEqual([false, true, true, true, true]);
  });

  it("are limited in total", async () => {
    const long = Array.from({ length: 100_000 }, (_, index) => ticker(`A${index}`));
    for (let n = 0; n < 20; n += 1) {
      const person = { ...ALICE, id: `p${n}` };
      await use().imports.save(aPendingImport(`i${n}`, { person, tickers: long }), T0);
    }
    expect(await use().imports.find("i0")).toBeNull();
    expect(await use().imports.find("i19")).not.toBeNull();
  });
}
