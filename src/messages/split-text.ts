import type { ChangeableTerm, Changed, Disagreement, ReleaseLink, SplitEvidence } from "../domain/alert/event.ts";
import type { Fraction, FractionEvidence } from "../domain/article/article.ts";
import type { TermsOfTicker } from "../domain/article/evidence.ts";
import { wireName } from "../domain/article/wire.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { isIssueWarning, isListedLate, qualityWarnings, type RecordWarning } from "../domain/split/quality.ts";
import { type Ratio, ratioName } from "../domain/split/ratio.ts";
import type { RepeatSplits } from "../domain/split/repeat-splits.ts";
import {
  ratioLabel,
  type Split,
  type SplitRecord,
  type Statements,
  shownSymbol,
  type Term,
} from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { tradingDayBefore, tradingDayKind } from "../domain/time/trading-day.ts";
import { compareText } from "../lib/collections.ts";
import { cutText } from "../lib/external-text.ts";
import {
  capitalize,
  formatDay,
  formatDistance,
  fractionText,
  inQuotes,
  joinList,
  type TimeContext,
  treatmentText,
} from "./format.ts";
import { type Button, button, type Fact, type Quote, type Row } from "./message.ts";

/** `ACME 1-for-20 reverse split`; an unreadable ratio is quoted verbatim. */
export function splitName(record: SplitRecord): string {
  if (record.ratio) return `${shownSymbol(record)} ${ratioName(record.ratio)} reverse split`;
  return `${shownSymbol(record)} reverse split (ratio ${inQuotes(record.ratioText, 24)})`;
}

/** `ex date Tue 10 Mar 2026 (in 6 trading days)` */
export function exDateText(record: SplitRecord, context: TimeContext): string {
  return `ex date ${formatDay(record.exDate)} (${formatDistance(record.exchange, context.today, record.exDate)})`;
}

/** `1-for-20 (1:20): 20 old shares become 1 new` */
export function ratioText(record: SplitRecord): string {
  if (!record.ratio) return `${inQuotes(record.ratioText)}, as received`;
  return `${ratioName(record.ratio)} (${cutText(record.ratioText, 24)}): ${conversionText(record.ratio)}`;
}

/** Short value of one term, for titles and changes. */
export function termText(term: Term, record: SplitRecord): string {
  switch (term) {
    case "ticker":
      return shownSymbol(record);
    case "ratio":
      return record.ratio ? ratioLabel(record) : inQuotes(record.ratioText, 24);
    case "exDate":
      return formatDay(record.exDate);
    case "exchange":
      return exchangeName(record.exchange);
  }
}

const TERM_NAMES: Readonly<Record<ChangeableTerm, string>> = {
  ticker: "symbol",
  ratio: "ratio",
  exDate: "ex date",
  exchange: "exchange",
  fraction: "fractional shares",
  newCusip: "new CUSIP",
};

/** The terms of a split before and after an event. */
export type TermsChange = Pick<Changed, "was" | "record" | "stated">;

/** Values of one term before and after the change. */
function valuesOf(
  term: ChangeableTerm,
  { was, record, stated }: TermsChange,
): { readonly was: string; readonly now: string } {
  if (term === "fraction") return fractionValues(stated?.was.fraction ?? null, stated?.now.fraction ?? null);
  if (term === "newCusip") return { was: cusipText(stated?.was), now: cusipText(stated?.now) };
  return { was: termText(term, was), now: termText(term, record) };
}

function cusipText(statements: Statements | undefined): string {
  return statements?.newCusip?.value ?? "not stated";
}

const SHORT_LEVELS = { holder: "per holder", participant: "per clearing participant" } as const;

/** The level is shown if it changed, alone or with the treatment. */
function fractionValues(was: Fraction | null, now: Fraction | null): { readonly was: string; readonly now: string } {
  const isOtherLevel = was?.treatment === now?.treatment || (was?.level && now?.level && was.level !== now.level);
  const text = (fraction: Fraction | null): string => {
    if (fraction === null) return "not stated";
    const level = isOtherLevel && fraction.level !== null ? ` ${SHORT_LEVELS[fraction.level]}` : "";
    return `${treatmentText(fraction.treatment)}${level}`;
  };
  return { was: text(was), now: text(now) };
}

/** `ex date Tue 10 Mar 2026 → Tue 17 Mar 2026; ratio 1-for-20 → 1-for-25` */
export function changesText(terms: readonly ChangeableTerm[], change: TermsChange): string {
  return terms
    .map((term) => {
      const { was, now } = valuesOf(term, change);
      return `${TERM_NAMES[term]} ${was} → ${now}`;
    })
    .join("; ");
}

