import type { DeliveryOutcome } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Event } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { eventSummary, holdText } from "../event-text.ts";
import { capitalize, formatCount, formatTime, joinList } from "../format.ts";
import { type Button, button, type Card, card, type Fact } from "../message.ts";

/** Why one destination was told of an event, or was not. */
export type WhyVerdict =
  | {
      readonly kind: "told";
      /** `rule 2`, `watchlist` */
      readonly because: readonly string[];
      readonly outcome: DeliveryOutcome;
      /** Why nothing goes there at the moment. */
      readonly paused: string | null;
      /** Why it would not go there now although it could. */
      readonly held: Hold | null;
    }
  /** The release was told as what it says of a split. */
  | { readonly kind: "told-as"; readonly event: Event["kind"] }
  | { readonly kind: "no-rules" }
  /** Places of other zones are reminded already. */
  | { readonly kind: "to-be-reminded" }
  /** The place does not want them. */
  | { readonly kind: "no-reminders" }
  | {
      readonly kind: "not-asked-for";
      readonly rules: readonly { readonly number: number; readonly reason: string }[];
      /** Null where there is no watchlist: in a channel. */
      readonly watchlist: "not-watched" | "no-such-event" | null;
    }
  /** These ask for it as they stand now, but nothing was made for it then. */
  | { readonly kind: "asked-for-later"; readonly rules: readonly number[]; readonly watchlist: boolean };

/** One event, and what became of it here and for the asker. */
export interface ExplainedEvent {
  readonly event: Event;
  readonly ticker: Ticker;
  readonly verdicts: readonly { readonly place: Destination["kind"]; readonly verdict: WhyVerdict }[];
}

export interface WhySummary {
  readonly ticker: Ticker;
  /** In all, on all pages. */
  readonly events: number;
  /** What is known of the ticker now. */
  readonly state: string;
  readonly watched: boolean;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

export function whyCard(why: WhySummary): Card {
  const seen = why.events > 0;
  return card({
    title: seen
      ? `${formatCount(why.events, "event")} about ${why.ticker} in the last 90 days`
      : `No event about ${why.ticker} in the last 90 days`,
    lines: [
      ...(seen ? [] : [`Splits that were already listed at the first poll don't trigger alerts.`]),
      ...(why.pageLine === null ? [] : [why.pageLine]),
    ],
    facts: [
      { label: "Now", value: capitalize(why.state) },
      { label: "On your watchlist", value: why.watched ? "yes" : "no" },
    ],
    buttons: [...why.buttons, button("Details", `show ${why.ticker}`)],
  });
}

export function explainedCard({ event, ticker, verdicts }: ExplainedEvent, timezone: string): Card {
  const facts: readonly Fact[] = verdicts.map(({ place, verdict }) => {
    const label = place === "person" ? "For you" : "In this channel";
    const value = capitalize(verdictWords(verdict, ticker, timezone));
    const link = verdict.kind === "told" && verdict.outcome.kind === "sent" ? verdict.outcome.ref.link : null;
    return link === null ? { label, value } : { label, value, link };
  });
  return card({
    title: capitalize(eventSummary(event)),
    link: "article" in event ? event.article.url : null,
    badges: event.sample ? ["SAMPLE"] : [],
    facts: [{ label: "Seen", value: formatTime(event.at, timezone) }, ...facts],
  });
}

function verdictWords(verdict: WhyVerdict, ticker: Ticker, timezone: string): string {
  switch (verdict.kind) {
    case "told":
      return `${outcomeWords(verdict, timezone)} (matched: ${joinList(verdict.because)})`;
    case "no-rules":
      return "not sent: there are no rules here";
    case "to-be-reminded":
      return "not sent yet: it will be sent with the next reminders here";
    case "no-reminders":
      return "not sent: reminders are off here. To turn them on: /splits settings reminders:on";
    case "told-as":
      return `not sent: the ${verdict.event} alert covers it`;
    case "not-asked-for":
      return `not sent: ${[...verdict.rules.map(mismatchWords), ...watchlistWords(verdict.watchlist, ticker)].join("; ")}`;
    case "asked-for-later": {
      const by = [...verdict.rules.map((number) => `rule ${number}`), ...(verdict.watchlist ? ["your watchlist"] : [])];
      return `not sent: nothing matched when it was seen, but ${joinList(by)} would match now`;
    }
  }
}

function mismatchWords({ number, reason }: { readonly number: number; readonly reason: string }): string {
  return `rule ${number}: ${reason}`;
}

function watchlistWords(why: "not-watched" | "no-such-event" | null, ticker: Ticker): readonly string[] {
  if (why === null) return [];
  return [why === "not-watched" ? `${ticker} is not on your watchlist` : "watchlists don't include this kind of event"];
}

function outcomeWords({ outcome, paused, held }: Extract<WhyVerdict, { kind: "told" }>, timezone: string): string {
  switch (outcome.kind) {
    case "sent": {
      const times = formatCount(outcome.blindResends, "time");
      const doubled = `; resent ${times} without checking for the first one, so it may appear twice`;
      return `sent ${formatTime(outcome.at, timezone)}${outcome.blindResends > 0 ? doubled : ""}`;
    }
    case "waiting":
      if (paused !== null) return `waiting: delivery is paused, ${paused}`;
      if (outcome.problem !== null) return `waiting to be sent: ${outcome.problem}`;
      return held === null ? "waiting to be sent" : `held: ${holdText(held, timezone)}`;
    case "failed":
      return `not delivered, gave up ${formatTime(outcome.at, timezone)}: ${outcome.reason}`;
  }
}
