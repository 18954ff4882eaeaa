import { expect, it } from "vitest";
import { ALICE, aRule, BOB, GENERAL, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { NEWS, T0 } from "../store-builders.ts";

export function describeRules(use: CurrentStore, restart: Restart): void {
  it("are numbered from 1 at each destination, and survive a restart unchanged", async () => {
    const draft = aRule({ tickers: [ticker("ACME")], minRatio: 20, mention: "<@&7>" });
    expect(await use().rules.add(draft)).toEqual({ kind: "added", rule: { ...draft, number: 1 } });
    expect(await use().rules.add(aRule())).toMatchObject({ rule: { number: 2 } });
    expect(await use().rules.add(aRule({ destination: NEWS }))).toMatchObject({ rule: { number: 1 } });

    const store = await restart();
    expect(await store.rules.at(GENERAL)).toEqual([
      { ...draft, number: 1 },
      { ...aRule(), number: 2 },
    ]);
    expect(await store.rules.all()).toHaveLength(3);
    expect(await store.rules.at(ALICE)).toEqual([]);
  });

  it("get numbers that were never used at the destination, and are listed in order", async () => {
    for (const minRatio of [2, 3, 4]) await use().rules.add(aRule({ minRatio }));
    await use().rules.remove(GENERAL, [1, 3]);
    await restart();
    await use().rules.add(aRule({ minRatio: 5 }));
    await use().rules.remove(GENERAL, [2, 4]);
    await use().rules.add(aRule({ minRatio: 6 }));
    await use().rules.add(aRule({ minRatio: 7 }));

    expect((await use().rules.at(GENERAL)).map((rule) => [rule.number, rule.minRatio])).toEqual([
      [5, 6],
      [6, 7],
    ]);
  });

  it("can be replaced and keep their number, but not by a duplicate", async () => {
    for (const minRatio of [2, 3]) await use().rules.add(aRule({ minRatio }));
    const draft = aRule({ tickers: [ticker("ACME")] });
    expect(await use().rules.replace(1, draft)).toEqual({
      kind: "replaced",
      before: { ...aRule({ minRatio: 2 }), number: 1 },
      rule: { ...draft, number: 1 },
    });
    expect(await use().rules.replace(1, aRule({ minRatio: 3 }))).toMatchObject({ kind: "known", rule: { number: 2 } });
    expect(await use().rules.replace(7, aRule({ minRatio: 9 }))).toEqual({ kind: "gone" });
    expect(await use().rules.replace(1, aRule({ destination: NEWS }))).toEqual({ kind: "gone" });

    const rules = await (await restart()).rules.at(GENERAL);
    expect(rules).toEqual([
      { ...draft, number: 1 },
      { ...aRule({ minRatio: 3 }), number: 2 },
    ]);
  });

  it("get different numbers when many are added simultaneously", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, minRatio) => use().rules.add(aRule({ minRatio }))));

    expect((await use().rules.at(GENERAL)).map((rule) => rule.number)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(20);
  });

  it("are stored once each, also when several people add the same rule simultaneously", async () => {
    const draft = aRule({ tickers: [ticker("ACME"), ticker("BETA")] });
    const again = { ...draft, tickers: draft.tickers.toReversed(), createdBy: BOB, createdAt: T0 + 1 };
    const added = await Promise.all([use().rules.add(draft), use().rules.add(again)]);

    expect(added.map(({ kind }) => kind)).toEqual(["added", "known"]);
    expect(await use().rules.add(again)).toEqual({ kind: "known", rule: { ...draft, number: 1 } });
    expect(await use().rules.add({ ...draft, mention: "<@&7>" })).toMatchObject({ kind: "added" });
    expect(await use().rules.add({ ...draft, destination: NEWS })).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(2);
  });

  it("are limited per destination, also when many are added simultaneously", async () => {
    const added = await Promise.all([1, 2, 3, 4].map((minRatio) => use().rules.add(aRule({ minRatio }), 3)));

    expect(added.map(({ kind }) => kind)).toEqual(["added", "added", "added", "full"]);
    expect(await use().rules.add(aRule({ minRatio: 1 }), 3)).toMatchObject({ kind: "known" });
    expect(await use().rules.add(aRule({ destination: NEWS }), 3)).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(3);
  });

  it("are returned when they are removed, from the given destination only", async () => {
    await use().rules.add(aRule());
    await use().rules.add(aRule({ destination: NEWS }));

    expect(await use().rules.remove(GENERAL, [1, 7])).toEqual([{ ...aRule(), number: 1 }]);
    expect(await use().rules.remove(GENERAL, [1])).toEqual([]);
    expect(await (await restart()).rules.all()).toEqual([{ ...aRule({ destination: NEWS }), number: 1 }]);
  });
}