/** Mark of an ex date whose source states only when the split takes effect. */
export const FROM_EFFECTIVE_DATE = "from the effective date";

const EX_DATE_LABEL = "Ex date";
const LAST_DAY_LABEL = "Last trading day before";

/** Company and terms, shown in every alert about a split. */
export function splitFacts(
  record: SplitRecord,
  context: TimeContext,
  { isFromEffectiveDate = false }: { readonly isFromEffectiveDate?: boolean } = {},
): readonly Fact[] {
  const distance = formatDistance(record.exchange, context.today, record.exDate);
  const mark = isFromEffectiveDate ? `, ${FROM_EFFECTIVE_DATE}` : "";
  return [
    { label: "Company", value: record.company === "" ? "not stated" : record.company },
    { label: "Exchange", value: exchangeName(record.exchange) },
    { label: "Ratio", value: ratioText(record) },
    { label: EX_DATE_LABEL, value: `${formatDay(record.exDate)}, ${distance}${mark}` },
    { label: LAST_DAY_LABEL, value: lastTradingDayText(record) },
    { label: "Announced", value: record.dateAnnounced === null ? "not stated" : formatDay(record.dateAnnounced) },
  ];
}

/** The facts of a split whose ex date doesn't apply any more. `value`: what is known instead. */
export function withoutDates(facts: readonly Fact[], record: SplitRecord, value: string): readonly Fact[] {
  return facts
    .filter(({ label }) => label !== LAST_DAY_LABEL)
    .map((fact) => (fact.label === EX_DATE_LABEL ? { ...fact, value, was: formatDay(record.exDate) } : fact));
}

/** `Mon 9 Mar 2026`, with a note if the exchange closes early. */
export function lastTradingDayText(record: SplitRecord): string {
  const lastDay = tradingDayBefore(record.exchange, record.exDate, 1);
  const isHalfDay = tradingDayKind(record.exchange, lastDay) === "half";
  return isHalfDay ? `${formatDay(lastDay)} (the exchange closes early)` : formatDay(lastDay);
}

/** Adds the previous values of changed terms to the facts. */
export function changedFacts(
  facts: readonly Fact[],
  terms: readonly ChangeableTerm[],
  change: TermsChange,
): readonly Fact[] {
  const changed = terms.map((term) => {
    const { was, now } = valuesOf(term, change);
    return { label: capitalize(TERM_NAMES[term]), value: now, was };
  });
  const labels = new Set(facts.map(({ label }) => label));
  const symbol = changed.filter(({ label }) => label === "Symbol");
  const others = changed.filter((fact) => !(symbol.includes(fact) || labels.has(fact.label)));
  const shown = facts.map((fact) => changed.find(({ label }) => label === fact.label) ?? fact);
  return [...symbol, ...shown, ...others];
}

export function fractionFact(fraction: Fraction | null): Fact {
  return { label: "Fractional shares", value: fractionText(fraction) };
}

/** Public notice or row of a source that states a split. */
export interface NoticeLink {
  /** Display name of the source. */
  readonly source: string;
  readonly url: string;
}

/** Link to the notice that a card is based on if no release states the split. */
export function noticeFact(notice: NoticeLink | null): readonly Fact[] {
  return notice === null ? [] : [{ label: "Source", value: notice.source, link: notice.url }];
}

/** Link to the release that a card is based on. */
export function releaseFact(release: ReleaseLink | null): readonly Fact[] {
  if (release === null) return [];
  const value = `${release.heading} (${wireName(release.source)}, ${formatDay(release.published)})`;
  return [{ label: "Release", value, link: release.url, isRelease: true }];
}

/** The sentences before and after a change of what the issuer's releases state. */
export function changeQuotes({ terms, stated }: Pick<Changed, "terms" | "stated">): readonly Quote[] {
  if (stated === undefined) return [];
  return STATED_TERMS.filter((term) => terms.includes(term)).flatMap((term) => [
    ...statementQuotes(stated.was[term], "before"),
    ...statementQuotes(stated.now[term], "now"),
  ]);
}

const STATED_TERMS = ["fraction", "newCusip"] as const satisfies readonly ChangeableTerm[];

function statementQuotes(statement: Statements["fraction" | "newCusip"], when: string): readonly Quote[] {
  if (statement?.sentence === undefined) return [];
  const { sentence, source, published, url } = statement;
  return [{ text: sentence, source: `${wireName(source)}, ${formatDay(published)} (${when})`, link: url }];
}

