import { dayInZone, type Instant } from "../core/day.ts";
import type { Attempt, DeliveryId, DeliveryOutcome, MessageRef, WaitingDelivery } from "../core/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../core/destination.ts";
import { isSplitEvent } from "../core/event.ts";
import { MARKET_ZONE } from "../core/trading-day.ts";
import { describeEvent } from "../messages/alerts.ts";
import { type ChatPlatform, DeliveryError } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Claim, Store } from "../ports/store.ts";
import { createLimiter, type Limiter } from "./limiter.ts";

/** Handed over to the platforms at once, all together. */
const MAX_IN_FLIGHT = 100;

/** Longer than any send can take: whose worker died is taken over after it. */
const LEASE_MS = 60_000;

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;

/** How often an outcome is looked up for somebody who waits for it. */
const OUTCOME_CHECK_MS = 50;

export interface DeliverParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly platforms: readonly ChatPlatform[];
  readonly timezone: string;
  readonly expireAfterMs: number;
  /** At most 25 characters, never the same twice. */
  newMessageId(): string;
}

export interface Deliverer {
  start(): void;
  /** Something new may wait. */
  wake(): void;
  /** What became of a delivery, after at most `withinMs`. */
  outcome(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome>;
  /** Takes no new work; resolves when what is in flight is settled or parked. */
  stop(): Promise<void>;
}

export function createDeliverer(parts: DeliverParts): Deliverer {
  return new DeliveryLoop(parts);
}

class DeliveryLoop implements Deliverer {
  readonly #parts: DeliverParts;
  readonly #limiter: Limiter = createLimiter();
  readonly #platforms: ReadonlyMap<string, ChatPlatform>;
  /** Platforms whose credentials were refused: nothing goes out there until a restart. */
  readonly #stopped = new Set<string>();
  readonly #inFlight = new Map<DestinationKey, Promise<void>>();
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: DeliverParts) {
    this.#parts = parts;
    this.#platforms = new Map(parts.platforms.map((platform) => [platform.name, platform]));
  }

  start(): void {
    this.#loop = this.#run();
  }

  wake(): void {
    this.#woken.abort();
  }

  async outcome(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome> {
    const { store, clock } = this.#parts;
    const until = clock.now() + withinMs;
    this.wake();
    for (;;) {
      const outcome = (await store.outbox.outcome(id)) ?? { kind: "waiting", problem: null };
      if (outcome.kind !== "waiting" || outcome.problem !== null || clock.now() >= until) return outcome;
      await clock.sleep(OUTCOME_CHECK_MS, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return outcome;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#inFlight.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      await this.#takeWork();
      await this.#rest();
    }
  }

  async #takeWork(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const limit = MAX_IN_FLIGHT - this.#inFlight.size;
      if (limit <= 0) return;
      const claims = await store.outbox.claim({ now: clock.now(), limit, leaseMs: LEASE_MS, platforms: this.#open() });
      for (const claim of claims) this.#begin(claim);
    } catch (error) {
      log.error("claim-failed", { error });
      await clock.sleep(FIRST_RETRY_MS, this.#stopping.signal);
      this.wake();
    }
  }

  /** Until something new waits, a delivery ends, or one that waits becomes due. */
  async #rest(): Promise<void> {
    const { store, clock } = this.#parts;
    const due = await store.outbox.nextDue(this.#open()).catch(() => clock.now() + FIRST_RETRY_MS);
    const wait = due === null ? LAST_RETRY_MS : Math.max(due - clock.now(), 10);
    await clock.sleep(wait, this.#woken.signal);
  }

  #open(): readonly string[] {
    return [...this.#platforms.keys()].filter((name) => !this.#stopped.has(name));
  }

  #begin(claim: Claim): void {
    const key = destinationKey(claim.to);
    const platform = this.#platforms.get(claim.to.platform);
    // A lease that ran out while we still work on it is not taken up again.
    if (!platform || this.#inFlight.has(key)) return;
    const work = this.#deliver(platform, claim).finally(() => {
      this.#inFlight.delete(key);
      this.wake();
    });
    this.#inFlight.set(key, work);
  }

  async #deliver(platform: ChatPlatform, claim: Claim): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      await clock.sleep(this.#limiter.reserve(platform.limits(claim.to), clock.now()), this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      const attempt = claim.attempt ?? (await this.#compose(platform, claim.to));
      if (attempt) await this.#carryOut(platform, attempt);
    } catch (error) {
      // What was written stands: the destination is claimed again later.
      log.error("delivery-interrupted", { to: destinationKey(claim.to), error });
      await clock.sleep(FIRST_RETRY_MS, this.#stopping.signal);
    } finally {
      await store.outbox.release(claim.to).catch((error: unknown) => log.error("release-failed", { error }));
    }
  }

  /** Puts what waits now into one message: as many events in a row as answer the same message and fit. */
  async #compose(platform: ChatPlatform, to: Destination): Promise<Attempt | null> {
    const { store, clock, timezone, expireAfterMs } = this.#parts;
    const waiting = await store.outbox.waitingAt(to);
    const [first] = waiting;
    if (!first) return null;
    const replyTo = await this.#answered(to, first);
    const group: WaitingDelivery[] = [first];
    for (const next of waiting.slice(1)) {
      if ((await this.#answered(to, next))?.id !== replyTo?.id) break;
      group.push(next);
    }
    const now = clock.now();
    const moment = { now, today: dayInZone(now, MARKET_ZONE), timezone, expireAfterMs };
    const messageId = this.#parts.newMessageId();
    const { body, carried } = platform.render({
      messageId,
      to,
      cards: group.map(({ event }) => describeEvent(event, moment)),
      mentions: [...new Set(group.flatMap(({ delivery }) => delivery.mentions))],
    });
    return {
      messageId,
      to,
      deliveries: group.slice(0, carried).map(({ delivery }) => delivery.id),
      body,
      replyTo,
      createdAt: now,
      state: "ready",
      sends: 0,
      blindResends: 0,
      notBefore: now,
      problem: null,
    };
  }

  /** The message that this one answers: the first about the same split. */
  async #answered(to: Destination, { event }: WaitingDelivery): Promise<MessageRef | null> {
    const splitId = isSplitEvent(event) ? event.splitId : undefined;
    return splitId === undefined ? null : this.#parts.store.history.firstMessage(to, splitId);
  }

  async #carryOut(platform: ChatPlatform, attempt: Attempt): Promise<void> {
    const { store } = this.#parts;
    let next = attempt;
    try {
      if (attempt.state !== "ready") {
        const found = await platform.find(attempt);
        if (typeof found === "object") return await this.#settle(attempt, found);
        if (found === "cannot-look") next = { ...attempt, blindResends: attempt.blindResends + 1 };
      }
    } catch (error) {
      return await this.#postpone(platform, attempt, asDeliveryError(error), "uncertain");
    }
    const sending: Attempt = { ...next, state: "sending", sends: next.sends + 1 };
    await store.outbox.record(sending);
    try {
      await this.#settle(sending, await platform.send(sending));
    } catch (error) {
      await this.#sendFailed(platform, sending, asDeliveryError(error));
    }
  }

