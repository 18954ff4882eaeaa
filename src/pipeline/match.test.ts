import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { anyEvents, anyFewFilter, FEW_TICKERS } from "../../test/support/any-event.ts";
import { ALICE, aRule, aSplit, BOB, exchange, GENERAL, ticker } from "../../test/support/builders.ts";
import { announcedEvent, countingCommands } from "../../test/support/command-bench.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { membersOf } from "../../test/support/pages.ts";
import type { Delivery } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey, isPerson, type Person } from "../domain/alert/destination.ts";
import { coversRelease, type Event, type MatchableEvent } from "../domain/alert/event.ts";
import { explainMismatch, isForWatchlists, tickersOf } from "../domain/alert/match.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import type { SplitId } from "../domain/split/split.ts";
import { compareText } from "../lib/collections.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { SnapshotChange, Store } from "../ports/store.ts";
import { configuredStore } from "../store/index.ts";
import { commitChanges } from "./commit.ts";
import { matchEvents } from "./match.ts";

const [ACME, BETA] = [ticker("ACME"), ticker("BETA")];
const PEOPLE: readonly Person[] = [ALICE, BOB];
const DESTINATIONS: readonly Destination[] = [GENERAL, { ...GENERAL, id: "news" }, BOB, ALICE];

let dir: string;
let store: Store;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "splitwatch-match-"));
  store = await configuredStore({ dataDir: dir }).open({ clock: new ManualClock(), log: SILENT_LOG });
});

afterEach(removeAll);

async function removeAll(): Promise<void> {
  for (const destination of await store.rules.destinations("web")) {
    const numbers = (await store.rules.at(destination)).map(({ number }) => number);
    await store.rules.remove(destination, numbers);
  }
  for (const person of PEOPLE) await store.watchlists.remove(person, FEW_TICKERS);
}

/** Number of the oldest rule, if there are several. */
async function oldest(destination: Destination): Promise<readonly number[]> {
  const [first, ...others] = await store.rules.at(destination);
  return first && others.length > 0 ? [first.number] : [];
}

afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

type Recipient = Pick<Delivery, "to" | "reasons" | "mentions">;

function recipientOf({ to, reasons, mentions }: Delivery): Recipient {
  return { to, reasons, mentions };
}

function sorted(recipients: readonly Recipient[]): readonly Recipient[] {
  return recipients.toSorted((a, b) => compareText(destinationKey(a.to), destinationKey(b.to)));
}

/** Recipients of one event, found by comparing it with every rule and watchlist. */
async function scan(event: MatchableEvent): Promise<readonly Recipient[]> {
  const recipients = await Promise.all(
    DESTINATIONS.map(async (to) => {
      const rules = (await store.rules.at(to)).filter((rule) => explainMismatch(rule, event) === null);
      const mentions = [...new Set(rules.flatMap(({ mention }) => mention ?? []))];
      const watched = isPerson(to) && isForWatchlists(event) ? await store.watchlists.of(to) : [];
      const isWatched = tickersOf(event).some((one) => watched.includes(one));
      return {
        to,
        reasons: [...rules.map(({ number }) => `rule ${number}`), ...(isWatched ? ["watchlist"] : [])],
        mentions,
      };
    }),
  );
  return recipients.filter(({ reasons }) => reasons.length > 0);
}

/** The recipients of each event, without those of its release who receive it as another event. */
async function scanAll(events: readonly MatchableEvent[]): Promise<readonly (readonly Recipient[])[]> {
  const found = await Promise.all(events.map(scan));
  return found.map((recipients, index) => {
    const covering = events.flatMap((other, at) =>
      coversRelease(events[index] as Event, other) ? (found[at] ?? []) : [],
    );
    const covered = new Set(covering.map(({ to }) => destinationKey(to)));
    return recipients.filter(({ to }) => !covered.has(destinationKey(to)));
  });
}

async function addRule(destination: Destination, filter: Partial<RuleFilter>, mention: string | null): Promise<void> {
  await store.rules.add(aRule({ destination, mention, ...filter }));
}