export function fractionQuotes(evidence: FractionEvidence | null): readonly Quote[] {
  return evidence ? [{ text: evidence.sentence, source: wireName(evidence.source), link: evidence.url }] : [];
}

/** Quotes each sentence of a release once, although it may support two facts. */
export function releaseQuotes(
  { source, url }: Pick<ReleaseLink, "source" | "url">,
  sentences: readonly (string | null | undefined)[],
): readonly Quote[] {
  const uniqueSentences = new Set(sentences.filter((sentence) => typeof sentence === "string"));
  return [...uniqueSentences].map((text) => ({ text, source: wireName(source), link: url }));
}

/** Buttons of every alert about a split. */
export function alertButtons(ticker: Ticker): readonly Button[] {
  return [watchButton(ticker), button("Details", `show ${ticker}`)];
}

export function watchButton(ticker: Ticker): Button {
  return button(`Watch ${ticker}`, `watch ${ticker}`);
}

export function unwatchButton(ticker: Ticker): Button {
  return button(`Unwatch ${ticker}`, `unwatch ${ticker}`);
}

export function undoButton(command: string): Button {
  return button("Undo", command);
}

/** Kind of the withdrawal by a release; null if there is none, or if the source listed a new ex date after the release. */
export function withdrawalKind({ withdrawal }: Split): "postponed" | "cancelled" | null {
  return withdrawal === null || withdrawal.exDate === null ? null : withdrawal.kind;
}

/** Data shown beside a split's record in a list. */
export interface RowExtras {
  /** True if there are warnings in addition to the warnings about the record. */
  readonly hasWarning: boolean;
  readonly repeats: RepeatSplits | null;
}

/** Row of a split. */
export function splitCardRow(record: SplitRecord, context: TimeContext, extras?: RowExtras): Row {
  const parts = [capitalize(exDateText(record, context)), exchangeName(record.exchange), record.company];
  const check = hasRecordWarning(record) || extras?.hasWarning ? ["CHECK"] : [];
  const badges = [...check, ...repeatSplitBadges(extras?.repeats ?? null)];
  return {
    title: splitName(record),
    detail: parts.filter((part) => part !== "").join(" · "),
    ticker: record.ticker,
    ...(badges.length > 0 ? { badges } : {}),
  };
}

/** Sort order of all lists of splits: by ex date, then by ticker. */
export function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(a.exDate, b.exDate) || compareText(a.ticker, b.ticker);
}

const ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"] as const;

/** `Third reverse split in 24 months: 1-for-2,400 in total.` Empty for a first split. */
export function repeatSplitLines(repeats: RepeatSplits | null): readonly string[] {
  return repeats === null ? [] : [`${capitalize(repeatSplitText(repeats))}.`];
}

/** `3 SPLITS IN 24 MONTHS` */
export function repeatSplitBadges(repeats: RepeatSplits | null): readonly string[] {
  return repeats === null ? [] : [`${repeats.count} SPLITS IN 24 MONTHS`];
}

/** `third reverse split in 24 months: 1-for-2,400 in total` */
function repeatSplitText({ count, total, atLeast }: RepeatSplits): string {
  const ordinalText = `${ORDINALS[count - 2] ?? ordinal(count)} reverse split in 24 months`;
  if (total === null) return ordinalText;
  return `${ordinalText}: ${atLeast ? "at least " : ""}${ratioName(total)} in total`;
}

