import { deliveryId, type SentMessage } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { type Event, isSplitEvent, supersedes } from "../domain/alert/event.ts";
import type { SplitId } from "../domain/split/split.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { BoundedMap } from "../lib/collections.ts";
import { type ChatPlatform, canEdit, DeliveryError, type EditingPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Deliveries } from "../ports/deliveries.ts";
import { type Store, StoreError } from "../ports/store.ts";
import { type ContentParts, currentBody, supersedingAlerts } from "./message-content.ts";

/** Splits at destinations whose messages wait for an edit, per platform. Beyond it, the oldest ones stay as they are. */
const MAX_WAITING = 10_000;

/** Messages about one split at one destination that are edited, the newest ones. */
const MAX_EDITED = 5;

/** Interval at which it is checked again whether alerts are due, which go first. */
const RECHECK_MS = 1_000;

/** Younger alerts weren't passed by later ones: a refused one is deferred for at least a second. */
const MIN_PASSED_MS = 1_000;

/** Splits that wait for an edit, beyond which no alert is checked for whether later ones passed it: most weren't. */
const MAX_PASSED = 1_000;

const MAX_TRIES = 3;
const RETRY_MS = 5_000;

/** Age of the alerts whose edits a start repeats: the last process may have ended before them. */
const REPEATED_MS = 10 * MINUTE_MS;
const MAX_REPEATED = 100;

export interface CardEditParts extends Pick<ContentParts, "log" | "timezone" | "expireAfterMs" | "noticeOf"> {
  readonly store: Pick<Store, "history" | "claims" | "destinationSettings" | "rateSlots">;
  readonly clock: Clock;
}

export interface SentListener {
  /** Called with the events of each message that was sent. */
  onSent?(to: Destination, events: readonly Event[]): void;
}

/** A split of which other messages at the destination than that with its last alert are outdated. */
interface Outdated {
  readonly to: Destination;
  readonly splitId: SplitId;
}

interface EditParts extends ContentParts {
  readonly platform: EditingPlatform;
}

interface Lane {
  readonly platform: EditingPlatform;
  readonly outdated: Map<string, Outdated>;
  /** Ends the sleep of the lane. */
  woken: AbortController;
}

/**
 * Edits sent messages that a later alert supersedes: one at a time on each platform, while no alert is due there. The content is derived
 * from the stored alerts, so an edit can be repeated. A failed edit changes no alert.
 */
export class CardEdits {
  readonly #parts: CardEditParts;
  readonly #stopping = new AbortController();
  #lanes: readonly Lane[] = [];
  #whileNotSending: Deliveries["whileNotSending"] = (_to, work) => work();
  #work: Promise<unknown> = Promise.resolve();

  constructor(parts: CardEditParts) {
    this.#parts = parts;
  }

  /** Sets the platforms and the deliveries to them, before the start. */
  use(platforms: readonly ChatPlatform[], deliveries: Pick<Deliveries, "whileNotSending">): void {
    this.#whileNotSending = deliveries.whileNotSending.bind(deliveries);
    this.#lanes = platforms
      .filter(canEdit)
      .map((platform) => ({ platform, outdated: new BoundedMap(MAX_WAITING), woken: new AbortController() }));
  }

