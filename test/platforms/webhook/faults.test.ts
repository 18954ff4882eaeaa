import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWebhookPlatform } from "../../../src/chat/webhook/platform.ts";
import { destinationOf } from "../../../src/chat/webhook/settings.ts";
import { deliveryId } from "../../../src/domain/alert/delivery.ts";
import { destinationKey } from "../../../src/domain/alert/destination.ts";
import { type Announced, type EventId, NO_EVIDENCE } from "../../../src/domain/alert/event.ts";
import { DEFAULT_FILTER } from "../../../src/domain/settings/rule.ts";
import type { SplitId } from "../../../src/domain/split/split.ts";
import { createMetrics, type MetricsPage } from "../../../src/lib/metrics.ts";
import { Deliverer } from "../../../src/pipeline/deliver.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { SILENT_LOG } from "../../../src/ports/log.ts";
import type { Store } from "../../../src/ports/store.ts";
import { configuredStore } from "../../../src/store/index.ts";
import { temporaryFolder } from "../../support/app.ts";
import { aRecord } from "../../support/builders.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import type { Answer } from "../../support/upstream-faults.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { alertsIn, startReceiver, type WebhookReceiver } from "./receiver.ts";

const CRM = destinationOf("crm");

/** Real time after which a request without an answer ends. */
const TIMEOUT_MS = 1_500;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let receiver: WebhookReceiver;
let metrics: MetricsPage;
let platform: ChatPlatform;
let deliverer: Deliverer;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  receiver = await startReceiver();
  metrics = createMetrics();
  await begin(receiver.url);
});

afterEach(async () => {
  await end();
  await receiver.stop();
  await store.close();
  await folder.remove();
});

async function begin(url: string): Promise<void> {
  const keys = [Buffer.alloc(32, "k")];
  platform = createWebhookPlatform({
    endpoints: [{ name: "crm", url: new URL(url), rules: [DEFAULT_FILTER], keys }],
    messagesPerMinute: 60,
    store,
    clock,
    log: SILENT_LOG,
    version: "1.2.3",
    wake: () => deliverer.wake(),
    timeoutMs: TIMEOUT_MS,
  });
  let count = 0;
  deliverer = new Deliverer({
    store,
    clock,
    log: SILENT_LOG,
    metrics,
    timezone: "America/New_York",
    nextDigest: () => null,
    expireAfterMs: 24 * 3_600_000,
    newMessageId: () => `m${clock.now()}-${++count}`,
  });
  await platform.start();
  deliverer.use([platform]);
  deliverer.start();
}

async function end(): Promise<void> {
  await deliverer.stop();
  await platform.stop();
}

async function announce(ticker: string): Promise<void> {
  const id = `${ticker}.1` as EventId;
  const record = aRecord({ ticker });
  const base = { id, at: clock.now(), sample: false, splitId: ticker as SplitId, record, ...NO_EVIDENCE };
  const event: Announced = { ...base, kind: "announced", alreadyEffective: false };
  const delivery = { id: deliveryId(id, destinationKey(CRM)), eventId: id, to: CRM, reasons: ["rule 1"], mentions: [] };
  await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
  deliverer.wake();
}

/** Advances the time until nothing waits. Returns the minutes. */
async function untilSent(stepMs = 500): Promise<number> {
  const begun = clock.now();
  await waitUntil("nothing waits", async () => {
    await clock.advance(stepMs);
    return (await store.outbox.waitingCount(CRM)) === 0;
  });
  return (clock.now() - begun) / 60_000;
}

