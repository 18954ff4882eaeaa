import type { DeliveryOutcome } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Event } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { eventSummary, holdText } from "../event-text.ts";
import { capitalize, formatCount, formatTime, joinList } from "../format.ts";
import { type Button, button, type Card, card, type Fact } from "../message.ts";

/** Why one destination got an alert about an event, or didn't. */
export type WhyVerdict =
  | {
      readonly kind: "delivery";
      /** `rule 2`, `watchlist` */
      readonly because: readonly string[];
      readonly outcome: DeliveryOutcome;
      /** Why delivery to the destination is paused; null if it isn't. */
      readonly paused: string | null;
      /** The hold that delays the alert; null: none. */
      readonly held: Hold | null;
    }
  /** Another alert, of kind `event`, has the same content. */
  | { readonly kind: "covered"; readonly event: Event["kind"] }
  | { readonly kind: "no-rules" }
  /** Destinations in other time zones may already have it. */
  | { readonly kind: "reminder-pending" }
  /** The destination's settings turn reminders off. */
  | { readonly kind: "reminders-off" }
  | {
      readonly kind: "no-match";
      readonly rules: readonly { readonly number: number; readonly reason: string }[];
      /** Null for a channel, which has no watchlist. */
      readonly watchlist: "not-watched" | "no-such-event" | null;
    }
  /** These match now, but nothing matched when the event was seen. */
  | { readonly kind: "matches-now"; readonly rules: readonly number[]; readonly watchlist: boolean };

/** One event, with the result for the channel and for the requester. */
export interface ExplainedEvent {
  readonly event: Event;
  readonly ticker: Ticker;
  readonly results: readonly { readonly destinationKind: Destination["kind"]; readonly verdict: WhyVerdict }[];
}

export interface WhySummary {
  readonly ticker: Ticker;
  /** Total on all pages. */
  readonly events: number;
  /** Current state of the ticker. */
  readonly state: string;
  readonly watched: boolean;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

export function whyCard(why: WhySummary): Card {
  const hasEvents = why.events > 0;
  return card({
    title: hasEvents
      ? `${formatCount(why.events, "event")} about ${why.ticker} in the last 90 days`
      : `No event about ${why.ticker} in the last 90 days`,
    lines: [
      ...(hasEvents ? [] : [`Splits that were already listed at the first poll don't trigger alerts.`]),
      ...(why.pageLine === null ? [] : [why.pageLine]),
    ],
    facts: [
      { label: "Now", value: capitalize(why.state) },
      { label: "On your watchlist", value: why.watched ? "yes" : "no" },
    ],
    buttons: [...why.buttons, button("Details", `show ${why.ticker}`)],
  });
}

export function explainedCard({ event, ticker, results: verdicts }: ExplainedEvent, timezone: string): Card {
  const facts: readonly Fact[] = verdicts.map(({ destinationKind, verdict }) => {
    const label = destinationKind === "person" ? "For you" : "In this channel";
    const value = capitalize(verdictText(verdict, ticker, timezone));
    const link = verdict.kind === "delivery" && verdict.outcome.kind === "sent" ? verdict.outcome.ref.link : null;
    return link === null ? { label, value } : { label, value, link };
  });
  return card({
    title: capitalize(eventSummary(event)),
    link: "article" in event ? event.article.url : null,
    badges: event.sample ? ["SAMPLE"] : [],
    facts: [{ label: "Seen", value: formatTime(event.at, timezone) }, ...facts],
  });
}

function verdictText(verdict: WhyVerdict, ticker: Ticker, timezone: string): string {
  switch (verdict.kind) {
    case "delivery":
      return `${outcomeText(verdict, timezone)} (matched: ${joinList(verdict.because)})`;
    case "no-rules":
      return "not sent: there are no rules here";
    case "reminder-pending":
      return "not sent yet: it will be sent with the next reminders here";
    case "reminders-off":
      return "not sent: reminders are off here. To turn them on: /splits settings reminders:on";
    case "covered":
      return `not sent: the ${verdict.event} alert covers it`;
    case "no-match":
      return `not sent: ${[...verdict.rules.map(mismatchText), ...watchlistReasons(verdict.watchlist, ticker)].join("; ")}`;
    case "matches-now": {
      const by = [...verdict.rules.map((number) => `rule ${number}`), ...(verdict.watchlist ? ["your watchlist"] : [])];
      return `not sent: nothing matched when it was seen, but ${joinList(by)} would match now`;
    }
  }
}

function mismatchText({ number, reason }: { readonly number: number; readonly reason: string }): string {
  return `rule ${number}: ${reason}`;
}

function watchlistReasons(why: "not-watched" | "no-such-event" | null, ticker: Ticker): readonly string[] {
  if (why === null) return [];
  return [why === "not-watched" ? `${ticker} isn't on your watchlist` : "watchlists don't include this kind of event"];
}

function outcomeText({ outcome, paused, held }: Extract<WhyVerdict, { kind: "delivery" }>, timezone: string): string {
  switch (outcome.kind) {
    case "sent": {
      const times = formatCount(outcome.blindResends, "time");
      const resent = `; resent ${times} without checking for the first one, so it may appear twice`;
      return `sent ${formatTime(outcome.at, timezone)}${outcome.blindResends > 0 ? resent : ""}`;
    }
    case "waiting":
      if (paused !== null) return `waiting: delivery is paused, ${paused}`;
      if (outcome.problem !== null) return `waiting to be sent: ${outcome.problem}`;
      return held === null ? "waiting to be sent" : `held ${holdText(held, timezone)}`;
    case "failed":
      return `not delivered, gave up ${formatTime(outcome.at, timezone)}: ${outcome.reason}`;
  }
}
