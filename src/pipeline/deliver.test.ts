import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { aRecord, BOB, GENERAL } from "../../test/support/builders.ts";
import { readOutcome } from "../../test/support/deliveries.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { bodyOf, ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { TokenState } from "../chat/token-state.ts";
import { type DeliveryId, deliveryId } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { type Announced, type Changed, type Event, type EventId, NO_EVIDENCE } from "../domain/alert/event.ts";
import type { SplitId } from "../domain/split/split.ts";
import { createListeners } from "../lib/listeners.ts";
import { createMetrics, type MetricsPage } from "../lib/metrics.ts";
import { createScheduler } from "../lib/scheduler.ts";
import type { Card } from "../messages/message.ts";
import { DeliveryError, type DeliveryFailure } from "../ports/chat-platform.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { ClaimLostError, type Store, StoreError } from "../ports/store.ts";
import { configuredStore } from "../store/index.ts";
import { Deliverer } from "./deliver.ts";

const scheduler = createScheduler(SILENT_LOG);
const OTHER: Destination = { ...GENERAL, id: "other" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let web: ScriptedPlatform;
let metrics: MetricsPage;
let log: ReturnType<typeof recordedLog>;
let deliverer: Deliverer;
/** Ends the deliverer before its store is closed; replaced for one that hangs. */
let endDeliverer: () => Promise<void>;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  log = recordedLog();
  metrics = createMetrics();
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log });
  web = new ScriptedPlatform();
  start([web]);
});

afterEach(async () => {
  await endDeliverer();
  await store.close();
  await folder.remove();
});

function start(platforms: readonly ScriptedPlatform[], from: Store = store): void {
  let count = 0;
  deliverer = new Deliverer({
    store: from,
    clock,
    log,
    metrics,
    timezone: "America/New_York",
    nextDigest: (zone, after) => scheduler.nextTick("0 8 * * 1-5", zone, after),
    expireAfterMs: 24 * 3_600_000,
    newMessageId: () => `m${clock.now()}-${++count}`,
  });
  deliverer.use(platforms);
  endDeliverer = () => deliverer.stop();
  deliverer.start();
}

/** Simulates a new process, without the state in memory. */
async function restart(): Promise<void> {
  await endDeliverer();
  await store.close();
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log });
  start([web]);
}

function announced(ticker: string): Announced {
  const record = aRecord({ ticker });
  return {
    kind: "announced",
    id: `${ticker}.1` as EventId,
    at: clock.now(),
    sample: false,
    splitId: ticker as SplitId,
    record,
    ...NO_EVIDENCE,
    alreadyEffective: false,
  };
}

/** A test alert, which nothing holds. */
function aTest(): Event {
  return { kind: "test", id: "t" as EventId, at: clock.now(), sample: false, askedBy: "alice" };
}

function changed(ticker: string): Changed {
  const was = aRecord({ ticker });
  const record = aRecord({ ticker, ratio: "1:25" });
  const { alreadyEffective: _, ...base } = announced(ticker);
  return { ...base, kind: "changed", id: `${ticker}.2` as EventId, record, was, terms: ["ratio"], flapping: false };
}

async function commit(
  events: readonly Event[],
  ...destinations: readonly Destination[]
): Promise<readonly DeliveryId[]> {
  const deliveries = events.flatMap((event) =>
    destinations.map((destination) => {
      const id = deliveryId(event.id, destinationKey(destination));
      return { id, eventId: event.id, to: destination, reasons: ["rule 1"], mentions: [] };
    }),
  );
  await store.snapshot.commit({ patch: null, events, deliveries });
  deliverer.wake();
  return deliveries.map(({ id }) => id);
}

/** Advances the time in steps, and waits for the work of each step. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds * 2; left > 0; left--) {
    await clock.advance(500);
    await workDone();
  }
}

/** Advances the time in one step, and waits for the work that is due then. */
async function skip(ms: number): Promise<void> {
  await clock.advance(ms);
  await workDone();
}

/** Why the newest delayed message or delivery is delayed; undefined if none is. */
async function delayReason(): Promise<string | undefined> {
  return (await store.outbox.summary()).delayed[0]?.problem;
}

/** Lets minutes pass until the only delivery is delayed for this reason: on a busy machine, a try may be late. */
async function skipUntilDelayedBy(reason: string): Promise<void> {
  for (let minutes = 0; minutes < 30 && (await delayReason()) !== reason; minutes += 1) await skip(60_000);
  expect(await delayReason()).toBe(reason);
}

/** The problem that a command reports after it has waited for the current try. */
async function reportedAfterTry(): ReturnType<Deliverer["problemAt"]> {
  const reported = deliverer.problemAt(GENERAL, 2_000);
  await pass(1);
  return reported;
}

/** Waits for pending work: store writes are sequential, so a write of the test completes after those before it. */
async function workDone(): Promise<void> {
  for (let steps = 0; steps < 4; steps++) {
    await store.pauses.resume(OTHER);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await isSo()) && performance.now() < end) await workDone();
  expect(await isSo()).toBe(true);
}

describe("waiting deliveries", () => {
  it("are sent in one message per destination, in order", async () => {
    await commit([announced("AAAA"), announced("BBBB")], GENERAL, BOB);
    await until(() => web.posted.length === 2);

    expect(web.posted.map(({ to, titles }) => [to, titles.map((title) => title.slice(0, 4))])).toEqual([
      ["web:channel:general", ["AAAA", "BBBB"]],
      ["web:person:bob", ["AAAA", "BBBB"]],
    ]);
  });

  it("share the card of an event with the other destinations of their time zone", async () => {
    await store.destinationSettings.change(BOB, { timezone: "Asia/Tokyo" });
    const cards = new Map<string, Card>();
    web.onRender = ({ to, cards: [first] }) => first && cards.set(destinationKey(to), first);
    await commit([announced("AAAA")], GENERAL, OTHER, BOB);
    await until(() => web.posted.length === 3);

    const [general, other, bob] = [GENERAL, OTHER, BOB].map((to) => cards.get(destinationKey(to)));
    expect(general).toBe(other);
    expect([general?.footer, bob?.footer]).toEqual([
      expect.stringMatching(/E[SD]T$/),
      expect.stringMatching(/GMT\+9$/),
    ]);
  });

  it("are split into several messages if one is full", async () => {
    web.maxCards = 2;
    await commit(["AAAA", "BBBB", "CCCC"].map(announced), GENERAL);
    await until(() => web.posted.length === 2);

    expect(web.posted.map(({ titles }) => titles.length)).toEqual([2, 1]);
  });

  it("are sent as a reply to the first message about their split, separately from others", async () => {
    const replies: (string | null)[] = [];
    web.onSend = async ({ replyTo }, post) => {
      replies.push(replyTo?.id ?? null);
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.posted.length === 1);
    await commit([changed("AAAA"), announced("BBBB")], GENERAL);
    await until(() => web.posted.length === 3);

    expect(replies).toEqual([null, `ref-${web.posted[0]?.messageId}`, null]);
  });
});

/** Announces each split in a message of its own, so that later alerts reply to different messages. */
async function announceOneByOne(names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await commit([announced(name)], GENERAL);
    await until(() => web.posted.length === index + 1);
  }
}