function ordinal(count: number): string {
  const ending = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${count}${ending[new Intl.PluralRules("en-US", { type: "ordinal" }).select(count)]}`;
}

/** Warnings about a split's record. */
export function recordWarnings(record: SplitRecord): readonly string[] {
  return qualityWarnings(record).map((warning) => warningText(warning, record));
}

/** Warnings about other rows of the list and releases that contradict the record. */
export function evidenceWarnings(
  record: SplitRecord,
  evidence: Pick<SplitEvidence, "otherRows" | "disagreements">,
): readonly string[] {
  return [...otherRowWarnings(record, evidence.otherRows ?? []), ...disagreementWarnings(evidence, record)];
}

/** Warning about a split that was listed after its ex date. */
export function lateListingWarnings(split: Split): readonly string[] {
  return isListedLate(split) ? ["The source listed it only after its ex date."] : [];
}

function otherRowWarnings(record: SplitRecord, otherRows: readonly SplitRecord[]): readonly string[] {
  if (otherRows.length === 0) return [];
  const rows = otherRows.map((other) => {
    const terms = (["ratio", "exDate", "exchange"] as const).map((term) => termText(term, other));
    return terms.join(", ");
  });
  return [
    `The list has ${otherRows.length === 1 ? "another row" : "other rows"} for ${shownSymbol(record)}: ${joinList(rows)}.`,
  ];
}

function warningText(warning: RecordWarning, record: SplitRecord): string {
  switch (warning) {
    case "ratio-equal":
      return `The ratio is ${inQuotes(record.ratioText)}: both sides are equal, so it isn't a reverse split.`;
    case "ratio-unreadable":
      return `The ratio ${inQuotes(record.ratioText)} couldn't be read.`;
    case "ratio-not-whole":
      return "The ratio isn't a whole number of old shares per new share.";
    case "ex-date-closed":
      return `The exchange is closed on the ex date, ${formatDay(record.exDate)}.`;
    case "announced-after-ex-date":
      return "The announcement date is after the ex date.";
    case "exchange-unknown":
      return `${inQuotes(record.exchange)} isn't an exchange that splitwatch knows.`;
    case "holidays-not-checked":
      return `Trading days on ${exchangeName(record.exchange)} are counted as weekdays; holidays aren't checked.`;
  }
}

/** True if the record has a data warning; unchecked holidays don't count. */
export function hasRecordWarning(record: SplitRecord): boolean {
  return qualityWarnings(record).some(isIssueWarning);
}

const NOT_YET_LISTED = "announced in a release, not listed yet";

/** `ACME 1-for-25 reverse split: announced in a release, not listed yet` */
export function unlistedTitle(terms: TermsOfTicker): string {
  return `${statedName(terms)}: ${NOT_YET_LISTED}`;
}

/** Row of a split that only a release announces. */
export function unlistedRow(terms: TermsOfTicker): Row {
  return { title: statedName(terms), detail: capitalize(unlistedText(terms)), ticker: terms.ticker };
}

/** `announced in a release, not listed yet; the release says: ratio 1-for-25, ex date not stated` */
export function unlistedText(terms: TermsOfTicker): string {
  return `${NOT_YET_LISTED}; the release says: ratio ${statedRatioText(terms)}, ex date ${statedExDateText(terms)}`;
}

/** Terms of a split that only a release announces. */
export function statedFacts(terms: TermsOfTicker, { today }: TimeContext): readonly Fact[] {
  const { company, exchange, ratio, exDate, newCusip } = terms;
  const distance = exDate === null || exchange === null ? "" : `, ${formatDistance(exchange, today, exDate)}`;
  return [
    { label: "Company", value: company ?? "not stated" },
    { label: "Exchange", value: exchange === null ? "not stated" : exchangeName(exchange) },
    { label: "Ratio (release)", value: ratio === null ? "not stated" : longRatioText(ratio) },
    { label: "Ex date (release)", value: `${statedExDateText(terms)}${distance}` },
    ...(newCusip === null ? [] : [{ label: "New CUSIP (release)", value: newCusip }]),
  ];
}

/** `The release says 1-for-25; the list says 1-for-20.` */
export function disagreementWarnings(
  { disagreements }: Pick<SplitEvidence, "disagreements">,
  record: SplitRecord,
): readonly string[] {
  return disagreements.map((disagreement) => {
    const listed = termText(disagreement.term, record);
    return `The release says ${statedTermText(disagreement)}; the list says ${listed}.`;
  });
}

/** `1-for-25`, `ex date Tue 10 Mar 2026` */
export function statedTermText(disagreement: Disagreement): string {
  return disagreement.term === "ratio" ? ratioName(disagreement.stated) : `ex date ${formatDay(disagreement.stated)}`;
}

function statedName({ ticker, ratio }: TermsOfTicker): string {
  return ratio === null ? `${ticker} reverse split` : `${ticker} ${ratioName(ratio)} reverse split`;
}

function statedRatioText({ ratio }: TermsOfTicker): string {
  return ratio === null ? "not stated" : ratioName(ratio);
}

/** `1-for-20: 20 old shares become 1 new` */
export function longRatioText(ratio: Ratio): string {
  return `${ratioName(ratio)}: ${conversionText(ratio)}`;
}

/** `2,400 old shares become 1 new` */
function conversionText({ newShares, oldShares }: Ratio): string {
  return `${oldShares.toLocaleString("en-US")} old shares become ${newShares.toLocaleString("en-US")} new`;
}

function statedExDateText({ exDate }: TermsOfTicker): string {
  return exDate === null ? "not stated" : formatDay(exDate);
}
