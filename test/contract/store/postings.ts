import { expect, it } from "vitest";
import type { Destination } from "../../../src/domain/alert/destination.ts";
import { ALICE, BOB, GENERAL } from "../../support/builders.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { CurrentStore, Restart, Second } from "../store-builders.ts";
import { acrossRestart, aPosting, NEWS, REF, T0 } from "../store-builders.ts";

export function describePostings(use: CurrentStore, restart: Restart, openSecond?: Second): void {
  it("are numbered, found by message id and kept", async () => {
    const draft = aPosting("m1", { replyTo: REF, body: { cards: [{ title: "ACME – “1-for-20”" }] } });
    const posting = await use().postings.post(draft);
    expect(posting).toEqual({ ...draft, number: posting.number });
    const second = await use().postings.post(aPosting("m2"));
    expect(second.number).toBeGreaterThan(posting.number);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.postings.find("m1")).toEqual(posting);
      expect(await store.postings.find("m9")).toBeNull();
    }
  });

  it("are stored once per message id, also after a restart", async () => {
    const [first, again] = await Promise.all([
      use().postings.post(aPosting("m1", { body: "first" })),
      use().postings.post(aPosting("m1", { body: "again" })),
    ]);
    const store = await restart();
    const late = await store.postings.post(aPosting("m1", { body: "late", at: T0 + 9 }));

    expect(again).toEqual(first);
    expect(late).toEqual(first);
    expect(await store.postings.list({ to: [GENERAL], after: 0, limit: 10 })).toEqual([first]);
  });

  it("are listed for the given destinations: the newest up to the limit, oldest first", async () => {
    const made = [];
    for (const [n, to] of [GENERAL, ALICE, NEWS, GENERAL, ALICE, GENERAL].entries())
      made.push(await use().postings.post(aPosting(`m${n}`, { to })));

    for await (const store of acrossRestart(use, restart)) {
      const list = async (to: Destination[], after: number, limit: number): Promise<readonly string[]> =>
        (await store.postings.list({ to, after, limit })).map((posting) => posting.messageId);
      expect(await list([GENERAL, ALICE], 0, 10)).toEqual(["m0", "m1", "m3", "m4", "m5"]);
      expect(await list([GENERAL, ALICE, GENERAL], 0, 2)).toEqual(["m4", "m5"]);
      expect(await list([GENERAL], made[3]?.number ?? 0, 10)).toEqual(["m5"]);
      expect(await list([GENERAL], made[5]?.number ?? 0, 10)).toEqual([]);
      expect(await list([BOB], 0, 10)).toEqual([]);
      expect(await list([GENERAL], 0, 0)).toEqual([]);
    }
  });

  it("are counted by the beginning of their message ids and their age", async () => {
    for (const [messageId, at] of [
      ["a-1", T0],
      ["a-2", T0 + 5],
      ["b-a-", T0 + 5],
    ] as const)
      await use().postings.post(aPosting(messageId, { at }));
    for await (const store of acrossRestart(use, restart)) {
      const counts = [["a-", 0] as const, ["a-", T0 + 5] as const, ["a-", T0 + 6] as const, ["%", 0] as const];
      expect(await Promise.all(counts.map(([prefix, since]) => store.postings.count(prefix, since)))).toEqual([
        2, 1, 0, 0,
      ]);
    }
  });

  it("are counted without those that were deleted", async () => {
    const post = (messageId: string, at: number): Promise<unknown> => use().postings.post(aPosting(messageId, { at }));
    for (const [index, at] of [T0, T0 + 9, T0 + 5, T0 + 5].entries()) await post(`a-${index}`, at);
    expect(await use().postings.count("a-", T0 + 5)).toBe(3);
    expect(await use().postings.count("a-0", 0)).toBe(1);

    await use().prune(T0 + 6);
    await post("a-4", T0 + 7);
    await post("a-4", T0 + 8);
    expect(await use().postings.count("a-", 0)).toBe(2);
    expect(await use().postings.count("a-", T0 + 8)).toBe(1);
    expect(await use().postings.count("a-0", 0)).toBe(0);
  });

  it("are reported to listeners with their destination, until a listener is removed", async () => {
    const reported: (Destination | null)[] = [];
    const remove = use().postings.onPosted((to) => reported.push(to));
    await use().postings.post(aPosting("m1"));
    await waitUntil("the posting is reported", async () => reported.length > 0);
    expect(reported).toEqual([GENERAL]);

    remove();
    const last = Promise.withResolvers<void>();
    use().postings.onPosted((to) => to?.id === ALICE.id && last.resolve());
    await use().postings.post(aPosting("m2", { to: ALICE }));
    await last.promise;
    expect(reported).toEqual([GENERAL]);
  });

  if (!openSecond) return;

  it("are reported to the listeners of other processes, which read them under increasing numbers", async () => {
    const other = await openSecond();
    const reported = Promise.withResolvers<void>();
    other.postings.onPosted(() => reported.resolve());
    const first = await use().postings.post(aPosting("m1"));
    await reported.promise;
    const again = await other.postings.post(aPosting("m1", { body: "again" }));
    const next = await other.postings.post(aPosting("m2"));

    expect(again).toEqual(first);
    expect(next.number).toBeGreaterThan(first.number);
    expect(await use().postings.list({ to: [GENERAL], after: first.number, limit: 10 })).toEqual([next]);
  });
}