  start(): void {
    if (this.#lanes.length > 0) this.#work = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { woken } of this.#lanes) woken.abort("stopping");
    await this.#work;
  }

  /** Notes the events of a message that was sent to the destination. */
  sent(to: Destination, events: readonly Event[]): void {
    const lane = this.#lanes.find(({ platform }) => platform.name === to.platform);
    if (lane === undefined) return;
    const passableSince = this.#parts.clock.now() - MIN_PASSED_MS;
    for (const event of events.filter(isSplitEvent)) {
      const mayBePassed = event.at <= passableSince && lane.outdated.size < MAX_PASSED;
      if (!supersedes(event) && !mayBePassed) continue;
      const { splitId } = event;
      lane.outdated.set(`${destinationKey(to)} ${splitId}`, { to, splitId });
      lane.woken.abort("woken");
    }
  }

  async #run(): Promise<void> {
    await this.#repeatRecent();
    await Promise.all(this.#lanes.map((lane) => this.#runLane(lane)));
  }

  async #repeatRecent(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const recent = await store.history.since(clock.now() - REPEATED_MS, MAX_REPEATED);
      for (const event of recent.filter(supersedes))
        for (const to of await store.history.recipients(event.id)) this.sent(to, [event]);
    } catch (error) {
      log.warn("card edits not repeated", { error });
    }
  }

  async #runLane(lane: Lane): Promise<void> {
    const { clock, log } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      const [next] = lane.outdated;
      if (next === undefined) {
        lane.woken = new AbortController();
        await clock.sleep(MINUTE_MS, lane.woken.signal);
        continue;
      }
      const [key, outdated] = next;
      lane.outdated.delete(key);
      try {
        await this.#update(lane.platform, outdated);
      } catch (error) {
        const fields = { to: destinationKey(outdated.to), split: outdated.splitId, error };
        if (!(error instanceof StoreError)) {
          log.error("card edit failed", fields);
          continue;
        }
        log.warn("card edit delayed", fields);
        lane.outdated.set(key, outdated);
        await clock.sleep(RETRY_MS, this.#stopping.signal);
      }
    }
  }

  /** Edits the messages about the split, but not the one with its last superseding alert. */
  async #update(platform: EditingPlatform, { to, splitId }: Outdated): Promise<void> {
    const { store, timezone } = this.#parts;
    const events = await store.history.forSplit(splitId);
    if (!events.some(supersedes)) return;
    const { timezone: own } = await store.destinationSettings.of(to);
    const content = { ...this.#parts, platform, to, timezone: own ?? timezone };
    const last = (await supersedingAlerts(content, events)).at(-1);
    if (last === undefined) return;
    const ids = events.map(({ id }) => deliveryId(id, destinationKey(to)));
    const messages = await store.history.messagesWith(to, ids);
    const others = messages.filter(({ ref }) => ref.id !== last.message.ref.id);
    for (const message of others.slice(-MAX_EDITED)) await this.#edit(content, message);
  }

  /** A message that can't be edited doesn't keep the others from being edited. Rejects only if the store fails. */
  async #edit(content: EditParts, message: SentMessage): Promise<void> {
    const { clock, log } = this.#parts;
    const { platform, to } = content;
    for (let tries = 1; await this.#untilFree(platform, to); tries += 1) {
      try {
        await this.#whileNotSending(to, () => this.#editNow(content, message));
        return;
      } catch (error) {
        if (error instanceof StoreError) throw error;
        if (!isRepeatable(error) || tries === MAX_TRIES) {
          log.warn("card edit failed", { to: destinationKey(to), message: message.messageId, error });
          return;
        }
        await clock.sleep(error.retryAfterMs ?? RETRY_MS, this.#stopping.signal);
      }
    }
  }

  /** Edits the message, which is read here: deliveries may have joined it, or alerts superseded it, during the waits. */
  async #editNow(content: EditParts, { ref, deliveries }: SentMessage): Promise<void> {
    const { platform, to, store } = content;
    const ids = deliveries.map(({ delivery }) => delivery.id);
    const message = (await store.history.messagesWith(to, ids)).find((one) => one.ref.id === ref.id);
    const body = message === undefined ? null : await currentBody(content, message);
    if (body !== null) await platform.edit({ to, ref, body });
  }

  /**
   * Waits for a slot of the limits of edits, then until no alert is due on the platform and a slot of a message is free: a slot of a
   * message that waits for an edit would delay alerts. False if the process stops.
   */
  async #untilFree(platform: EditingPlatform, to: Destination): Promise<boolean> {
    const { store, clock } = this.#parts;
    const { signal } = this.#stopping;
    const { waitMs } = await store.rateSlots.reserve(platform.editLimits(to), Number.POSITIVE_INFINITY);
    await clock.sleep(waitMs, signal);
    while (!signal.aborted) {
      const isBusy = await store.claims.isAnyDue([platform.name]);
      const slot = isBusy ? null : await store.rateSlots.reserve(platform.limits(to), 0);
      await clock.sleep(slot === null ? RECHECK_MS : Math.max(0, slot.waitMs), signal);
      if (slot?.isTaken === true) break;
    }
    return !signal.aborted;
  }
}

function isRepeatable(error: unknown): error is DeliveryError {
  if (!(error instanceof DeliveryError) || error.isUneditable) return false;
  return error.failure === "retry" || error.failure === "unknown-outcome";
}
