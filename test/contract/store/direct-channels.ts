import { expect, it } from "vitest";
import { ALICE, BOB } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart } from "../store-builders.ts";

export function describeDirectChannels(use: CurrentStore, restart: Restart): void {
  it("are found for the people they were saved for, also after a restart", async () => {
    const namesake = { ...ALICE, platform: "other" };
    await use().directChannels.save(ALICE, "dm-1");
    await use().directChannels.save(BOB, "dm-2");
    await use().directChannels.save(ALICE, "dm-3");

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.directChannels.of(ALICE)).toBe("dm-3");
      expect(await store.directChannels.of(BOB)).toBe("dm-2");
      expect(await store.directChannels.of(namesake)).toBeNull();
    }
  });

  it("keep every one of many simultaneous saves", async () => {
    const people = Array.from({ length: 50 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.map((person) => use().directChannels.save(person, `dm-${person.id}`)));
    const store = await restart();
    for (const person of people) expect(await store.directChannels.of(person)).toBe(`dm-${person.id}`);
  });
}
