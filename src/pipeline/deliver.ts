import type { Attempt, DeliveryId, DeliveryOutcome, MessageRef } from "../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../domain/alert/destination.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { createRateLimiter, type RateLimiter } from "../lib/rate-limiter.ts";
import { type ChatPlatform, DeliveryError } from "../ports/chat-platform.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Claim } from "../ports/store.ts";
import { type ComposeParts, compose } from "./compose.ts";
import { heldUntil } from "./hold.ts";

/** Handed over to one platform at once. */
const MAX_IN_FLIGHT = 100;

/** Longer than any send can take: whose worker died is taken over after it. */
const LEASE_MS = MINUTE_MS;

/** Who has to wait longer for a send slot than this is let go of, and taken up again when it is near. */
const PATIENCE_MS = 3_000;

/** Where as many as may be are on their way already, it is looked again so soon. */
const CROWDED_MS = 250;

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * MINUTE_MS;

/** How often an outcome is looked up for somebody who waits for it. */
const OUTCOME_CHECK_MS = 50;

export interface DeliverParts extends ComposeParts {
  readonly metrics: Metrics;
  readonly platforms: readonly ChatPlatform[];
}

export interface Deliverer {
  start(): void;
  /** Something new may wait. */
  wake(): void;
  /** What became of a delivery, after at most `withinMs`. */
  outcome(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome>;
  /** Runs `work` when nothing is on its way to this destination, and sends nothing there until that is done. */
  whilePaused<T>(to: Destination, work: () => Promise<T>): Promise<T>;
  /** Takes no new work; resolves when what is in flight is settled or parked. */
  stop(): Promise<void>;
}

export function createDeliverer(parts: DeliverParts): Deliverer {
  return new DeliveryLoop(parts);
}

/** One platform, and what is on its way there. */
interface Lane {
  readonly platform: ChatPlatform;
  /** The destinations that somebody here works on. */
  readonly busy: Set<DestinationKey>;
  readonly work: Set<Promise<void>>;
  /** Its credentials were refused: nothing goes out there until a restart. */
  stopped: boolean;
}

class DeliveryLoop implements Deliverer {
  readonly #parts: DeliverParts;
  readonly #limiter: RateLimiter = createRateLimiter();
  readonly #lanes: readonly Lane[];
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => undefined;

  constructor(parts: DeliverParts) {
    this.#parts = parts;
    this.#lanes = parts.platforms.map((platform) => ({ platform, busy: new Set(), work: new Set(), stopped: false }));
  }

  start(): void {
    this.#unfollow = this.#parts.store.destinationSettings.onChange((to) => void this.#lookAgainAt(to));
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

  async whilePaused<T>(to: Destination, work: () => Promise<T>): Promise<T> {
    const key = destinationKey(to);
    const lane = this.#lanes.find(({ platform }) => platform.name === to.platform);
    if (!lane) return work();
    while (lane.busy.has(key)) await Promise.race(lane.work);
    lane.busy.add(key);
    try {
      return await work();
    } finally {
      lane.busy.delete(key);
      // What was claimed meanwhile was not begun.
      await this.#parts.store.outbox.release(to);
      this.wake();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow();
    this.wake();
    await this.#loop;
    await Promise.all(this.#lanes.flatMap(({ work }) => [...work]));
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      // Asked before work is taken: what becomes due in between is taken now or after this rest, not forgotten.
      const due = await this.#nextDue();
      for (const lane of this.#open()) await this.#takeWork(lane);
      await this.#rest(due);
    }
  }

  /** Each platform has places of its own: a slow one holds up no other. */
  async #takeWork(lane: Lane): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const limit = MAX_IN_FLIGHT - lane.busy.size;
      if (limit <= 0) return;
      const platforms = [lane.platform.name];
      const claims = await store.outbox.claim({ now: clock.now(), limit, leaseMs: LEASE_MS, platforms });
      for (const claim of claims) this.#begin(lane, claim);
    } catch (error) {
      log.error("claim failed", { platform: lane.platform.name, error });
      await clock.sleep(FIRST_RETRY_MS, this.#stopping.signal);
      this.wake();
    }
  }

  async #nextDue(): Promise<Instant | null> {
    const { store, clock } = this.#parts;
    const names = this.#open().map(({ platform }) => platform.name);
    return store.outbox.nextDue(names).catch(() => clock.now() + FIRST_RETRY_MS);
  }

  /** Until something new waits, a delivery ends, or one that waits becomes due. */
  async #rest(due: Instant | null): Promise<void> {
    const { clock } = this.#parts;
    // Never for long: while a machine sleeps, its timers stand still.
    const wait = due === null ? LAST_RETRY_MS : Math.min(Math.max(due - clock.now(), 10), LAST_RETRY_MS);
    await clock.sleep(wait, this.#woken.signal);
  }

  #open(): readonly Lane[] {
    return this.#lanes.filter(({ stopped }) => !stopped);
  }