describe("matching through the index of rules", () => {
  it("finds what comparing every event with every rule and watchlist finds, rules in the same order", async () => {
    const anyRule = fc.tuple(fc.constantFrom(...DESTINATIONS), anyFewFilter, fc.constantFrom(null, "@desk", "@all"));
    const anyWatched = fc.tuple(fc.constantFrom(...PEOPLE), fc.subarray(FEW_TICKERS));
    let deliveries = 0;
    const property = fc
      .asyncProperty(fc.array(anyRule), fc.array(anyWatched), anyEvents, async (rules, watched, events) => {
        await Promise.all(rules.map((rule) => addRule(...rule)));
        for (const destination of DESTINATIONS) await store.rules.remove(destination, await oldest(destination));
        await Promise.all(watched.map(([person, tickers]) => store.watchlists.add(person, tickers)));
        const matcher = await matchEvents({ store, canReceive: () => true }, events);
        const matched = events.map((event) => matcher.deliveriesOf(event).map(recipientOf));
        const scanned = await scanAll(events);
        expect(matched.map(sorted)).toEqual(scanned.map(sorted));
        deliveries += matched.flat().length;
      })
      .afterEach(removeAll);
    await fc.assert(property, { numRuns: 60 });
    expect(deliveries).toBeGreaterThan(100);
  });

  it("reads each rule of destinations with a match once, however many others there are", async () => {
    const others = Array.from({ length: 200 }, (_, n) => ({ ...GENERAL, id: `c${n}` }));
    const filters = [{ exchanges: [exchange("NYSE")] }, { tickers: [BETA] }, { events: ["missing" as const] }];
    await Promise.all(others.map((destination, n) => addRule(destination, filters[n % filters.length] ?? {}, null)));
    for (const filter of [{}, { tickers: [ACME] }]) await addRule(GENERAL, filter, null);
    const event = announcedEvent(aSplit({ ticker: "ACME", exchange: "NASDAQ", ratio: "1:20" }));
    expect(await membersOf(store.rules.candidates([event]))).toEqual(await store.rules.at(GENERAL));
  });
});

describe("a commit of many deliveries", () => {
  const EVENTS = 60;
  const CHANNELS = 50;

  it("reads history once per event and nothing per destination, and matches in slices", async () => {
    const channels = Array.from({ length: CHANNELS }, (_, n) => ({ ...GENERAL, id: `c${n}` }));
    await Promise.all(channels.map((destination) => addRule(destination, {}, null)));
    const calls = new Map<string, number>();
    const saved: Delivery[] = [];
    const snapshot = {
      ...store.snapshot,
      commit: async ({ deliveries }: SnapshotChange) => void saved.push(...deliveries),
    };
    const turns = countTurns();
    // A millisecond passes with each look at the clock.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
    const matchedPerTurn = new Map<number, number>();
    const canReceive = (): boolean => {
      matchedPerTurn.set(turns.count(), (matchedPerTurn.get(turns.count()) ?? 0) + 1);
      return true;
    };
    const metrics = countingCommands([]);
    const parts = {
      store: { ...countCalls(store, calls), snapshot },
      log: SILENT_LOG,
      metrics,
      canReceive,
      wake: () => undefined,
    };
    const events = Array.from({ length: EVENTS }, (_, n) => announcedEvent(aSplit({}, { id: `s${n}` as SplitId })));
    await commitChanges(parts, { patch: null, events });
    turns.stop();
    vi.restoreAllMocks();

    expect(saved).toHaveLength(EVENTS * CHANNELS);
    expect(Object.fromEntries(calls)).toEqual({
      "rules.candidates": 1,
      "watchlists.watchersOf": 1,
      "history.forSplit": EVENTS,
    });
    // At most one slice of 4 ms in a turn; each channel is matched with all events in one step.
    expect(Math.max(...matchedPerTurn.values())).toBeLessThanOrEqual(5 * EVENTS);
  });
});

/** Counts the calls of each method of the store's collections. */
function countCalls(all: Store, calls: Map<string, number>): Store {
  const { rules, watchlists, history, outbox, destinationSettings } = all;
  const parts = { rules, watchlists, history, outbox, destinationSettings };
  const counted = Object.entries(parts).map(([name, part]) => {
    const get = (target: object, method: string): unknown => {
      calls.set(`${name}.${method}`, (calls.get(`${name}.${method}`) ?? 0) + 1);
      return (Reflect.get(target, method) as () => unknown).bind(target);
    };
    return [name, new Proxy(part, { get })];
  });
  return { ...all, ...Object.fromEntries(counted) };
}

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): { count(): number; stop(): void } {
  let turns = 0;
  let next: NodeJS.Immediate = setImmediate(count);
  function count(): void {
    turns += 1;
    next = setImmediate(count);
  }
  return { count: () => turns, stop: () => clearImmediate(next) };
}
