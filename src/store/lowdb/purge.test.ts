import { afterAll, describe, expect, it } from "vitest";
import {
  announced,
  aPendingImport,
  aPosting,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  deliveryOf,
  T0,
} from "../../../test/contract/store-builders.ts";
import { aRule, GENERAL, ticker } from "../../../test/support/builders.ts";
import { FillableDisk, openIn, readFiles, StoreFolders, steppingDisk } from "../../../test/support/store-folder.ts";
import { destinationKey, type Person } from "../../domain/alert/destination.ts";
import { type EventId, eventIds, type TestEvent } from "../../domain/alert/event.ts";
import type { Store } from "../../ports/store.ts";
import { realDisk } from "./files/disk.ts";

const folders = new StoreFolders();

/** Ids that occur in no other value of these files. */
const PEOPLE: readonly Person[] = [
  { platform: "web", kind: "person", id: "quillon" },
  { platform: "slack", kind: "person", id: "T0WORK/U0QUILLON" },
  { platform: "discord", kind: "person", id: "80351110224678912" },
];

afterAll(() => folders.removeAll());

function localId({ id }: Person): string {
  return id.split("/").at(-1) ?? id;
}

/** Stores the person in each part of the store, and in log records that later ones supersede. */
async function fill(store: Store, person: Person): Promise<void> {
  const channel = { ...GENERAL, platform: person.platform };
  const mention = `<@${localId(person)}>`;
  await store.watchlists.add(person, [ticker("ACME")]);
  await store.rules.add({ ...aRule({ destination: person }), createdBy: person });
  await store.rules.add({ ...aRule({ destination: channel, mention }), createdBy: person });
  await store.directChannels.save(person, "dm-1");
  await store.destinationSettings.change(person, { digest: true });
  await store.calendars.tokenOf(person);
  await store.imports.save(aPendingImport("i1", { person, settingsOf: person, destination: person }), T0);
  await store.postings.post(aPosting("to-them", { to: person }));
  await store.postings.post({ ...aPosting("shared", { to: channel }), sharedBy: person });
  await commitSent(store, announced("s1"), { to: person, at: T0 });
  await commitOne(store, announced("s2"), person);
  const tests = [channel, person].map((destination): TestEvent => {
    const id = `test.${destinationKey(destination)}.1` as EventId;
    return { kind: "test", id, at: T0, sample: false, askedBy: person.id };
  });
  const [inChannel, direct] = tests as [TestEvent, TestEvent];
  await commitSent(store, inChannel, { to: channel, messageId: "test-card" });
  await store.postings.post(aPosting("test-card", { to: channel, body: { facts: [{ value: person.id }] } }));
  await commitOne(store, direct, person);
  const digest = eventIds.digestPart("d" as EventId, destinationKey(person));
  await commitOne(store, { kind: "digest", id: digest, at: T0, sample: false, records: [] }, person);
  const calling = { ...deliveryOf(announced("s3"), channel), mentions: [mention] };
  await store.snapshot.commit({ patch: null, events: [announced("s3")], deliveries: [calling] });
  await store.outbox.saveAttempt(attemptOf("m3", [calling], { body: { text: `${mention} ACME 1-for-20` } }));
  await store.outbox.pause(person, "gone", T0);
}

/** The files that contain the person's id, or the part of it that the platform uses. */
async function filesNaming(dir: string, person: Person): Promise<readonly string[]> {
  const files = await readFiles(dir);
  return [...files].filter(([, bytes]) => bytes.includes(localId(person))).map(([name]) => name);
}

