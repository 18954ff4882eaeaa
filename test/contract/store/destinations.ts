import { expect, it } from "vitest";
import { type Destination, destinationKey, type Person } from "../../../src/domain/alert/destination.ts";
import type { Store } from "../../../src/ports/store.ts";
import { aRule, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, aLastImport, announced, aPosting, commitOne, T0 } from "../store-builders.ts";

function onSlack(id: string): Person {
  return { platform: "slack", kind: "person", id };
}

function channelOnSlack(id: string): Destination {
  return { platform: "slack", kind: "channel", id };
}

async function keysIn(store: Store): Promise<readonly string[]> {
  return (await store.destinations("slack")).map(destinationKey).toSorted();
}

export function describeDestinations(use: CurrentStore, restart: Restart): void {
  it("include each person once while the store holds data about them, and not after a purge", async () => {
    const names = ["watches", "ruled", "rules", "reached", "set", "dated", "imports", "waits", "posted"];
    const people = names.map((name) => onSlack(`T1/${name}`));
    const [watches, ruled, rules, reached, set, dated, imports, waits, posted] = people as [
      ...[Person, Person, Person, Person, Person, Person, Person, Person, Person],
    ];
    await use().watchlists.add(watches, [ticker("ACME")]);
    await use().rules.add({ ...aRule({ destination: ruled }), createdBy: ruled });
    await use().rules.add({ ...aRule(), createdBy: rules });
    await use().directChannels.put({ person: reached, channelId: "D1" });
    await use().destinationSettings.change(set, { digest: true });
    await use().calendars.tokenOf(dated);
    const owner = { person: imports, settingsOf: imports, destination: imports };
    await use().lastImports.put(aLastImport(owner));
    await commitOne(use(), announced("s1"), waits);
    await use().postings.post(aPosting("m1", { to: posted }));
    await use().watchlists.add({ ...watches, platform: "other" }, [ticker("ACME")]);
    await use().watchlists.add(watches, [ticker("BETA")]);

    for await (const store of acrossRestart(use, restart))
      expect(await keysIn(store)).toEqual(people.map(destinationKey).toSorted());
    for (const one of people) await use().purgePerson(one);
    expect(await keysIn(await restart())).toEqual([]);
  });

  it("are selected by the beginning of their ids", async () => {
    const ids = ["T1/a", "T1/b", "T10/a", "T1", "t1/a"];
    for (const id of ids) await use().destinationSettings.change(onSlack(id), { digest: true });
    await use().destinationSettings.change(channelOnSlack("T1/c"), { digest: true });
    await use().destinationSettings.change({ ...onSlack("T1/a"), platform: "other" }, { digest: true });
    await use().watchlists.add(onSlack("T1/w"), [ticker("ACME")]);
    await use().watchlists.add(onSlack("T2/w"), [ticker("ACME")]);

    const found = async (prefix?: string): Promise<readonly string[]> =>
      (await use().destinations("slack", prefix)).map(({ kind, id }) => `${kind} ${id}`).toSorted();
    expect(await found("T1/")).toEqual(["channel T1/c", "person T1/a", "person T1/b", "person T1/w"]);
    expect(await found("T3/")).toEqual([]);
    expect(await found()).toHaveLength(8);
  });

  it("include each channel once while the store holds data about it", async () => {
    const channels = ["ruled", "set", "waits", "posted"].map((name) => channelOnSlack(`T1/${name}`));
    const [ruled, set, waits, posted] = channels as [Destination, Destination, Destination, Destination];
    const { rule } = (await use().rules.add(aRule({ destination: ruled }))) as { rule: { number: number } };
    await use().destinationSettings.change(ruled, { digest: true });
    await use().destinationSettings.change(set, { digest: true });
    await commitOne(use(), announced("s1"), waits);
    await use().postings.post(aPosting("m1", { to: posted, at: T0 }));
    await use().postings.post(aPosting("m2", { to: { ...posted, platform: "other" }, at: T0 }));

    const creator = destinationKey(aRule().createdBy);
    for await (const store of acrossRestart(use, restart)) {
      const keys = (await keysIn(store)).filter((key) => key !== creator);
      expect(keys).toEqual(channels.map(destinationKey).toSorted());
    }
    await use().rules.remove(ruled, [rule.number]);
    for (const channel of [ruled, set]) await use().destinationSettings.change(channel, { digest: false });
    await use().prune(T0 + 1);
    expect((await keysIn(await restart())).filter((key) => key !== creator)).toEqual([destinationKey(waits)]);
  });
}
