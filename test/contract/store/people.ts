import { expect, it } from "vitest";
import type { Person } from "../../../src/domain/alert/destination.ts";
import type { Store } from "../../../src/ports/store.ts";
import { aRule, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { announced, aPendingImport, commitOne, T0 } from "../store-builders.ts";

function onSlack(id: string): Person {
  return { platform: "slack", kind: "person", id };
}

export function describePeople(use: CurrentStore, restart: Restart): void {
  it("are listed once each while the store holds data about them, and not after a purge", async () => {
    const names = ["T1/watches", "T1/ruled", "T1/rules", "T1/reached", "T1/set", "T1/dated", "T1/imports", "T1/waits"];
    const people = names.map(onSlack) as [Person, Person, Person, Person, Person, Person, Person, Person];
    const [watches, ruled, rules, reached, set, dated, imports, waits] = people;
    const fill = async (store: Store): Promise<void> => {
      await store.watchlists.add(watches, [ticker("ACME")]);
      await store.rules.add({ ...aRule({ destination: ruled }), createdBy: ruled });
      await store.rules.add({ ...aRule(), createdBy: rules });
      await store.directChannels.save(reached, "D1");
      await store.destinationSettings.change(set, { digest: true });
      await store.calendars.tokenOf(dated);
      const owner = { person: imports, settingsOf: imports, destination: imports };
      await store.imports.save(aPendingImport("i1", owner), T0);
      await commitOne(store, announced("s1"), waits);
    };
    await fill(use());
    await use().watchlists.add({ ...watches, platform: "other" }, [ticker("ACME")]);
    await use().watchlists.add(watches, [ticker("BETA")]);

    for (const store of [use(), await restart()]) {
      expect((await store.people("slack")).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
        people.toSorted((a, b) => a.id.localeCompare(b.id)),
      );
    }
    for (const one of people) await use().purgePerson(one);
    expect(await (await restart()).people("slack")).toEqual([]);
  });
}
