import { type Event, isSplitEvent, type SplitEvent } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { holdReasonText } from "../hold-words.ts";
import type { Card } from "../message.ts";
import { formatDuration, formatTime, type TimeContext } from "../words.ts";
import { changedCard } from "./changed-card.ts";
import { digestCard } from "./digest-card.ts";
import { articleCard, earlyCard, withdrawnCard } from "./release-cards.ts";
import { announcedCard, effectiveCard, missingCard, reminderCard, returnedCard } from "./split-cards.ts";
import { staleCard } from "./stale-card.ts";
import { testCard } from "./test-card.ts";

/** When an alert is said, and how old its event may be before it counts as late. */
export interface AlertContext extends TimeContext {
  readonly expireAfterMs: number;
  /** Why it was held until a while ago, as its readers asked; null: it was not. */
  readonly held?: Hold | null;
}

/** The card of an event. Its title alone says the essentials: it may be all that a notification shows. */
export function eventCard(event: Event, at: AlertContext): Card {
  const card = cardOf(event, at);
  const seen = formatTime(event.at, at.timezone);
  const late = at.now - event.at > at.expireAfterMs;
  return {
    ...card,
    badges: [...(event.sample ? ["SAMPLE"] : []), ...(late ? ["LATE"] : []), ...card.badges],
    lines: late ? [lateWords(event, at), ...card.lines] : card.lines,
    footer: event.sample ? `Seen ${seen}. Invented sample, not a real company.` : `Seen ${seen}`,
  };
}

function lateWords(event: Event, { now, timezone, held = null }: AlertContext): string {
  const seen = `it was seen on ${formatTime(event.at, timezone)}, ${formatDuration(now - event.at)} ago`;
  return held === null
    ? `This is late news: ${seen}.`
    : `This is late because it was held as asked (${holdReasonText(held)}): ${seen}.`;
}

function cardOf(event: Event, at: AlertContext): Card {
  if (isSplitEvent(event)) return splitEventCard(event, at);
  switch (event.kind) {
    case "article":
      return articleCard(event, at);
    case "early":
      return earlyCard(event, at);
    case "stale":
      return staleCard(event, at);
    case "test":
      return testCard(event);
    case "digest":
      return digestCard(event, at);
  }
}

function splitEventCard(event: SplitEvent, at: AlertContext): Card {
  switch (event.kind) {
    case "announced":
      return announcedCard(event, at);
    case "changed":
      return changedCard(event, at);
    case "postponed":
    case "cancelled":
      return withdrawnCard(event, at);
    case "missing":
      return missingCard(event, at);
    case "returned":
      return returnedCard(event, at);
    case "effective":
      return effectiveCard(event, at);
    case "reminder":
      return reminderCard(event, at);
  }
}
