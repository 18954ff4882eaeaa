import { type Event, isSplitEvent, type SplitEvent } from "../domain/alert/event.ts";
import type { Row } from "./message.ts";
import { changeWords, splitName } from "./split-facts.ts";
import { count, cut, dayWords, releaseWords, timeWords, treatmentWords } from "./words.ts";

/** What happened, in words that stay true: `announced: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026`. */
export function whatHappened(event: Event): string {
  if (isSplitEvent(event)) return whatHappenedTo(event);
  switch (event.kind) {
    case "article":
      return `press release: ${cut(event.article.heading, 120)}`;
    case "early":
      return `${releaseWords(event.article.kind)}: ${cut(event.article.heading, 120)}`;
    case "stale":
      return event.state === "begun" ? `the data is stale: ${cut(event.problem, 120)}` : "the data is fresh again";
    case "test":
      return "a test card";
    case "digest":
      return `first list of the source: ${count(event.records.length, "split")}`;
  }
}

function whatHappenedTo(event: SplitEvent): string {
  switch (event.kind) {
    case "announced":
      return `announced: ${splitName(event.record)}, ex date ${dayWords(event.record.exDate)}${fractionPart(event)}`;
    case "changed":
      if (event.terms.length === 0) return "corrected: the terms stayed the same";
      return `changed: ${changeWords(event.terms, event.was, event.record)}`;
    case "postponed":
    case "cancelled":
      return `${event.kind}, says a release: ${cut(event.article.heading, 120)}`;
    case "missing":
      return `no longer listed: not in the last ${count(event.pollsMissed, "complete list")}`;
    case "returned":
      return `listed again, ex date ${dayWords(event.record.exDate)}`;
    case "effective":
      return "in effect";
    case "reminder":
      return `reminder, ${count(event.daysLeft, "trading day")} before the ex date`;
  }
}

function fractionPart({ fraction }: SplitEvent): string {
  return fraction ? `, fractional shares ${treatmentWords(fraction.treatment)}` : "";
}

export function historyRow(event: Event, timezone: string): Row {
  const row = { title: timeWords(event.at, timezone), detail: whatHappened(event) };
  return "article" in event ? { ...row, link: event.article.url } : row;
}
