import type { DeferralCause } from "../domain/alert/deferral.ts";
import type { Attempt, DeliveryId, DeliveryOutcome, DeliveryProblem, MessageRef } from "../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../domain/alert/destination.ts";
import type { PauseCause } from "../domain/alert/pause.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { backoffMs } from "../lib/backoff.ts";
import { BoundedMap } from "../lib/collections.ts";
import { createKeyedMutex } from "../lib/mutex.ts";
import { createInFlightLimiter } from "../lib/rate-limiter.ts";
import type { PlatformProblem } from "../messages/answers/status-answer.ts";
import { type ChatPlatform, DeliveryError } from "../ports/chat-platform.ts";
import type { MonotonicTime } from "../ports/clock.ts";
import type { Deliveries } from "../ports/deliveries.ts";
import type { Metrics } from "../ports/metrics.ts";
import { type Claim, ClaimLostError } from "../ports/store.ts";
import type { SentListener } from "./card-edits.ts";
import { type ComposeParts, compose, deferredUntilDueMs, heldUntil, rerender, rerenderUnfound } from "./compose.ts";
import { asSearchFailure, deferMessage, deferralCause, isUnanswered, mayArrive, reasonOf } from "./defer.ts";
import { sendOrJoin } from "./join.ts";
import { rejectionOf } from "./rejection.ts";
import { saveOutcome } from "./save-outcome.ts";
import { type NextClaim, waitForSlot } from "./slots.ts";

/** Messages that one platform handles concurrently. */
const MAX_IN_FLIGHT = 250;

/** Delay before rechecking a destination that is at its concurrency limit. */
const IN_FLIGHT_RECHECK_MS = 250;

const RETRY = { firstMs: 1_000, maxMs: 5 * MINUTE_MS, jitter: 0.5 } as const;

/** Messages whose failures are counted. Beyond it, the delays of the one that failed longest ago start again. */
const MAX_RETRIED_MESSAGES = 100_000;

/** Longest sleep of the loop. The system clock may be set meanwhile, which moves the ends of holds. */
const MAX_SLEEP_MS = MINUTE_MS;
const MIN_SLEEP_MS = 10;

const MAX_CACHED_CARDS = 200;

/** Interval at which a destination is checked that another process has claimed. */
const CLAIM_CHECK_MS = 250;

/** Interval at which a caller that waits for an outcome checks it. */
const OUTCOME_CHECK_MS = 50;

export interface DeliverParts extends Omit<ComposeParts, "cards">, SentListener {
  readonly metrics: Metrics;
}

/** Work in progress of one platform. It is separate, so that a slow platform delays no other. */
interface Lane {
  readonly platform: ChatPlatform;
  readonly busy: Set<DestinationKey>;
  readonly work: Set<Promise<void>>;
}

const IMMEDIATELY: NextClaim = { delayMs: 0, slotAt: null };

const WAITING = { kind: "waiting", problem: null, retryAt: null } as const;

/** Claims due deliveries, composes and sends their messages, and retries them. */
export class Deliverer implements Deliveries {
  readonly #parts: DeliverParts & ComposeParts;
  readonly #inFlight = createInFlightLimiter();
  #lanes: readonly Lane[] = [];
  /** One block per destination at a time: a second one would wait for messages in progress, of which there are none. */
  readonly #deliveryBlocks = createKeyedMutex();
  /** Consecutive failures of the messages that are being retried, by message id. */
  readonly #failures = new BoundedMap<string, number>(MAX_RETRIED_MESSAGES);
  /** When each platform accepted a message last. */
  readonly #lastSentAt = new Map<string, Instant>();
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #unsubscribe: readonly (() => void)[] = [];

  constructor(parts: DeliverParts) {
    this.#parts = { ...parts, cards: new BoundedMap(MAX_CACHED_CARDS) };
  }

  /** Sets the platforms, before the start. */
  use(platforms: readonly ChatPlatform[]): void {
    this.#lanes = platforms.map((platform) => ({ platform, busy: new Set(), work: new Set() }));
  }