/** Number of counted outcomes. */
async function counted(outcome: string): Promise<number> {
  const { text } = await metrics.page();
  const line = text.split("\n").find((one) => one.includes(`platform="webhook",outcome="${outcome}"`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Answers the first message with this and all others correctly. */
function answerOnce(answer: Answer, isProcessed: boolean): void {
  const { answerTo, accepts } = receiver;
  let isFirst = true;
  receiver.answerTo = (message) => (isFirst ? answer : answerTo(message));
  receiver.accepts = (message, given) => {
    const result = isFirst ? isProcessed : accepts(message, given);
    isFirst = false;
    return result;
  };
}

const OK = { status: 200, headers: {}, body: "ok" };
const HUGE = { ...OK, body: "x".repeat(1_000_000), manner: "endless" } as const;

describe("a message to a webhook", () => {
  beforeEach(async () => {
    await untilSent();
    // The next rate-limit slot is free.
    await clock.advance(1_000);
    receiver.received.length = 0;
    receiver.processed.length = 0;
  });

  it.each([
    ["a status of 500 after the message was processed", { status: 500, headers: {}, body: "" }, true],
    ["a status of 500", { status: 500, headers: {}, body: "" }, false],
    ["no answer after the message was processed", { ...OK, manner: "silent" }, true],
    ["no answer", { ...OK, manner: "silent" }, false],
    ["a lost connection after the message was processed", { ...OK, manner: "reset" }, true],
    ["a status of 503 without an end", { ...HUGE, status: 503 }, false],
  ] as const)("is sent again with the same id and content after %s", async (_, answer, isProcessed) => {
    answerOnce(answer, isProcessed);
    await announce("ACME");
    await untilSent();
    expect(alertsIn(receiver.processed)).toMatchObject([{ tickers: ["ACME"] }]);
    expect(receiver.received.map(({ id, text }) => [id, text])).toEqual(
      Array.from({ length: 2 }, () => [receiver.received[0]?.id, receiver.received[0]?.text]),
    );
    // It is counted after it is saved.
    await expect.poll(async () => [await counted("unknown-outcome"), await counted("sent_blind")]).toEqual([1, 1]);
  });

  it.each([
    ["whose body has no end", HUGE],
    ["whose body comes byte by byte", { ...OK, body: "x".repeat(10_000), manner: "trickle" }],
    ["that is cut", { ...OK, body: "x".repeat(100), manner: "cut" }],
    ["with a body that isn't text", { ...OK, headers: { "content-encoding": "gzip" }, body: "\u0000\u0001" }],
  ] as const)("is delivered by an answer with status 200 %s", async (_, answer) => {
    answerOnce(answer, true);
    await announce("ACME");
    await untilSent();
    expect(receiver.received).toHaveLength(1);
    expect(await counted("unknown-outcome")).toBe(0);
  });

  it("waits as long as a 429 asks for", async () => {
    answerOnce({ status: 429, headers: { "retry-after": "600" }, body: "" }, false);
    await announce("ACME");
    expect(await untilSent(10_000)).toBeGreaterThanOrEqual(10);
    expect(alertsIn(receiver.processed)).toHaveLength(1);
    expect([await counted("retry"), await counted("sent"), await counted("sent_blind")]).toEqual([1, 2, 0]);
  });

  it.each([
    [401, 5, "check its key in WEBHOOK_SECRETS"],
    [404, 5, "check its address in webhook.endpoints"],
    [302, 5, "redirects aren't followed"],
    [410, 60, "it no longer accepts messages"],
  ])("is kept after a status of %i, and is tried again after at least %i minutes", async (status, minutes, reason) => {
    answerOnce({ status, headers: { location: `${receiver.url}/other` }, body: "" }, false);
    await announce("ACME");
    await waitUntil("the webhook is paused", async () => (await store.pauses.of(CRM)) !== null);
    expect((await store.pauses.of(CRM))?.reason).toContain(`the webhook answered ${status}: ${reason}`);
    await announce("BETA");
    // The jitter shortens a delay by at most a half.
    expect(await untilSent(30_000)).toBeGreaterThanOrEqual(minutes / 2);
    expect(alertsIn(receiver.processed).flatMap(({ tickers }) => tickers)).toEqual(["ACME", "BETA"]);
    expect(receiver.received.map(({ path }) => path)).toEqual(receiver.received.map(() => "/alerts"));
  });

  it.each([400, 413, 415, 422])(
    "that is refused with status %i delays no other alert, and is sent when it is accepted",
    async (status) => {
      receiver.answerTo = ({ text }) => (text.includes('"ACME"') ? { status, headers: {}, body: "" } : OK);
      await announce("ACME");
      await announce("BETA");
      await announce("GAMA");
      await waitUntil("the others are sent", async () => {
        await clock.advance(1_000);
        return ["BETA", "GAMA"].every((ticker) =>
          alertsIn(receiver.processed).some(({ tickers }) => tickers.includes(ticker)),
        );
      });
      expect(await store.pauses.of(CRM)).toBeNull();
      receiver.answerTo = () => OK;
      await untilSent(10_000);
      expect(
        alertsIn(receiver.processed)
          .flatMap(({ tickers }) => tickers)
          .toSorted(),
      ).toEqual(["ACME", "BETA", "GAMA"]);
    },
  );

  it("is tried immediately after a restart although the webhook is paused", async () => {
    receiver.answerTo = () => ({ status: 403, headers: {}, body: "" });
    await announce("ACME");
    await waitUntil("the webhook is paused", async () => (await store.pauses.of(CRM)) !== null);
    await end();
    receiver.answerTo = () => OK;
    await begin(receiver.url);
    expect(await untilSent(100)).toBeLessThan(1);
    expect(alertsIn(receiver.processed)).toMatchObject([{ tickers: ["ACME"] }]);
  });

  it("is sent when the receiver starts to listen, without counting as a possible duplicate", async () => {
    await end();
    // No program listens on this port; a port that was freed may soon be another test's.
    await begin("http://127.0.0.1:1/alerts");
    await announce("ACME");
    await waitUntil("it was tried", async () => (await counted("retry")) > 0);
    expect(await counted("sent_blind")).toBe(0);
    await end();
    await begin(receiver.url);
    await untilSent();
    expect(alertsIn(receiver.processed)).toMatchObject([{ tickers: ["ACME"] }]);
    // The new address gets a test of its own, the known one doesn't.
    expect(receiver.processed.flatMap(({ alerts }) => alerts).filter(({ test }) => test)).toHaveLength(1);
  });

  it("is not sent while another process may have taken it over", async () => {
    await end();
    let isFenced = true;
    store = { ...store, mayStillSend: () => !isFenced };
    await begin(receiver.url);
    await announce("ACME");
    await waitUntil("it was withheld", async () => {
      await clock.advance(500);
      return (await counted("retry")) > 0;
    });
    expect(receiver.received).toEqual([]);
    isFenced = false;
    await untilSent();
    expect(alertsIn(receiver.processed)).toHaveLength(1);
  });
});
