import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  aLastImport,
  announced,
  aPosting,
  articleSeen,
  attemptOf,
  deliveryOf,
  listedSplit,
  NEWS,
  OTHER_PLATFORM,
  patchOf,
  REF,
  splitId,
  T0,
} from "../../../../test/contract/store-builders.ts";
import { temporaryFolder } from "../../../../test/service/service-under-test.ts";
import { anyFewFilter, FEW_TICKERS } from "../../../../test/support/any-event.ts";
import { ALICE, aRule, BOB, GENERAL } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { membersOf } from "../../../../test/support/pages.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { openIn } from "../../../../test/support/store-folder.ts";
import { type Delivery, isUnsent, type WaitingDelivery } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import { explainMismatch } from "../../../domain/alert/match.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { type Store, StoreError } from "../../../ports/store.ts";
import { openPostgresStore } from "./open.ts";

/** A call of the store, with its name for the report of a failure. */
interface Step {
  readonly name: string;
  readonly run: (store: Store, clock: ManualClock) => Promise<unknown>;
}

const CHANNELS: readonly Destination[] = [GENERAL, NEWS, OTHER_PLATFORM];
const PEOPLE = [ALICE, BOB];
const PLATFORMS = ["web", "other"];
const EVENTS = [
  announced("s1", { ticker: "ACME" }),
  announced("s2", { ticker: "BETA", at: T0 + 1 }),
  announced("s3", { ticker: "ZETA", at: T0 - 1 }),
  articleSeen("https://wire.example/1", T0 + 2),
];

