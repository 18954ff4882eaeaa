import { expect, it } from "vitest";
import type { CurrentStore, Restart, Second } from "../store-builders.ts";
import { acrossRestart, T0 } from "../store-builders.ts";

export function describeInstallations(use: CurrentStore, restart: Restart, openSecond?: Second): void {
  const acme = { platform: "slack", workspaceId: "T1", credentials: "sealed", since: T0 };

  it("are found by platform and workspace, and replaced entirely", async () => {
    const other = { ...acme, workspaceId: "T2" };
    const namesake = { ...acme, platform: "other" };
    for (const one of [acme, other, namesake]) await use().installations.put(one);
    const gone = { ...acme, credentials: null, since: T0 + 1 };
    await use().installations.put(gone);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.installations.find("slack T1")).toEqual(gone);
      expect(await store.installations.find("slack T3")).toBeNull();
      expect(new Set(await store.installations.all())).toEqual(new Set([gone, other, namesake]));
    }
  });

  it("are deleted individually, and deleting twice is harmless", async () => {
    for (const workspaceId of ["T1", "T2"]) await use().installations.put({ ...acme, workspaceId });
    for (const _ of [1, 2]) await use().installations.remove("slack T1");
    expect(await (await restart()).installations.all()).toEqual([{ ...acme, workspaceId: "T2" }]);
  });

  it("accept a token once, also among simultaneous attempts, until it expires", async () => {
    const uses = await Promise.all([1, 2, 3].map(() => use().usedTokens.consume("t", T0, T0 + 10)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await use().usedTokens.consume("__proto__", T0, T0 + 10)).toBe(true);
    const store = await restart();
    expect(await store.usedTokens.consume("t", T0 + 9, T0 + 19)).toBe(false);
    expect(await store.usedTokens.consume("another", T0 + 10, T0 + 20)).toBe(true);
    expect(await store.usedTokens.consume("t", T0 + 11, T0 + 21)).toBe(true);
  });

  it("are replaced only if they have not changed", async () => {
    const renewed = { ...acme, credentials: "renewed" };
    expect(await use().installations.replace(acme, renewed)).toBe(false);
    await use().installations.put(acme);
    expect(await use().installations.replace({ ...acme, endReason: "removed" }, renewed)).toBe(false);
    const attempts = [renewed, { ...acme, credentials: "also renewed" }, { ...acme, credentials: null }];
    const replaced = await Promise.all(attempts.map((next) => use().installations.replace(acme, next)));
    expect(replaced.filter((isReplaced) => isReplaced)).toHaveLength(1);
    const stored = attempts[replaced.indexOf(true)];
    expect(await use().installations.find("slack T1")).toEqual(stored);
    expect(await (await restart()).installations.find("slack T1")).toEqual(stored);
  });

  if (!openSecond) return;

  it("are replaced and their tokens accepted by one of two processes", async () => {
    const stores = [use(), await openSecond()];
    await use().installations.put(acme);
    const replaced = await Promise.all(
      stores.map((store, index) => store.installations.replace(acme, { ...acme, credentials: String(index) })),
    );
    expect(replaced.filter((isReplaced) => isReplaced)).toHaveLength(1);
    const uses = await Promise.all(stores.map((store) => store.usedTokens.consume("t", T0, T0 + 10)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
  });
}