describe("many deliveries that become due together", () => {
  const tickers = Array.from({ length: 60 }, (_, index) => `Q${String(index).padStart(3, "0")}`);

  it("are sent together with a card each if they fit, although they reply to different messages", async () => {
    await announceOneByOne(["AAAA", "BBBB", "CCCC"]);
    await commit(["AAAA", "BBBB", "CCCC"].map(changed), GENERAL);
    await until(() => web.posted.length === 4);

    expect(web.posted.at(-1)?.titles.map((title) => title.slice(0, 4))).toEqual(["AAAA", "BBBB", "CCCC"]);
  });

  it("reply to a message if it is the first one about all of their splits", async () => {
    const replies: (string | null)[] = [];
    web.onSend = async ({ replyTo }, post) => {
      replies.push(replyTo?.id ?? null);
      return post();
    };
    await commit(["AAAA", "BBBB", "CCCC"].map(announced), GENERAL);
    await until(() => web.posted.length === 1);
    await commit(["AAAA", "BBBB", "CCCC"].map(changed), GENERAL);
    await until(() => web.posted.length === 2);

    expect(replies).toEqual([null, `ref-${web.posted[0]?.messageId}`]);
  });

  it("are one list if they do not fit into two messages, although they reply to different messages", async () => {
    await announceOneByOne(tickers.slice(0, 25));
    web.posted.length = 0;
    const ids = await commit(tickers.slice(0, 25).map(changed), GENERAL);
    await until(() => web.posted.length === 1);
    await pass(2);

    expect(web.posted.map(({ titles }) => titles)).toEqual([["25 splits changed"]]);
    for (const id of ids) expect(await readOutcome(store, id)).toMatchObject({ kind: "sent" });
  });

  it("have a card each, with its event, on a platform without lists", async () => {
    web.maxCards = 10;
    web.maxAlerts = 20;
    const rendered: (readonly [string, string | undefined])[] = [];
    web.onRender = ({ cards, events }) => {
      expect(events).toHaveLength(cards.length);
      rendered.push(...cards.map((card, index) => [card.title.slice(0, 4), events[index]?.id] as const));
    };
    const ids = await commit(tickers.map(announced), GENERAL);
    await pass(2);
    expect(web.posted.map(({ titles }) => titles.length)).toEqual([10, 10, 10, 10, 10, 10]);
    expect(new Set(rendered)).toContainEqual([tickers[0], `${tickers[0]}.1`]);
    for (const id of ids) expect(await readOutcome(store, id)).toMatchObject({ kind: "sent" });
  });

  it("are one list when a hold ends that delayed them over several polls", async () => {
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 20_000 });
    for (const ticker of tickers) await commit([announced(ticker)], GENERAL);
    await pass(22);
    await until(() => web.posted.length === 1);

    expect(web.posted.map(({ titles }) => titles)).toEqual([["60 splits announced"]]);
  });

  it("are neither lost nor sent twice if the process ends after their list was posted", async () => {
    web.onSend = (_, post) => {
      post();
      return new Promise(() => undefined);
    };
    const ids = await commit(tickers.map(announced), GENERAL);
    await until(() => web.posted.length === 1);
    await commit([announced("LATE")], GENERAL);
    deliverer.stop = async () => undefined;
    await restart();
    web.onSend = async (_, post) => post();
    await pass(2);

    expect(web.posted.map(({ titles }) => titles[0]?.slice(0, 9))).toEqual(["60 splits", "LATE 1-fo"]);
    for (const id of ids) expect(await readOutcome(store, id)).toMatchObject({ kind: "sent", blindResends: 0 });
  });

  it("are sent without those that cannot be rendered", async () => {
    web.onRender = ({ cards }) => {
      const isBroken = cards.some(({ title, rows }) => `${title} ${JSON.stringify(rows)}`.includes("Q007"));
      if (isBroken) throw new TypeError("a bug");
    };
    const ids = await commit(tickers.map(announced), GENERAL);
    await pass(2);

    expect(web.posted.map(({ titles }) => titles)).toEqual([["59 splits announced"]]);
    expect(await readOutcome(store, ids[7] as DeliveryId)).toMatchObject({ kind: "failed" });
  });
});

describe("a change of the system clock", () => {
  it.each([-3_600_000, 3_600_000])("by %i ms during the delay of a retry changes nothing", async (jumpMs) => {
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("retry", "busy", { retryAfterMs: 10_000 });
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await store.outbox.summary()).delayed.length === 1);
    clock.jump(jumpMs);
    await pass(5);
    expect(web.posted).toEqual([]);
    await pass(6);
    await until(() => web.posted.length === 1);
  });

  it.each([-3_600_000, 3_600_000])(
    "by %i ms doesn't change when rejected credentials are tried again",
    async (jumpMs) => {
      const chat = await startWithChat();
      let isAccepted = false;
      chat.onSend = async (_, post) => {
        if (isAccepted) return post();
        throw new DeliveryError("broken-credentials", "the token was rejected");
      };
      await commit([announced("AAAA")], { ...GENERAL, platform: "chat" });
      await until(() => log.count("chat credentials rejected") === 1);
      isAccepted = true;
      clock.jump(jumpMs);
      await pass(25);
      expect(chat.posted).toEqual([]);
      await pass(10);
      await until(() => chat.posted.length === 1);
    },
  );

  it("moves the end of a mute", async () => {
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 3_600_000 });
    await commit([announced("AAAA")], GENERAL);
    await pass(1);
    expect(web.posted).toEqual([]);
    clock.jump(3_600_000);
    await skip(60_000);
    await until(() => web.posted.length === 1);
    expect(web.posted).toHaveLength(1);
  });
});

