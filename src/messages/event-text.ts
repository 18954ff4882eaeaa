import { type Event, type EventKind, isSplitEvent, type SplitEvent } from "../domain/alert/event.ts";
import type { Hold, HoldReason } from "../domain/alert/hold.ts";
import { shownSymbol } from "../domain/split/split.ts";
import { cutText } from "../lib/external-text.ts";
import {
  formatCount,
  formatDay,
  formatTime,
  joinList,
  lastListsText,
  releaseKindText,
  treatmentText,
} from "./format.ts";
import type { Row } from "./message.ts";
import { changesText, splitName } from "./split-text.ts";

/** How rules and forms name an event kind. */
interface KindText {
  /** `state` completes "Alerts when a split is …", `topic` completes "Alerts …". */
  readonly form: "state" | "topic";
  readonly inRule: string;
  /** Label of the option in forms, which are headed "Alert when a split is" and "Also alert about". */
  readonly inForm: string;
}

export const EVENT_KIND_TEXT: Readonly<Record<EventKind, KindText>> = {
  announced: { form: "state", inRule: "announced", inForm: "announced" },
  changed: {
    form: "state",
    inRule: "changed",
    inForm: "changed: its symbol, ratio, ex date, exchange or fractional shares",
  },
  postponed: { form: "state", inRule: "postponed", inForm: "postponed" },
  cancelled: { form: "state", inRule: "cancelled", inForm: "cancelled" },
  missing: { form: "state", inRule: "no longer listed", inForm: "no longer listed, without an explanation" },
  returned: { form: "state", inRule: "listed again", inForm: "listed again" },
  effective: { form: "state", inRule: "in effect", inForm: "in effect, on its ex date" },
  reminder: { form: "topic", inRule: "before an ex date", inForm: "reminders before the ex date" },
  article: { form: "topic", inRule: "for each press release", inForm: "press releases" },
  early: {
    form: "topic",
    inRule: "for each release about an approval or a range of ratios",
    inForm: "approvals and ratio ranges: not yet a split",
  },
  stale: {
    form: "topic",
    inRule: "when the data becomes outdated or recovers",
    inForm: "outdated data, and when it is current again",
  },
};

/** Summary of an event, independent of the current day: `announced: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026`. */
export function eventSummary(event: Event): string {
  if (isSplitEvent(event)) return splitEventSummary(event);
  switch (event.kind) {
    case "article":
      return `press release: ${cutText(event.article.heading, 120)}`;
    case "early":
      return `${releaseKindText(event.article.kind)}: ${cutText(event.article.heading, 120)}`;
    case "stale":
      return event.state === "begun"
        ? `the data became outdated: ${cutText(event.problem, 120)}`
        : "the data is up to date again";
    case "test":
      return event.shows === undefined ? "a test alert" : `a test of the alert "${event.shows}"`;
    case "digest":
      return `first list from this source: ${formatCount(event.records.length, "split")}`;
  }
}

/** Summary for a list of events about different splits: `ACME changed: ratio 1-for-20 → 1-for-25` */
export function eventSummaryWithTicker(event: Event): string {
  const summary = eventSummary(event);
  return isSplitEvent(event) && event.kind !== "announced" ? `${shownSymbol(event.record)} ${summary}` : summary;
}

function splitEventSummary(event: SplitEvent): string {
  switch (event.kind) {
    case "announced":
      return `announced: ${splitName(event.record)}, ex date ${formatDay(event.record.exDate)}${fractionPart(event)}`;
    case "changed":
      if (event.terms.length === 0) return "corrected: the terms are unchanged";
      return `changed: ${changesText(event.terms, event)}`;
    case "postponed":
    case "cancelled":
      return `${event.kind}, according to a release: ${cutText(event.article.heading, 120)}`;
    case "missing":
      return `no longer listed: not in ${lastListsText(event.pollsMissed)}`;
    case "returned":
      return `listed again, ex date ${formatDay(event.record.exDate)}`;
    case "effective":
      return "in effect";
    case "reminder":
      return `reminder, ${formatCount(event.daysLeft, "trading day")} before the ex date`;
  }
}

function fractionPart({ fraction }: SplitEvent): string {
  return fraction ? `, fractional shares ${treatmentText(fraction.treatment)}` : "";
}

export function historyRow(event: Event, timezone: string): Row {
  const row = { title: formatTime(event.at, timezone), detail: eventSummary(event) };
  return "article" in event ? { ...row, link: event.article.url, isRelease: true } : row;
}

const HOLD_REASON_TEXTS: Readonly<Record<HoldReason, string>> = {
  muted: "muted",
  quiet: "quiet hours",
  digest: "digest",
};

/** `muted`, `muted, then quiet hours` */
export function holdReasonText({ reasons }: Pick<Hold, "reasons">): string {
  const [first = "", ...later] = reasons.map((reason) => HOLD_REASON_TEXTS[reason]);
  return later.length === 0 ? first : `${first}, then ${joinList(later)}`;
}

/** Completes "held …": `until Tue 10 Mar 2026, 07:00 EDT (muted, then digest)` */
export function holdText(hold: Hold, timezone: string): string {
  return `until ${formatTime(hold.until, timezone)} (${holdReasonText(hold)})`;
}
