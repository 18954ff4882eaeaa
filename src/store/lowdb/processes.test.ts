import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { announced, commitOne } from "../../../test/contract/store-builders.ts";
import { ALICE, ticker } from "../../../test/support/builders.ts";
import { CompiledStore, type StoreProcess } from "../../../test/support/compiled-store.ts";
import { openIn, StoreFolders } from "../../../test/support/store-folder.ts";
import { countSystemSleeps } from "../../../test/support/system-sleeps.ts";
import type { DeliveryId } from "../../domain/alert/delivery.ts";
import { type Store, StoreError } from "../../ports/store.ts";

const folders = new StoreFolders();
let compiled: CompiledStore;

beforeAll(async () => {
  compiled = await CompiledStore.compile();
});

afterEach(() => folders.removeAll());

afterAll(() => compiled.remove());

const HOLDING = `
await openStore(dir, args[0]);
say("open");
setInterval(quiet, 60_000);
`;

/** Program that writes endlessly and prints each acknowledged write. */
const WRITING = `
const store = await openStore(dir);
const person = (n) => ({ platform: "web", kind: "person", id: "p" + n });
const write = async (n) => {
  const to = person(n % 7);
  const event = { id: "e" + n, at: n, sample: false, kind: "test", askedBy: "nobody" };
  const delivery = { id: event.id + ">web:person:" + to.id, eventId: event.id, to, reasons: [], mentions: [] };
  await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
  say("waits " + delivery.id);
  await store.watchlists.add(person(n), ["T" + (n % 1_000)]);
  say("watches " + n);
  await store.postings.post({ to, messageId: "p" + n, replyTo: null, body: "", at: n });
  say("posted " + n);
  if (n % 3 === 0) await store.prune(0);
};
for (let n = Number(args[0]); ; n += 4) await Promise.all([write(n), write(n + 1), write(n + 2), write(n + 3)]);
`;

describe("two processes with one DATA_DIR", () => {
  it("do not both run: the second is refused without waiting, with the name of the first", async () => {
    const dir = await folders.make();
    const first = await compiled.run(HOLDING, dir, "http://127.0.0.1:8080");
    await first.says(1);

    const sleptMs = countSystemSleeps({ timeouts: "never" });
    const refusal = openIn(dir);
    await expect(refusal).rejects.toThrow(StoreError);
    await expect(refusal).rejects.toThrow(
      `${dir} is in use by another splitwatch (pid ${first.pid}, http://127.0.0.1:8080)`,
    );
    expect(sleptMs()).toBe(0);
    await first.kill();
  });

  it("do not both run while the first is suspended: the second is refused after at most a second", async () => {
    const dir = await folders.make();
    const first = await compiled.run(HOLDING, dir);
    await first.says(1);
    first.signal("SIGSTOP");

    const sleptMs = countSystemSleeps({ timeouts: "real" });
    await expect(openIn(dir)).rejects.toThrow(`pid ${first.pid}`);
    expect(sleptMs()).toBeLessThan(1_000);
    await first.kill();
  });

  it("may follow each other without waiting after a kill -9", async () => {
    const dir = await folders.make();
    const first = await compiled.run(HOLDING, dir);
    await first.says(1);
    await first.kill();

    const sleptMs = countSystemSleeps({ timeouts: "never" });
    const store = await openIn(dir);
    expect(sleptMs()).toBe(0);
    await store.close();
  });
});

describe("a process that is killed while it writes", () => {
  it("keeps every acknowledged write", async () => {
    const dir = await folders.make();
    const promised = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const child: StoreProcess = await compiled.run(WRITING, dir, String(round * 100_000));
      await child.says(40 + round * 37);
      for (const line of await child.kill()) promised.add(line);
    }
    expect(promised.size).toBeGreaterThan(1_000);

    const store = await openIn(dir);
    const kept = await Promise.all([...promised].map(async (line) => [line, await keeps(store, line)] as const));
    expect(kept.filter(([, is]) => !is)).toEqual([]);
    const delivery = await commitOne(store, announced("s1"), ALICE);
    expect(await store.outbox.outcome(delivery.id)).not.toBeNull();
    await store.close();
  });
});

async function keeps(store: Store, promise: string): Promise<boolean> {
  const [kind, what = ""] = promise.split(" ");
  if (kind === "waits") return (await store.outbox.outcome(what as DeliveryId))?.kind === "waiting";
  if (kind === "posted") return (await store.postings.find(`p${what}`)) !== null;
  const watched = await store.watchlists.of({ ...ALICE, id: `p${what}` });
  return watched.includes(ticker(`T${Number(what) % 1_000}`));
}