const anyDestination = fc.constantFrom<Destination>(...CHANNELS, ...PEOPLE);
const anyPerson = fc.constantFrom(...PEOPLE);
const anyEvent = fc.constantFrom(...EVENTS);
const anyTickers = fc.subarray(FEW_TICKERS, { minLength: 1 });
const anyMessage = fc.constantFrom("m1", "m2", "m3", "m4");
const anyDelay = fc.constantFrom(0, MINUTE_MS, 10 * MINUTE_MS);
const anyState = fc.constantFrom("ready" as const, "sending" as const, "uncertain" as const);
const anyProgress = fc.record({ state: anyState, delayMs: anyDelay });
const anyNumbers = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 });
const anySettings = fc.record(
  {
    digest: fc.boolean(),
    mutedUntil: fc.constantFrom(null, T0 + 5),
    timezone: fc.constantFrom(null, "Asia/Tokyo", "Europe/Berlin"),
    reminders: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** An arbitrary step: its name, its arguments, and the call with them. */
function steps<A extends unknown[]>(
  name: string,
  parts: { [K in keyof A]: fc.Arbitrary<A[K]> },
  run: (store: Store, ...args: A) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return fc
    .tuple(...(parts as unknown as fc.Arbitrary<unknown>[]))
    .map((args) => ({ name: [name, ...args.map(textOf)].join(" "), run: (store) => run(store, ...(args as A)) }));
}

function textOf(argument: unknown): string {
  if (Array.isArray(argument)) return `[${argument.map(textOf).join(", ")}]`;
  if (typeof argument !== "object" || argument === null) return String(argument);
  if ("platform" in argument) return destinationKey(argument as Destination);
  return "id" in argument ? String(argument.id) : JSON.stringify(argument);
}

/** Message ids are unique: each belongs to one destination. */
function messageAt(id: string, to: Destination): string {
  return `${id}-${destinationKey(to)}`;
}

function deliveryIn({ delivery }: WaitingDelivery): Delivery {
  return delivery;
}

function keysOf(destinations: readonly Destination[]): readonly string[] {
  return destinations.map(destinationKey).toSorted();
}

/** The same records in another order are the same answer. */
function unordered(records: readonly unknown[]): readonly string[] {
  return records.map((record) => JSON.stringify(record)).toSorted();
}

const RULES = [
  steps("add rule", [anyDestination, anyPerson, anyFewFilter], (store, destination, createdBy, filter) =>
    store.rules.add({ ...aRule({ destination, ...filter }), createdBy }, 4),
  ),
  steps("replace rule", [anyDestination, fc.integer({ min: 1, max: 4 }), anyFewFilter], (store, to, number, filter) =>
    store.rules.replace(number, aRule({ destination: to, ...filter })),
  ),
  steps("remove rules", [anyDestination, anyNumbers], ({ rules }, to, numbers) => rules.remove(to, numbers)),
  steps("rules", [anyDestination, anyPerson], async ({ rules }, to, person) => [
    await rules.at(to),
    await rules.count(),
    await rules.countCreatedBy(person),
    keysOf(await rules.destinations("web")),
    keysOf(await rules.destinations("web", "gen")),
  ]),
  steps("candidates", [anyEvent], async ({ rules }, event) =>
    unordered((await membersOf(rules.candidates([event]))).filter((rule) => explainMismatch(rule, event) === null)),
  ),
];

const SETTINGS = [
  steps("watch", [anyPerson, anyTickers], ({ watchlists }, person, tickers) => watchlists.add(person, tickers, 2)),
  steps("unwatch", [anyPerson, anyTickers], ({ watchlists }, person, tickers) => watchlists.remove(person, tickers)),
  steps("watchlists", [anyPerson, fc.constantFrom(...FEW_TICKERS)], async ({ watchlists }, person, ticker) => [
    await watchlists.of(person),
    await watchlists.count(),
    unordered(await membersOf(watchlists.watchersOf([ticker]))),
  ]),
  steps("change settings", [anyDestination, anySettings], ({ destinationSettings }, to, patch) =>
    destinationSettings.change(to, patch),
  ),
  steps("settings", [anyDestination], async ({ destinationSettings }, to) => [
    await destinationSettings.of(to),
    unordered(await membersOf(destinationSettings.all())),
    (await destinationSettings.timezones()).toSorted(),
  ]),
  steps("save direct channel", [anyPerson, fc.constantFrom("dm-1", "dm-2")], ({ directChannels }, person, id) =>
    directChannels.put({ person, channelId: id }),
  ),
  steps("direct channel", [anyPerson], ({ directChannels }, person) => directChannels.find(destinationKey(person))),
  steps("calendar", [anyPerson], async ({ calendars }, person) => {
    const token = await calendars.tokenOf(person);
    return [token === (await calendars.tokenOf(person)), await calendars.personOf(token), token.length];
  }),
  steps("revoke calendar", [anyPerson], ({ calendars }, person) => calendars.revoke(person)),
  steps("save last import", [fc.constantFrom("i1", "i2"), anyPerson], ({ lastImports }, id, person) =>
    lastImports.put(aLastImport({ id, person })),
  ),
  steps("last import", [anyPerson], ({ lastImports }, person) => lastImports.find(destinationKey(person))),
  steps("remove last import", [anyPerson], ({ lastImports }, person) => lastImports.remove(destinationKey(person))),
];

const OUTBOX = [
  steps("commit", [anyEvent, fc.subarray([...CHANNELS, ...PEOPLE], { minLength: 1 })], (store, event, all) =>
    store.snapshot.commit({ patch: null, events: [event], deliveries: all.map((to) => deliveryOf(event, to)) }),
  ),
  steps("commit two", [anyEvent, anyEvent, anyDestination], (store, event, other, to) =>
    store.snapshot.commit({ patch: null, events: [event, other], deliveries: [deliveryOf(other, to)] }),
  ),
  steps("claim", [fc.integer({ min: 1, max: 3 }), fc.subarray(PLATFORMS)], ({ claims }, limit, platforms) =>
    claims.claimDue({ limit, platforms }),
  ),
  steps("claim one", [anyDestination], ({ claims }, to) => claims.claim(to)),
  steps("release", [anyDestination, anyDelay], ({ claims }, to, delayMs) => claims.release(to, delayMs)),
  steps("recheck", [anyDestination], ({ claims }, to) => claims.recheck(to)),
  steps("save attempt", [anyMessage, anyDestination, anyProgress], async ({ outbox }, id, to, { state, delayMs }) => {
    const deliveries = (await outbox.waiting([to])).filter(isUnsent).slice(0, 2);
    const delay = delayMs > 0 ? { notBefore: T0 + delayMs, delayMs, problem: "busy" } : {};
    await outbox.saveAttempt({ ...attemptOf(messageAt(id, to), deliveries.map(deliveryIn), { state, ...delay }), to });
  }),
  steps("save next state", [anyMessage, anyDestination, anyState], async ({ outbox }, id, to, state) => {
    const deliveries = (await outbox.waiting([to])).filter(({ attemptState }) => attemptState !== null);
    await outbox.saveAttempt({ ...attemptOf(messageAt(id, to), deliveries.map(deliveryIn), { state, sends: 1 }), to });
  }),
  steps("mark sent", [anyMessage, anyDestination], ({ outbox }, id, to) => outbox.markSent(messageAt(id, to), REF, T0)),
  steps("mark failed", [anyMessage, anyDestination], ({ outbox }, id, to) =>
    outbox.markFailed(messageAt(id, to), "refused", T0),
  ),
  steps("pause", [anyDestination, fc.constantFrom("a", "b")], ({ pauses }, to, reason) => pauses.pause(to, reason, T0)),
  steps("pause refused", [anyDestination], ({ pauses }, to) => pauses.pauseRefused(to, "refused", T0, "gone")),
  steps("resume", [anyDestination], ({ pauses }, to) => pauses.resume(to)),
  steps("retry", [anyDestination], ({ pauses }, to) => pauses.retry(to, T0)),
  steps("queue", [anyDestination, anyEvent], async ({ outbox, pauses }, to, event) => [
    await outbox.waiting([to]),
    await pauses.of(to),
    await outbox.waitingCount(to),
    await outbox.outcome(deliveryOf(event, to).id),
  ]),
  steps("outbox", [fc.constantFrom("", "gen")], async ({ claims, outbox, pauses }, prefix) => [
    await outbox.waitingCount(),
    await claims.isAnyDue(PLATFORMS),
    await claims.countDestinations(),
    await claims.nextDueMs(PLATFORMS),
    unordered(await pauses.on("web", prefix)),
    unordered(await outbox.waiting([...CHANNELS, ...PEOPLE])),
    unordered([...(await outbox.existing(EVENTS.flatMap((event) => CHANNELS.map((to) => deliveryOf(event, to).id))))]),
  ]),
  steps("summary", [], async ({ outbox }) => {
    const { paused, failed, delayed, ...counts } = await outbox.summary();
    return [counts, ...[paused, failed, delayed].map(unordered)];
  }),
  steps(
    "history",
    [anyDestination, fc.constantFrom(...FEW_TICKERS), fc.constantFrom("s1", "s2")],
    async (store, to, ticker, id) => [
      await store.history.forTicker(ticker, [to]),
      await store.history.forSplit(splitId(id)),
      await store.history.firstMessage(to, splitId(id)),
    ],
  ),
];

const OTHERS = [
  steps("change snapshot", [fc.constantFrom("x1", "x2"), fc.subarray(["x1", "x2", "x3"])], (store, added, removed) => {
    const removedSplits = removed.filter((id) => id !== added).map(splitId);
    return store.snapshot.commit({
      patch: patchOf({ splits: [listedSplit(added)], removedSplits }),
      events: [],
      deliveries: [],
    });
  }),
  steps("snapshot", [], async ({ snapshot }) => [...(await snapshot.read()).splits.keys()].toSorted()),
  steps("post", [anyMessage, anyDestination], ({ postings }, id, to) => postings.post(aPosting(id, { to }))),
  steps("postings", [anyDestination, fc.nat(3)], async ({ postings }, to, after) => [
    await postings.list({ to: [to, GENERAL], after, limit: 2 }),
    await postings.count("m", T0),
    await postings.find("m1"),
  ]),
  steps("seen request", [fc.subarray(["r1", "r2", "r3"])], ({ seenRequests }, ids) => seenRequests.add(ids, MINUTE_MS)),
  steps("session", [fc.constantFrom("a", "b", "c"), anyDelay], async ({ sessions }, id, ms) => {
    await sessions.start({ id, until: T0 + ms }, T0, 2);
    return Promise.all(["a", "b", "c"].map((other) => sessions.isOpen(other, T0)));
  }),
  steps("token", [fc.constantFrom("t1", "t2"), anyDelay], ({ usedTokens }, token, ms) =>
    usedTokens.consume(token, T0, T0 + ms),
  ),
  steps("destinations", [fc.constantFrom("", "gen", "ali")], async (store, prefix) =>
    keysOf(await store.destinations("web", prefix)),
  ),
  steps("purge", [anyPerson], (store, person) => store.purgePerson(person)),
  steps("prune", [fc.constantFrom(T0, T0 + 1)], (store, before) => store.prune(before)),
  fc.constantFrom(MINUTE_MS, 5 * MINUTE_MS).map(
    (ms): Step => ({
      name: `skip ${ms}`,
      run: async (_, clock) => clock.skip(ms),
    }),
  ),
];

const anySteps = fc.array(
  fc.oneof(
    { arbitrary: fc.oneof(...OUTBOX), weight: 5 },
    { arbitrary: fc.oneof(...RULES), weight: 1 },
    { arbitrary: fc.oneof(...SETTINGS), weight: 2 },
    { arbitrary: fc.oneof(...OTHERS), weight: 2 },
  ),
  { minLength: 30, maxLength: 60, size: "max" },
);

/** The result of a step, or the error as the port describes it. */
async function answerOf(step: Step, store: Store, clock: ManualClock): Promise<unknown> {
  try {
    return (await step.run(store, clock)) ?? null;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return `${error.name}: ${error.message}`;
  }
}

it("answers any sequence of calls as SQLite does", { timeout: 120_000 }, async () => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(anySteps, async (all) => {
      const [ofFiles, ofDatabase] = [new ManualClock(), new ManualClock()];
      const files = await openIn(await temporaryFolder(), { clock: ofFiles });
      const database = await openPostgresStore({
        address: addressOf(await freshDatabase()),
        clock: ofDatabase,
        log: SILENT_LOG,
        sharedTime: { now: () => 1_000_000_000 + ofDatabase.monotonic() },
      });
      try {
        for (const [index, step] of all.entries()) {
          const expected = await answerOf(step, files, ofFiles);
          const answer = await answerOf(step, database, ofDatabase);
          const calls = all.slice(0, index + 1).map(({ name }) => name);
          expect({ calls, answer }).toEqual({ calls, answer: expected });
          answers += 1;
        }
      } finally {
        await Promise.all([files.close(), database.close()]);
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(answers).toBeGreaterThan(150);
});
