import type { FractionEvidence, ReleaseLink } from "../domain/alert/event.ts";
import type { Fraction } from "../domain/article/article.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { ratioName } from "../domain/split/ratio.ts";
import { ratioLabel, type SplitRecord, type Term } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { tradingDayBefore, tradingDayKind } from "../domain/time/trading-day.ts";
import { type Button, button, type Fact, type Quote } from "./message.ts";
import { formatDay, formatDistance, fractionText, inQuotes, type TimeContext, truncate, wireName } from "./words.ts";

/** `ACME 1-for-20 reverse split`; a ratio that cannot be read stands there as it came. */
export function splitName(record: SplitRecord): string {
  if (record.ratio) return `${record.ticker} ${ratioName(record.ratio)} reverse split`;
  return `${record.ticker} reverse split (ratio ${inQuotes(record.ratioText, 24)})`;
}

/** `ex date Tue 10 Mar 2026 (in 6 trading days)` */
export function exDateText(record: SplitRecord, at: TimeContext): string {
  return `ex date ${formatDay(record.exDate)} (${formatDistance(record.exchange, at.today, record.exDate)})`;
}

/** `1-for-20 (1:20): 20 old shares become 1 new` */
export function ratioText(record: SplitRecord): string {
  if (!record.ratio) return `${inQuotes(record.ratioText)}, as it came`;
  const { newShares, oldShares } = record.ratio;
  return `${ratioName(record.ratio)} (${truncate(record.ratioText, 24)}): ${oldShares} old shares become ${newShares} new`;
}

/** The value of one term, short: for titles and for old → new. */
export function termText(term: Term, record: SplitRecord): string {
  switch (term) {
    case "ratio":
      return record.ratio ? ratioLabel(record) : inQuotes(record.ratioText, 24);
    case "exDate":
      return formatDay(record.exDate);
    case "exchange":
      return exchangeName(record.exchange);
  }
}

const TERM_NAMES: Readonly<Record<Term, string>> = { ratio: "ratio", exDate: "ex date", exchange: "exchange" };

function termName(term: Term): string {
  return TERM_NAMES[term];
}

/** `ex date Tue 10 Mar 2026 → Tue 17 Mar 2026; ratio 1-for-20 → 1-for-25` */
export function changesText(terms: readonly Term[], was: SplitRecord, now: SplitRecord): string {
  return terms.map((term) => `${termName(term)} ${termText(term, was)} → ${termText(term, now)}`).join("; ");
}

/** Who it is, and the terms: what every alert about a split shows. */
export function splitFacts(record: SplitRecord, at: TimeContext): readonly Fact[] {
  const distance = formatDistance(record.exchange, at.today, record.exDate);
  return [
    { label: "Company", value: record.company === "" ? "not stated" : record.company },
    { label: "Exchange", value: exchangeName(record.exchange) },
    { label: "Ratio", value: ratioText(record) },
    { label: "Ex date", value: `${formatDay(record.exDate)}, ${distance}` },
    { label: "Last trading day before", value: lastTradingDayText(record) },
    { label: "Announced", value: record.dateAnnounced === null ? "not stated" : formatDay(record.dateAnnounced) },
  ];
}

/** `Mon 9 Mar 2026`, with a word where the exchange closes early then. */
export function lastTradingDayText(record: SplitRecord): string {
  const last = tradingDayBefore(record.exchange, record.exDate, 1);
  const half = tradingDayKind(record.exchange, last) === "half";
  return half ? `${formatDay(last)} (the exchange closes early)` : formatDay(last);
}

/** The same facts; the terms that changed show what they were. */
export function changedFacts(
  facts: readonly Fact[],
  terms: readonly Term[],
  was: SplitRecord,
  now: SplitRecord,
): readonly Fact[] {
  return facts.map((fact) => {
    const term = terms.find((changed) => termName(changed) === fact.label.toLowerCase());
    return term ? { label: fact.label, value: termText(term, now), was: termText(term, was) } : fact;
  });
}

export function fractionFact(fraction: Fraction | null): Fact {
  return { label: "Fractional shares", value: fractionText(fraction) };
}

/** The release behind what a card says. */
export function releaseFact(release: ReleaseLink | null): readonly Fact[] {
  if (release === null) return [];
  const value = `${release.heading} (${wireName(release.source)}, ${formatDay(release.published)})`;
  return [{ label: "Release", value, link: release.url }];
}

export function fractionQuotes(evidence: FractionEvidence | null): readonly Quote[] {
  return evidence ? [{ text: evidence.sentence, source: wireName(evidence.source), link: evidence.url }] : [];
}

/** What a reader of an alert may want next. */
export function alertButtons(ticker: Ticker): readonly Button[] {
  return [watchButton(ticker), button("Details", `show ${ticker}`)];
}

export function watchButton(ticker: Ticker): Button {
  return button(`Watch ${ticker}`, `watch ${ticker}`);
}

export function unwatchButton(ticker: Ticker): Button {
  return button(`Unwatch ${ticker}`, `unwatch ${ticker}`);
}

export function undoButton(line: string): Button {
  return button("Undo", line);
}
