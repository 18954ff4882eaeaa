import { expect, it } from "vitest";
import { destinationKey } from "../../../src/domain/alert/destination.ts";
import type { MatchableEvent } from "../../../src/domain/alert/event.ts";
import { explainMismatch } from "../../../src/domain/alert/match.ts";
import type { Rule } from "../../../src/domain/settings/rule.ts";
import type { SplitRecord } from "../../../src/domain/split/split.ts";
import { PAGE_SIZE } from "../../../src/ports/store.ts";
import { ALICE, aRule, aSplit, BOB, exchange, GENERAL, ticker } from "../../support/builders.ts";
import { announcedEvent } from "../../support/command-bench.ts";
import { membersOf } from "../../support/pages.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, NEWS, T0 } from "../store-builders.ts";

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
    expect(await store.rules.count()).toBe(3);
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

    expect(added.map(({ kind }) => kind).toSorted()).toEqual(["added", "known"]);
    const first = added[0]?.kind === "added" ? draft : again;
    expect(await use().rules.add(again)).toEqual({ kind: "known", rule: { ...first, number: 1 } });
    expect(await use().rules.add({ ...draft, mention: "<@&7>" })).toMatchObject({ kind: "added" });
    expect(await use().rules.add({ ...draft, destination: NEWS })).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(2);
  });

  it("are limited per destination, also when many are added simultaneously", async () => {
    const added = await Promise.all([1, 2, 3, 4].map((minRatio) => use().rules.add(aRule({ minRatio }), 3)));

    expect(added.map(({ kind }) => kind).toSorted()).toEqual(["added", "added", "added", "full"]);
    const known = added.findIndex(({ kind }) => kind === "added") + 1;
    expect(await use().rules.add(aRule({ minRatio: known }), 3)).toMatchObject({ kind: "known" });
    expect(await use().rules.add(aRule({ destination: NEWS }), 3)).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(3);
  });

  it("are returned when they are removed, from the given destination only", async () => {
    await use().rules.add(aRule());
    await use().rules.add(aRule({ destination: NEWS }));

    expect(await use().rules.remove(GENERAL, [1, 7])).toEqual([{ ...aRule(), number: 1 }]);
    expect(await use().rules.remove(GENERAL, [1])).toEqual([]);
    const { rules } = await restart();
    expect(await rules.at(GENERAL)).toEqual([]);
    expect(await rules.at(NEWS)).toEqual([{ ...aRule({ destination: NEWS }), number: 1 }]);
    expect(await rules.count()).toBe(1);
  });

  it("are counted by the people who created them for channels", async () => {
    await use().rules.add(aRule());
    await use().rules.add(aRule({ destination: NEWS, minRatio: 5 }));
    await use().rules.add(aRule({ destination: ALICE }));
    await use().rules.add({ ...aRule({ minRatio: 9 }), createdBy: BOB });

    for await (const { rules } of acrossRestart(use, restart)) {
      expect(await rules.countCreatedBy(ALICE)).toBe(2);
      expect(await rules.countCreatedBy({ ...ALICE, platform: "other" })).toBe(0);
    }
  });

  it("list the destinations of a platform that have rules", async () => {
    const other = { platform: "other", kind: "channel", id: "c1" } as const;
    for (const destination of [GENERAL, NEWS, other, ALICE]) await use().rules.add(aRule({ destination }));
    await use().rules.add(aRule({ minRatio: 5 }));
    await use().rules.remove(NEWS, [1]);

    for await (const { rules } of acrossRestart(use, restart)) {
      expect((await rules.destinations("other")).map(destinationKey)).toEqual([destinationKey(other)]);
      expect(new Set((await rules.destinations("web")).map(destinationKey))).toEqual(
        new Set([GENERAL, ALICE].map(destinationKey)),
      );
      expect((await rules.destinations("web", "gen")).map(destinationKey)).toEqual([destinationKey(GENERAL)]);
      expect(await rules.destinations("web", "gem")).toEqual([]);
    }
  });

  it("include those that match an event in its candidates, after each change", async () => {
    const numbers = async (event: MatchableEvent): Promise<readonly number[]> => {
      const rules = await membersOf(use().rules.candidates([event]));
      return rules.flatMap((rule) => (explainMismatch(rule, event) === null ? rule.number : []));
    };
    const event = announcedEvent(aSplit({ ticker: "ACME", exchange: "NASDAQ", ratio: "1:20" }));
    for (const filter of [
      { tickers: [ticker("ACME")] },
      { tickers: [ticker("BETA")] },
      { exchanges: [exchange("NASDAQ")] },
      { exchanges: [exchange("NYSE")] },
      { minRatio: 30 },
      {},
    ])
      await use().rules.add(aRule(filter));
    expect(await numbers(event)).toEqual([1, 3, 6]);

    await use().rules.replace(2, aRule({ tickers: [ticker("ACME")], minRatio: 20 }));
    await use().rules.replace(3, aRule({ exchanges: [exchange("OTC")] }));
    await use().rules.remove(GENERAL, [6]);
    expect(await numbers(event)).toEqual([1, 2]);

    await restart();
    expect(await numbers(event)).toEqual([1, 2]);
  });

  it("are candidates by destination, in order of their numbers, in pages of at most 1,000", async () => {
    const ids = Array.from({ length: PAGE_SIZE / 2 + 1 }, (_, n) => `c${n}`);
    const all = ids.flatMap((id) => [3, 2].map((minRatio) => aRule({ destination: { ...GENERAL, id }, minRatio })));
    await Promise.all(all.map((draft) => use().rules.add(draft)));

    const rules: Rule[] = [];
    for await (const page of use().rules.candidates([announcedEvent(aSplit())])) {
      expect(page.length).toBeLessThanOrEqual(PAGE_SIZE);
      rules.push(...page);
    }
    const pairs = rules.flatMap((rule, index) => (index % 2 === 0 ? [[rule, rules[index + 1]]] : []));
    expect(pairs.map((pair) => pair.map((rule) => rule?.number))).toEqual(ids.map(() => [1, 2]));
    expect(pairs.every(([a, b]) => a?.destination.id === b?.destination.id)).toBe(true);
    expect(new Set(rules.map(({ destination }) => destination.id)).size).toBe(ids.length);
  });

  it("are candidates of any number of events", async () => {
    await use().rules.add(aRule({ tickers: [ticker("T5999"), ticker("T0")] }));
    const event = announcedEvent(aSplit());
    const recordOf = (n: number): SplitRecord => ({
      ...event.record,
      ticker: ticker(`T${n}`),
      exchange: exchange("TSX"),
    });
    const events = Array.from({ length: 6_000 }, (_, n) => ({ ...event, record: recordOf(n) }));
    expect(await membersOf(use().rules.candidates(events))).toHaveLength(1);
    expect(await use().rules.candidates([])[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
  });
}
