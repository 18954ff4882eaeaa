import type { Changed } from "../../domain/alert/event.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { oldPerNew } from "../../domain/split/ratio.ts";
import type { SplitRecord, Term } from "../../domain/split/split.ts";
import { tradingDayBefore, tradingDaysUntil } from "../../domain/time/trading-day.ts";
import type { Card } from "../message.ts";
import { changedFacts, changesText, splitName } from "../split-facts.ts";
import { formatCount, formatDay, type TimeContext } from "../words.ts";
import { FLAPPING_LINE, splitCard } from "./split-cards.ts";

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
  if (terms.length === 0) return `${splitName(record)}: the record was corrected, its terms are the same`;
  const name = terms.includes("ratio") ? `${record.ticker} reverse split` : splitName(record);
  return `${name} changed: ${changesText(terms, was, record)}`;
}

/** What the change means for a holder; empty where old → new says it all. */
function meaningOf(term: Term, was: SplitRecord, now: SplitRecord): string {
  switch (term) {
    case "exDate":
      return dateMeaning(was, now);
    case "ratio":
      return ratioMeaning(was, now);
    case "exchange":
      return `It is now listed under ${exchangeName(now.exchange)}.`;
  }
}

function dateMeaning(was: SplitRecord, now: SplitRecord): string {
  const later = now.exDate > was.exDate;
  const [from, to] = later ? [was.exDate, now.exDate] : [now.exDate, was.exDate];
  const days = tradingDaysUntil(now.exchange, from, to);
  const moved =
    days === 0 ? "The date moved" : `${formatCount(days, "trading day")} ${later ? "later" : "earlier"} than before`;
  return `${moved}: the last trading day before the split is now ${formatDay(tradingDayBefore(now.exchange, now.exDate, 1))}.`;
}

function ratioMeaning(was: SplitRecord, now: SplitRecord): string {
  if (!was.ratio || !now.ratio) return "";
  const steeper = oldPerNew(now.ratio) > oldPerNew(was.ratio);
  return `The split is ${steeper ? "steeper: fewer" : "less steep: more"} shares remain than by the terms before.`;
}
