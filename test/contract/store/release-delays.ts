import { expect, it } from "vitest";
import { GENERAL } from "../../support/builders.ts";
import { announced, type CurrentStore, claimAll, commitOne, NEWS, type Second } from "../store-builders.ts";

export function describeReleaseDelays(use: CurrentStore, openSecond?: Second): void {
  /** Releases both channels, in which a delivery waits, with a delay. */
  async function delayBoth(): Promise<void> {
    for (const to of [GENERAL, NEWS]) await commitOne(use(), announced("s1"), to);
    expect(await claimed()).toEqual(["general", "news"]);
    for (const to of [GENERAL, NEWS]) await use().claims.release(to, 60_000);
    expect(await claimed()).toEqual([]);
  }

  async function claimed(): Promise<readonly string[]> {
    return (await claimAll(use())).map(({ to }) => to.id);
  }

  it("end when the destination's settings change, and not when they stay the same", async () => {
    await delayBoth();
    await use().destinationSettings.change(GENERAL, { digest: false });
    expect(await claimed()).toEqual([]);
    await use().destinationSettings.change(GENERAL, { mutedUntil: 1 });
    expect(await claimed()).toEqual(["general"]);
    expect(await use().claims.nextDueMs(["web"])).toBe(60_000);
  });

  it("end with a new delivery if the destination receives digests", async () => {
    await use().destinationSettings.change(NEWS, { digest: true });
    await use().destinationSettings.change(GENERAL, { mutedUntil: 1 });
    await delayBoth();
    for (const to of [GENERAL, NEWS]) await commitOne(use(), announced("s2"), to);
    expect(await claimed()).toEqual(["news"]);
  });

  it("of a claimed destination begin with the release, whatever changed before", async () => {
    await commitOne(use(), announced("s1"));
    expect(await claimed()).toEqual(["general"]);
    await use().destinationSettings.change(GENERAL, { digest: true });
    await commitOne(use(), announced("s2"));
    await use().claims.release(GENERAL, 60_000);
    expect(await claimed()).toEqual([]);
  });

  if (!openSecond) return;

  it("end for all processes, which are notified, when one of them changes settings or adds a delivery", async () => {
    const other = await openSecond();
    for (const change of [
      () => other.destinationSettings.change(GENERAL, { digest: true }),
      () => commitOne(other, announced("s2")),
    ]) {
      await commitOne(use(), announced("s1"));
      expect(await claimed()).toEqual(["general"]);
      await use().claims.release(GENERAL, 60_000);
      expect(await claimed()).toEqual([]);
      const woken = Promise.withResolvers<void>();
      const unsubscribe = use().claims.onWork(() => woken.resolve());
      await change();
      await woken.promise;
      unsubscribe();
      expect(await claimed()).toEqual(["general"]);
      await use().claims.release(GENERAL);
    }
  });
}