describe("a purged person", () => {
  it.each(PEOPLE)("is in no file: $platform", async (person) => {
    const dir = await folders.make();
    const store = await openIn(dir);
    await fill(store, person);
    expect(await filesNaming(dir, person)).toEqual(["changes-000001.log"]);
    await store.purgePerson(person);
    expect(await filesNaming(dir, person)).toEqual([]);
    await store.close();
    const again = await openIn(dir);
    expect(await filesNaming(dir, person)).toEqual([]);
    await again.close();
  });

  it("is in no file if the log was compacted before", async () => {
    const [person] = PEOPLE as [Person];
    const dir = await folders.make();
    const store = await openIn(dir);
    await fill(store, person);
    await store.prune(0);
    const tables = ["attempts", "deliveries", "events", "messages", "pauses", "postings", "rules", "watchlists"];
    const named = (await filesNaming(dir, person)).map((name) => name.replace(/-\d+\.json$/, ""));
    expect(named).toEqual(expect.arrayContaining(tables));
    await store.purgePerson(person);
    await store.close();
    expect(await filesNaming(dir, person)).toEqual([]);
  });

  it("is complete or purged after a crash at any moment, and is purged in the end", async () => {
    const [person] = PEOPLE as [Person];
    const dir = await folders.make();
    const copies: string[] = [];
    let watching = false;
    const disk = steppingDisk(realDisk, async () => {
      if (watching) copies.push(await folders.copyOf(dir));
    });
    const store = await openIn(dir, { disk });
    await fill(store, person);
    watching = true;
    await store.purgePerson(person);
    watching = false;
    await store.close();

    let outcomes = "";
    for (const copy of copies) {
      const reopened = await openIn(copy);
      const parts = [
        (await reopened.watchlists.of(person)).length > 0,
        (await reopened.rules.at(person)).length > 0,
        (await reopened.directChannels.of(person)) !== null,
        (await reopened.destinationSettings.of(person)).digest,
        (await reopened.imports.find("i1")) !== null,
        (await reopened.postings.find("to-them")) !== null,
        (await reopened.outbox.waitingAt(person)).length > 0,
      ];
      expect(new Set(parts).size, `after ${outcomes.length} steps`).toBe(1);
      const named = (await filesNaming(copy, person)).length > 0;
      expect(named, `after ${outcomes.length} steps`).toBe(parts[0]);
      outcomes += parts[0] ? "a" : "z";
      await reopened.close();
    }
    expect(outcomes).toMatch(/^a+z+$/);
  });

  it.each(["before the purge", "during the purge"])(
    "is not named again by a message to a channel that was claimed %s",
    async (when) => {
      const [, person] = PEOPLE as [Person, Person];
      const channel = { ...GENERAL, platform: person.platform };
      const mention = `<@${localId(person)}>`;
      const dir = await folders.make();
      const store = await openIn(dir);
      const delivery = { ...deliveryOf(announced("s1"), channel), mentions: [mention] };
      await store.snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [delivery] });
      const claim = (): ReturnType<typeof claimAll> => claimAll(store, { platforms: [person.platform] });
      const early = when === "before the purge" ? await claim() : [];
      const purge = store.purgePerson(person);
      expect([...early, ...(await claim())]).toHaveLength(1);
      await purge;

      const rendered = attemptOf("m1", [delivery], { body: { text: `${mention} ACME` } });
      for (const state of ["ready", "sending", "uncertain"] as const) {
        await store.outbox.saveAttempt({ ...rendered, state });
        expect((await store.outbox.attemptAt(channel))?.body).toEqual({ text: "<@(deleted person)> ACME" });
      }
      await store.prune(0);
      expect(await filesNaming(dir, person)).toEqual([]);

      await store.outbox.release(channel);
      await store.outbox.saveAttempt({ ...rendered, body: { text: `${mention} again` }, state: "ready" });
      expect((await store.outbox.attemptAt(channel))?.body).toEqual({ text: `${mention} again` });
      await store.close();
    },
  );

  it("is purged by a second attempt if the disk was full during the first", async () => {
    const [person] = PEOPLE as [Person];
    const dir = await folders.make();
    const disk = new FillableDisk(realDisk);
    const store = await openIn(dir, { disk });
    await fill(store, person);
    disk.free = 400;
    await expect(store.purgePerson(person)).rejects.toThrow(/cannot write/);
    disk.free = Number.POSITIVE_INFINITY;
    await store.purgePerson(person);
    await store.close();
    expect(await filesNaming(dir, person)).toEqual([]);
  });

  it.each([100, 300, 490])("keeps what they add after a purge that failed with %i bytes left", async (left) => {
    const [person] = PEOPLE as [Person];
    const dir = await folders.make();
    const disk = new FillableDisk(realDisk);
    const store = await openIn(dir, { disk });
    await store.watchlists.add(person, [ticker("ACME")]);
    disk.free = left;
    await expect(store.purgePerson(person)).rejects.toThrow(/cannot write/);
    disk.free = 0;
    await expect(store.watchlists.add(person, [ticker("BETA")])).rejects.toThrow(/cannot write/);
    disk.free = Number.POSITIVE_INFINITY;
    const token = await store.calendars.tokenOf(person);
    await store.destinationSettings.change(person, { digest: true });
    await store.watchlists.add(person, [ticker("BETA")]);
    await store.rules.add({ ...aRule({ destination: person }), createdBy: person });
    await store.imports.save(aPendingImport("i1", { person }), T0);

    const again = await openIn(await folders.copyOf(dir));
    expect({
      watchlist: await again.watchlists.of(person),
      rules: (await again.rules.at(person)).length,
      digest: (await again.destinationSettings.of(person)).digest,
      token: await again.calendars.tokenOf(person),
      import: (await again.imports.find("i1"))?.id,
    }).toEqual({ watchlist: ["BETA"], rules: 1, digest: true, token, import: "i1" });
    await Promise.all([again.close(), store.close()]);
  });

  it.each<[string, (store: Store, person: Person) => Promise<unknown>]>([
    ["an import is kept", (store, person) => store.imports.save(aPendingImport("i2", { person }), T0)],
    [
      "an earlier import is applied",
      (store, person) => store.imports.transition(aPendingImport("i1", { person, state: "applying" }), "shown"),
    ],
    [
      "an earlier rule is replaced",
      (store, person) => store.rules.replace(1, { ...aRule({ destination: person }), createdBy: person }),
    ],
  ])("is gone before %s, if the purge failed", async (_, change) => {
    const [person] = PEOPLE as [Person];
    const dir = await folders.make();
    const disk = new FillableDisk(realDisk);
    const store = await openIn(dir, { disk });
    await store.rules.add({ ...aRule({ destination: person, tickers: [ticker("ACME")] }), createdBy: person });
    await store.imports.save(aPendingImport("i1", { person }), T0);
    disk.free = 150;
    await expect(store.purgePerson(person)).rejects.toThrow(/cannot write/);
    disk.free = Number.POSITIVE_INFINITY;
    await change(store, person);
    expect([await store.rules.at(person), await store.imports.find("i1")]).toEqual([[], null]);
    const added = await store.imports.find("i2");

    const again = await openIn(await folders.copyOf(dir));
    expect(await again.imports.find("i2")).toEqual(added);
    await Promise.all([again.close(), store.close()]);
  });
});
