import type {
  Announced,
  Changed,
  Effective,
  Missing,
  Reminder,
  Returned,
  SplitEvent,
} from "../../domain/alert/event.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { oldPerNew } from "../../domain/split/ratio.ts";
import { changedTerms, type SplitRecord, type Term } from "../../domain/split/split.ts";
import { tradingDayBefore, tradingDaysUntil } from "../../domain/time/trading-day.ts";
import { formatCount, formatDay, formatDistance, lastListsText, type TimeContext } from "../format.ts";
import { type Card, card } from "../message.ts";
import {
  alertButtons,
  changedFacts,
  changesText,
  evidenceWarnings,
  exDateText,
  fractionFact,
  fractionQuotes,
  recordWarnings,
  releaseFact,
  repeatSplitLines,
  splitFacts,
  splitName,
} from "../split-text.ts";

/** Shown once, when a split changed three times within an hour (flapping). */
const FLAPPING_LINE =
  "The source keeps changing this record. You'll get the next alert when it has been stable for an hour.";

export function announcedCard(event: Announced, at: TimeContext): Card {
  const { record } = event;
  const serial = repeatSplitLines(event.serial ?? null);
  if (!event.alreadyEffective) {
    const title = `${splitName(record)}, ${exDateText(record, at)}`;
    return splitCard(event, at, { tone: "new", title, lines: serial });
  }
  return splitCard(event, at, {
    tone: "new",
    title: `${splitName(record)}, already in effect since ${formatDay(record.exDate)}`,
    badges: ["ALREADY IN EFFECT"],
    lines: [...serial, "The source listed this split only after its ex date."],
  });
}

export function reminderCard(event: Reminder, at: TimeContext): Card {
  const { record } = event;
  const distance = formatDistance(record.exchange, at.today, record.exDate);
  const last = formatDay(tradingDayBefore(record.exchange, record.exDate, 1));
  return splitCard(event, at, {
    tone: "due",
    title: `Reminder: ${splitName(record)} ${record.exDate < at.today ? "took" : "takes"} effect ${distance}, ${formatDay(record.exDate)}`,
    lines: [`The last trading day before the split is ${last}.`],
  });
}

export function effectiveCard(event: Effective, at: TimeContext): Card {
  const { record } = event;
  const day = formatDay(record.exDate);
  const since = record.exDate < at.today ? `in effect since ${day}` : `in effect today, ${day}`;
  return splitCard(event, at, {
    tone: "due",
    title: `${splitName(record)} ${since}`,
    lines: ["Shares trade on the split-adjusted basis from this day."],
  });
}

/** The source doesn't say why a split is no longer listed; an earlier release may explain it. */
export function missingCard(event: Missing, at: TimeContext): Card {
  const { record, withdrawnBy } = event;
  const why =
    withdrawnBy === null ? "cancelled, completed or corrected?" : `${withdrawnBy.kind}, according to a release`;
  return splitCard({ ...event, release: withdrawnBy }, at, {
    tone: "warning",
    title: `${splitName(record)} is no longer listed: ${why}`,
    lines: [
      `The source removed it before its ex date, ${formatDay(record.exDate)}. It wasn't in ${lastListsText(event.pollsMissed)}.`,
      event.flapping ? FLAPPING_LINE : whyMissing(event),
    ],
  });
}

function whyMissing({ withdrawnBy }: Missing): string {
  return withdrawnBy === null
    ? "The source doesn't say why. You'll get an alert if it returns or a release explains it."
    : `An earlier release said that it is ${withdrawnBy.kind}, which explains this. You'll get an alert if it returns.`;
}

export function returnedCard(event: Returned, at: TimeContext): Card {
  const { record, was } = event;
  const terms = changedTerms(was, record);
  const changes =
    terms.length === 0 ? "Its terms are unchanged." : `Its terms changed: ${changesText(terms, was, record)}.`;
  const shown = splitCard(event, at, {
    tone: "change",
    title: `${splitName(record)} is listed again, ${exDateText(record, at)}`,
    lines: event.flapping ? [changes, FLAPPING_LINE] : [changes],
  });
  return { ...shown, facts: changedFacts(shown.facts, terms, was, record) };
}

/** Parts shared by all alerts about one split. */
export function splitCard(
  event: SplitEvent,
  at: TimeContext,
  parts: Partial<Card> & Pick<Card, "title" | "tone">,
): Card {
  return card({
    facts: [...splitFacts(event.record, at), fractionFact(event.fraction), ...releaseFact(event.release)],
    quotes: fractionQuotes(event.fraction),
    warnings: [...recordWarnings(event.record), ...evidenceWarnings(event.record, event)],
    buttons: alertButtons(event.record.ticker),
    ...parts,
  });
}

export function changedCard(event: Changed, at: TimeContext): Card {
  const { record, was, terms } = event;
  const lines = terms.map((term) => meaningOf(term, was, record)).filter((line) => line !== "");
  const shown = splitCard(event, at, {
    tone: event.flapping ? "warning" : "change",
    title: titleOf(event),
    lines: event.flapping ? [...lines, FLAPPING_LINE] : lines,
  });
  return { ...shown, facts: changedFacts(shown.facts, terms, was, record) };
}

function titleOf({ record, was, terms }: Changed): string {
  if (terms.length === 0) return `${splitName(record)}: record corrected, terms unchanged`;
  const name = terms.includes("ratio") ? `${record.ticker} reverse split` : splitName(record);
  return `${name} changed: ${changesText(terms, was, record)}`;
}

/** Consequence of a change for holders; empty if the values are self-explanatory. */
function meaningOf(term: Term, was: SplitRecord, now: SplitRecord): string {
  switch (term) {
    case "exDate":
      return dateMeaning(was, now);
    case "ratio":
      return ratioMeaning(was, now);
    case "exchange":
      return `It is now listed on ${exchangeName(now.exchange)}.`;
  }
}

function dateMeaning(was: SplitRecord, now: SplitRecord): string {
  const later = now.exDate > was.exDate;
  const [from, to] = later ? [was.exDate, now.exDate] : [now.exDate, was.exDate];
  const days = tradingDaysUntil(now.exchange, from, to);
  const moved =
    days === 0 ? "The date changed" : `${formatCount(days, "trading day")} ${later ? "later" : "earlier"} than before`;
  return `${moved}: the last trading day before the split is now ${formatDay(tradingDayBefore(now.exchange, now.exDate, 1))}.`;
}

function ratioMeaning(was: SplitRecord, now: SplitRecord): string {
  if (!was.ratio || !now.ratio) return "";
  const steeper = oldPerNew(now.ratio) > oldPerNew(was.ratio);
  return `The split is ${steeper ? "steeper: fewer" : "less steep: more"} shares remain than under the previous terms.`;
}