describe("held deliveries", () => {
  it("wait for the end of the hold, and a message that may have been posted is finished", async () => {
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1 && web.posted.length === 0) throw new DeliveryError("unknown-outcome", "no answer");
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await store.outbox.summary()).uncertain === 1);
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 20_000 });
    await commit([announced("BBBB")], GENERAL);
    await pass(6);
    expect(web.posted.map(({ titles }) => titles[0]?.slice(0, 4))).toEqual(["AAAA"]);
    await pass(10);
    expect(web.posted).toHaveLength(1);
    await pass(6);
    await until(() => web.posted.length === 2);

    expect(web.posted.map(({ titles }) => titles[0]?.slice(0, 4))).toEqual(["AAAA", "BBBB"]);
  });

  it.each([
    ["pause", new DeliveryError("not-allowed", "a permission is missing"), { retry: "next alert" }],
    ["retry delay", new DeliveryError("retry", "busy", { retryAfterMs: 5 * 60_000 }), null],
  ])("wait for the end of the hold if they were refused before it and their %s ends during it", async (...row) => {
    const [, refusal, problem] = row;
    web.onSend = async (_attempt, post) => {
      if (web.sends.length === 1) throw refusal;
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.sends.length === 1);
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 3_600_000 });
    await skip(6 * 60_000);
    expect(await store.outbox.summary()).toMatchObject({ totals: { delayed: 0 } });
    const reported = await deliverer.problemAt(GENERAL, 0);
    expect(reported && { retry: reported.retry }).toEqual(problem);
    await deliverer.retryPaused(GENERAL);
    await restart();
    await skip(50 * 60_000);
    expect(web.posted).toEqual([]);
    await commit([aTest()], GENERAL);
    await store.claims.recheck(GENERAL);
    deliverer.wake();
    await until(() => web.posted.length === 1);
    expect(web.posted[0]?.titles).toEqual(["Test: splitwatch can post here"]);
    await skip(4 * 60_000);
    await until(() => web.posted.length === 2);
    expect(web.posted[1]?.titles[0]).toMatch(/^AAAA/);
  });

  it("of a message that waits for its retry are sent at the end of the hold, although another delivery is deferred for longer", async () => {
    const testId = deliveryId(aTest().id, destinationKey(GENERAL));
    web.onSend = async ({ deliveries, sends }, post) => {
      if (deliveries[0] === testId) throw new DeliveryError("refused", "not this one");
      if (sends === 1) throw new DeliveryError("retry", "busy");
      return post();
    };
    await commit([aTest()], GENERAL);
    for (let minutes = 0; minutes < 16; minutes += 1) await skip(60_000);
    await skipUntilDelayedBy("not this one");
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await delayReason()) === "busy");
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 10 * 60_000 });
    for (let minutes = 0; minutes < 9; minutes += 1) await skip(60_000);
    expect(web.posted).toEqual([]);
    await skip(60_000);
    await pass(1);
    expect(web.posted.map(({ titles }) => titles[0]?.slice(0, 4))).toEqual(["AAAA"]);
  });

  it("of a message are replaced by one that may have been posted before, which is counted", async () => {
    web.onFind = async () => "cannot-search";
    web.onSend = async ({ deliveries }) => {
      if (web.sends.length === 1) throw new DeliveryError("unknown-outcome", "no answer");
      if (deliveries[0] === testId) throw new DeliveryError("refused", "not this one");
      throw new DeliveryError("retry", "busy", { retryAfterMs: 30 * 60_000 });
    };
    const [testId = ""] = await commit([aTest()], GENERAL);
    for (let minutes = 0; minutes < 10; minutes += 1) await skip(60_000);
    await skipUntilDelayedBy("not this one");
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await delayReason()) === "busy");
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 3_600_000 });
    web.onSend = async (_, post) => post();
    await skip(30 * 60_000);
    await until(() => web.posted.length === 1);
    expect(await readOutcome(store, testId as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
  });

  it("are sent when the hold ends while it is being checked", async () => {
    await deliverer.stop();
    let isToUnmute = false;
    // The settings change between the check and the release of the claim.
    const release: Store["claims"]["release"] = async (destination, notBefore) => {
      if (isToUnmute) await store.destinationSettings.change(GENERAL, { mutedUntil: null });
      await store.claims.release(destination, notBefore);
    };
    start([web], { ...store, claims: replaced(store.claims, { release }) });
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 3_600_000 });
    isToUnmute = true;
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.posted.length === 1);
    expect(web.posted[0]?.titles[0]).toMatch(/^AAAA/);
  });

  it("are overtaken by deliveries that are not held, and are sent together although they reply to different messages", async () => {
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.posted.length === 1);
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 10_000 });
    await commit([changed("AAAA"), announced("BBBB")], GENERAL);
    await commit([aTest()], GENERAL);
    await store.claims.recheck(GENERAL);
    deliverer.wake();
    await until(() => web.posted.length === 2);
    expect(web.posted[1]?.titles).toEqual(["Test: splitwatch can post here"]);
    await pass(12);
    await until(() => web.posted.length === 3);
    expect(web.posted.slice(2).map(({ titles }) => titles.map((title) => title.slice(0, 4)))).toEqual([
      ["AAAA", "BBBB"],
    ]);
  });

  it("are held after a restart too", async () => {
    await store.destinationSettings.change(GENERAL, { mutedUntil: clock.now() + 20_000 });
    await commit([announced("AAAA")], GENERAL);
    await pass(1);
    await restart();
    await pass(10);
    expect(web.posted).toEqual([]);
    await pass(12);
    await until(() => web.posted.length === 1);
    expect(web.posted[0]?.titles[0]).toMatch(/^AAAA/);
  });
});

/** Posts the first message this much later than its request, which isn't answered. */
function postUnconfirmed(
  seconds: number,
  error = new DeliveryError("unknown-outcome", "no answer", { isTimeout: true }),
): void {
  web.maxProcessingMs = 60_000;
  web.onSend = async (attempt, post) => {
    if (attempt.sends > 1) return post();
    void clock.sleep(seconds * 1_000).then(post);
    throw error;
  };
}

