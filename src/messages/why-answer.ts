import type { DeliveryOutcome } from "../core/delivery.ts";
import type { Event } from "../core/event.ts";
import type { Ticker } from "../core/ticker.ts";
import { whatHappened } from "./history-words.ts";
import { type Button, button, type Card, card, type Fact } from "./message.ts";
import { capitalised, count, listWords, timeWords } from "./words.ts";

/** Why one destination was told of an event, or was not. */
export type Verdict =
  | {
      readonly kind: "told";
      /** `rule 2`, `watchlist` */
      readonly because: readonly string[];
      readonly outcome: DeliveryOutcome;
      /** Why nothing goes there at the moment. */
      readonly paused: string | null;
    }
  | { readonly kind: "no-rules" }
  | { readonly kind: "not-asked-for"; readonly reasons: readonly string[] }
  /** These ask for it as they stand now, but nothing was made for it then. */
  | { readonly kind: "asked-for-later"; readonly by: readonly string[] };

/** One event, and what became of it here and for the asker. */
export interface Explained {
  readonly event: Event;
  readonly verdicts: readonly { readonly where: string; readonly verdict: Verdict }[];
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
      ? `${count(why.events, "event")} about ${why.ticker} in the last 90 days`
      : `No event about ${why.ticker} in the last 90 days`,
    lines: [
      ...(seen
        ? []
        : [`So there was nothing to tell. What was listed already at the first poll of the source is no event.`]),
      ...(why.pageLine === null ? [] : [why.pageLine]),
    ],
    facts: [
      { label: "Now", value: capitalised(why.state) },
      { label: "On your watchlist", value: why.watched ? "yes" : "no" },
    ],
    buttons: [...why.buttons, button("Details", `show ${why.ticker}`)],
  });
}

export function explainedCard({ event, verdicts }: Explained, timezone: string): Card {
  const facts: readonly Fact[] = verdicts.map(({ where, verdict }) => verdictFact(where, verdict, timezone));
  return card({
    title: capitalised(whatHappened(event)),
    link: "article" in event ? event.article.url : null,
    badges: event.sample ? ["SAMPLE"] : [],
    facts: [{ label: "Seen", value: timeWords(event.at, timezone) }, ...facts],
  });
}

function verdictFact(label: string, verdict: Verdict, timezone: string): Fact {
  const value = capitalised(verdictWords(verdict, timezone));
  const sent = verdict.kind === "told" && verdict.outcome.kind === "sent" ? verdict.outcome : null;
  return sent?.ref.link ? { label, value, link: sent.ref.link } : { label, value };
}

function verdictWords(verdict: Verdict, timezone: string): string {
  switch (verdict.kind) {
    case "told":
      return `${outcomeWords(verdict, timezone)} (because of: ${listWords(verdict.because)})`;
    case "no-rules":
      return "not sent: no rule stands here";
    case "not-asked-for":
      return `not sent: ${verdict.reasons.join("; ")}`;
    case "asked-for-later":
      return `not sent: no alert was made when it was seen, though ${listWords(verdict.by)} would ask for it now`;
  }
}

function outcomeWords(
  { outcome, paused }: { readonly outcome: DeliveryOutcome; readonly paused: string | null },
  timezone: string,
): string {
  switch (outcome.kind) {
    case "sent": {
      const again = count(outcome.blindResends, "time");
      const doubled = `; sent again ${again} without being able to look, so it may stand there twice`;
      return `sent ${timeWords(outcome.at, timezone)}${outcome.blindResends > 0 ? doubled : ""}`;
    }
    case "waiting":
      if (paused !== null) return `waiting: delivery is paused, ${paused}`;
      return outcome.problem === null ? "waiting to be sent" : `waiting to be sent: ${outcome.problem}`;
    case "failed":
      return `not delivered, given up ${timeWords(outcome.at, timezone)}: ${outcome.reason}`;
  }
}
