import { expect, it } from "vitest";
import { type Destination, destinationKey } from "../../../src/domain/alert/destination.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "../../../src/domain/settings/destination-settings.ts";
import { ALICE, BOB, GENERAL } from "../../support/builders.ts";
import { membersOf } from "../../support/pages.ts";
import type { CurrentStore, Restart, Second } from "../store-builders.ts";
import { acrossRestart, T0 } from "../store-builders.ts";

export function describeDestinationSettings(use: CurrentStore, restart: Restart, openSecond?: Second): void {
  const QUIET = { from: 22 * 60, to: 7 * 60 };

  it("are the defaults when nothing was set", async () => {
    expect(await use().destinationSettings.of(ALICE)).toEqual(DEFAULT_SETTINGS);
    expect(await membersOf(use().destinationSettings.all())).toEqual([]);
  });

  it("change as patched, separately for each destination, and survive a restart", async () => {
    const namesake = { ...ALICE, platform: "other" };
    const first = await use().destinationSettings.change(ALICE, { timezone: "Pacific/Auckland", quiet: QUIET });
    const second = await use().destinationSettings.change(ALICE, { digest: true, mutedUntil: T0 });
    await use().destinationSettings.change(GENERAL, { reminders: false });
    const expected = { timezone: "Pacific/Auckland", reminders: true, digest: true, quiet: QUIET, mutedUntil: T0 };
    expect(first).toEqual({ before: DEFAULT_SETTINGS, after: { ...expected, digest: false, mutedUntil: null } });
    expect(second).toEqual({ before: first.after, after: expected });

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.destinationSettings.of(ALICE)).toEqual(expected);
      expect(await store.destinationSettings.of(namesake)).toEqual(DEFAULT_SETTINGS);
      const all = (await membersOf(store.destinationSettings.all())).toSorted((a, b) =>
        a.to.kind < b.to.kind ? -1 : 1,
      );
      expect(all).toEqual([
        { to: GENERAL, settings: { ...DEFAULT_SETTINGS, reminders: false } },
        { to: ALICE, settings: expected },
      ]);
    }
  });

  it("are deleted when they equal the defaults again", async () => {
    await use().destinationSettings.change(ALICE, { quiet: QUIET, reminders: false });
    await use().destinationSettings.change(ALICE, { quiet: null, reminders: true });
    for await (const store of acrossRestart(use, restart))
      expect(await membersOf(store.destinationSettings.all())).toEqual([]);
  });

  it("list each time zone once while a destination has it", async () => {
    const change = async (to: Destination, patch: Partial<DestinationSettings>): Promise<void> => {
      await use().destinationSettings.change(to, patch);
    };
    await change(ALICE, { timezone: "Pacific/Auckland" });
    await change(BOB, { timezone: "Pacific/Auckland", digest: true });
    await change(GENERAL, { timezone: "Europe/Berlin" });
    for await (const { destinationSettings } of acrossRestart(use, restart))
      expect((await destinationSettings.timezones()).toSorted()).toEqual(["Europe/Berlin", "Pacific/Auckland"]);

    await change(ALICE, { timezone: null });
    await change(GENERAL, { timezone: "Asia/Tokyo" });
    expect((await use().destinationSettings.timezones()).toSorted()).toEqual(["Asia/Tokyo", "Pacific/Auckland"]);
    await change(BOB, { timezone: null });
    for await (const { destinationSettings } of acrossRestart(use, restart))
      expect(await destinationSettings.timezones()).toEqual(["Asia/Tokyo"]);
  });

  it("notify a listener of each change until it is removed", async () => {
    const notified: string[] = [];
    const end = use().destinationSettings.onChange((destination) => notified.push(destinationKey(destination)));
    await use().destinationSettings.change(ALICE, { digest: true });
    await use().destinationSettings.change(ALICE, { digest: true });
    await use().destinationSettings.change(GENERAL, { quiet: QUIET });
    end();
    await use().destinationSettings.change(BOB, { digest: true });
    expect(notified).toEqual(["web:person:alice", "web:channel:general"]);
  });

  it("keep every one of many simultaneous changes", async () => {
    const people = Array.from({ length: 30 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(
      people.flatMap((person) => [
        use().destinationSettings.change(person, { digest: true }),
        use().destinationSettings.change(person, { reminders: false }),
      ]),
    );
    const store = await restart();
    for (const person of people)
      expect(await store.destinationSettings.of(person)).toEqual({
        ...DEFAULT_SETTINGS,
        digest: true,
        reminders: false,
      });
  });

  if (!openSecond) return;

  it("are the same for other processes, whose listeners are notified of each change", async () => {
    const other = await openSecond();
    const changed = Promise.withResolvers<void>();
    other.destinationSettings.onChange(() => changed.resolve());
    await use().destinationSettings.change(GENERAL, { timezone: "Asia/Tokyo" });
    await changed.promise;
    expect(await other.destinationSettings.of(GENERAL)).toMatchObject({ timezone: "Asia/Tokyo" });
    expect(await other.destinationSettings.timezones()).toEqual(["Asia/Tokyo"]);
  });
}
