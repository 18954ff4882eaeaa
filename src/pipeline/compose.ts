import { isDeepStrictEqual } from "node:util";
import { completes, type Folded, foldAnnouncements, otherHalves } from "../domain/alert/announcement.ts";
import { deferredForMs } from "../domain/alert/deferral.ts";
import {
  type Attempt,
  type DeliveryId,
  deliveryId,
  isUnsent,
  type MessageRef,
  type SentMessage,
  TEST_MESSAGE_PREFIX,
  type WaitingDelivery,
} from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { type Event, isSplitEvent } from "../domain/alert/event.ts";
import { canHold, endedHold, type Hold, type HoldMoment, holdsAt } from "../domain/alert/hold.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { dayInZone, type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { alertListCard } from "../messages/alerts/alert-list.ts";
import { type AlertContext, eventCard, isLate } from "../messages/alerts/event-card.ts";
import type { Card } from "../messages/message.ts";
import type { NoticeLink } from "../messages/split-text.ts";
import { type ChatPlatform, canEdit } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { isJoinBody, type JoinBody } from "./join.ts";
import { currentBody, MAX_CARDS } from "./message-content.ts";

/**
 * Up to this many due deliveries may be sent as separate messages. More are combined: two messages with a card for each
 * delivery if they fit (three if the last two deliveries reply to different messages), else one list.
 */
const MAX_SEPARATE = 2;

/** With more due cards, none joins an earlier message: each would be an edit of its own. */
const MAX_JOINING = 10;

export interface HoldParts extends Pick<HoldMoment, "timezone" | "nextDigest"> {
  readonly store: Store;
  readonly clock: Clock;
}

export interface ComposeParts extends HoldParts {
  readonly log: Log;
  readonly expireAfterMs: number;
  /** Cards of the last events. Destinations share them, so that a platform renders each once. */
  readonly cards: Map<string, Card>;
  /** Returns the notice that states a listed split; null if it is unknown. */
  readonly noticeOf?: (record: SplitRecord) => NoticeLink | null;
  /** A unique id of at most 25 characters that starts with the prefix, which has at most five. */
  newMessageId(prefix: string): string;
}

/** A waiting delivery that nothing holds now. */
interface ReadyDelivery extends WaitingDelivery {
  /** The hold that delayed it until recently; null if there was none. */
  readonly hold: Hold | null;
}

/** What one card shows: a delivery, or two whose events are one announcement. */
type Unit = Folded<ReadyDelivery> & Pick<ReadyDelivery, "hold">;

/**
 * When the first of the destination's holds ends; null if a delivery may be sent now or none is waiting. A message that may have
 * been posted is not held. If it was certainly not posted, its deliveries can be held.
 */
export async function heldUntil(parts: HoldParts, destination: Destination): Promise<Instant | null> {
  const { destinationSettings, outbox } = parts.store;
  const settings = await destinationSettings.of(destination);
  if (!canHold(settings)) return null;
  const holdOn = holdsAt(settings, momentOf(parts));
  let earliest: Instant | null = null;
  for (const waiting of await outbox.waiting([destination])) {
    const hold = isUnsent(waiting) ? holdOn(waiting.event) : null;
    if (hold === null) return null;
    earliest = earliest === null ? hold.until : Math.min(earliest, hold.until);
  }
  return earliest;
}

/**
 * Composes the next message from the due deliveries; null if none is due. Two are combined only if they reply to the same
 * message, if neither is a reply, or if both were held; three or more always are. The deliveries of a null body fail: they can't
 * be rendered.
 */
export async function compose(
  parts: ComposeParts,
  platform: ChatPlatform,
  destination: Destination,
): Promise<Attempt | null> {
  const settings = await parts.store.destinationSettings.of(destination);
  const [first, ...others] = unitsOf(platform, await nextGroup(parts, destination, settings));
  if (!first) return null;
  const context = renderContext(parts, platform, { to: destination, settings });
  const attempt = await composeDue(context, [first, ...others]);
  return attempt.body === null ? isolateBroken(context, attempt, [first, ...others]) : attempt;
}

/**
 * Rerenders a message that was certainly not posted, so that relative dates and ages are those of today. Deliveries that are held
 * now, or no longer fit, wait for a later message. If all are held, others take their place; null if none is due.
 */
