import type { TickerMention } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { isSameRatio, type Ratio } from "../../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day, Instant } from "../../domain/time/day.ts";
import { tradingDayKind } from "../../domain/time/trading-day.ts";
import { findAdsRatio } from "../../extraction/ads-ratio.ts";
import { findNewCusip, parseCusip } from "../../extraction/cusip.ts";
import { type DateMatch, findDates } from "../../extraction/dates.ts";
import { type FundSplit, findFundSplits } from "../../extraction/funds.ts";
import { findKind } from "../../extraction/kind.ts";
import { normalizeNumbers, parseAmount, ratioOfAmounts } from "../../extraction/number-words.ts";
import { toPlainText } from "../../extraction/plain-text.ts";
import { findRatio, NO_RATIO, type RatioResult } from "../../extraction/ratio.ts";
import { type Sentence, splitSentences } from "../../extraction/sentences.ts";
import type { Statement } from "../official/statement.ts";
import type { NoticePage } from "./notice-page.ts";
import { namesReverseSplit, titleNamesReverseSplit, withoutMarks } from "./notice-title.ts";

/** Properties of a notice that its statements share. */
export interface NoticeEntry {
  readonly id: string;
  readonly url: string;
  readonly publishedAt: Instant | null;
}

/** A term of the notice. `value` is null if the notice doesn't state it or contradicts itself; `evidence` is the quoted text. */
interface Term<T> {
  readonly value: T | null;
  readonly evidence: string | null;
}

const NOT_STATED: Term<never> = { value: null, evidence: null };

/**
 * Extracts one statement, or one per fund if the notice is about several funds. Empty if the text doesn't mention a reverse
 * split; for a cancellation or postponement, a mention in the title is enough.
 */
export function noticeStatements(page: Pick<NoticePage, "title" | "body">, source: NoticeEntry): readonly Statement[] {
  if (namesReverseSplit(page.title) && !titleNamesReverseSplit(page.title)) return [];
  const heading = splitSentences(toPlainText(page.title), true);
  const body = splitSentences(toPlainText(page.body), false);
  const fields = fieldsIn(page.body);
  const schedule = scheduleOf({ heading, body, fields });
  const relevant = schedule.kind.value === "announced" ? body : [...heading, ...body];
  if (!relevant.some(({ plain }) => namesReverseSplit(plain))) return [];
  const { company, listings } = securityOf(page.title, fields, body);
  const common: Statement = {
    ...source,
    kind: schedule.kind.value ?? "announced",
    listings,
    company,
    exDate: schedule.exDate.value,
    ...termsOf({
      ratio: ratioOf(body),
      newCusip: cusipOf(
        fields,
        body,
        listings.map(({ ticker }) => ticker),
      ),
    }),
  };
  const statement = { ...common, evidence: { ...common.evidence, ...evidenceOf(schedule), ticker: page.title } };
  return splitByFund(statement, findFundSplits([...heading, ...body]).filter(hasTicker));
}

function termsOf<T extends Readonly<Record<string, Term<unknown>>>>(
  terms: T,
): { readonly [Key in keyof T]: T[Key]["value"] } & Pick<Statement, "evidence"> {
  const values = Object.fromEntries(Object.entries(terms).map(([key, { value }]) => [key, value]));
  return { ...(values as { [Key in keyof T]: T[Key]["value"] }), evidence: evidenceOf(terms) };
}

function evidenceOf(terms: Readonly<Record<string, Term<unknown>>>): Statement["evidence"] {
  return Object.fromEntries(
    Object.entries(terms).flatMap(([key, { evidence }]) => (evidence === null ? [] : [[key, evidence]])),
  );
}

type ListedFund = FundSplit & { readonly ticker: Ticker };

function hasTicker(fund: FundSplit): fund is ListedFund {
  return fund.ticker !== null;
}

function splitByFund(common: Statement, funds: readonly ListedFund[]): readonly Statement[] {
  const [only, ...others] = funds;
  if (only === undefined) return [common];
  if (others.length === 0) return [withFundTerms(common, only)];
  return funds.map(({ ticker, name, ratio, newCusip, exDate, sentence }) => ({
    ...common,
    id: `${common.id} ${ticker}`,
    url: `${common.url}#${ticker}`,
    listings: [nasdaqListing(ticker)],
    company: name,
    ratio,
    newCusip,
    exDate: exDate === undefined ? common.exDate : exDate,
    evidence: { ...common.evidence, ratio: sentence.verbatim, ...(exDate && { exDate: sentence.verbatim }) },
  }));
}