  async #settle(attempt: Attempt, ref: MessageRef): Promise<void> {
    const { store, clock, metrics, log } = this.#parts;
    const at = clock.now();
    const events = await store.outbox.sent(attempt.messageId, ref, at);
    const { platform } = attempt.to;
    metrics.delivered(platform, attempt.blindResends > 0 ? "sent_blind" : "sent");
    for (const event of events) metrics.deliveryTook(platform, at - event.at);
    log.info("delivered", { to: destinationKey(attempt.to), message: attempt.messageId, deliveries: events.length });
  }

  async #sendFailed(platform: ChatPlatform, attempt: Attempt, error: DeliveryError): Promise<void> {
    const { store, clock, metrics, log } = this.#parts;
    const now = clock.now();
    metrics.delivered(platform.name, error.failure);
    const fields = { to: destinationKey(attempt.to), message: attempt.messageId, problem: error.message };
    switch (error.failure) {
      case "retry":
        log.warn("delivery-postponed", fields);
        return this.#postpone(platform, attempt, error, "ready");
      case "unknown-outcome":
        log.warn("delivery-uncertain", fields);
        return this.#postpone(platform, attempt, error, "uncertain");
      case "gone":
      case "not-allowed":
        log.warn("destination-paused", fields);
        await store.outbox.record({ ...attempt, state: "ready", problem: error.message });
        return store.outbox.pause(attempt.to, error.message, now);
      case "broken-credentials":
        log.error("platform-stopped", { ...fields, platform: platform.name });
        this.#stopped.add(platform.name);
        return this.#postpone(platform, attempt, error, "ready");
      case "malformed":
        log.error("message-refused", fields);
        return store.outbox.failed(attempt.messageId, error.message, now);
    }
  }

  async #postpone(
    platform: ChatPlatform,
    attempt: Attempt,
    error: DeliveryError,
    state: "ready" | "uncertain",
  ): Promise<void> {
    const { store, clock } = this.#parts;
    const wait = Math.max(error.retryAfterMs ?? 0, backOffMs(attempt.sends));
    const notBefore: Instant = clock.now() + wait;
    if (error.limitKey !== null) this.#limiter.block(error.limitKey, notBefore);
    if (error.failure === "broken-credentials") this.#stopped.add(platform.name);
    await store.outbox.record({ ...attempt, state, notBefore, problem: error.message });
  }
}

/** Doubles with each try; the random half keeps many destinations from coming back at one moment. */
function backOffMs(sends: number): number {
  const full = Math.min(FIRST_RETRY_MS * 2 ** Math.min(sends, 10), LAST_RETRY_MS);
  return full / 2 + (Math.random() * full) / 2;
}

/** Anything else that an adapter throws is a bug of ours: the message may be out, so it is looked for before it goes again. */
function asDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  return new DeliveryError("unknown-outcome", "the adapter failed unexpectedly", { cause: error });
}