describe("a message that failed", () => {
  it("is resent unchanged when it was certainly not posted", async () => {
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("retry", "busy", { retryAfterMs: 4_000 });
      return post();
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(3);
    expect(web.posted).toEqual([]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "waiting", problem: "busy" });
    await pass(3);

    expect(web.posted).toHaveLength(1);
    expect(new Set(web.sends).size).toBe(1);
    expect(web.finds).toEqual([]);
  });

  it("is resent in time when it becomes due while destinations are claimed", async () => {
    await deliverer.stop();
    let lateBy = 0;
    let wasLate = false;
    // Time passes between two queries of the store.
    const claimDue: Store["claims"]["claimDue"] = async (request) => {
      const claims = await store.claims.claimDue(request);
      clock.skip(lateBy);
      wasLate = lateBy > 0;
      lateBy = 0;
      return claims;
    };
    start([web], { ...store, claims: replaced(store.claims, { claimDue }) });
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("retry", "busy", { retryAfterMs: 4_000 });
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await store.outbox.summary()).delayed.length === 1);
    await workDone();
    lateBy = 5_000;
    deliverer.wake();
    await until(() => wasLate);
    await pass(2);

    expect(web.posted).toHaveLength(1);
  });

  it("is searched for before a resend if it may have been posted, and is not resent if it is found", async () => {
    web.onSend = async (_, post) => {
      post();
      throw new DeliveryError("unknown-outcome", "the connection broke");
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(3);

    expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([1, 1, 1]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 0 });
  });

  it.each([
    ["was certainly not posted", "retry", true],
    ["may have been posted and isn't found", "unknown-outcome", true],
    ["may have been posted and can't be searched", "unknown-outcome", false],
  ] as const)("is rendered again after an outage, and marked as late, if it %s", async (_, failure, canSearch) => {
    if (!canSearch) web.onFind = async () => "cannot-search";
    const rendered: (readonly string[])[] = [];
    web.onRender = ({ cards }) => void rendered.push(cards.flatMap((card) => card.badges));
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError(failure, "no connection", { retryAfterMs: 60_000 });
      return post();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await store.outbox.summary()).delayed.length === 1);
    clock.skip(48 * 3_600_000);
    await restart();
    await pass(3);

    expect(web.posted.map(({ titles }) => titles)).toEqual([[expect.stringContaining("in 4 trading days")]]);
    expect(rendered.at(-1)).toEqual(["LATE"]);
    expect(new Set(web.sends).size).toBe(1);
    expect(await store.outbox.summary()).toMatchObject({ waiting: 0 });
  });

  it("keeps its deliveries when it is rendered again, as a list if their cards don't fit any more", async () => {
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("unknown-outcome", "no connection", { retryAfterMs: 60_000 });
      return post();
    };
    const ids = await commit([announced("AAAA"), announced("BBBB")], GENERAL);
    await until(async () => (await store.outbox.summary()).delayed.length === 1);
    web.maxCards = 1;
    await pass(70);

    expect(web.posted.map(({ titles }) => titles)).toEqual([["2 splits announced"]]);
    for (const id of ids) expect(await readOutcome(store, id)).toMatchObject({ kind: "sent" });
  });

  it("is searched for before each resend until one succeeds, also after a resend that was refused", async () => {
    let postLate: (() => unknown) | null = null;
    web.onSend = async (attempt, post) => {
      postLate = post;
      if (attempt.sends === 1) throw new DeliveryError("unknown-outcome", "the connection broke");
      throw new DeliveryError("retry", "too many requests", { retryAfterMs: 20_000 });
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(5);
    expect([web.sends.length, web.finds.length]).toEqual([2, 1]);
    (postLate as (() => unknown) | null)?.();
    await pass(25);

    expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([2, 2, 1]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 0 });
  });

  describe.each([
    ["in the same process", async () => undefined],
    ["after a restart before each of two searches", restart],
  ])("%s", (_, interrupt) => {
    async function passInterrupted(seconds: number): Promise<void> {
      await pass(1);
      await interrupt();
      await pass(8);
      await interrupt();
      await pass(seconds - 9);
    }

    it.each([20, 55])("that the platform posts %i s after a timeout is found by a second search", async (seconds) => {
      postUnconfirmed(seconds);
      const [id] = await commit([announced("AAAA")], GENERAL);
      await passInterrupted(90);
      expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([1, 2, 1]);
      expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 0 });
    });

    it("that the platform didn't post within a minute after a timeout is sent again, which is counted", async () => {
      postUnconfirmed(80);
      const [id] = await commit([announced("AAAA")], GENERAL);
      await passInterrupted(59);
      expect([web.sends.length, (await store.outbox.summary()).uncertain]).toEqual([1, 1]);
      await pass(40);
      expect([web.sends.length, web.posted.length]).toEqual([2, 2]);
      expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
    });

    it("whose earlier sends were refused is sent again after a minute, too", async () => {
      web.maxProcessingMs = 60_000;
      web.onSend = async (_attempt, post) => {
        if (web.sends.length > 2) return post();
        throw web.sends.length === 1
          ? new DeliveryError("retry", "too many messages", { retryAfterMs: 1_000 })
          : new DeliveryError("unknown-outcome", "no answer", { isTimeout: true });
      };
      const [id] = await commit([announced("AAAA")], GENERAL);
      await passInterrupted(90);
      expect([web.sends.length, web.posted.length]).toEqual([3, 1]);
      expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent" });
    });

    it("whose connection was reset is sent again after one search", async () => {
      postUnconfirmed(80, new DeliveryError("unknown-outcome", "the connection broke"));
      const [id] = await commit([announced("AAAA")], GENERAL);
      await passInterrupted(10);
      expect([web.sends.length, web.finds.length]).toEqual([2, 1]);
      expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 0 });
    });
  });

  it("that a platform posts minutes after its requests appears at most twice", async () => {
    web.maxProcessingMs = 60_000;
    web.onSend = async (_, post) => {
      void clock.sleep(290_000).then(post);
      throw new DeliveryError("unknown-outcome", "no answer", { isTimeout: true });
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(900);
    expect([web.sends.length, web.posted.length]).toEqual([2, 2]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
  });

  it("of a process that died while it was sent is searched a second time before it is sent again", async () => {
    web.maxProcessingMs = 60_000;
    web.onSend = () => new Promise(() => undefined);
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.sends.length === 1);
    // What the dead process wrote is what remains of it.
    endDeliverer = async () => undefined;
    web.onSend = async (_, post) => post();
    await restart();
    await pass(59);
    expect([web.sends.length, web.finds.length]).toEqual([1, 1]);
    await pass(10);
    expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([2, 2, 1]);
  });

  it("counts only resends that may have been posted where messages cannot be searched", async () => {
    web.onFind = async () => "cannot-search";
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("unknown-outcome", "no answer");
      if (attempt.sends < 4) throw new DeliveryError("retry", "busy");
      return post();
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(30);

    expect(web.sends).toHaveLength(4);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
  });

  it("is resent once and counted where messages cannot be searched", async () => {
    web.onFind = async () => "cannot-search";
    web.onSend = async (attempt, post) => {
      if (attempt.sends === 1) throw new DeliveryError("unknown-outcome", "no answer");
      return post();
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(3);

    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
  });

  it("pauses a missing destination with the reason, until it is resumed", async () => {
    web.onSend = async () => {
      throw new DeliveryError("gone", "the channel was deleted");
    };
    await commit([announced("AAAA")], GENERAL);
    await pass(3);
    await commit([announced("BBBB")], GENERAL);
    await pass(60);
    expect(web.sends).toHaveLength(1);
    expect((await store.outbox.summary()).paused).toMatchObject([{ reason: "the channel was deleted", waiting: 2 }]);

    web.onSend = async (_, post) => post();
    await store.pauses.resume(GENERAL);
    deliverer.wake();
    await pass(2);
    expect(web.posted.flatMap(({ titles }) => titles.map((title) => title.slice(0, 4)))).toEqual(["AAAA", "BBBB"]);
  });

  it("pauses a destination that turns out to be missing during the search", async () => {
    web.onSend = async () => {
      throw new DeliveryError("unknown-outcome", "no answer");
    };
    web.onFind = async () => {
      throw new DeliveryError("gone", "the channel was deleted");
    };
    await commit([announced("AAAA")], GENERAL);
    await pass(60);

    expect(web.finds).toHaveLength(1);
    expect((await store.outbox.summary()).paused).toHaveLength(1);
  });

  it.each([
    ["fails", new DeliveryError("retry", "down")],
    ["times out", new DeliveryError("unknown-outcome", "no answer", { isTimeout: true })],
  ])("is searched for with increasing delays while the search %s, which is counted as a retry", async (_, failure) => {
    web.onSend = async () => {
      throw new DeliveryError("unknown-outcome", "no answer");
    };
    web.onFind = async () => {
      throw failure;
    };
    const count = vi.spyOn(metrics, "countDelivery");
    await commit([announced("AAAA")], GENERAL);
    await pass(120);

    expect(web.finds.length).toBeGreaterThan(3);
    expect(web.finds.length).toBeLessThan(20);
    const results = count.mock.calls.map(([, result]) => result);
    expect(results).toEqual(["unknown-outcome", ...web.finds.map(() => "retry")]);
  });

  it("does not block others if its card cannot be rendered", async () => {
    web.onRender = ({ cards }) => {
      if (cards.some(({ title }) => title.startsWith("AAAA"))) throw new TypeError("a bug");
    };
    const [bad] = await commit([announced("AAAA"), announced("BBBB")], GENERAL);
    await pass(2);

    expect(web.posted.map(({ titles }) => titles.map((title) => title.slice(0, 4)))).toEqual([["BBBB"]]);
    expect(await readOutcome(store, bad as DeliveryId)).toMatchObject({ kind: "failed" });
    expect(log.text()).toContain("a bug");
  });

  it("may have been posted if the adapter throws an unexpected error, which is logged with its stack", async () => {
    web.onSend = async (attempt, post) => {
      post();
      if (attempt.sends === 1) throw new TypeError("undefined is not a function");
      throw new Error("it was sent twice");
    };
    await commit([announced("AAAA")], GENERAL);
    await pass(3);

    expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([1, 1, 1]);
    expect(log.text()).toContain("undefined is not a function");
  });

  it("is tried again with increasing delays while the destination refuses it, and delivers everything that waits", async () => {
    let isAllowed = false;
    web.onSend = async (_, post) => {
      if (isAllowed) return post();
      throw new DeliveryError("not-allowed", "a permission is missing");
    };
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.sends.length === 1);
    await commit([announced("BBBB"), announced("CCCC")], GENERAL);
    await skip(5 * 60_000 - 1_000);
    expect(web.sends).toHaveLength(1);
    await skip(1_000);
    await until(() => web.sends.length === 2);
    await skip(10 * 60_000 - 1_000);
    expect(web.sends).toHaveLength(2);

    await restart();
    isAllowed = true;
    await skip(1_000);
    await until(() => web.posted.length === 2);
    expect(web.posted.flatMap(({ titles }) => titles.map((title) => title.slice(0, 4)))).toEqual([
      "AAAA",
      "BBBB",
      "CCCC",
    ]);
    expect(await store.pauses.of(GENERAL)).toBeNull();
  });

  it("is sent at most four messages after weeks without a permission, marked as late", async () => {
    let isAllowed = false;
    web.onSend = async (_, post) => {
      if (isAllowed) return post();
      throw new DeliveryError("not-allowed", "a permission is missing");
    };
    const rendered: string[] = [];
    web.onRender = ({ cards }) => void rendered.push(JSON.stringify(cards));
    for (let day = 0; day < 21; day += 1) {
      const names = ["A", "B", "C"].map((letter) => `${letter}${String.fromCharCode(65 + day)}XX`);
      await commit(names.map(announced), GENERAL);
      await skip(24 * 3_600_000);
    }
    // At most once in six hours.
    expect(web.sends.length).toBeLessThan(21 * 4 + 8);
    isAllowed = true;
    rendered.length = 0;
    await deliverer.retryPaused(GENERAL);
    await until(async () => (await store.outbox.waitingCount()) === 0);
    expect(web.posted.length).toBeLessThanOrEqual(4);
    expect(web.posted.flatMap(({ titles }) => titles).join()).toContain("60");
    expect(rendered[0]).toMatch(/late/i);
  });

  it("is tried immediately on request, and the state is reported after the try", async () => {
    let reason: string | null = "a permission is missing";
    web.onSend = async (_, post) => {
      if (reason === null) return post();
      throw new DeliveryError("not-allowed", reason);
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await deliverer.problemAt(GENERAL, 0)) !== null);

    reason = "the thread is locked";
    await deliverer.retryPaused(GENERAL);
    expect(await reportedAfterTry()).toMatchObject({ reason: "the thread is locked", retry: expect.any(Number) });

    reason = null;
    await deliverer.retryPaused(GENERAL);
    expect(await reportedAfterTry()).toBeNull();
    expect(web.posted).toHaveLength(1);
  });

  it("is not sent to a destination without alerts, which is tried with the next alert", async () => {
    await store.pauses.pause(GENERAL, "messages are closed", clock.now());
    await deliverer.retryPaused(GENERAL);
    await skip(24 * 3_600_000);
    expect(web.sends).toEqual([]);
    expect(await deliverer.problemAt(GENERAL, 2_000)).toMatchObject({
      reason: "messages are closed",
      retry: "next alert",
    });
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.posted.length === 1);
    expect(await deliverer.problemAt(GENERAL, 0)).toBeNull();
  });

  it("stays uncertain while the destination refuses the search, and is found when it allows it again", async () => {
    let isAllowed = true;
    web.onSend = async (_, post) => {
      if (!isAllowed) throw new DeliveryError("not-allowed", "a permission is missing");
      post();
      isAllowed = false;
      throw new DeliveryError("unknown-outcome", "no answer");
    };
    const find = web.onFind;
    web.onFind = async (attempt) => {
      if (isAllowed) return find(attempt);
      throw new DeliveryError("not-allowed", "a permission is missing");
    };
    const [id] = await commit([announced("AAAA")], GENERAL);
    await pass(3);
    await skip(3_600_000);
    await restart();
    isAllowed = true;
    await deliverer.retryPaused(GENERAL);
    await until(async () => (await store.outbox.waitingCount()) === 0);
    expect([web.sends.length, web.posted.length]).toEqual([1, 1]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 0 });
  });

  it("stops only its platform if the credentials are rejected", async () => {
    const chat = await startWithChat();
    chat.onSend = async () => {
      throw new DeliveryError("broken-credentials", "the token was revoked");
    };
    await commit([announced("AAAA")], { ...GENERAL, platform: "chat" }, { ...OTHER, platform: "chat" });
    await pass(2);
    await commit([announced("BBBB")], { ...GENERAL, platform: "chat" }, GENERAL);
    await pass(60);

    expect(chat.sends.length).toBeLessThanOrEqual(5);
    expect(web.posted).toHaveLength(1);
    expect(await store.outbox.summary()).toMatchObject({ waiting: 3 });
  });

  it("is tried one at a time while the credentials are rejected, and all are sent once they are accepted", async () => {
    const chat = await startWithChat();
    let isAccepted = false;
    chat.onSend = async (_, post) => {
      if (isAccepted) return post();
      throw new DeliveryError("broken-credentials", "the token was rejected");
    };
    const destinations = Array.from({ length: 20 }, (_, index) => ({ ...GENERAL, platform: "chat", id: `c${index}` }));
    await commit([announced("AAAA")], { ...GENERAL, platform: "chat" });
    await until(() => log.count("chat credentials rejected") === 1);
    const since = clock.now();
    await commit([announced("BBBB")], ...destinations);
    for (let minutes = 0; minutes < 60; minutes += 10) await skip(10 * 60_000);
    // After 30 s, 1, 2, 4 and 8 minutes, then every 10 minutes.
    expect(chat.sends.length).toBeLessThanOrEqual(12);
    const problem = await deliverer.problemAt({ ...GENERAL, platform: "chat", id: "c1" }, 0);
    expect(problem).toEqual({ reason: "the token was rejected", since, retry: chat.token?.rejection?.retryAt });
    expect(await deliverer.problemAt(GENERAL, 0)).toBeNull();

    isAccepted = true;
    await skip(10 * 60_000);
    await until(async () => (await store.outbox.waitingCount()) === 0);
    expect(chat.posted).toHaveLength(21);
    expect(["chat credentials rejected", "chat credentials accepted"].map((event) => log.count(event))).toEqual([1, 1]);
  });

  it("is kept and not tried if the credentials can't be valid", async () => {
    const chat = await startWithChat();
    chat.token?.disable("the tokens are swapped");
    const [id] = await commit([announced("AAAA")], { ...GENERAL, platform: "chat" });
    for (let hours = 0; hours < 3; hours += 1) await skip(3_600_000);
    expect(chat.sends).toEqual([]);
    expect(await deliverer.problemAt({ ...GENERAL, platform: "chat" }, 0)).toMatchObject({ retry: "restart" });
    expect(id && (await readOutcome(store, id))).toMatchObject({ kind: "waiting" });
  });

  it("is sent while credentials are rejected that are not used for sending", async () => {
    const chat = await startWithChat();
    chat.health = () => {
      return { ok: false, reason: "no events", rejected: { since: 0, retryAt: 9e15, blocksSending: false } };
    };
    await commit([announced("AAAA")], { ...GENERAL, platform: "chat" });
    await until(() => chat.posted.length === 1);
    expect(await deliverer.problemAt({ ...GENERAL, platform: "chat" }, 0)).toBeNull();
  });

  it("ends the pause of its destination if it is refused", async () => {
    let failure: "not-allowed" | "refused" = "not-allowed";
    web.onSend = async (_, post) => {
      if (web.sends.length > 2) return post();
      throw new DeliveryError(failure, "refused");
    };
    await commit([announced("AAAA")], GENERAL);
    await until(async () => (await store.pauses.of(GENERAL)) !== null);
    failure = "refused";
    await deliverer.retryPaused(GENERAL);
    await until(async () => (await store.outbox.waitingCount()) === 0);
    expect(await store.pauses.of(GENERAL)).toBeNull();
    await commit([announced("BBBB")], GENERAL);
    await until(() => web.posted.length === 1);
  });

  it.each(["resume", "retry"] as const)(
    "is tried once more if a %s comes while the first refusal is under way",
    async (method) => {
      web.onSend = async (_, post) => {
        if (web.sends.length > 1) return post();
        await store.pauses[method](GENERAL, clock.now());
        throw new DeliveryError("not-allowed", "a permission is missing");
      };
      await commit([announced("AAAA")], GENERAL);
      await until(async () => (await store.outbox.waitingCount()) === 0);
      expect([web.posted.length, await store.pauses.of(GENERAL)]).toEqual([1, null]);
    },
  );

  it("is logged as paused once per reason", async () => {
    let reason = "a permission is missing";
    web.onSend = async () => {
      throw new DeliveryError("not-allowed", reason);
    };
    const tries = async (): Promise<void> => {
      const before = web.sends.length;
      await deliverer.retryPaused(GENERAL);
      await until(() => web.sends.length > before);
      await workDone();
    };
    await commit([announced("AAAA")], GENERAL);
    await until(() => log.count("destination paused") === 1);
    for (let command = 0; command < 3; command += 1) await tries();
    expect(log.lines.filter(({ level, event }) => level === "warn" && event === "destination paused")).toHaveLength(1);
    reason = "the thread is locked";
    await tries();
    expect(log.count("destination paused")).toBe(2);
  });
});

