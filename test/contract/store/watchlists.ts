import { expect, it } from "vitest";
import { PAGE_SIZE } from "../../../src/ports/store.ts";
import { ALICE, BOB, ticker } from "../../support/builders.ts";
import { membersOf } from "../../support/pages.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart } from "../store-builders.ts";

export function describeWatchlists(use: CurrentStore, restart: Restart): void {
  const [ACME, BETA, ZETA] = [ticker("ACME"), ticker("BETA"), ticker("ZETA")];

  it("return the added tickers, and are read in alphabetical order", async () => {
    expect(await use().watchlists.add(ALICE, [ZETA, ACME, ZETA])).toEqual([ZETA, ACME]);
    expect(await use().watchlists.add(ALICE, [BETA, ACME])).toEqual([BETA]);
    expect(await use().watchlists.add(ALICE, [ACME])).toEqual([]);
    expect(await use().watchlists.add(ALICE, [])).toEqual([]);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.watchlists.of(ALICE)).toEqual([ACME, BETA, ZETA]);
      expect(await store.watchlists.of(BOB)).toEqual([]);
    }
  });

  it("return the removed tickers", async () => {
    await use().watchlists.add(ALICE, [ACME, BETA]);

    expect(await use().watchlists.remove(ALICE, [ZETA, ACME, ACME])).toEqual([ACME]);
    expect(await use().watchlists.remove(BOB, [ACME])).toEqual([]);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([BETA]);
  });

  it("are limited in size, also when many tickers are added simultaneously", async () => {
    const added = await Promise.all([[ACME], [BETA, ACME, ZETA]].map((some) => use().watchlists.add(ALICE, some, 2)));

    expect(added.flat().toSorted()).toEqual([ACME, BETA]);
    expect(await use().watchlists.add(ALICE, [ZETA], 2)).toEqual([]);
    expect(await use().watchlists.add(ALICE, [ZETA], 1)).toEqual([]);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([ACME, BETA]);
  });

  it("are found by ticker", async () => {
    const carol = { platform: "other", kind: "person", id: "a:b::c" } as const;
    await use().watchlists.add(ALICE, [ACME, BETA]);
    await use().watchlists.add(carol, [ACME]);
    await use().watchlists.add(BOB, [ACME]);
    await use().watchlists.remove(BOB, [ACME]);

    for await (const store of acrossRestart(use, restart)) {
      const watchers = await membersOf(store.watchlists.watchersOf([ACME, ZETA, BETA, ACME]));
      expect(watchers).toHaveLength(3);
      expect(watchers).toEqual(
        expect.arrayContaining([
          { person: ALICE, ticker: ACME },
          { person: carol, ticker: ACME },
          { person: ALICE, ticker: BETA },
        ]),
      );
    }
  });

  it("are read in pages of at most 1,000 watchers, without people who stopped watching since the last page", async () => {
    const people = Array.from({ length: PAGE_SIZE + 1 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.map((person) => use().watchlists.add(person, [ACME])));

    const watchers = await membersOf(use().watchlists.watchersOf([ACME]));
    expect(watchers.map(({ person }) => person.id).toSorted()).toEqual(people.map(({ id }) => id).toSorted());
    const lengths: number[] = [];
    for await (const page of use().watchlists.watchersOf([ACME])) {
      if (lengths.length === 0) await Promise.all(people.map((person) => use().watchlists.remove(person, [ACME])));
      lengths.push(page.length);
    }
    expect(lengths).toEqual([PAGE_SIZE]);
  });

  it("are counted by people and by different tickers", async () => {
    expect(await use().watchlists.count()).toEqual({ people: 0, tickers: 0 });
    await use().watchlists.add(ALICE, [ACME, BETA]);
    await use().watchlists.add(BOB, [ACME]);

    for await (const store of acrossRestart(use, restart))
      expect(await store.watchlists.count()).toEqual({ people: 2, tickers: 2 });
    await use().watchlists.remove(ALICE, [ACME, BETA]);
    expect(await use().watchlists.count()).toEqual({ people: 1, tickers: 1 });
    expect(await (await restart()).watchlists.count()).toEqual({ people: 1, tickers: 1 });
  });

  it("are counted in pages", async () => {
    const numbers = Array.from({ length: 2 * PAGE_SIZE }, (_, n) => ticker(`T${n}`));
    await use().watchlists.add(ALICE, numbers);
    expect(await use().watchlists.count()).toEqual({ people: 1, tickers: 2 * PAGE_SIZE });
    await use().watchlists.add(BOB, [ACME]);
    expect(await use().watchlists.count()).toEqual({ people: 2, tickers: 2 * PAGE_SIZE + 1 });
  });

  it("keep every one of many simultaneous changes", async () => {
    const people = Array.from({ length: 50 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.flatMap((person) => [ACME, BETA].map((one) => use().watchlists.add(person, [one]))));
    await Promise.all(people.map((person) => use().watchlists.remove(person, [ACME])));

    const store = await restart();
    expect(await store.watchlists.count()).toEqual({ people: 50, tickers: 1 });
    expect(await membersOf(store.watchlists.watchersOf([BETA]))).toHaveLength(50);
  });
}