  #begin(lane: Lane, claim: Claim): void {
    const key = destinationKey(claim.to);
    // A lease that ran out while we still work on it is not taken up again.
    if (lane.busy.has(key)) return;
    lane.busy.add(key);
    const work = this.#deliver(lane, claim).finally(() => {
      lane.work.delete(work);
      this.wake();
    });
    lane.work.add(work);
  }

  async #deliver(lane: Lane, claim: Claim): Promise<void> {
    const { store, clock, log } = this.#parts;
    let notBefore = clock.now();
    let held: Instant | null = null;
    try {
      // What is under way is always finished.
      held = claim.attempt === null ? await heldUntil(this.#parts, claim.to) : null;
      notBefore = held ?? notBefore;
      if (held !== null) return;
      const wait = await this.#waitForSlot(lane.platform, claim);
      notBefore = clock.now() + wait;
      if (wait > 0 || this.#stopping.signal.aborted) return;
      const leave = this.#limiter.enter(lane.platform.limits(claim.to));
      if (leave === null) {
        notBefore = clock.now() + CROWDED_MS;
        return;
      }
      await this.#composeAndCarryOut(lane, claim).finally(leave);
    } catch (error) {
      // What was written stands: the destination is taken up again.
      log.error("delivery interrupted", { to: destinationKey(claim.to), error });
      notBefore = clock.now() + FIRST_RETRY_MS;
    } finally {
      // Before it is let go of: from then on it may be claimed again, and must not be found busy then.
      lane.busy.delete(destinationKey(claim.to));
      await store.outbox.release(claim.to, notBefore).catch((error: unknown) => log.error("release failed", { error }));
      if (held !== null) await this.#confirmHold(claim.to, held);
    }
  }

  async #composeAndCarryOut(lane: Lane, { to, attempt: underWay }: Claim): Promise<void> {
    const attempt = underWay ?? (await compose(this.#parts, lane.platform, to));
    if (attempt) await this.#carryOut(lane, attempt);
  }

  /** What changed the settings, or came, before the destination was let go of, found nothing to be looked at again. */
  async #confirmHold(to: Destination, until: Instant): Promise<void> {
    try {
      if ((await heldUntil(this.#parts, to)) !== until) await this.#parts.store.outbox.recheck(to);
    } catch (error) {
      this.#parts.log.error("hold recheck failed", { to: destinationKey(to), error });
    }
  }

  async #lookAgainAt(to: Destination): Promise<void> {
    await this.#parts.store.outbox.recheck(to).catch((error: unknown) => {
      this.#parts.log.error("recheck failed", { to: destinationKey(to), error });
    });
    this.wake();
  }

  /** 0 when it may send now, else the milliseconds until it is worth another try. */
  async #waitForSlot(platform: ChatPlatform, { to }: Claim): Promise<number> {
    const { clock } = this.#parts;
    const limits = platform.limits(to);
    const wait = this.#limiter.reserve(limits, clock.now(), PATIENCE_MS);
    if (wait > PATIENCE_MS) return wait;
    if (wait > 0) await clock.sleep(wait, this.#stopping.signal);
    // While we slept, the platform may have said that it wants nothing for a while.
    return this.#limiter.blockedFor(limits, clock.now());
  }

  async #carryOut(lane: Lane, attempt: Attempt): Promise<void> {
    const { platform } = lane;
    if (attempt.body === null) return this.#giveUp(attempt, "it could not be put into words for this platform");
    let next = attempt;
    if (attempt.state !== "ready") {
      const found = await this.#try(() => platform.find(attempt));
      if (found instanceof DeliveryError) return this.#notThrough(lane, attempt, found, "uncertain");
      if (typeof found === "object") return this.#settle(attempt, found);
      if (found === "cannot-search") next = { ...attempt, blindResends: attempt.blindResends + 1 };
    }
    const sending: Attempt = { ...next, state: "sending", sends: next.sends + 1 };
    await this.#parts.store.outbox.saveAttempt(sending);
    const ref = await this.#try(() => platform.send(sending));
    if (!(ref instanceof DeliveryError)) return this.#settle(sending, ref);
    const state = ref.failure === "unknown-outcome" ? "uncertain" : "ready";
    return this.#notThrough(lane, sending, ref, state);
  }

  /** Whatever else an adapter throws is a bug of ours: the message may be out, so it is looked for before it goes again. */
  async #try<T>(call: () => Promise<T>): Promise<T | DeliveryError> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof DeliveryError) return error;
      this.#parts.log.error("adapter failed", { error });
      return new DeliveryError("unknown-outcome", "splitwatch failed at this message; its log says why");
    }
  }

  async #settle(attempt: Attempt, ref: MessageRef): Promise<void> {
    const { store, clock, metrics, log } = this.#parts;
    const at = clock.now();
    const events = await store.outbox.markSent(attempt.messageId, ref, at);
    const { platform } = attempt.to;
    metrics.delivered(platform, attempt.blindResends > 0 ? "sent_blind" : "sent");
    for (const event of events) metrics.deliveryTook(platform, at - event.at);
    log.info("delivery completed", {
      to: destinationKey(attempt.to),
      message: attempt.messageId,
      deliveries: events.length,
    });
  }

  /** `state` says what is known of the message after this failure. */
  async #notThrough(lane: Lane, attempt: Attempt, error: DeliveryError, state: "ready" | "uncertain"): Promise<void> {
    const { store, clock, metrics, log } = this.#parts;
    const now = clock.now();
    const fields = { to: destinationKey(attempt.to), message: attempt.messageId, problem: error.message };
    metrics.delivered(lane.platform.name, error.failure);
    switch (error.failure) {
      case "retry":
      case "unknown-outcome":
        log.warn(state === "ready" ? "delivery delayed" : "delivery outcome unknown", fields);
        break;
      case "gone":
      case "not-allowed":
        log.warn("destination paused", fields);
        await store.outbox.saveAttempt({ ...attempt, state, problem: error.message });
        return store.outbox.pause(attempt.to, error.message, now);
      case "broken-credentials":
        log.error("platform stopped", { ...fields, platform: lane.platform.name });
        lane.stopped = true;
        break;
      case "malformed":
        return this.#giveUp(attempt, error.message);
    }
    const wait = Math.max(error.retryAfterMs ?? 0, backOffMs(now - attempt.createdAt));
    const notBefore: Instant = now + wait;
    if (error.limitKey !== null) this.#limiter.block(error.limitKey, now + (error.retryAfterMs ?? 0));
    await store.outbox.saveAttempt({ ...attempt, state, notBefore, problem: error.message });
  }

  /** It is a bug of ours, and would fail each time. */
  async #giveUp(attempt: Attempt, reason: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    log.error("message failed", { to: destinationKey(attempt.to), message: attempt.messageId, reason });
    if (attempt.sends === 0) await store.outbox.saveAttempt(attempt);
    await store.outbox.markFailed(attempt.messageId, reason, clock.now());
  }
}

/** Grows with the age of the message; the random half keeps many destinations from coming back at one moment. */
function backOffMs(ageMs: number): number {
  const full = Math.min(Math.max(ageMs, FIRST_RETRY_MS), LAST_RETRY_MS);
  return full / 2 + (Math.random() * full) / 2;
}