/** Restarts the deliverer with a second platform, whose sends use a token. */
async function startWithChat(): Promise<ScriptedPlatform> {
  await deliverer.stop();
  const chat = new ScriptedPlatform("chat");
  chat.token = new TokenState("chat", { clock, log });
  start([chat, web]);
  return chat;
}

/** Refuses the messages with a card of one of the tickers, and those in which it is text only as `refusesText` says. */
function refuse(
  tickers: readonly string[],
  { failure = "refused", refusesText = true }: { failure?: DeliveryFailure; refusesText?: boolean } = {},
): void {
  web.onSend = async (attempt, post) => {
    const { titles, isTextOnly = false } = bodyOf(attempt);
    const isBad = titles.some((title) => tickers.some((ticker) => title.includes(ticker)));
    if (isBad && (refusesText || !isTextOnly)) throw new DeliveryError(failure, "not this one");
    return post();
  };
}

const NAMES = ["AAAA", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF", "GGGG", "HHHH", "IIII"];

/** The first four letters of each title, by message. */
function postedTickers(): readonly (readonly string[])[] {
  return web.posted.map(({ titles }) => titles.map((title) => title.slice(0, 4)));
}

describe("a refused message", () => {
  it.each(["refused", "unrecognized"] as const)("(%s) is sent as text only, before the next one", async (failure) => {
    refuse(["AAAA"], { failure, refusesText: false });
    const [id] = await commit([announced("AAAA")], GENERAL);
    await until(() => web.sends.length > 0);
    await commit([announced("BBBB")], GENERAL);
    await until(() => web.posted.length === 2);

    expect(web.posted[0]).toMatchObject({ titles: [expect.stringContaining("AAAA")], isTextOnly: true });
    expect(web.posted[1]).not.toHaveProperty("isTextOnly");
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent" });
  });

  it.each(["refused", "unrecognized"] as const)(
    "(%s) with several alerts is divided until the others are sent, in few messages",
    async (failure) => {
      refuse(["EEEE"], { failure });
      await commit(NAMES.map(announced), GENERAL);
      await pass(30);

      const posted = postedTickers();
      expect(posted.flat().toSorted()).toEqual(NAMES.filter((name) => name !== "EEEE"));
      expect(posted.length).toBeLessThanOrEqual(5);
      expect(await store.outbox.waitingCount()).toBe(1);
    },
  );

  it("lets later alerts pass, is tried again with backoff, and is given up with the reason", async () => {
    refuse(["AAAA"]);
    const [id = ""] = await commit([announced("AAAA")], GENERAL);
    await pass(5);
    await commit([announced("BBBB")], GENERAL);
    await pass(2);

    expect(postedTickers()).toEqual([["BBBB"]]);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "waiting", problem: "not this one" });
    expect((await store.outbox.summary()).delayed).toMatchObject([{ to: GENERAL, problem: "not this one" }]);

    for (let hours = 0; hours < 3; hours += 1) for (let steps = 0; steps < 60; steps += 1) await skip(60_000);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "failed", reason: "not this one" });
    expect(web.sends).toHaveLength(10);
    expect(await metrics.page()).toMatchObject({
      text: expect.stringContaining('splitwatch_deliveries_total{platform="web",outcome="failed"} 1'),
    });
    expect((await store.outbox.summary()).totals).toEqual({ paused: 0, failed: 1, delayed: 0 });
  });

  it("is sent when it is accepted again, also after a restart", async () => {
    refuse(["AAAA"]);
    await commit([announced("AAAA")], GENERAL);
    await pass(5);
    await restart();
    web.onSend = async (_, post) => post();
    await pass(30);
    expect(web.posted).toEqual([]);
    await pass(60);
    expect(postedTickers()).toEqual([["AAAA"]]);
  });

  it("with a code that isn't documented is never given up while nothing gets through, and is then sent with the others", async () => {
    refuse(NAMES, { failure: "unrecognized" });
    await commit(NAMES.slice(0, 5).map(announced), GENERAL);
    for (let hours = 0; hours < 12; hours += 1) for (let steps = 0; steps < 60; steps += 1) await skip(60_000);
    await commit([announced("FFFF")], GENERAL);
    await pass(5);
    expect((await store.outbox.summary()).totals.failed).toBe(0);
    web.onSend = async (_, post) => post();
    for (let steps = 0; steps < 70; steps += 1) await skip(60_000);

    expect(postedTickers().flat().toSorted()).toEqual(NAMES.slice(0, 6));
    expect(web.posted.length).toBeLessThanOrEqual(2);
    expect(web.posted.every(({ isTextOnly }) => isTextOnly !== true)).toBe(true);
  });

  it("is neither lost nor sent twice if the process ends while it is divided", async () => {
    refuse(["CCCC"], { refusesText: false });
    await commit(NAMES.map(announced), GENERAL);
    for (let restarts = 0; restarts < 12; restarts += 1) {
      await pass(0.5);
      await restart();
    }
    await pass(30);
    expect(postedTickers().flat().toSorted()).toEqual(NAMES);
    expect(await store.outbox.waitingCount()).toBe(0);
  });

  it("that may have been posted before is counted if its history can't be searched", async () => {
    web.onFind = async () => "cannot-search";
    web.onSend = async (attempt, post) => {
      if (web.sends.length === 1) throw new DeliveryError("unknown-outcome", "no answer");
      if (bodyOf(attempt).isTextOnly !== true) throw new DeliveryError("refused", "not this one");
      return post();
    };
    const [id = ""] = await commit([announced("AAAA")], GENERAL);
    await pass(300);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent", blindResends: 1 });
  });

  it("keeps its id while an earlier send may still arrive", async () => {
    web.onSend = async () => {
      throw web.sends.length === 1
        ? new DeliveryError("unknown-outcome", "no answer")
        : new DeliveryError("refused", "not this one");
    };
    await commit([announced("AAAA")], GENERAL);
    await pass(30);
    expect(web.sends.length).toBeGreaterThan(3);
    expect(new Set(web.sends).size).toBe(1);
    web.onSend = async (_, post) => post();
    await pass(60);
    expect(web.posted.map(({ messageId }) => messageId)).toEqual([web.sends[0]]);
  });

  it("is not judged by a refused search, which is repeated", async () => {
    web.onSend = async (_, post) => {
      if (web.sends.length === 1) throw new DeliveryError("unknown-outcome", "no answer");
      return post();
    };
    let searches = 0;
    web.onFind = async () => {
      searches += 1;
      if (searches < 3) throw new DeliveryError("refused", "no search");
      return "not-found";
    };
    await commit([announced("AAAA")], GENERAL);
    await pass(30);
    expect(web.posted).toHaveLength(1);
  });
});