  start(): void {
    const { destinationSettings, claims } = this.#parts.store;
    this.#unsubscribe = [
      // The change has ended the destination's hold.
      destinationSettings.onChange(() => this.wake()),
      claims.onWork(() => this.wake()),
    ];
    this.#loop = this.#run();
  }

  /** Checks for new work. */
  wake(): void {
    // Without a reason, each call would create an error with a stack.
    this.#woken.abort("woken");
  }

  async outcome(id: DeliveryId, destination: Destination, withinMs: number): Promise<DeliveryOutcome> {
    this.wake();
    return this.#readUntil<DeliveryOutcome>(
      async () => {
        const outcome = (await this.#parts.store.outbox.outcome(id)) ?? WAITING;
        if (outcome.kind !== "waiting" || outcome.problem !== null) return outcome;
        return { ...outcome, problem: rejectionOf(this.#laneOf(destination))?.reason ?? null };
      },
      (outcome) => outcome.kind !== "waiting" || outcome.problem !== null,
      withinMs,
    );
  }

  async retryPaused(destination: Destination): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      if (await store.pauses.retry(destination, clock.now())) this.wake();
    } catch (error) {
      log.error("retry failed", { to: destinationKey(destination), error });
    }
  }

  problemAt(destination: Destination, withinMs: number): Promise<DeliveryProblem | null> {
    return this.#readUntil(
      () => this.#problemAt(destination),
      (problem) => problem?.retry !== "now",
      withinMs,
    );
  }

  platformProblems(): readonly PlatformProblem[] {
    return this.#lanes.flatMap(({ platform }): readonly PlatformProblem[] => {
      const { name } = platform;
      const health = platform.health();
      if (!health.ok) return [{ name, ...health }];
      return health.problem === undefined ? [] : [{ name, reason: health.problem.reason, partial: health.problem }];
    });
  }

  async #problemAt(destination: Destination): Promise<DeliveryProblem | null> {
    const { store, clock } = this.#parts;
    const rejection = rejectionOf(this.#laneOf(destination));
    if (rejection !== null)
      return { reason: rejection.reason, since: rejection.since, retry: rejection.retryAt ?? "restart" };
    const pause = await store.pauses.of(destination);
    if (pause === null) return null;
    const problem = { reason: pause.reason, since: pause.at };
    if ((await heldUntil(this.#parts, destination)) !== null) return { ...problem, retry: "next alert" };
    if (pause.retryAt > clock.now()) return { ...problem, retry: pause.retryAt };
    const isDue = (await store.outbox.waitingCount(destination)) > 0;
    return { ...problem, retry: isDue ? "now" : "next alert" };
  }

  /** Reads repeatedly until the value is final, at most for `withinMs`. */
  async #readUntil<T>(read: () => Promise<T>, isFinal: (value: T) => boolean, withinMs: number): Promise<T> {
    const { clock } = this.#parts;
    const until = clock.monotonic() + withinMs;
    for (;;) {
      const value = await read();
      if (isFinal(value) || clock.monotonic() >= until || this.#stopping.signal.aborted) return value;
      await clock.sleep(OUTCOME_CHECK_MS, this.#stopping.signal);
    }
  }

  #laneOf({ platform: name }: Destination): Lane | undefined {
    return this.#lanes.find(({ platform }) => platform.name === name);
  }

  async whileNotSending<T>(destination: Destination, work: () => Promise<T>): Promise<T> {
    return this.#deliveryBlocks(destinationKey(destination), () => this.#block(destination, work));
  }

  async #block<T>(destination: Destination, work: () => Promise<T>): Promise<T> {
    const { store, clock } = this.#parts;
    const lane = this.#laneOf(destination);
    const key = destinationKey(destination);
    if (lane) await this.#untilIdle(lane, key);
    lane?.busy.add(key);
    try {
      while (!(await store.claims.claim(destination))) await clock.sleep(CLAIM_CHECK_MS);
      return await work();
    } finally {
      lane?.busy.delete(key);
      // Ends a claim that was made before the block too: `#begin` skips a busy destination. It keeps the slot that was reserved.
      await this.#release(destination);
      this.wake();
    }
  }

  async #untilIdle({ busy, work }: Lane, key: DestinationKey): Promise<void> {
    while (busy.has(key)) await Promise.race(work);
  }

  /** Accepts no new work; resolves when everything in flight is settled or saved for later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.wake();
    await this.#loop;
    await Promise.all(this.#lanes.flatMap(({ work }) => [...work]));
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      // Read before the claims: a delivery that becomes due in between is then either claimed or ends the sleep.
      const due = await this.#nextDue();
      for (const lane of this.#activeLanes()) await this.#claimWork(lane);
      await this.#sleepUntil(due);
    }
  }

  #activeLanes(): readonly Lane[] {
    return this.#lanes.filter((lane) => this.#rejectedForMs(lane) === 0);
  }

  /** Milliseconds until the lane's rejected credentials are tried again; 0 if they may be used. */
  #rejectedForMs(lane: Lane): number {
    const rejection = rejectionOf(lane);
    if (rejection === null) return 0;
    return Math.max(0, (rejection.retryAt ?? Number.POSITIVE_INFINITY) - this.#parts.clock.now());
  }

  async #nextDue(): Promise<MonotonicTime> {
    const { store, clock } = this.#parts;
    const names = this.#activeLanes().map(({ platform }) => platform.name);
    const dueMs = await store.claims.nextDueMs(names).catch(() => RETRY.firstMs);
    return clock.monotonic() + (dueMs ?? MAX_SLEEP_MS);
  }

  async #sleepUntil(due: MonotonicTime): Promise<void> {
    const { clock } = this.#parts;
    const rejectedMs = this.#lanes.map((lane) => this.#rejectedForMs(lane)).filter((ms) => ms > 0);
    const ms = Math.min(due - clock.monotonic(), ...rejectedMs, MAX_SLEEP_MS);
    await clock.sleep(Math.max(ms, MIN_SLEEP_MS), this.#woken.signal);
  }

  async #claimWork(lane: Lane): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const limit = (rejectionOf(lane) === null ? MAX_IN_FLIGHT : 1) - lane.busy.size;
      if (limit <= 0) return;
      const platforms = [lane.platform.name];
      const claims = await store.claims.claimDue({ limit, platforms });
      for (const claim of claims) this.#begin(lane, claim);
    } catch (error) {
      log.error("claim failed", { platform: lane.platform.name, error });
      await clock.sleep(RETRY.firstMs, this.#stopping.signal);
      this.wake();
    }
  }

  #begin(lane: Lane, claim: Claim): void {
    const key = destinationKey(claim.to);
    // Blocked by `whileNotSending`, which releases the claim.
    if (lane.busy.has(key)) return;
    lane.busy.add(key);
    const work = this.#handle(lane, claim).finally(() => {
      lane.work.delete(work);
      this.wake();
    });
    lane.work.add(work);
  }

  async #handle(lane: Lane, claim: Claim): Promise<void> {
    const { clock } = this.#parts;
    const { to } = claim;
    let next: NextClaim = { delayMs: RETRY.firstMs, slotAt: null };
    let held: Instant | null = null;
    try {
      held = await heldUntil(this.#parts, to);
      next = held === null ? await this.#deliverInSlot(lane, claim) : { delayMs: held - clock.now(), slotAt: null };
      if (held !== null) await this.#clearProblem(claim);
    } catch (error) {
      // The saved state stays valid; the destination is claimed again later.
      this.#logInterruption(to, error);
    } finally {
      // Must precede the release: after it, the destination can be claimed again and must not count as busy.
      lane.busy.delete(destinationKey(to));
      await this.#release(to, next);
      if (held !== null || next.isDeferred === true) await this.#confirmHold(to, held);
    }
  }

  #logInterruption(to: Destination, error: unknown): void {
    const { log } = this.#parts;
    // The destination belongs to another process now.
    if (error instanceof ClaimLostError) log.info("claim lost", { to: destinationKey(to) });
    else log.error("delivery interrupted", { to: destinationKey(to), error });
  }

  /** Releases the claim, unless it belongs to another process now. Without `next`, the destination's slot and delay don't change. */
  async #release(to: Destination, next?: NextClaim): Promise<void> {
    const { store, log } = this.#parts;
    await store.claims.release(to, next?.delayMs, next?.slotAt).catch((error: unknown) => {
      if (!(error instanceof ClaimLostError)) log.error("release failed", { to: destinationKey(to), error });
    });
  }

  /** A held message is not delayed by its last failure anymore. */
  async #clearProblem({ attempt }: Claim): Promise<void> {
    if (attempt !== null && attempt.problem !== null)
      await this.#parts.store.outbox.saveAttempt({ ...attempt, problem: null });
  }

  /** Delivers if a rate-limit slot is free soon. */
  async #deliverInSlot(lane: Lane, claim: Claim): Promise<NextClaim> {
    const limits = lane.platform.limits(claim.to);
    const next = await waitForSlot(this.#parts, limits, claim, this.#stopping.signal);
    if (next.delayMs > 0 || this.#stopping.signal.aborted) return next;
    // Read again: how many messages may be in flight can depend on those that are.
    const leave = this.#inFlight.enter(lane.platform.limits(claim.to));
    if (leave === null) return { ...next, delayMs: IN_FLIGHT_RECHECK_MS };
    try {
      const attempt = await this.#attemptOf(lane, claim);
      if (attempt === null)
        return { delayMs: await deferredUntilDueMs(this.#parts, claim.to), slotAt: null, isDeferred: true };
      await this.#settle(lane.platform, attempt);
    } finally {
      leave();
    }
    return IMMEDIATELY;
  }

  /** Returns the destination's unsettled attempt, else a new one. Rerenders an attempt that was certainly not posted. */
  async #attemptOf({ platform }: Lane, { to, attempt }: Claim): Promise<Attempt | null> {
    if (attempt === null) return compose(this.#parts, platform, to);
    return attempt.state === "ready" ? rerender(this.#parts, platform, attempt) : attempt;
  }

  /** Rechecks the hold or deferral: settings may have changed, and deliveries arrived, while this claim was active. */
  async #confirmHold(destination: Destination, until: Instant | null): Promise<void> {
    try {
      const isOver = until === null && (await deferredUntilDueMs(this.#parts, destination)) === 0;
      if (isOver || (await heldUntil(this.#parts, destination)) !== until)
        await this.#parts.store.claims.recheck(destination);
    } catch (error) {
      this.#parts.log.error("hold recheck failed", { to: destinationKey(destination), error });
    }
  }

  /** Finds or sends the message of an attempt, and saves the outcome. */
  async #settle(platform: ChatPlatform, attempt: Attempt): Promise<void> {
    if (attempt.body === null) return this.#giveUp(attempt, "it could not be rendered for this platform");
    const next = attempt.state === "ready" ? attempt : await this.#search(platform, attempt);
    if (next !== null) await this.#send(platform, next, attempt);
  }

  /** Returns the attempt to send again; null if the message was found, or may still be. */
  async #search(platform: ChatPlatform, attempt: Attempt): Promise<Attempt | null> {
    const { state, blindResends } = attempt;
    const { maxProcessingMs = 0 } = platform;
    const found = await this.#try(() => platform.find(attempt));
    if (found instanceof DeliveryError) await this.#saveFailure(attempt, asSearchFailure(found), state);
    else if (typeof found === "object") await this.#saveSent(attempt, found);
    else if (found === "not-found" && state === "sending" && maxProcessingMs > 0) {
      // After two sends without an answer, the longer delay keeps a platform that is even slower from posting a third message.
      const retryAfterMs = blindResends > 0 ? RETRY.maxMs : maxProcessingMs;
      await this.#saveFailure(attempt, new DeliveryError("retry", reasonOf(attempt), { retryAfterMs }), "unfound");
    } else return this.#afterSearch(platform, attempt, found);
    return null;
  }

  /** Returns the attempt to send again; null if the next deliveries pass it. */
  async #afterSearch(
    platform: ChatPlatform,
    attempt: Attempt,
    found: "not-found" | "cannot-search",
  ): Promise<Attempt | null> {
    const { state, blindResends } = attempt;
    const mayAppearTwice = found === "cannot-search" || state === "unfound";
    if (found === "not-found" && isUnanswered(attempt)) {
      await this.#defer(attempt, { cause: "unexplained", reason: reasonOf(attempt), mayBePosted: mayAppearTwice });
      return null;
    }
    const rerendered = await rerenderUnfound(this.#parts, platform, attempt);
    return mayAppearTwice ? { ...rerendered, blindResends: blindResends + 1 } : rerendered;
  }

  /** Sends `next`, and saves the outcome. `before`: the attempt as it was before the search. */
  async #send(platform: ChatPlatform, next: Attempt, before: Attempt): Promise<void> {
    const { store } = this.#parts;
    const sending: Attempt = { ...next, state: "sending", sends: next.sends + 1 };
    await store.outbox.saveAttempt(sending);
    const ref = await this.#try(() => sendOrJoin(platform, sending));
    if (!(ref instanceof DeliveryError)) return this.#saveSent(sending, ref);
    if (ref.failure === "unknown-outcome")
      return this.#saveFailure(sending, ref, ref.isTimeout ? "sending" : "uncertain");
    const cause = deferralCause(ref.failure, sending);
    if (cause !== null && !mayArrive(before)) return this.#refuse(sending, ref, cause);
    // This send posted nothing, but an earlier one with an unknown outcome may still arrive.
    const state = before.state === "ready" ? "ready" : "uncertain";
    return this.#saveFailure({ ...sending, blindResends: before.blindResends }, ref, state);
  }

  /** Returns a DeliveryError as a value. Any other error is a bug in the adapter: the message may have been sent. */
  async #try<T>(call: () => Promise<T>): Promise<T | DeliveryError> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof DeliveryError) return error;
      this.#parts.log.error("adapter failed", { error });
      return new DeliveryError("unknown-outcome", "splitwatch failed to send this message; see its log");
    }
  }

  async #saveSent(attempt: Attempt, ref: MessageRef): Promise<void> {
    const { store, clock, metrics, log } = this.#parts;
    const { messageId, to, blindResends } = attempt;
    const at = clock.now();
    const events = await saveOutcome({ attempt, clock, log, stopping: this.#stopping.signal }, () =>
      store.outbox.markSent(messageId, ref, at),
    );
    this.#failures.delete(messageId);
    this.#lastSentAt.set(to.platform, at);
    metrics.countDelivery(to.platform, blindResends > 0 ? "sent_blind" : "sent");
    this.#parts.onSent?.(to, events);
    for (const event of events) metrics.observeDeliveryMs(to.platform, at - event.at);
    log.info("delivery completed", { to: destinationKey(to), message: messageId, deliveries: events.length });
  }

  /** `state`: what is known about the message after the failure. */
  async #saveFailure(attempt: Attempt, error: DeliveryError, state: Attempt["state"]): Promise<void> {
    const { store, metrics, log } = this.#parts;
    const { messageId, to } = attempt;
    const fields = { to: destinationKey(to), message: messageId, problem: error.message };
    metrics.countDelivery(to.platform, error.failure);
    if (error.failure === "gone" || error.failure === "not-allowed") {
      await store.outbox.saveAttempt({ ...attempt, state, problem: error.message });
      return this.#pause(attempt, error.mayReturn ? "may-return" : error.failure, error.message);
    }
    // The adapter logs when the credentials are rejected and when they are accepted again.
    if (error.failure !== "broken-credentials")
      log.warn(state === "ready" ? "delivery delayed" : "delivery outcome unknown", fields);
    await this.#delay({ ...attempt, state, problem: error.message }, error);
  }

  async #delay(attempt: Attempt, { retryAfterMs: requestedMs, limitKey }: DeliveryError): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const failures = (this.#failures.get(attempt.messageId) ?? 0) + 1;
    this.#failures.set(attempt.messageId, failures);
    const retryAfterMs = requestedMs ?? 0;
    const delayMs = Math.max(retryAfterMs, backoffMs(failures, RETRY));
    if (limitKey !== null) await store.rateSlots.block(limitKey, retryAfterMs);
    await store.outbox.saveAttempt({ ...attempt, notBefore: now + delayMs, delayMs });
  }

  async #refuse(attempt: Attempt, { failure, message: reason }: DeliveryError, cause: DeferralCause): Promise<void> {
    const { store, metrics, log } = this.#parts;
    const { to, messageId, blindResends } = attempt;
    metrics.countDelivery(to.platform, failure);
    log.warn(cause === "unexplained" ? "delivery delayed" : "message refused", {
      to: destinationKey(to),
      message: messageId,
      problem: reason,
    });
    // The platform accepts messages to the destination, only not this one.
    if (failure === "refused") await store.pauses.resume(to);
    return this.#defer(attempt, { cause, reason, mayBePosted: blindResends > 0 });
  }

  /** Lets the next deliveries pass those of a message that was not posted, or gives it up. */
  async #defer(attempt: Attempt, failure: Parameters<typeof deferMessage>[2]): Promise<void> {
    const { store, clock } = this.#parts;
    const lastSentAt = this.#lastSentAt.get(attempt.to.platform) ?? null;
    if (!(await deferMessage({ outbox: store.outbox, clock, lastSentAt }, attempt, failure)))
      return this.#giveUp(attempt, failure.reason);
    this.#failures.delete(attempt.messageId);
  }

  async #pause({ to, messageId }: Attempt, cause: PauseCause, reason: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    const before = await store.pauses.of(to);
    await store.pauses.pauseRefused(to, reason, clock.now(), cause);
    const fields = { to: destinationKey(to), message: messageId, problem: reason };
    if (before?.reason === reason) log.debug("destination still paused", fields);
    else log.warn("destination paused", fields);
  }

  /** Fails the message permanently; a retry would fail the same way. */
  async #giveUp(attempt: Attempt, reason: string): Promise<void> {
    const { store, clock, log, metrics } = this.#parts;
    const { messageId, to } = attempt;
    metrics.countDelivery(to.platform, "failed");
    log.error("message failed", { to: destinationKey(to), message: messageId, reason });
    this.#failures.delete(messageId);
    if (attempt.sends === 0) await store.outbox.saveAttempt(attempt);
    await store.outbox.markFailed(messageId, reason, clock.now());
  }
}