export async function rerender(parts: ComposeParts, platform: ChatPlatform, attempt: Attempt): Promise<Attempt | null> {
  const { to, messageId } = attempt;
  const { outbox, destinationSettings } = parts.store;
  const settings = await destinationSettings.of(to);
  const all = await outbox.waitingIn(attempt);
  if (all.length === 0) return attempt;
  const own = readyOf(parts, all, settings);
  const ready = own.length > 0 ? own : await nextGroup(parts, to, settings);
  const [first, ...others] = unitsOf(platform, ready);
  if (!first) return null;
  const context = { ...renderContext(parts, platform, { to, settings }), newMessageId: () => messageId };
  const next = await composeDue(context, [first, ...others]);
  const { body, deliveries, replyTo, blindResends } = next;
  if (body === null) return own.length === all.length ? attempt : isolateBroken(context, next, [first, ...others]);
  const isSame = isDeepStrictEqual({ body, deliveries }, { body: attempt.body, deliveries: attempt.deliveries });
  return isSame ? attempt : { ...attempt, body, deliveries, replyTo, blindResends };
}

/**
 * Rerenders a message that may have been posted, but wasn't found. It keeps its id and its deliveries, because an earlier send may
 * still arrive. Returns it unchanged if its deliveries don't fit any more.
 */
export async function rerenderUnfound(parts: ComposeParts, platform: ChatPlatform, attempt: Attempt): Promise<Attempt> {
  const { to, messageId, replyTo, deliveries } = attempt;
  const settings = await parts.store.destinationSettings.of(to);
  const moment = momentOf(parts);
  const group = (await parts.store.outbox.waitingIn(attempt)).map(
    (one): ReadyDelivery => ({ ...one, hold: canHold(settings) ? endedHold(one.event, settings, moment) : null }),
  );
  const context = { ...renderContext(parts, platform, { to, settings }), newMessageId: () => messageId };
  const units = unitsOf(platform, group);
  if (isJoinBody(attempt.body)) {
    const next = await composeJoin(context, units);
    return next !== null && isDeepStrictEqual(next.deliveries, deliveries) ? { ...attempt, body: next.body } : attempt;
  }
  for (const shape of ["cards", "list"] as const) {
    const next = render(context, units, { replyTo, shape });
    if (next.body !== null && isDeepStrictEqual(next.deliveries, deliveries)) return { ...attempt, body: next.body };
  }
  return attempt;
}

/**
 * Milliseconds until a waiting delivery is neither held nor deferred; 0 if one may be sent now or none is waiting. One that may have
 * been posted isn't counted.
 */
export async function deferredUntilDueMs(parts: HoldParts, destination: Destination): Promise<number> {
  const settings = await parts.store.destinationSettings.of(destination);
  const waiting = (await parts.store.outbox.waiting([destination])).filter(isUnsent);
  const now = parts.clock.now();
  const holdOn = canHold(settings) ? holdsAt(settings, momentOf(parts)) : () => null;
  const delays = waiting.map(({ event, deferral }) =>
    Math.max((holdOn(event)?.until ?? now) - now, deferral === null ? 0 : deferredForMs(deferral, now)),
  );
  return delays.length === 0 ? 0 : Math.min(...delays);
}

/**
 * The deliveries of the next message: those that are due, in their order. A deferred one is only sent with other deferred ones, and
 * with as many as its deferral permits.
 */
async function nextGroup(
  parts: HoldParts,
  destination: Destination,
  settings: DestinationSettings,
): Promise<readonly ReadyDelivery[]> {
  const waiting = await parts.store.outbox.waiting([destination]);
  const now = parts.clock.now();
  const ready = readyOf(parts, waiting.filter(isInNoAttempt), settings);
  const first = ready.find(({ deferral }) => deferral === null || deferredForMs(deferral, now) === 0);
  if (first === undefined) return [];
  if (first.deferral === null) return ready.filter(({ deferral }) => deferral === null);
  const { maxGroup } = first.deferral;
  if (maxGroup === null) return ready.filter(({ deferral }) => deferral !== null && deferral.maxGroup === null);
  return ready
    .filter(({ deferral }) => deferral?.maxGroup === maxGroup && deferredForMs(deferral, now) === 0)
    .slice(0, maxGroup);
}

function isInNoAttempt({ attemptState }: WaitingDelivery): boolean {
  return attemptState === null;
}

function renderContext(
  parts: ComposeParts,
  platform: ChatPlatform,
  { to, settings }: { readonly to: Destination; readonly settings: DestinationSettings },
): RenderContext {
  return { ...parts, platform, to, timezone: settings.timezone ?? parts.timezone };
}

async function composeDue(context: RenderContext, due: Due): Promise<Attempt> {
  const joining = due.length > MAX_JOINING || due.some(isTextUnit) ? null : await composeJoin(context, due);
  if (joining !== null) return joining;
  return due.length <= MAX_SEPARATE ? composeFew(context, due) : composeMany(context, due);
}

