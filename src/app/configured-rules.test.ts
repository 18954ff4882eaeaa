import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { ALICE, aRecord, aRule, GENERAL, ticker } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { rulesOf } from "../chat/configured-rules.ts";
import type { Announced, EventId } from "../domain/alert/event.ts";
import { NO_EVIDENCE } from "../domain/alert/event.ts";
import { DEFAULT_FILTER } from "../domain/settings/rule.ts";
import type { SplitId } from "../domain/split/split.ts";
import { collect } from "../lib/collections.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { PAGE_SIZE, type Store } from "../ports/store.ts";
import { configuredStore } from "../store/index.ts";
import { withConfiguredRules } from "./configured-rules.ts";

const OUTSIDE = { platform: "carrier", kind: "channel", id: "loft" } as const;
const CONFIGURED = rulesOf(OUTSIDE, [DEFAULT_FILTER, { ...DEFAULT_FILTER, tickers: [ticker("ACME")] }]);

const EVENT: Announced = {
  kind: "announced",
  id: "ACME.1" as EventId,
  at: 0,
  sample: false,
  splitId: "ACME" as SplitId,
  record: aRecord(),
  ...NO_EVIDENCE,
  alreadyEffective: false,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: Store;
let store: Store;

beforeEach(async () => {
  folder = await temporaryFolder();
  stored = await configuredStore({ dataDir: folder.path }).open({ clock: new ManualClock(), log: SILENT_LOG });
  store = withConfiguredRules(stored, CONFIGURED);
});

afterEach(async () => {
  await stored.close();
  await folder.remove();
});

describe("the rules of the configuration", () => {
  it("are found with the stored rules, and are not stored", async () => {
    await store.rules.add(aRule());
    const candidates = (await collect(store.rules.candidates([EVENT]))).flat();
    expect(candidates.map(({ destination }) => destination)).toEqual([GENERAL, OUTSIDE, OUTSIDE]);
    expect(await store.rules.at(OUTSIDE)).toEqual(CONFIGURED);
    expect(await store.rules.at(GENERAL)).toHaveLength(1);
    expect(await store.rules.destinations("carrier")).toEqual([OUTSIDE]);
    expect(await store.rules.destinations("web")).toEqual([GENERAL]);
    expect([await store.rules.count(), await stored.rules.count()]).toEqual([3, 1]);
  });

  it("don't change which destinations a prefix selects", async () => {
    const others = ["1000/1", "2000/1"].map((id) => ({ platform: "carrier", kind: "channel", id }) as const);
    for (const destination of others) await store.rules.add(aRule({ destination }));
    expect(await store.rules.destinations("carrier", "1000/")).toEqual([others[0]]);
    expect(await store.rules.destinations("carrier", "lo")).toEqual([OUTSIDE]);
  });

  it("are read in pages", async () => {
    const many = withConfiguredRules(stored, rulesOf(OUTSIDE, Array(PAGE_SIZE + 1).fill(DEFAULT_FILTER)));
    const pages = await collect(many.rules.candidates([EVENT]));
    expect(pages.map(({ length }) => length)).toEqual([PAGE_SIZE, 1]);
  });

  it("are on one page of the operator's list", async () => {
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
    const added = await store.rules.add(aRule());
    expect(await store.rules.countCreatedBy(ALICE)).toBe(1);
    expect(await store.rules.replace(1, aRule({ minRatio: 20 }))).toMatchObject({ kind: "replaced" });
    expect(added.kind).toBe("added");
    expect(await store.rules.remove(GENERAL, [1])).toMatchObject([{ minRatio: 20 }]);
    expect(await stored.rules.count()).toBe(0);
  });

  it("change nothing if there are none", () => {
    expect(withConfiguredRules(stored, [])).toBe(stored);
  });
});
