import type { FractionEvidence, ReleaseLink } from "../domain/alert/event.ts";
import type { Fraction } from "../domain/article/article.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { ratioName } from "../domain/split/ratio.ts";
import { ratioOf, type SplitRecord, type Term } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { tradingDayBefore, tradingDayKind } from "../domain/time/trading-day.ts";
import { type Button, button, type Fact, type Quote } from "./message.ts";
import { cut, dayWords, distanceWords, fractionWords, type Moment, quoted, wireName } from "./words.ts";

/** `ACME 1-for-20 reverse split`; a ratio that cannot be read stands there as it came. */
export function splitName(record: SplitRecord): string {
  if (record.ratio) return `${record.ticker} ${ratioName(record.ratio)} reverse split`;
  return `${record.ticker} reverse split (ratio ${quoted(record.ratioText, 24)})`;
}

/** `ex date Tue 10 Mar 2026 (in 6 trading days)` */
export function exDateWords(record: SplitRecord, at: Moment): string {
  return `ex date ${dayWords(record.exDate)} (${distanceWords(record.exchange, at.today, record.exDate)})`;
}

/** `1-for-20 (1:20): 20 old shares become 1 new` */
export function ratioWords(record: SplitRecord): string {
  if (!record.ratio) return `${quoted(record.ratioText)}, as it came`;
  const { newShares, oldShares } = record.ratio;
  return `${ratioName(record.ratio)} (${cut(record.ratioText, 24)}): ${oldShares} old shares become ${newShares} new`;
}

/** The value of one term, short: for titles and for old → new. */
export function termWords(term: Term, record: SplitRecord): string {
  switch (term) {
    case "ratio":
      return record.ratio ? ratioOf(record) : quoted(record.ratioText, 24);
    case "exDate":
      return dayWords(record.exDate);
    case "exchange":
      return exchangeName(record.exchange);
  }
}

const TERM_NAMES: Readonly<Record<Term, string>> = { ratio: "ratio", exDate: "ex date", exchange: "exchange" };

function termName(term: Term): string {
  return TERM_NAMES[term];
}

/** `ex date Tue 10 Mar 2026 → Tue 17 Mar 2026; ratio 1-for-20 → 1-for-25` */
export function changeWords(terms: readonly Term[], was: SplitRecord, now: SplitRecord): string {
  return terms.map((term) => `${termName(term)} ${termWords(term, was)} → ${termWords(term, now)}`).join("; ");
}

/** Who it is, and the terms: what every alert about a split shows. */
export function splitFacts(record: SplitRecord, at: Moment): readonly Fact[] {
  const distance = distanceWords(record.exchange, at.today, record.exDate);
  return [
    { label: "Company", value: record.company === "" ? "not stated" : record.company },
    { label: "Exchange", value: exchangeName(record.exchange) },
    { label: "Ratio", value: ratioWords(record) },
    { label: "Ex date", value: `${dayWords(record.exDate)}, ${distance}` },
    { label: "Last trading day before", value: lastDayWords(record) },
    { label: "Announced", value: record.dateAnnounced === null ? "not stated" : dayWords(record.dateAnnounced) },
  ];
}

/** `Mon 9 Mar 2026`, with a word where the exchange closes early then. */
export function lastDayWords(record: SplitRecord): string {
  const last = tradingDayBefore(record.exchange, record.exDate, 1);
  const half = tradingDayKind(record.exchange, last) === "half";
  return half ? `${dayWords(last)} (the exchange closes early)` : dayWords(last);
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
    return term ? { label: fact.label, value: termWords(term, now), was: termWords(term, was) } : fact;
  });
}

export function fractionFact(fraction: Fraction | null): Fact {
  return { label: "Fractional shares", value: fractionWords(fraction) };
}

/** The release behind what a card says. */
export function releaseFact(release: ReleaseLink | null): readonly Fact[] {
  if (release === null) return [];
  const value = `${release.heading} (${wireName(release.source)}, ${dayWords(release.published)})`;
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