describe("a message that something else than the platform answers", () => {
  it("is sent again as it is, and not divided while nothing gets through", async () => {
    web.onSend = async () => {
      throw new DeliveryError("intercepted", "a proxy refuses requests");
    };
    const ids = await commit(NAMES.map(announced), GENERAL);
    await pass(300);
    expect(await readOutcome(store, ids[0] as DeliveryId)).toMatchObject({
      kind: "waiting",
      problem: "a proxy refuses requests",
    });
    web.onSend = async (_, post) => post();
    await pass(310);

    expect(postedTickers()).toEqual([NAMES]);
  });

  it("lets others pass after its second failure, and is divided if they get through", async () => {
    refuse(["AAAA"], { failure: "intercepted", refusesText: false });
    await commit(["AAAA", "BBBB", "CCCC"].map(announced), GENERAL);
    await pass(3);
    await commit([announced("DDDD")], GENERAL);
    await pass(20);

    expect(postedTickers().flat().toSorted()).toEqual(["AAAA", "BBBB", "CCCC", "DDDD"]);
    expect(web.posted.filter(({ isTextOnly }) => isTextOnly === true)).toHaveLength(1);
  });
});

describe("a message that is never answered", () => {
  it("lets others pass within five minutes, and is sent once when it is answered", async () => {
    refuse(["AAAA"], { failure: "unknown-outcome" });
    await commit([announced("AAAA")], GENERAL);
    await pass(1);
    await commit([announced("BBBB")], GENERAL);
    await pass(300);
    expect(postedTickers()).toEqual([["BBBB"]]);
    web.onSend = async (_, post) => post();
    await pass(400);
    expect(postedTickers()).toEqual([["BBBB"], ["AAAA"]]);
  });

  it("lets others pass as soon while other destinations get their messages", async () => {
    refuse(["AAAA"], { failure: "unknown-outcome" });
    await commit([announced("AAAA")], GENERAL);
    await pass(1);
    await commit([announced("BBBB")], GENERAL, OTHER);
    await pass(300);
    expect(postedTickers()).toEqual([["BBBB"], ["BBBB"]]);
  });
});

