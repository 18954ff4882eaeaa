import {
  type DigestEvent,
  type Event,
  isSplitEvent,
  type ReleaseLink,
  type SplitEvent,
  type StaleEvent,
} from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { cutText } from "../../lib/external-text.ts";
import { testAlertCard, testCard } from "../answers/test-answer.ts";
import { holdReasonText } from "../event-text.ts";
import { formatCount, formatDuration, formatTime, type TimeContext } from "../format.ts";
import { button, type Card, card, type Fact } from "../message.ts";
import { byExDate, type NoticeLink, noticeFact, splitCardRow } from "../split-text.ts";
import { exampleEvent } from "./example-event.ts";
import { articleCard, earlyCard, withdrawnCard } from "./release-cards.ts";
import { announcedCard, changedCard, effectiveCard, missingCard, reminderCard, returnedCard } from "./split-cards.ts";

export interface AlertContext extends TimeContext {
  /** Age in milliseconds above which an event counts as late. */
  readonly expireAfterMs: number;
  /** The hold that delayed the alert; null if it was not held. */
  readonly hold?: Hold | null;
  /** Returns the notice that states a listed split; null if no notice is known. */
  readonly noticeOf?: (record: SplitRecord) => NoticeLink | null;
}

/** Card of an event. */
export function eventCard(event: Event, context: AlertContext): Card {
  const base = cardOf(event, context);
  const seen = formatTime(event.at, context.timezone);
  const late = isLate(event, context);
  return {
    ...base,
    badges: [...(event.sample ? ["SAMPLE"] : []), ...(late ? ["LATE"] : []), ...base.badges],
    lines: late ? [lateText(event, context), ...base.lines] : base.lines,
    facts: [...base.facts, ...noticeFacts(event, context)],
    footer: event.sample ? `Seen ${seen}. Sample data, not a real company.` : `Seen ${seen}`,
  };
}

/** True if the card is marked LATE and shows the event's age, which grows. Any other card has the same content all day. */
export function isLate(event: Event, { now, expireAfterMs }: AlertContext): boolean {
  return now - event.at > expireAfterMs;
}

/** A split without a release is linked to the notice of an exchange or regulator. */
function noticeFacts(event: Event, { noticeOf }: AlertContext): readonly Fact[] {
  if (noticeOf === undefined || !isSplitEvent(event) || releaseOf(event) !== null) return [];
  return noticeFact(noticeOf(event.record));
}

function releaseOf(event: SplitEvent): ReleaseLink | null {
  return event.release ?? (event.kind === "missing" ? event.withdrawnBy : null);
}

function lateText(event: Event, { now, timezone, hold = null }: AlertContext): string {
  const seen = `the event was seen on ${formatTime(event.at, timezone)}, ${formatDuration(now - event.at)} ago`;
  return hold === null ? `This alert is late: ${seen}.` : `This alert was held (${holdReasonText(hold)}): ${seen}.`;
}

function cardOf(event: Event, context: AlertContext): Card {
  if (isSplitEvent(event)) return splitEventCard(event, context);
  switch (event.kind) {
    case "article":
      return articleCard(event, context);
    case "early":
      return earlyCard(event, context);
    case "stale":
      return staleCard(event, context);
    case "test":
      return event.shows === undefined
        ? testCard(event)
        : testAlertCard(event, cardOf(exampleEvent(event, event.shows), context));
    case "digest":
      return digestCard(event, context);
  }
}

function splitEventCard(event: SplitEvent, context: AlertContext): Card {
  switch (event.kind) {
    case "announced":
      return announcedCard(event, context);
    case "changed":
      return changedCard(event, context);
    case "postponed":
    case "cancelled":
      return withdrawnCard(event, context);
    case "missing":
      return missingCard(event, context);
    case "returned":
      return returnedCard(event, context);
    case "effective":
      return effectiveCard(event, context);
    case "reminder":
      return reminderCard(event, context);
  }
}

const MAX_ROWS = 20;

/** Card for all splits of a source's first list. */
function digestCard(event: DigestEvent, context: TimeContext): Card {
  const records = event.records.toSorted(byExDate);
  const hiddenCount = records.length - MAX_ROWS;
  return card({
    tone: "new",
    title: `${formatCount(records.length, "reverse split")} already listed by this source`,
    lines: [
      "You'll get an alert for each change from now on.",
      ...(hiddenCount > 0
        ? [`${formatCount(hiddenCount, "more split")} not shown. See them all: /splits list when:all`]
        : []),
    ],
    rows: records.slice(0, MAX_ROWS).map((record) => splitCardRow(record, context)),
    buttons: [button("List all", "list when:all")],
  });
}

/** Card for data that became outdated or is up to date again. */
function staleCard(event: StaleEvent, { timezone }: TimeContext): Card {
  const since = formatTime(event.since, timezone);
  const buttons = [button("Status", "status")];
  if (event.state === "begun") {
    return card({
      tone: "warning",
      title: `The data is outdated since ${since}`,
      lines: [
        "Alerts may be late until the source recovers. None is lost, and you'll get a message when it recovers.",
        `Last problem: ${cutText(event.problem, 300)}`,
      ],
      buttons,
    });
  }
  const { eventCount } = event;
  return card({
    tone: "good",
    title: `The data is up to date again after ${formatDuration(event.at - event.since)}`,
    lines: [
      `It had been outdated since ${since}.`,
      eventCount === 0
        ? "Nothing changed in the meantime."
        : `${formatCount(eventCount, "event")} happened in the meantime. Alerts are sent for each matching rule and watchlist.`,
    ],
    buttons,
  });
}
