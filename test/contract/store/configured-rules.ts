import { expect, it } from "vitest";
import { rulesOf } from "../../../src/chat/configured-rules.ts";
import type { Rule } from "../../../src/domain/settings/rule.ts";
import { DEFAULT_FILTER } from "../../../src/domain/settings/rule.ts";
import { collect } from "../../../src/lib/collections.ts";
import { PAGE_SIZE, type Store } from "../../../src/ports/store.ts";
import { ALICE, aRule, GENERAL, ticker } from "../../support/builders.ts";
import { announced, type CurrentStore, type Restart } from "../store-builders.ts";

const OUTSIDE = { platform: "carrier", kind: "channel", id: "loft" } as const;
const CONFIGURED = rulesOf(OUTSIDE, [DEFAULT_FILTER, { ...DEFAULT_FILTER, tickers: [ticker("ACME")] }]);

async function candidatesIn({ rules }: Store): Promise<readonly (readonly Rule[])[]> {
  return collect(rules.candidates([announced("s1")]));
}

export function describeConfiguredRules(use: CurrentStore, restart: Restart): void {
  it("are found with the stored rules, and are not stored", async () => {
    await use().rules.add(aRule());
    const store = await restart(CONFIGURED);
    expect((await candidatesIn(store)).flat().map(({ destination }) => destination)).toEqual([
      GENERAL,
      OUTSIDE,
      OUTSIDE,
    ]);
    expect(await store.rules.at(OUTSIDE)).toEqual(CONFIGURED);
    expect(await store.rules.at(GENERAL)).toHaveLength(1);
    expect(await store.rules.destinations("carrier")).toEqual([OUTSIDE]);
    expect(await store.rules.destinations("web")).toEqual([GENERAL]);
    expect(await store.rules.count()).toBe(3);

    const without = await restart();
    expect([await without.rules.count(), await without.rules.at(OUTSIDE)]).toEqual([1, []]);
    expect((await candidatesIn(without)).flat()).toHaveLength(1);
  });

  it("don't change which destinations a prefix selects", async () => {
    const store = await restart(CONFIGURED);
    const others = ["1000/1", "2000/1"].map((id) => ({ platform: "carrier", kind: "channel", id }) as const);
    for (const destination of others) await store.rules.add(aRule({ destination }));
    expect(await store.rules.destinations("carrier", "1000/")).toEqual([others[0]]);
    expect(await store.rules.destinations("carrier", "lo")).toEqual([OUTSIDE]);
  });

  it("are read in pages", async () => {
    const store = await restart(rulesOf(OUTSIDE, Array(PAGE_SIZE + 1).fill(DEFAULT_FILTER)));
    expect((await candidatesIn(store)).map(({ length }) => length)).toEqual([PAGE_SIZE, 1]);
  });

  it("are on one page of the operator's list", async () => {
    const store = await restart(CONFIGURED);
    const channels = ["anchor", "dock", "pier"].map((id) => ({ platform: "carrier", kind: "channel", id }) as const);
    for (const destination of channels) await store.rules.add(aRule({ destination }));
    const request = { destination: null, after: null, limit: 2 };
    const first = await store.inspection.channelRules(request);
    const last = await store.inspection.channelRules({ ...request, after: first.next });
    const ids = [first, last].map(({ items }) => items.map(({ to }) => to.id));
    expect([ids, last.next]).toEqual([
      [
        ["anchor", "dock"],
        ["loft", "pier"],
      ],
      null,
    ]);
    const found = await store.inspection.channelRules({ ...request, destination: "LOFT" });
    expect(found.items).toEqual([{ to: OUTSIDE, rules: CONFIGURED }]);
    expect((await store.inspection.channelRules({ ...request, destination: "pier" })).items).toHaveLength(1);
  });

  it("leave the stored rules as they are", async () => {
    const { rules } = await restart(CONFIGURED);
    expect(await rules.add(aRule())).toMatchObject({ kind: "added" });
    expect(await rules.countCreatedBy(ALICE)).toBe(1);
    expect(await rules.replace(1, aRule({ minRatio: 20 }))).toMatchObject({ kind: "replaced" });
    expect(await rules.remove(GENERAL, [1])).toMatchObject([{ minRatio: 20 }]);
    expect(await rules.count()).toBe(CONFIGURED.length);
  });
}
