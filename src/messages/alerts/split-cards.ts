import type {
  Announced,
  ChangeableTerm,
  Changed,
  Effective,
  Missing,
  Reminder,
  Returned,
  SplitEvent,
} from "../../domain/alert/event.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { oldPerNew } from "../../domain/split/ratio.ts";
import { changedTerms, type SplitRecord, shownSymbol } from "../../domain/split/split.ts";
import { tradingDayBefore, tradingDaysUntil } from "../../domain/time/trading-day.ts";
import { formatCount, formatDay, formatDistance, lastListsText, type TimeContext } from "../format.ts";
import { type Card, card } from "../message.ts";
import {
  alertButtons,
  changedFacts,
  changeQuotes,
  changesText,
  evidenceWarnings,
  exDateText,
  fractionFact,
  fractionQuotes,
  recordWarnings,
  releaseFact,
  releaseQuotes,
  repeatSplitLines,
  splitFacts,
  splitName,
  watchButton,
  withoutDates,
} from "../split-text.ts";

/** Shown once, when a split changed three times within an hour (flapping). */
const FLAPPING_LINE =
  "The source keeps changing this record. You'll get the next alert when it has been stable for an hour.";

export function announcedCard(event: Announced, context: TimeContext): Card {
  const { record } = event;
  const repeatLines = repeatSplitLines(event.serial ?? null);
  if (!event.alreadyEffective) {
    const title = `${splitName(record)}, ${exDateText(record, context)}`;
    return splitCard(event, context, { tone: "new", title, lines: repeatLines });
  }
  return splitCard(event, context, {
    tone: "new",
    title: `${splitName(record)}, already in effect since ${formatDay(record.exDate)}`,
    badges: ["ALREADY IN EFFECT"],
    lines: [...repeatLines, "The source listed this split only after its ex date."],
  });
}

export function reminderCard(event: Reminder, context: TimeContext): Card {
  const { record } = event;
  const distance = formatDistance(record.exchange, context.today, record.exDate);
  const lastTradingDay = formatDay(tradingDayBefore(record.exchange, record.exDate, 1));
  return splitCard(event, context, {
    tone: "due",
    title: `Reminder: ${splitName(record)} ${record.exDate < context.today ? "took" : "takes"} effect ${distance}, ${formatDay(record.exDate)}`,
    lines: [`The last trading day before the split is ${lastTradingDay}.`],
  });
}

export function effectiveCard(event: Effective, context: TimeContext): Card {
  const { record } = event;
  const day = formatDay(record.exDate);
  const since = record.exDate < context.today ? `in effect since ${day}` : `in effect today, ${day}`;
  return splitCard(event, context, {
    tone: "due",
    title: `${splitName(record)} ${since}`,
    lines: ["Shares trade on the split-adjusted basis from this day."],
  });
}

/** The source doesn't say why a split is no longer listed; an earlier release may explain it. */
export function missingCard(event: Missing, context: TimeContext): Card {
  const { record, withdrawnBy, sameTerms } = event;
  const reason = withdrawnBy === null ? missingQuestion(event) : `${withdrawnBy.kind}, according to a release`;
  const base = splitCard({ ...event, release: withdrawnBy }, context, {
    tone: "warning",
    title: `${splitName(record)} is no longer listed: ${reason}`,
    lines: [
      `It wasn't in ${lastListsText(event.pollsMissed)}. The ex date was to be ${formatDay(record.exDate)}.`,
      ...(sameTerms === undefined ? [] : [sameTermsText(sameTerms)]),
      event.flapping ? FLAPPING_LINE : missingReason(event),
    ],
  });
  const buttons = sameTerms === undefined ? [] : [watchButton(sameTerms.ticker)];
  return {
    ...base,
    facts: withoutDates(base.facts, record, withdrawnBy?.kind ?? "no longer listed"),
    quotes: withdrawnBy === null ? base.quotes : releaseQuotes(withdrawnBy, [withdrawnBy.sentence]),
    buttons: [...buttons, ...base.buttons],
  };
}

function missingQuestion({ sameTerms }: Missing): string {
  return sameTerms === undefined ? "cancelled, completed or corrected?" : `now listed as ${shownSymbol(sameTerms)}?`;
}

/** The source doesn't say whether both symbols are one split. */
function sameTermsText(record: SplitRecord): string {
  return `The source lists ${shownSymbol(record)} of ${record.company} with the same ratio and ex date.`;
}

function missingReason({ withdrawnBy }: Missing): string {
  return withdrawnBy === null
    ? "The source doesn't say why. You'll get an alert if it returns or a release explains it."
    : `An earlier release said it was ${withdrawnBy.kind}, which explains this. You'll get an alert if it returns.`;
}

