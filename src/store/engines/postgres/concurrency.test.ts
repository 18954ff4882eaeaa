import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { announced, attemptOf, deliveryOf, patchOf, REF, T0 } from "../../../../test/contract/store-builders.ts";
import { aRule, ticker } from "../../../../test/support/builders.ts";
import { freshDatabase, ownServer } from "../../../../test/support/postgres.ts";
import { expectConsistentAlerts } from "../../../../test/support/postgres-consistency.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { live, openProcess, type PostgresProcess } from "../../../../test/support/postgres-process.ts";
import { createRandom, type Random } from "../../../../test/support/random.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import type { Attempt, Delivery, DeliveryId } from "../../../domain/alert/delivery.ts";
import type { Destination, Person } from "../../../domain/alert/destination.ts";
import { StoreError } from "../../../ports/store.ts";
import { BEAT_MS } from "./membership.ts";

/** Messages on a platform that can be searched. */
type Posted = Map<string, readonly DeliveryId[]>;

const CHANNELS = Array.from({ length: 6 }, (_, n): Destination => ({ platform: "web", kind: "channel", id: `c${n}` }));
const PEOPLE = Array.from({ length: 3 }, (_, n): Person => ({ platform: "web", kind: "person", id: `p${n}` }));

const ROUNDS = 6;

let messages = 0;

/** Deliveries that may wait before the next commit: a quick processor with a slow disk commits faster than it delivers. */
const MAX_WAITING = 200;

/** Claims destinations and delivers one message to each, with outcomes that are chosen at random. */
async function deliver({ store }: PostgresProcess, posted: Posted, random: Random, maxDeliveries = 2): Promise<number> {
  const due = await store.claims.claimDue({ limit: 3, platforms: ["web"] });
  const problems: unknown[] = [];
  for (const { to, attempt } of due) {
    try {
      await send(store, attempt ?? (await compose(store.outbox, to, maxDeliveries)), { posted, random });
    } catch (error) {
      problems.push(error);
    }
    await store.claims.release(to).catch((error: unknown) => problems.push(error));
  }
  if (problems.length > 0) throw problems[0];
  return due.length;
}

type Outbox = PostgresProcess["store"]["outbox"];

async function compose(outbox: Outbox, to: Destination, maxDeliveries: number): Promise<Attempt | null> {
  const waiting = (await outbox.waiting([to])).slice(0, maxDeliveries).map(({ delivery }) => delivery);
  messages += 1;
  return waiting.length === 0 ? null : attemptOf(`m${messages}`, waiting);
}

async function send(
  { outbox, pauses }: PostgresProcess["store"],
  attempt: Attempt | null,
  { posted, random }: { readonly posted: Posted; readonly random: Random },
): Promise<void> {
  if (attempt === null) return;
  const { messageId, to, deliveries } = attempt;
  if (attempt.state !== "ready" && posted.has(messageId)) {
    await outbox.markSent(messageId, REF, T0);
    return;
  }
  const sending = { ...attempt, state: "sending", sends: attempt.sends + 1 } as const;
  await outbox.saveAttempt(sending);
  const outcome = random.next();
  if (outcome < 0.1) await outbox.saveAttempt({ ...sending, state: "ready", problem: "busy" });
  else if (outcome < 0.15) await pauses.pauseRefused(to, "no", T0 - 86_400_000, "not-allowed");
  else {
    posted.set(messageId, deliveries);
    if (outcome < 0.25) await outbox.saveAttempt({ ...sending, state: "uncertain", problem: "unknown" });
    else await outbox.markSent(messageId, REF, T0);
  }
}

/** Deliveries of some events to all destinations, in random order. */
function someAlerts(random: Random, first: number): { events: ReturnType<typeof announced>[]; deliveries: Delivery[] } {
  const events = [first, first + 1, first + 2].map((n) => announced(`s${n}`));
  const deliveries = events.flatMap((event) => [...CHANNELS, ...PEOPLE].map((to) => deliveryOf(event, to)));
  return { events, deliveries: deliveries.toSorted(() => random.next() - 0.5) };
}

/**
 * Sends everything that is left while time passes: a process that was declared dead joins again, and the claims of one that could
 * not leave become free.
 */
async function drain(process: PostgresProcess, posted: Posted): Promise<void> {
  const certain: Random = { ...createRandom(1), next: () => 0.9 };
  for (const to of [...CHANNELS, ...PEOPLE]) await process.store.pauses.resume(to);
  await waitUntil("no delivery waits", async () => {
    await live(BEAT_MS, process);
    await deliver(process, posted, certain, MAX_WAITING);
    return (await process.store.outbox.waitingCount()) === 0;
  });
}

