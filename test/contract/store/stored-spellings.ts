import { expect, it } from "vitest";
import type { Announced } from "../../../src/domain/alert/event.ts";
import { selectorsIn } from "../../../src/domain/alert/match.ts";
import type { SplitRecord } from "../../../src/domain/split/split.ts";
import type { Ticker } from "../../../src/domain/split/ticker.ts";
import { ALICE, aKnownArticle, aRecord, aRule, BOB, exchange, GENERAL, ticker } from "../../support/builders.ts";
import { membersOf } from "../../support/pages.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, announced, commitOne, listedSplit, patchOf } from "../store-builders.ts";

/** A ticker as an earlier version stored it. */
const stored = (text: string): Ticker => text as Ticker;

const HARL = ticker("HARL.A");
const SPELLINGS = ["HARL-A", "HARL/A", "HARL.A"].map(stored);

function eventOn(record: SplitRecord): Announced {
  return { ...announced("h1"), record };
}

export function describeStoredSpellings(use: CurrentStore, restart: Restart): void {
  it("of a watchlist mean one ticker, which is found, not added again, and removed", async () => {
    await use().watchlists.add(ALICE, SPELLINGS.slice(0, 1));
    await use().watchlists.add(BOB, SPELLINGS.slice(1, 2));
    const selectors = [...selectorsIn(eventOn(aRecord({ ticker: "HARL.A" })))];
    for await (const { watchlists } of acrossRestart(use, restart)) {
      expect(await watchlists.of(ALICE)).toEqual([HARL]);
      const watchers = await membersOf(watchlists.watchersOf(selectors));
      expect(new Set(watchers.map(({ person }) => person.id))).toEqual(new Set([ALICE.id, BOB.id]));
      expect(await watchlists.add(ALICE, [HARL])).toEqual([]);
    }
    expect(await use().watchlists.remove(ALICE, [HARL])).toEqual([HARL]);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([]);
    expect(await use().watchlists.count()).toMatchObject({ people: 1 });
  });

  it.each(SPELLINGS)("of a rule select the events of the ticker: %s", async (spelling) => {
    await use().rules.add(aRule({ tickers: [spelling] }));
    for await (const { rules } of acrossRestart(use, restart))
      expect(await membersOf(rules.candidates([eventOn(aRecord({ ticker: "HARL.A" }))]))).toHaveLength(1);
  });

  it.each(SPELLINGS)("of an event are found in the history of the ticker: %s", async (spelling) => {
    await commitOne(use(), eventOn({ ...aRecord(), ticker: spelling }), GENERAL);
    for await (const { history } of acrossRestart(use, restart))
      expect(await history.forTicker(HARL, [GENERAL])).toHaveLength(1);
  });

  it("of a snapshot are read in the canonical form, with the symbol as it was listed", async () => {
    const split = listedSplit("s1");
    const record = { ...split.record, ticker: stored("HARL-A") };
    const concerns = [
      { ticker: stored("HARL/A"), exchange: record.exchange },
      { ticker: stored("OAKR.TO"), exchange: null },
    ];
    await use().snapshot.commit({
      patch: patchOf({ splits: [{ ...split, record }], articles: [aKnownArticle({ concerns, terms: [] })] }),
      events: [],
      deliveries: [],
    });
    const { splits, articles } = await (await restart()).snapshot.read();
    expect([...splits.values()].map((one) => one.record)).toEqual([{ ...record, ticker: HARL, symbol: "HARL-A" }]);
    expect([...articles.values()].flatMap((article) => article.concerns)).toEqual([
      { ticker: HARL, exchange: record.exchange },
      { ticker: ticker("OAKR"), exchange: exchange("TSX") },
    ]);
  });
}
