import { expect, it } from "vitest";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, T0 } from "../store-builders.ts";

export function describeInstallations(use: CurrentStore, restart: Restart): void {
  const acme = { platform: "slack", workspaceId: "T1", credentials: "sealed", since: T0 };

  it("are found by platform and workspace, and replaced entirely", async () => {
    const other = { ...acme, workspaceId: "T2" };
    const namesake = { ...acme, platform: "other" };
    for (const one of [acme, other, namesake]) await use().installations.put(one);
    const gone = { ...acme, credentials: null, since: T0 + 1 };
    await use().installations.put(gone);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.installations.find("slack", "T1")).toEqual(gone);
      expect(await store.installations.find("slack", "T3")).toBeNull();
      expect(new Set(await store.installations.all("slack"))).toEqual(new Set([gone, other]));
      expect(await store.installations.all("other")).toEqual([namesake]);
    }
  });

  it("are deleted individually, and deleting twice is harmless", async () => {
    for (const workspaceId of ["T1", "T2"]) await use().installations.put({ ...acme, workspaceId });
    for (const _ of [1, 2]) await use().installations.remove("slack", "T1");
    expect(await (await restart()).installations.all("slack")).toEqual([{ ...acme, workspaceId: "T2" }]);
  });

  it("accept a token once, also among simultaneous attempts, until it expires", async () => {
    const uses = await Promise.all([1, 2, 3].map(() => use().installations.consumeToken("t", T0, T0 + 10)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await use().installations.consumeToken("__proto__", T0, T0 + 10)).toBe(true);
    const store = await restart();
    expect(await store.installations.consumeToken("t", T0 + 9, T0 + 19)).toBe(false);
    expect(await store.installations.consumeToken("another", T0 + 10, T0 + 20)).toBe(true);
    expect(await store.installations.consumeToken("t", T0 + 11, T0 + 21)).toBe(true);
  });
}