function expectOnce(posted: Posted): void {
  const sent = [...posted.values()].flat();
  expect(new Set(sent).size).toBe(sent.length);
}

/** Failures of a worker whose destination was purged meanwhile. */
const PURGED = /is not waiting there|is not in progress|^claim of/;

async function repeat(work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1)
    await work(round).catch((error: Error) => {
      if (!PURGED.test(error.message)) throw error;
    });
}

/** Changes rules and watchlists that a purge concerns too. */
async function changeSettings({ store }: PostgresProcess, random: Random): Promise<void> {
  const person = PEOPLE[random.below(PEOPLE.length)] as Person;
  const to = [...CHANNELS, ...PEOPLE][random.below(CHANNELS.length + PEOPLE.length)] as Destination;
  const minRatio = 2 + random.below(8);
  const added = await store.rules.add({ ...aRule({ destination: to, minRatio }), createdBy: person });
  if (added.kind === "added" && random.chance(0.3)) await store.rules.remove(to, [added.rule.number]);
  const tickers = [ticker("ACME"), ticker("BETA")];
  await store.watchlists.add(person, tickers);
  if (random.chance(0.5)) await store.watchlists.remove(person, tickers);
  await store.destinationSettings.change(to, { digest: random.chance(0.5), mutedUntil: minRatio });
}

it("commits, sends, pauses, changes settings, purges and prunes in several processes without deadlocks or contradictions", async () => {
  const url = await freshDatabase();
  const processes = await Promise.all([1, 2, 3].map(() => openProcess(url)));
  const posted: Posted = new Map();
  await Promise.all(
    processes.flatMap((process, index) => {
      const random = createRandom(index + 1);
      const { store } = process;
      return [
        // Two of three processes commit each event.
        repeat((round) => store.snapshot.commit({ patch: null, ...someAlerts(random, round + index) })),
        repeat(() => deliver(process, posted, random)),
        repeat(() => deliver(process, posted, random)),
        repeat(async (round) => {
          const [to = CHANNELS[0]] = CHANNELS.slice(round % CHANNELS.length);
          if (to) await store.pauses[random.chance(0.5) ? "resume" : "retry"](to, T0);
        }),
        repeat(() => changeSettings(process, random)),
        repeat(() => store.purgePerson(random.pick([PEOPLE[0] as Person, PEOPLE[1] as Person]))),
        repeat(() => store.prune(random.chance(0.3) ? T0 + 1 : T0)),
      ];
    }),
  );
  const [first] = processes as [PostgresProcess, ...PostgresProcess[]];
  await drain(first, posted);
  await expectConsistentAlerts(url);
  for (const { store } of processes) await store.close();
  const [result] = await runSql(url, "select deadlocks from pg_stat_database where datname = current_database()");
  expect(result?.rows).toEqual([{ deadlocks: "0" }]);
});

it("loses and repeats nothing when the database crashes in the middle of everything", async () => {
  const server = await ownServer();
  const url = server.url();
  const processes = await Promise.all([1, 2].map(() => openProcess(url)));
  const posted: Posted = new Map();
  const over = new AbortController();
  let failures = 0;
  const untilOver = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over.signal.aborted)
      await work().catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        failures += 1;
      });
  };
  const committed = new Set<DeliveryId>();
  const running = processes.flatMap((process, index) => {
    const random = createRandom(index + 10);
    let next = index * 1_000 + 1;
    return [
      untilOver(async () => {
        if ((await process.store.outbox.waitingCount()) > MAX_WAITING) return pause(5);
        const alerts = someAlerts(random, next);
        const patch = index === 0 ? patchOf({ header: { ...patchOf().header, nextSplit: next + 1 } }) : null;
        if (patch !== null && (await process.store.snapshot.read()).nextSplit > next) next += 3;
        else await process.store.snapshot.commit({ patch, ...alerts });
        for (const { id } of alerts.deliveries) committed.add(id);
        if (patch === null) next += 3;
      }),
      untilOver(() => deliver(process, posted, random)),
      untilOver(() => deliver(process, posted, random)),
    ];
  });
  try {
    for (const end of ["kill", "stop"] as const) {
      const enough = posted.size + 10;
      await waitUntil("more messages are posted", () => posted.size >= enough);
      await server[end]();
      await server.start();
    }
  } finally {
    over.abort();
    await Promise.all(running);
  }
  const [first] = processes as [PostgresProcess, ...PostgresProcess[]];
  await processes[1]?.store.close();
  await drain(first, posted);
  await expectConsistentAlerts(url);
  expectOnce(posted);
  expect(new Set([...posted.values()].flat())).toEqual(committed);
  expect(failures).toBeGreaterThan(0);
});