/** The deliveries as cards. Only a platform that can edit messages gets the two halves of an announcement in one card. */
function unitsOf(platform: ChatPlatform, ready: readonly ReadyDelivery[]): readonly Unit[] {
  const folded = canEdit(platform) ? foldAnnouncements(ready) : ready.map(unfolded);
  return folded.map((one) => ({ ...one, hold: one.parts.find(({ hold }) => hold !== null)?.hold ?? null }));
}

function mayBePosted({ deferral }: ReadyDelivery): boolean {
  return deferral?.mayBePosted === true;
}

function isTextUnit({ parts }: Unit): boolean {
  return parts.some(({ deferral }) => deferral?.isTextOnly === true);
}

function unfolded(one: ReadyDelivery): Folded<ReadyDelivery> {
  return { event: one.event, parts: [one] };
}

/** Parts that all messages to the destination share. `timezone` is the destination's. */
interface RenderContext extends Omit<ComposeParts, "nextDigest"> {
  readonly platform: ChatPlatform;
  readonly to: Destination;
}

type Due = readonly [Unit, ...Unit[]];

async function composeFew(context: RenderContext, due: Due): Promise<Attempt> {
  const { group, replyTo } = await groupOf(context, due);
  return render(context, group, { replyTo, shape: "cards" });
}

/**
 * The first of at most two messages with a card for each delivery; a list of all deliveries if they do not fit. A platform without
 * lists gets as many cards as fit.
 */
async function composeMany(context: RenderContext, due: Due): Promise<Attempt> {
  const { maxAlerts } = context.platform;
  if (maxAlerts !== undefined) return render(context, due.slice(0, maxAlerts), { replyTo: null, shape: "cards" });
  const first = render(context, due.slice(0, MAX_CARDS), { replyTo: null, shape: "cards" });
  const shown = inAttempt(due, first);
  const rest = due.filter((unit) => !shown.includes(unit));
  if (!fitInOne(context, rest)) return render(context, due, { replyTo: null, shape: "list" });
  return { ...first, replyTo: await commonReplyTarget(context, shown) };
}

function fitInOne(context: RenderContext, units: readonly Unit[]): boolean {
  if (units.length === 0 || units.length > MAX_CARDS) return units.length === 0;
  return inAttempt(units, render(context, units, { replyTo: null, shape: "cards" })).length === units.length;
}

/** The units that the message of the attempt shows. */
function inAttempt(units: readonly Unit[], { deliveries }: Attempt): readonly Unit[] {
  return units.filter(({ parts: [{ delivery }] }) => deliveries.includes(delivery.id));
}

/** Renders each delivery of a failed message alone. Returns the failing ones with a null body; if none fails, the first one. */
function isolateBroken(context: RenderContext, failed: Attempt, due: Due): Attempt {
  const alone = inAttempt(due, failed).map((one) => render(context, [one], { replyTo: null, shape: "cards" }));
  const broken = alone.filter(({ body }) => body === null).flatMap(({ deliveries }) => deliveries);
  return broken.length > 0 ? { ...failed, deliveries: broken } : (alone[0] ?? failed);
}

/** The deliveries that may be sent now. */
function readyOf(
  parts: HoldParts,
  waiting: readonly WaitingDelivery[],
  settings: DestinationSettings,
): readonly ReadyDelivery[] {
  if (!canHold(settings)) return waiting.map((one) => ({ ...one, hold: null }));
  const moment = momentOf(parts);
  const holdOn = holdsAt(settings, moment);
  return waiting
    .filter(({ event }) => holdOn(event) === null)
    .map((one) => ({ ...one, hold: endedHold(one.event, settings, moment) }));
}

function momentOf({ clock, timezone, nextDigest }: HoldParts): HoldMoment {
  return { now: clock.now(), timezone, nextDigest };
}

/**
 * Returns the leading deliveries that reply to the same message, or to none. Deliveries that were held are grouped even if they
 * reply to different messages; the group then replies to none.
 */
async function groupOf(
  context: RenderContext,
  [first, ...others]: Due,
): Promise<{ readonly group: Due; readonly replyTo: MessageRef | null }> {
  const replyTo = await firstMessage(context, first);
  const group: [Unit, ...Unit[]] = [first];
  let shareReplyTarget = true;
  for (const next of others) {
    const hasSameReplyTarget = (await firstMessage(context, next))?.id === replyTo?.id;
    if (!hasSameReplyTarget && (first.hold === null || next.hold === null)) break;
    shareReplyTarget &&= hasSameReplyTarget;
    group.push(next);
  }
  return { group, replyTo: shareReplyTarget ? replyTo : null };
}

