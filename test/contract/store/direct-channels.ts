import { expect, it } from "vitest";
import { destinationKey } from "../../../src/domain/alert/destination.ts";
import { ALICE, BOB } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart } from "../store-builders.ts";

export function describeDirectChannels(use: CurrentStore, restart: Restart): void {
  it("are found for the people they were saved for, also after a restart", async () => {
    const namesake = { ...ALICE, platform: "other" };
    await use().directChannels.put({ person: ALICE, channelId: "dm-1" });
    await use().directChannels.put({ person: BOB, channelId: "dm-2" });
    await use().directChannels.put({ person: ALICE, channelId: "dm-3" });

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.directChannels.find(destinationKey(ALICE))).toEqual({ person: ALICE, channelId: "dm-3" });
      expect(await store.directChannels.find(destinationKey(BOB))).toEqual({ person: BOB, channelId: "dm-2" });
      expect(await store.directChannels.find(destinationKey(namesake))).toBeNull();
    }
  });

  it("keep every one of many simultaneous saves", async () => {
    const people = Array.from({ length: 50 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.map((person) => use().directChannels.put({ person, channelId: `dm-${person.id}` })));
    const store = await restart();
    const saved = await store.directChannels.all();
    expect(new Map(saved.map(({ person, channelId }) => [person.id, channelId]))).toEqual(
      new Map(people.map(({ id }) => [id, `dm-${id}`])),
    );
  });
}