export function returnedCard(event: Returned, context: TimeContext): Card {
  const { record, was } = event;
  const terms = changedTerms(was, record);
  const changes = terms.length === 0 ? "Its terms are unchanged." : `Its terms changed: ${changesText(terms, event)}.`;
  const base = splitCard(event, context, {
    tone: "change",
    title: `${splitName(record)} is listed again, ${exDateText(record, context)}`,
    lines: event.flapping ? [changes, FLAPPING_LINE] : [changes],
  });
  return { ...base, facts: changedFacts(base.facts, terms, event) };
}

/** Parts shared by all alerts about one split. */
export function splitCard(
  event: SplitEvent,
  context: TimeContext,
  parts: Partial<Card> & Pick<Card, "title" | "tone">,
): Card {
  return card({
    facts: [...splitFacts(event.record, context), fractionFact(event.fraction), ...releaseFact(event.release)],
    quotes: fractionQuotes(event.fraction),
    warnings: [...recordWarnings(event.record), ...evidenceWarnings(event.record, event)],
    buttons: alertButtons(event.record.ticker),
    ...parts,
  });
}

export function changedCard(event: Changed, context: TimeContext): Card {
  const { terms } = event;
  const lines = terms.map((term) => consequenceOf(term, event, context)).filter((line) => line !== "");
  const base = splitCard(event, context, {
    tone: event.flapping ? "warning" : "change",
    title: titleOf(event),
    lines: event.flapping ? [...lines, FLAPPING_LINE] : lines,
  });
  const isShown = terms.includes("fraction");
  return {
    ...base,
    facts: changedFacts(base.facts, terms, event),
    quotes: [...changeQuotes(event), ...(isShown ? [] : base.quotes)],
  };
}

function titleOf(event: Changed): string {
  const { record, was, terms } = event;
  if (terms.length === 0) return `${splitName(record)}: record corrected, terms unchanged`;
  const name = terms.includes("ratio") ? `${shownSymbol(was)} reverse split` : splitName(was);
  const others = terms.filter((term) => term !== "ticker");
  if (others.length === terms.length) return `${name} changed: ${changesText(terms, event)}`;
  const renamed = `${name} is now listed as ${shownSymbol(record)}`;
  return others.length === 0 ? renamed : `${renamed}; changed: ${changesText(others, event)}`;
}

/** Consequence of a change for holders; empty if the values are self-explanatory. */
function consequenceOf(term: ChangeableTerm, event: Changed, context: TimeContext): string {
  const { was: previous, record: current } = event;
  switch (term) {
    case "ticker":
      return `Watchlists and rules for ${previous.ticker} include this split under its new symbol.`;
    case "exDate":
      return dateConsequence(previous, current);
    case "ratio":
      return ratioConsequence(previous, current);
    case "exchange":
      return `It is now listed on ${exchangeName(current.exchange)}.`;
    case "fraction":
    case "newCusip":
      return statementConsequence(term, event, context);
  }
}

const STATED_NAMES = { fraction: "treatment of fractional shares", newCusip: "CUSIP" } as const;

function statementConsequence(
  term: keyof typeof STATED_NAMES,
  { record, stated }: Changed,
  { today }: TimeContext,
): string {
  const [was, now] = [stated?.was[term] ?? null, stated?.now[term] ?? null];
  if (now === null) return "";
  const release = `${was?.url === now.url ? "corrected " : ""}release of ${formatDay(now.published)}`;
  const source = `The issuer's ${release} states the new ${STATED_NAMES[term]}.`;
  if (term !== "fraction" || record.exDate > today) return source;
  return `${source} The split is already in effect, so what holders received may be corrected.`;
}

function dateConsequence(previous: SplitRecord, current: SplitRecord): string {
  const later = current.exDate > previous.exDate;
  const [from, to] = later ? [previous.exDate, current.exDate] : [current.exDate, previous.exDate];
  const days = tradingDaysUntil(current.exchange, from, to);
  const shift =
    days === 0 ? "The date changed" : `${formatCount(days, "trading day")} ${later ? "later" : "earlier"} than before`;
  return `${shift}: the last trading day before the split is now ${formatDay(tradingDayBefore(current.exchange, current.exDate, 1))}.`;
}

function ratioConsequence(previous: SplitRecord, current: SplitRecord): string {
  if (!previous.ratio || !current.ratio) return "";
  const steeper = oldPerNew(current.ratio) > oldPerNew(previous.ratio);
  return `The split is ${steeper ? "steeper: fewer" : "less steep: more"} shares remain than under the previous terms.`;
}