/** Adds what only the table of a fund states. */
function withFundTerms(common: Statement, { ticker, name, ratio, newCusip, exDate, sentence }: ListedFund): Statement {
  return {
    ...common,
    listings: common.listings.length > 0 ? common.listings : [nasdaqListing(ticker)],
    company: common.company ?? name,
    ratio: common.ratio ?? (common.evidence.ratio === undefined ? ratio : null),
    newCusip: common.newCusip ?? newCusip,
    exDate: common.exDate ?? exDate ?? null,
    evidence: { ratio: sentence.verbatim, ...common.evidence },
  };
}

const NASDAQ = parseExchange("NASDAQ") ?? null;

function nasdaqListing(ticker: Ticker): TickerMention {
  return { ticker, exchange: NASDAQ };
}

/** A labeled value: a table row or a line such as `Symbol: QLMR`. */
interface Field {
  readonly label: string;
  readonly value: string;
}

const LABELS =
  /^(Company Name(?:\/Issue)?|(?:New |Current |Old )?CUSIP(?: Number)?\s?#?|(?:New |Current |Old )?(?:Trading )?Symbol|Last Trading Date|(?:Marketplace )?Effective Date)\s*:\s*(.*)$/i;
const MAX_CELLS = 400;
const MAX_VALUE_LENGTH = 200;

function fieldsIn(body: string): readonly Field[] {
  const cells = body
    .split(/[|\n]/, MAX_CELLS)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "" && cell.length <= MAX_VALUE_LENGTH);
  return cells.flatMap((cell, index) => {
    const [, label, inline = ""] = LABELS.exec(cell) ?? [];
    if (label === undefined) return [];
    const next = cells[index + 1] ?? "";
    const value = inline === "" && !LABELS.test(next) ? next : inline;
    return value === "" ? [] : [{ label, value }];
  });
}

function quoteField({ label, value }: Field): string {
  return `${label}: ${value}`;
}

/** `(QLMR, QLMRW)`, `(Nasdaq: QLMR)` */
const SYMBOLS = /\(\s*(?:[A-Za-z ]{2,40}:\s*)?([A-Z][A-Z0-9.,/;\s]{0,60})\)/g;
/** `Quillmere Therapeutics, Inc. (QLMR) will effect …` */
const ISSUER_IN_BODY =
  /^([^()]{2,120}?),?\s*\(\s*(?:[A-Za-z ]{2,40}:\s*)?([A-Z][A-Z0-9.]{0,7})(?:[,/;][A-Z0-9.,/;\s]{0,60})?\)/;
const MAX_COMPANY_LENGTH = 120;

interface Security {
  readonly company: string | null;
  readonly listings: readonly TickerMention[];
}

/** The share of the notice: from its title, its table, or the sentence about the split, in this order. */
function securityOf(title: string, fields: readonly Field[], body: readonly Sentence[]): Security {
  const { name, symbols } = issuerInTitle(withoutMarks(title));
  const labeledName = fields.find(({ label }) => /^company name/i.test(label))?.value;
  const stated = issuerInBody(body);
  const current =
    parseTicker(symbols.split(/[\s,/;]/)[0] ?? "") ??
    symbolIn(fields, /^(?:current |old )?(?:trading )?symbol/i) ??
    parseTicker(stated.symbol);
  const newSymbol = symbolIn(fields, /^new (?:trading )?symbol/i) ?? newSymbolIn(body);
  const tickers = new Set([current, newSymbol].filter((ticker) => ticker !== undefined));
  return { company: name ?? labeledName ?? stated.name, listings: [...tickers].map(nasdaqListing) };
}

/** `Quillmere Therapeutics, Inc. (QLMR) will effect a one-for-forty (1-40) reverse split` */
function issuerInBody(body: readonly Sentence[]): { readonly name: string | null; readonly symbol: string } {
  const sentence = body.find(({ plain }) => namesReverseSplit(plain) && ISSUER_IN_BODY.test(plain))?.plain ?? "";
  const [, name, symbol = ""] = ISSUER_IN_BODY.exec(sentence) ?? [];
  return { name: name?.trim() ?? null, symbol };
}