/** The message that all deliveries reply to; null if they differ. */
async function commonReplyTarget(context: RenderContext, units: readonly Unit[]): Promise<MessageRef | null> {
  const [first, ...others] = await Promise.all(units.map((one) => firstMessage(context, one)));
  return first && others.every((other) => other?.id === first.id) ? first : null;
}

/** The first message about the delivery's split at this destination: later ones reply to it. */
async function firstMessage({ store, to }: RenderContext, { event }: Unit): Promise<MessageRef | null> {
  return isSplitEvent(event) ? store.history.firstMessage(to, event.splitId) : null;
}

/**
 * The message of the first unit whose other half was sent earlier: it replaces the content of that message, so that nobody is notified
 * twice. Null if there is none. If the two don't fit into that message, it is a quiet reply.
 */
async function composeJoin(context: RenderContext, units: readonly Unit[]): Promise<Attempt | null> {
  if (!canEdit(context.platform)) return null;
  for (const unit of units) {
    const sent = await otherHalfOf(context, unit);
    if (sent === null) continue;
    const attempt = render(context, [unit], { replyTo: sent.ref, shape: "cards", isQuiet: true });
    const edit = attempt.body === null ? null : await currentBody(context, sent, unit.parts);
    return edit === null ? attempt : { ...attempt, body: { edit, reply: attempt.body } satisfies JoinBody };
  }
  return null;
}

/** The message that contains the other half of the unit's announcement; null if none was sent. */
async function otherHalfOf({ store, to }: RenderContext, { event }: Unit): Promise<SentMessage | null> {
  const ids = otherHalves(event).map((id) => deliveryId(id, destinationKey(to)));
  if (ids.length === 0) return null;
  const messages = await store.history.messagesWith(to, ids);
  return (
    messages.find(({ deliveries }) =>
      completes(
        event,
        deliveries.map((one) => one.event),
      ),
    ) ?? null
  );
}

/** Renders one message: a card for each of the leading units whose cards fit, or one list of all. */
function render(
  { clock, log, platform, to, timezone, expireAfterMs, cards: cache, noticeOf, newMessageId }: RenderContext,
  group: readonly Unit[],
  { replyTo, shape, isQuiet = false }: MessageForm,
): Attempt {
  const now = clock.now();
  const isTextOnly = group.some(isTextUnit);
  const messageId = newMessageId(group.every(({ event }) => event.kind === "test") ? TEST_MESSAGE_PREFIX : "");
  const attempt: Attempt = {
    to,
    replyTo: isTextOnly ? null : replyTo,
    messageId,
    deliveries: deliveriesOf(group),
    body: null,
    createdAt: now,
    state: "ready",
    sends: 0,
    blindResends: group.some(({ parts }) => parts.some(mayBePosted)) ? 1 : 0,
    notBefore: now,
    problem: null,
  };
  try {
    const at = { now, today: dayInZone(now, MARKET_ZONE), timezone, expireAfterMs, ...(noticeOf && { noticeOf }) };
    const mentions = [...new Set(group.flatMap(({ parts }) => parts.flatMap(({ delivery }) => delivery.mentions)))];
    const isList = shape === "list";
    const cards = isList
      ? [alertListCard(group, at)]
      : group.map(({ event, hold }) => cardOf(event, { ...at, hold }, cache));
    const events = group.map(({ event }) => event);
    const { body, cardCount } = platform.render({
      messageId,
      to,
      cards,
      events,
      mentions: isQuiet ? [] : mentions,
      ...(isQuiet && { isQuiet }),
      isTextOnly,
    });
    return { ...attempt, body, deliveries: isList ? attempt.deliveries : deliveriesOf(group.slice(0, cardCount)) };
  } catch (error) {
    log.error("message rendering failed", { platform: platform.name, deliveries: attempt.deliveries, error });
    return attempt;
  }
}

interface MessageForm {
  readonly replyTo: MessageRef | null;
  readonly shape: "cards" | "list";
  readonly isQuiet?: boolean;
}

function deliveriesOf(units: readonly Unit[]): readonly DeliveryId[] {
  return units.flatMap(({ parts }) => parts.map(({ delivery }) => delivery.id));
}

/** The card of an event, computed once a minute for each time zone. The card of a late event states its age. */
function cardOf(event: Event, context: AlertContext, cache: Map<string, Card>): Card {
  if (isLate(event, context)) return eventCard(event, context);
  const release = isSplitEvent(event) ? (event.release?.url ?? "") : "";
  const key = `${event.id} ${release} ${Math.floor(context.now / MINUTE_MS)} ${context.timezone}`;
  const card = cache.get(key) ?? eventCard(event, context);
  cache.set(key, card);
  return card;
}
