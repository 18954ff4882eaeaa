import type { DeliveryOutcome } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Event } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { overlapsSelector, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { eventSummary, holdText } from "../event-text.ts";
import { capitalize, formatCount, formatTime, joinList } from "../format.ts";
import { type Button, button, type Card, card, type Fact } from "../message.ts";

/** Reason why a destination got or didn't get an alert about an event. */
export type WhyVerdict =
  | {
      readonly kind: "delivery";
      /** `rule 2`, `watchlist` */
      readonly matchedBy: readonly string[];
      readonly outcome: DeliveryOutcome;
      /** Why delivery to the destination is paused; null if it isn't. */
      readonly pauseReason: string | null;
      /** The hold that delays the alert; null: none. */
      readonly hold: Hold | null;
    }
  /** Another alert, of kind `event`, has the same content. */
  | { readonly kind: "covered"; readonly event: Event["kind"] }
  | { readonly kind: "no-rules" }
  /** Not sent here yet; destinations in other time zones may already have it. */
  | { readonly kind: "reminder-pending" }
  /** The destination's settings turn reminders off. */
  | { readonly kind: "reminders-off" }
  | {
      readonly kind: "no-match";
      readonly rules: readonly { readonly number: number; readonly reason: string }[];
      /** Null for a channel, which has no watchlist. */
      readonly watchlist: "not-watched" | "kind-not-included" | null;
    }
  /** Rules and watchlist that match now; nothing matched when the event was detected. */
  | { readonly kind: "matches-now"; readonly rules: readonly number[]; readonly watchlist: boolean };

/** One event, with the result for the channel and for the requester. */
export interface ExplainedEvent {
  readonly event: Event;
  readonly ticker: Ticker;
  readonly results: readonly { readonly destinationKind: Destination["kind"]; readonly verdict: WhyVerdict }[];
}

export interface WhySummary {
  readonly ticker: Ticker;
  /** Number of events on all pages. */
  readonly events: number;
  /** Current state of the ticker. */
  readonly state: string;
  /** The entry of the watchlist that selects the ticker or its split; null if none does. */
  readonly watchedAs: Ticker | null;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

export function whyCard(summary: WhySummary): Card {
  const hasEvents = summary.events > 0;
  return card({
    title: hasEvents
      ? `${formatCount(summary.events, "event")} about ${summary.ticker} in the last 90 days`
      : `No event about ${summary.ticker} in the last 90 days`,
    lines: [
      ...(hasEvents ? [] : [`Splits that were already listed at the first poll don't trigger alerts.`]),
      ...(summary.pageLine === null ? [] : [summary.pageLine]),
    ],
    facts: [
      { label: "Now", value: capitalize(summary.state) },
      { label: "On your watchlist", value: watchedText(summary) },
    ],
    buttons: [...summary.buttons, button("Details", `show ${summary.ticker}`)],
  });
}

function watchedText({ ticker, watchedAs }: WhySummary): string {
  if (watchedAs === null) return "no";
  return overlapsSelector(ticker, watchedAs) ? "yes" : `yes, as ${watchedAs}`;
}

export function explainedCard({ event, ticker, results }: ExplainedEvent, timezone: string): Card {
  const facts: readonly Fact[] = results.map(({ destinationKind, verdict }) => {
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
      return `${outcomeText(verdict, timezone)} (matched: ${joinList(verdict.matchedBy)})`;
    case "no-rules":
      return "not sent: there are no rules here";
    case "reminder-pending":
      return "not sent yet: it will be sent with the next reminders here";
    case "reminders-off":
      return "not sent: reminders are off here. To turn them on: /splits settings reminders:on";
    case "covered":
      return `not sent: the "${verdict.event}" alert covers it`;
    case "no-match":
      return `not sent: ${[...verdict.rules.map(mismatchText), ...watchlistReasons(verdict.watchlist, ticker)].join("; ")}`;
    case "matches-now": {
      const matches = [
        ...verdict.rules.map((number) => `rule ${number}`),
        ...(verdict.watchlist ? ["your watchlist"] : []),
      ];
      return `not sent: nothing matched when it was detected, but ${joinList(matches)} would match now`;
    }
  }
}

function mismatchText({ number, reason }: { readonly number: number; readonly reason: string }): string {
  return `rule ${number}: ${reason}`;
}

function watchlistReasons(mismatch: "not-watched" | "kind-not-included" | null, ticker: Ticker): readonly string[] {
  if (mismatch === null) return [];
  return [
    mismatch === "not-watched" ? `${ticker} isn't on your watchlist` : "watchlists don't include this kind of event",
  ];
}

function nextTryText(retryAt: Instant | null, timezone: string): string {
  return retryAt === null ? "" : `; next try: ${formatTime(retryAt, timezone)}`;
}

function outcomeText(
  { outcome, pauseReason, hold }: Extract<WhyVerdict, { kind: "delivery" }>,
  timezone: string,
): string {
  switch (outcome.kind) {
    case "sent": {
      const times = formatCount(outcome.blindResends, "time");
      const resent = `; resent ${times} although it may have been posted before, so it may appear twice`;
      return `sent ${formatTime(outcome.at, timezone)}${outcome.blindResends > 0 ? resent : ""}`;
    }
    case "waiting":
      if (pauseReason !== null) return `waiting: delivery is paused, ${pauseReason}`;
      if (outcome.problem !== null)
        return `waiting to be sent: ${outcome.problem}${nextTryText(outcome.retryAt, timezone)}`;
      return hold === null ? "waiting to be sent" : `held ${holdText(hold, timezone)}`;
    case "failed":
      return `not delivered; splitwatch gave up at ${formatTime(outcome.at, timezone)}: ${outcome.reason}`;
  }
}