/** `Information Regarding the Reverse Stock Split for Quillmere Therapeutics, Inc. (QLMR, QLMRW)`: the last symbols in brackets. */
function issuerInTitle(title: string): { readonly name: string | undefined; readonly symbols: string } {
  const last = [...title.matchAll(SYMBOLS)].at(-1);
  if (last === undefined) return { name: undefined, symbols: "" };
  const before = title.slice(0, last.index).replace(/,?\s*$/, "");
  // A former name in brackets may follow the name. The last "for" precedes the name, as in `Split for and Name Change for ACME`.
  const [, name] = /^.{0,300}\b(?:for|of)\s+([^()]{2,120})/.exec(before.replace(/\([^()]{0,100}\)\s*$/, "")) ?? [];
  return { name: name?.trim().slice(0, MAX_COMPANY_LENGTH), symbols: last[1] ?? "" };
}

function symbolIn(fields: readonly Field[], label: RegExp): Ticker | undefined {
  const value = fields.find((field) => label.test(field.label))?.value ?? "";
  return parseTicker(value.split(/[\s,/;("“]/)[0] ?? "");
}

const SYMBOL_CHANGE = /\bsymbols?\b[^.]{0,60}\bchang[^.]{0,60}?\bto\s+["“(]?([A-Z]{1,6})\b/;

function newSymbolIn(body: readonly Sentence[]): Ticker | undefined {
  for (const { plain } of body) {
    const symbol = SYMBOL_CHANGE.exec(plain)?.[1];
    if (symbol !== undefined) return parseTicker(symbol);
  }
  return undefined;
}

const DEPOSITARY = /\b(?:ADSs?|ADRs?|depositary)\b/i;
/** A ratio in words and in figures: `one-for-twenty-five (1-25)`, which is `1-for-25 (1-25)` after `normalizeNumbers`. */
const WORDS_AND_FIGURES =
  /(\d+(?:\.\d+)?(?: \d+\/\d+)?)[- ]?(?:for|to)[- ]?(?:every )?(\d+(?:\.\d+)?(?: \d+\/\d+)?) ?\( ?(\d+(?:\.\d+)?) ?(?:-for-|-|:|–) ?(\d+(?:\.\d+)?) ?\)/gi;
/** A ratio in figures alone: `(1-25) reverse split`. */
const FIGURES_ONLY =
  /\( ?(\d{1,4}) ?[-:–] ?(\d{1,6}(?:\.\d+)?) ?\)[^.;()]{0,30}?\b(?:reverse|(?:share|stock) consolidation|consolidation)\b/gi;

/** Ratio of the split; null if the text states different ratios. */
function ratioOf(body: readonly Sentence[]): Term<Ratio> {
  const result = statedRatio(body);
  const figures = body.flatMap(figuresIn);
  const disagreeing = figures.find(
    ({ ratio, ratioInWords }) => !isSameRatio(ratio, ratioInWords ?? result.ratio ?? ratio),
  );
  if (result.contradictory || disagreeing !== undefined)
    return { value: null, evidence: (disagreeing ?? figures[0])?.sentence ?? sentenceOfRatio(body) };
  return result.ratio === null
    ? ratioOfFigures(figures)
    : { value: result.ratio, evidence: result.sentence?.verbatim ?? null };
}

/** Ratio of the split. In a text about depositary shares, a change of the shares per depositary share takes precedence. */
function statedRatio(body: readonly Sentence[]): RatioResult {
  const adsRatio = body.some(({ plain }) => DEPOSITARY.test(plain)) ? findAdsRatio(body) : NO_RATIO;
  return adsRatio.ratio !== null || adsRatio.contradictory ? adsRatio : findRatio(body);
}

function ratioOfFigures(figures: readonly Figures[]): Term<Ratio> {
  const [first] = figures;
  if (first === undefined) return NOT_STATED;
  const areEqual = figures.every(({ ratio }) => isSameRatio(ratio, first.ratio));
  return { value: areEqual ? first.ratio : null, evidence: first.sentence };
}

/** A ratio in figures. */
interface Figures {
  readonly ratio: Ratio | null;
  /** Ratio in words next to the figures; null if there is none. */
  readonly ratioInWords: Ratio | null;
  readonly sentence: string;
}

const MAX_FIGURES = 20;

function figuresIn({ plain, verbatim: sentence }: Sentence): readonly Figures[] {
  if (!namesReverseSplit(plain) || !plain.includes("(")) return [];
  const text = normalizeNumbers(plain);
  const pairs = [...text.matchAll(WORDS_AND_FIGURES)].slice(0, MAX_FIGURES).map(([, a, b, c, d]): Figures => {
    return { ratio: ratioOfPair(c, d), ratioInWords: ratioOfPair(a, b), sentence };
  });
  if (pairs.length > 0) return pairs;
  return [...text.matchAll(FIGURES_ONLY)].slice(0, MAX_FIGURES).map(([, a, b]) => {
    return { ratio: ratioOfPair(a, b), ratioInWords: null, sentence };
  });
}

function ratioOfPair(left = "", right = ""): Ratio | null {
  const [a, b] = [parseAmount(left), parseAmount(right)];
  return a === undefined || b === undefined ? null : (ratioOfAmounts(a, b) ?? null);
}

function sentenceOfRatio(body: readonly Sentence[]): string | null {
  return body.find(({ plain }) => namesReverseSplit(plain) && /\d|\bone\b/i.test(plain))?.verbatim ?? null;
}

function cusipOf(fields: readonly Field[], body: readonly Sentence[], tickers: readonly Ticker[]): Term<string> {
  const groups = securitiesIn(fields);
  const share =
    groups.find((group) => tickers.some((ticker) => symbolIn(group, /symbol/i) === ticker)) ?? groups[0] ?? [];
  const cusipFields = share.filter(isNewCusip);
  const labeled = new Set(cusipFields.flatMap(({ value }) => parseCusip(value) ?? []));
  const others = groups.filter((group) => group !== share).flatMap((group) => group.filter(isNewCusip));
  const ofOthers = others.map(({ value }) => value).filter((value) => !labeled.has(parseCusip(value) ?? ""));
  const isOfShare = ({ plain }: Sentence): boolean =>
    !/\brevert/i.test(plain) && !ofOthers.some((value) => plain.includes(value));
  const textCusip = findNewCusip(body.filter(isOfShare));
  const values = new Set([...labeled, ...(textCusip.newCusip === null ? [] : [textCusip.newCusip])]);
  const [field] = cusipFields;
  const evidence = textCusip.sentence?.verbatim ?? (field === undefined ? null : quoteField(field));
  if (values.size === 0 || body.some(({ plain }) => /\bcusip\b[^.]{0,60}\brevert/i.test(plain))) return NOT_STATED;
  const [value = null] = values;
  return { value: values.size === 1 && !textCusip.contradictory ? value : null, evidence };
}

function isNewCusip({ label }: Field): boolean {
  return /^(?:new )?cusip/i.test(label);
}

/** Groups the fields by security: the table of a second one, such as a preferred share, repeats the labels of the first. */
function securitiesIn(fields: readonly Field[]): readonly (readonly Field[])[] {
  const groups: Field[][] = [];
  for (const field of fields) {
    const current = groups.at(-1);
    if (current === undefined || current.some(({ label }) => isSameLabel(label, field.label))) groups.push([field]);
    else current.push(field);
  }
  return groups;
}

function isSameLabel(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Kind of the notice, and the ex date that it states. */
interface Schedule {
  readonly kind: Term<Exclude<Statement["kind"], "confirmed">>;
  readonly exDate: Term<Day>;
  readonly [term: string]: Term<unknown>;
}

interface NoticeText {
  readonly heading: readonly Sentence[];
  readonly body: readonly Sentence[];
  readonly fields: readonly Field[];
}

const TO_BE_ANNOUNCED =
  /\bto be (?:announced|determined)\b|\bTBA\b|\bTBD\b|\bhas not (?:yet )?been (?:determined|set)\b/i;
const SPLIT_OR_DATE = /\breverse\b|\bconsolidation\b|\bsplit\b|\bratio\b|\beffective\b|\bcorporate action\b/i;
const CANCELLED =
  /\b(?:cancell?ed|withdrawn|rescinded|abandoned)\b|\bwill not (?:be )?(?:effect|proceed|implement|occur|take place|become effective)/i;
/** Cancellation of something other than the split: shares and fractions are cancelled when a split takes place. */
const OTHER_CANCELLATION =
  /\b(?:shares|fractions?|certificates?|meeting|offering)\b[^.]{0,60}\b(?:cancell?ed|withdrawn)/i;
const POSTPONED = /\bpostpon|\bdelayed\b|\breschedul|\bdeferred\b/i;

function scheduleOf({ heading, body, fields }: NoticeText): Schedule {
  const { kind, sentence } = findKind([...heading, ...body]);
  const relevant = body.filter(({ plain }) => SPLIT_OR_DATE.test(plain));
  const toBeAnnounced =
    relevant.find(({ plain }) => TO_BE_ANNOUNCED.test(plain))?.verbatim ?? toBeAnnouncedField(fields);
  const cancelled = kind === "cancelled" ? sentence : [...heading, ...relevant].find(isCancelled);
  if (cancelled) return { kind: { value: "cancelled", evidence: cancelled.verbatim }, exDate: NOT_STATED };
  if (toBeAnnounced !== undefined)
    return { kind: { value: "postponed", evidence: toBeAnnounced }, exDate: { value: null, evidence: toBeAnnounced } };
  const postponed = [...heading, ...relevant].find(({ plain }) => POSTPONED.test(plain));
  const evidence = postponed?.verbatim ?? null;
  return {
    kind: { value: postponed === undefined ? "announced" : "postponed", evidence },
    exDate: exDateOf(relevant, fields),
  };
}

function isCancelled({ plain }: Sentence): boolean {
  return CANCELLED.test(plain) && !OTHER_CANCELLATION.test(plain);
}

function toBeAnnouncedField(fields: readonly Field[]): string | undefined {
  const field = fields.find(({ label, value }) => EFFECTIVE_DATE.test(label) && TO_BE_ANNOUNCED.test(value));
  return field && quoteField(field);
}

const EFFECTIVE_DATE = /effective date/i;
const EFFECTIVE_WORDS =
  /\beffective\b|\beffect\b|\b(?:begin|commence|start)\w*\b[^.]{0,80}\btrad|\btrad\w*\b[^.]{0,80}\badjusted|\bpostpon|\breschedul|\bdelayed\b/i;
/** Words before a replaced date or the date of another event. */
const OTHER_DATE =
  /\b(?:previously|originally|initially|formerly|instead of|rather than|record date|dated|filed|published|approved|announced on|held on|was to|had been|no longer)\b[^.]{0,80}$|\bfrom\s+$/i;

interface StatedDate extends Pick<DateMatch, "day" | "hasWrongWeekday"> {
  readonly quote: string;
}

/** Ex date; null unless all stated dates agree, match their weekdays and are trading days. */
function exDateOf(sentences: readonly Sentence[], fields: readonly Field[]): Term<Day> {
  const labeled = fields.filter(({ label }) => EFFECTIVE_DATE.test(label)).flatMap(datesOfField);
  const dates = [...sentences.filter(({ plain }) => EFFECTIVE_WORDS.test(plain)).flatMap(datesOfSentence), ...labeled];
  const [first] = dates;
  if (first === undefined) return NOT_STATED;
  const contradiction = dates.find((date) => date.hasWrongWeekday || date.day !== first.day || !isTradingDay(date.day));
  return { value: contradiction === undefined ? first.day : null, evidence: (contradiction ?? first).quote };
}

function datesOfSentence({ plain, verbatim: quote }: Sentence): readonly StatedDate[] {
  let previousEnd = 0;
  return findDates(plain, null).flatMap(({ day, hasWrongWeekday, start, end }) => {
    const precedingText = plain.slice(previousEnd, start);
    previousEnd = end;
    return OTHER_DATE.test(precedingText) ? [] : [{ day, hasWrongWeekday, quote }];
  });
}

function datesOfField(field: Field): readonly StatedDate[] {
  return findDates(field.value, null).map(({ day, hasWrongWeekday }) => ({
    day,
    hasWrongWeekday,
    quote: quoteField(field),
  }));
}

function isTradingDay(day: Day): boolean {
  return NASDAQ !== null && tradingDayKind(NASDAQ, day) !== "closed";
}
