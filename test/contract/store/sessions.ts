import { expect, it } from "vitest";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { T0 } from "../store-builders.ts";

export function describeSessions(use: CurrentStore, restart: Restart): void {
  const start = (id: string, until = T0 + 100, now = T0, max = 10): Promise<void> =>
    use().sessions.start({ id, until }, now, max);
  const openOf = async (ids: readonly string[], now = T0): Promise<readonly string[]> => {
    const open: string[] = [];
    for (const id of ids) if (await use().sessions.isOpen(id, now)) open.push(id);
    return open;
  };

  it("are open until their end, also after a restart", async () => {
    await start("one", T0 + 10);
    await start("__proto__", T0 + 20);
    for (const _ of ["before", "after"]) {
      expect(await openOf(["one", "__proto__", "two", "constructor"])).toEqual(["one", "__proto__"]);
      expect(await openOf(["one", "__proto__"], T0 + 9)).toEqual(["one", "__proto__"]);
      expect(await openOf(["one", "__proto__"], T0 + 10)).toEqual(["__proto__"]);
      await restart();
    }
  });

  it("stay ended, also after a restart; ending twice is harmless", async () => {
    await start("one");
    await start("two");
    for (const _ of [1, 2]) await use().sessions.end("one");
    expect(await openOf(["one", "two"])).toEqual(["two"]);
    await restart();
    expect(await openOf(["one", "two"])).toEqual(["two"]);
  });

  it("are limited: the oldest ones end first, and expired ones don't count", async () => {
    await start("expired", T0 + 1);
    await start("one");
    await start("two");
    await start("three", T0 + 100, T0 + 5, 3);
    expect(await openOf(["one", "two", "three"], T0 + 5)).toEqual(["one", "two", "three"]);
    await start("four", T0 + 100, T0 + 5, 3);
    expect(await openOf(["one", "two", "three", "four"], T0 + 5)).toEqual(["two", "three", "four"]);
  });

  it("are all started by simultaneous calls", async () => {
    const ids = Array.from({ length: 8 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => start(id)));
    expect(await openOf(ids)).toEqual(ids);
  });
}