describe("a slow or limited platform", () => {
  it("does not delay other platforms, regardless of the number of its destinations", async () => {
    await deliverer.stop();
    const chat = new ScriptedPlatform("chat");
    chat.onSend = () => new Promise(() => undefined);
    start([chat, web]);
    const destinations = Array.from({ length: 300 }, (_, index) => ({ ...GENERAL, platform: "chat", id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await until(() => chat.sends.length === 250);
    await commit([announced("BBBB")], GENERAL);
    await until(() => web.posted.length === 1);

    expect(chat.sends).toHaveLength(250);
    // The hanging send would block a stop, so this pipeline is abandoned like that of a killed process.
    endDeliverer = async () => undefined;
  });

  it("does not block its other destinations when one reaches the limit of concurrent sends", async () => {
    const held = Promise.withResolvers<void>();
    web.ratesOf = ({ id }) => [{ key: id.slice(0, 1), everyMs: 1, burst: 1, isShared: true, maxInFlight: 3 }];
    web.onSend = async ({ to }, post) => {
      if (to.id.startsWith("a")) await held.promise;
      return post();
    };
    const destinations = Array.from({ length: 120 }, (_, index) => ({ ...GENERAL, id: `a${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(2);
    expect(web.sends).toHaveLength(3);
    await commit([announced("BBBB")], { ...GENERAL, id: "b" });
    await pass(2);
    expect([web.sends.length, web.posted.length]).toEqual([4, 1]);
    held.resolve();
    await pass(40);
    expect(web.posted).toHaveLength(121);
  });

  it("claims each destination twice at most, however long the pace makes it wait", async () => {
    web.rates = [{ key: "token", everyMs: 200, burst: 1, isShared: true }];
    const claimed = vi.spyOn(store.claims, "release");
    const destinations = Array.from({ length: 120 }, (_, index) => ({ ...GENERAL, id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(27);

    expect(web.posted).toHaveLength(120);
    expect(claimed.mock.calls.length).toBeLessThanOrEqual(2 * 120);
  });

  it("sends a message as soon as an earlier one is answered, without another wait for the pace", async () => {
    web.rates = [{ key: "token", everyMs: 2_000, burst: 1, isShared: true, maxInFlight: 1 }];
    const answer = Promise.withResolvers<void>();
    web.onSend = async (_, post) => {
      if (web.sends.length === 1) await answer.promise;
      return post();
    };
    await commit([announced("AAAA")], GENERAL, OTHER);
    await until(() => web.sends.length === 1);
    await pass(2);
    answer.resolve();
    await pass(1);

    expect(web.posted).toHaveLength(2);
  });

  it("begins as many messages as the platform permits at that moment", async () => {
    const answer = Promise.withResolvers<void>();
    let permitted = 2;
    web.ratesOf = () => [{ key: "token", everyMs: 1, burst: 1, isShared: true, maxInFlight: permitted }];
    web.onSend = async (_, post) => {
      await answer.promise;
      return post();
    };
    const destinations = Array.from({ length: 20 }, (_, index) => ({ ...GENERAL, id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(2);
    expect(web.sends).toHaveLength(2);
    permitted = 5;
    await pass(2);
    expect(web.sends).toHaveLength(5);
    permitted = 20;
    answer.resolve();
    await pass(2);
    expect(web.posted).toHaveLength(20);
  });

  it("sends at its pace although destinations missed their slots", async () => {
    web.rates = [{ key: "token", everyMs: 200, burst: 1, isShared: true }];
    const destinations = Array.from({ length: 60 }, (_, index) => ({ ...GENERAL, id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(2);
    const before = web.posted.length;
    // As long as the process stands still, all slots are missed.
    clock.skip(60_000);
    await pass(2);

    expect(web.posted.length - before).toBeLessThanOrEqual(30);
    await pass(12);
    expect(web.posted).toHaveLength(60);
  });

  it("is used at its pace when another process continues: the destinations keep their slots", async () => {
    const second = new ScriptedPlatform();
    for (const platform of [web, second]) platform.rates = [{ key: "token", everyMs: 200, burst: 1, isShared: true }];
    const destinations = Array.from({ length: 60 }, (_, index) => ({ ...GENERAL, id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(6);
    await endDeliverer();
    expect(web.posted.length).toBeLessThanOrEqual(31);
    start([second]);
    await pass(7);

    expect(web.posted.length + second.posted.length).toBe(60);
  });

  it("is not called again before the end of its rate limit", async () => {
    web.rates = [{ key: "token", everyMs: 20, burst: 1, isShared: true }];
    web.onSend = async (_, post) => {
      if (web.sends.length === 1) {
        throw new DeliveryError("retry", "slow down", { retryAfterMs: 20_000, limitKey: "token" });
      }
      return post();
    };
    const destinations = Array.from({ length: 30 }, (_, index) => ({ ...GENERAL, id: `c${index}` }));
    await commit([announced("AAAA")], ...destinations);
    await pass(19);
    expect(web.sends).toHaveLength(1);
    await pass(6);

    expect(web.posted).toHaveLength(30);
  });
});

describe("a purge", () => {
  it("waits for the person's message in progress, and then nothing more is sent to them", async () => {
    const reached = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    web.onSend = async (_, post) => {
      reached.resolve();
      await holding.promise;
      return post();
    };
    await commit([announced("AAAA")], BOB);
    await reached.promise;
    await commit([announced("BBBB")], BOB, GENERAL);
    let purged = false;
    const forgetting = deliverer.whileNotSending(BOB, async () => {
      await store.purgePerson(BOB);
      purged = true;
    });
    await pass(2);
    expect(purged).toBe(false);
    holding.resolve();
    await forgetting;
    await pass(5);

    expect(web.posted.map(({ to, titles }) => [to, titles.length])).toEqual([
      [destinationKey(BOB), 1],
      [destinationKey(GENERAL), 1],
    ]);
    expect(await store.outbox.waitingCount()).toBe(0);
    expect(log.count("delivery interrupted")).toBe(0);
  });

  it("blocks deliveries to the person while it runs, but not to others", async () => {
    const holding = Promise.withResolvers<void>();
    const done = deliverer.whileNotSending(BOB, () => holding.promise);
    await commit([announced("AAAA")], BOB, GENERAL);
    await pass(2);
    expect(web.posted.map(({ to }) => to)).toEqual([destinationKey(GENERAL)]);
    holding.resolve();
    await done;
    await pass(2);
    expect(web.posted.map(({ to }) => to)).toContain(destinationKey(BOB));
  });

  it("keeps the rate-limit slot of the person's message", async () => {
    web.rates = [{ key: "all", everyMs: 10_000, burst: 1, isShared: true }];
    await commit([announced("AAAA")], GENERAL, BOB, OTHER);
    await pass(2);
    await deliverer.whileNotSending(BOB, async () => undefined);
    await pass(25);
    expect(web.posted.map(({ to }) => to)).toEqual([GENERAL, BOB, OTHER].map(destinationKey));
  });

  it("waits for another purge of the same person, and deliveries continue afterward", async () => {
    const holding = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running: number[] = [];
    const purges = holding.map((hold, index) =>
      deliverer.whileNotSending(BOB, () => {
        running.push(index);
        return hold.promise;
      }),
    );
    await commit([announced("AAAA")], BOB);
    await pass(1);
    expect(running).toEqual([0]);
    holding[0]?.resolve();
    await pass(1);
    expect(running).toEqual([0, 1]);
    holding[1]?.resolve();
    await Promise.all(purges);
    await pass(2);
    expect(web.posted).toHaveLength(1);
  });
});

describe("with other processes on the same store", () => {
  it("sends what another process added", async () => {
    const work = createListeners();
    await startWith({ claims: { onWork: work.add } });
    await pass(1);
    const wake = vi.spyOn(deliverer, "wake").mockReturnValueOnce();
    await commit([announced("AAAA")], GENERAL);
    wake.mockRestore();
    await pass(1);
    expect(web.posted).toHaveLength(0);
    work.notify();
    await pass(1);
    expect(web.posted).toHaveLength(1);
  });

  it("leaves a destination that another process has claimed, without an error", async () => {
    const lost = new ClaimLostError("claimed by another process");
    await startWith({
      outbox: { saveAttempt: () => Promise.reject(lost) },
      claims: { release: () => Promise.reject(lost) },
    });
    const [id = ""] = await commit([announced("AAAA")], GENERAL);
    await until(() => log.count("claim lost") > 0);
    expect(web.posted).toEqual([]);
    expect(await readOutcome(store, id as DeliveryId)).toEqual({ kind: "waiting", problem: null, retryAt: null });
    expect(log.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  });

  it("saves the outcome of a posted message when the store works again, without a search or a resend", async () => {
    let failures = 0;
    await startWith({
      outbox: {
        markSent: async (...outcome) => {
          if (clock.monotonic() - begun >= 20_000) return store.outbox.markSent(...outcome);
          failures += 1;
          throw new StoreError("no connection");
        },
      },
    });
    const begun = clock.monotonic();
    const [id = ""] = await commit([announced("AAAA")], GENERAL);
    await pass(19);
    expect(web.posted).toHaveLength(1);
    expect(failures).toBeGreaterThan(3);
    await pass(7);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent" });
    expect([web.sends.length, web.finds]).toEqual([1, []]);
    expect(log.count("outcome not saved yet")).toBe(1);
  });

  it.each([
    ["the claim is lost", new ClaimLostError("claimed by another process"), 1],
    ["the store fails for longer than 30 seconds", new StoreError("no connection"), 3],
  ])("searches for a posted message if %s before its outcome is saved", async (_, problem, atLeast) => {
    let failures = 0;
    await startWith({
      outbox: {
        markSent: async (...outcome) => {
          if (web.finds.length > 0) return store.outbox.markSent(...outcome);
          failures += 1;
          throw problem;
        },
      },
    });
    web.onFind = async ({ messageId }) => ({ id: `ref-${messageId}`, link: null });
    const [id = ""] = await commit([announced("AAAA")], GENERAL);
    await pass(40);
    expect(await readOutcome(store, id as DeliveryId)).toMatchObject({ kind: "sent" });
    expect([web.sends.length, web.finds.length]).toEqual([1, 1]);
    expect(failures).toBeGreaterThanOrEqual(atLeast);
    expect(failures).toBeLessThan(20 * atLeast);
  });

  it("waits with a purge until another process has released the person's claim", async () => {
    let isClaimedElsewhere = true;
    await startWith({ claims: { claim: async () => !isClaimedElsewhere } });
    let purged = false;
    const forgetting = deliverer.whileNotSending(BOB, async () => {
      purged = true;
    });
    await pass(1);
    expect(purged).toBe(false);
    isClaimedElsewhere = false;
    await pass(1);
    await forgetting;
    expect(purged).toBe(true);
  });
});

/** Replaces methods of the store, as a store of several processes would answer. */
async function startWith({ claims = {}, outbox = {} }: ReplacedMethods): Promise<void> {
  await deliverer.stop();
  start([web], { ...store, claims: replaced(store.claims, claims), outbox: replaced(store.outbox, outbox) });
}

interface ReplacedMethods {
  readonly claims?: Partial<Store["claims"]>;
  readonly outbox?: Partial<Store["outbox"]>;
}

function replaced<T extends object>(part: T, methods: Partial<T>): T {
  return new Proxy(part, {
    get: (real, name) => Reflect.get(methods, name) ?? (Reflect.get(real, name) as () => unknown).bind(real),
  });
}

function purgeBob(): Promise<void> {
  return deliverer.whileNotSending(BOB, () => store.purgePerson(BOB));
}

/** Watches a ticker again and announces its split. Returns what is sent within a second. */
async function sentAfterPurge(): Promise<readonly (string | undefined)[]> {
  const event = announced("BBBB");
  await store.watchlists.add(BOB, [event.record.ticker]);
  await commit([event], BOB);
  await pass(1);
  return web.posted.map(({ titles }) => titles[0]?.slice(0, 4));
}

describe("a purge of a person whose alerts wait", () => {
  it("ends a hold, so that the next alert is sent immediately", async () => {
    await store.destinationSettings.change(BOB, { mutedUntil: clock.now() + 24 * 3_600_000 });
    await commit([announced("AAAA")], BOB);
    await pass(1);
    await purgeBob();
    expect(await sentAfterPurge()).toEqual(["BBBB"]);
  });

  it("ends a delay after a failure, so that the next alert is sent immediately", async () => {
    web.onSend = async (_, post) => {
      if (web.sends.length > 1) return post();
      throw new DeliveryError("retry", "busy", { retryAfterMs: 3_600_000 });
    };
    await commit([announced("AAAA")], BOB);
    await pass(1);
    await purgeBob();
    expect(await sentAfterPurge()).toEqual(["BBBB"]);
  });

  it("ends a search for a message with an unknown outcome", async () => {
    web.onSend = async (_, post) => {
      if (web.sends.length > 1) return post();
      throw new DeliveryError("unknown-outcome", "the connection was lost");
    };
    web.onFind = async () => {
      throw new DeliveryError("retry", "busy", { retryAfterMs: 60_000 });
    };
    await commit([announced("AAAA")], BOB);
    await pass(5);
    expect(web.finds).toHaveLength(1);
    await purgeBob();
    expect(await sentAfterPurge()).toEqual(["BBBB"]);
    await pass(120);
    expect(web.finds).toHaveLength(1);
  });

  it("ends a pause, so that the next alert is sent immediately", async () => {
    web.onSend = async (_, post) => {
      if (web.sends.length > 1) return post();
      throw new DeliveryError("gone", "the account no longer exists");
    };
    await commit([announced("AAAA")], BOB);
    await pass(1);
    await purgeBob();
    expect(await sentAfterPurge()).toEqual(["BBBB"]);
  });
});

describe("a restart", () => {
  it("searches for a message that was being sent when the process ended, and does not send it twice", async () => {
    web.onSend = (_, post) => {
      post();
      return new Promise(() => undefined);
    };
    await commit([announced("AAAA")], GENERAL);
    await until(() => web.posted.length === 1);
    endDeliverer = async () => undefined;
    await restart();
    await pass(2);

    expect([web.sends.length, web.finds.length, web.posted.length]).toEqual([1, 1, 1]);
    expect(await store.outbox.summary()).toMatchObject({ waiting: 0 });
  });

  it("sends waiting deliveries once", async () => {
    await deliverer.stop();
    await commit([announced("AAAA")], GENERAL, BOB);
    await restart();
    await pass(2);
    await restart();
    await pass(2);

    expect(web.posted).toHaveLength(2);
  });
});
