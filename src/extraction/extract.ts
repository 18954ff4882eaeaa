import type { Article, Fraction, RatioRange, ReleaseKind } from "../domain/article/article.ts";
import { OTC } from "../domain/split/exchange.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type Ticker, withListing } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { findAdsRatio, leavesAdsUnchanged } from "./ads-ratio.ts";
import { extractCollectiveFacts, isCollectiveRelease } from "./collective-release.ts";
import type { TextPart } from "./companies.ts";
import { findNewCusip } from "./cusip.ts";
import type { DateContext } from "./date-candidates.ts";
import { type DatelineResult, findAnnouncementDay, findDateline, findNewsDay, findPageDay } from "./dateline.ts";
import { findDates } from "./dates.ts";
import { type ExDateResult, findExDate, NO_EX_DATE } from "./ex-date.ts";
import {
  type ArticleFacts,
  type Evidence,
  type FactField,
  quoteEvidence,
  type Security,
  type SplitFacts,
  type TaggedTicker,
} from "./facts.ts";
import { type FractionResult, findFraction } from "./fraction.ts";
import { findFundTokens } from "./fund-tokens.ts";
import { type FundSplit, findFundSplits, findSponsors, TRADED_FUND } from "./funds.ts";
import { headingOf } from "./headline.ts";
import { findKind, type KindResult, type NewsContext } from "./kind.ts";
import { decodeMarkup } from "./markup.ts";
import { extractForeignFacts, findEnglishPart, findLanguage } from "./other-languages.ts";
import { toPlainText, withoutOtherReleases } from "./plain-text.ts";
import { findRange, findRatio, NO_RATIO, type RatioResult } from "./ratio.ts";
import { DEPOSITARY } from "./ratio-rules.ts";
import { findSecurities, type SecuritiesResult, type SecurityResult } from "./security.ts";
import { leadSentences, type Sentence, splitSentences } from "./sentences.ts";
import { findTickers } from "./tickers.ts";
import { withoutFailedVotes } from "./vote.ts";

export type { ArticleFacts, SplitFacts } from "./facts.ts";

/** Kinds of release about a new split. In releases of other kinds, fractions belong to a merger or an earlier split. */
const KINDS_WITH_FRACTION: readonly ReleaseKind[] = [
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "approval_only",
  "ratio_range",
];

/** Kinds of release before a split. */
const EARLY_KINDS: readonly ReleaseKind[] = ["approval_only", "ratio_range"];

function rangeOf(kind: ReleaseKind, sentences: readonly Sentence[]): { readonly range?: RatioRange } {
  const range = EARLY_KINDS.includes(kind) ? findRange(sentences) : null;
  return range === null ? {} : { range: { bounds: range.bounds, sentence: range.sentence.verbatim } };
}

const NO_FRACTION: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/** Words of a release that corrects how the fractions of a completed split are settled. */
const CORRECTS_FRACTIONS =
  /\b(?:instead|no longer|rather than|correct(?:s|ed|ion)?|previously (?:announced|reported|disclosed|stated))\b/i;

/** A release about a split in the past states the treatment of its fractions only if it corrects it. */
function findCorrectedFraction(kind: ReleaseKind, sentences: readonly Sentence[]): FractionResult {
  if (kind !== "completed_past") return NO_FRACTION;
  const corrects = sentences.some(({ plain }) => /\bfraction/i.test(plain) && CORRECTS_FRACTIONS.test(plain));
  return corrects ? findFraction(sentences, false) : NO_FRACTION;
}

/** Text of a release. The publication day determines the year of dates that are stated without a year. */
type Text = Pick<Article, "heading" | "content"> & { readonly published?: Day | null };

/** Extracts the facts that a release states, in time linear in the length of its text. */
export function extractFacts(text: Text, directory: SymbolDirectory | null = null): ArticleFacts {
  const { heading, content, published = null } = text;
  if (isCollectiveRelease(text)) return extractCollectiveFacts(`${heading}\n${content}`, published);
  const language = findLanguage(`${heading}\n${content}`);
  if (language === undefined) return extractEnglishFacts({ heading, content, published }, directory);
  const english = findEnglishPart(content, language);
  return english === undefined
    ? extractForeignFacts({ heading, content, published }, language, directory)
    : extractEnglishFacts({ heading, content: english, published }, directory);
}

function extractEnglishFacts(
  { heading, content, published }: Required<Text>,
  directory: SymbolDirectory | null,
): ArticleFacts {
  const parts = [parseText(headingOf({ heading, content }), true), parseText(content, false)] as const;
  const securities = findSecurities(parts, directory);
  const { sentences } = securities.main;
  const pageDay = published ?? findPageDay(sentences);
  const dateline = findDateline(sentences, pageDay);
  const context = { parts, dateline, published: pageDay, securities };
  const others = securities.others.map((one) => readAnnouncement(one, context)).filter(isWhole);
  const isTied = securities.isContradictory && others.length === 0;
  const isOther = isTied || isOfDepositaryShare(securities.main);
  const main = readAnnouncement(isOther ? withoutTicker(securities.main) : securities.main, context);
  const announced = findAnnouncementDay(main.sentences, dateline, main.kind === "other" ? NO_EX_DATE : main.exDate);
  const hasOneFraction = others.every(({ fraction }) => fraction?.treatment === main.fraction?.treatment);
  return {
    kind: main.kind,
    mentions: securities.mentions.map(withListing),
    security: withListing(main.security),
    subject: securities.subject,
    fraction: hasOneFraction ? main.fraction : null,
    ...rangeOf(main.kind, main.sentences),
    announced: announced.day,
    splits: [
      ...main.splits,
      ...others.flatMap(({ splits, evidence }) => splits.map((split) => withEvidence(split, evidence))),
    ].map(withListing),
    contradictions: main.contradictions,
    evidence: { ...main.evidence, ...quoteEvidence("announced", announced.sentence) },
  };
}

interface AnnouncementContext {
  readonly parts: readonly TextPart[];
  readonly dateline: DatelineResult;
  readonly published: Day | null;
  readonly securities: SecuritiesResult;
}

/** Facts about the splits of one issuer. */
interface Announcement extends SplitsResult {
  readonly kind: ReleaseKind;
  readonly security: Security;
  readonly sentences: readonly Sentence[];
  readonly exDate: ExDateResult;
  readonly fraction: Fraction | null;
  readonly evidence: Evidence;
}

function readAnnouncement(
  result: SecurityResult,
  { parts, dateline, published, securities }: AnnouncementContext,
): Announcement {
  const { security } = result;
  const sentences = withoutFailedVotes(result.sentences);
  const dates = { dateline: dateline.day, published, exchange: security.exchange, isNotice: securities.isNotice };
  const funds = findFundSplits(sentences, dates);
  const { kind, sentence, isCompleted } = findReleaseKind(result.sentences, funds, {
    today: findNewsDay(dateline, published),
    exDate: findExDate(sentences, dates),
  });
  const fraction = KINDS_WITH_FRACTION.includes(kind)
    ? findFraction(sentences, isCompleted)
    : findCorrectedFraction(kind, sentences);
  const exDate = findExDate(sentences, { ...dates, isPostponed: kind === "postponed" });
  const { splits, contradictions } = findSplits({
    ...securities,
    ...result,
    sentences,
    kind,
    parts,
    exDate,
    dates,
    funds,
  });
  return {
    kind,
    security,
    sentences,
    exDate,
    fraction: fraction.fraction,
    splits,
    contradictions: [...contradictions, ...(fraction.contradictory ? (["fraction"] as const) : [])],
    evidence: {
      ...quoteEvidence("kind", sentence),
      ...result.evidence,
      ...(fraction.fraction && { fraction: fraction.fraction.sentence }),
      ...(fraction.levelSentence !== null && { level: fraction.levelSentence }),
    },
  };
}

/** Whether a text announces a split of a company with all of its terms. */
function isWhole({ kind, splits }: Announcement): boolean {
  const isNew = kind === "reverse_split" || kind === "ads_ratio_change";
  return isNew && splits.length > 0 && splits.every(({ ticker, ratio, exDate }) => ticker && ratio && exDate);
}

function withoutTicker(result: SecurityResult): SecurityResult {
  const { company } = result.evidence;
  return {
    ...result,
    security: { ...result.security, ticker: null },
    otherClasses: [],
    contradictory: true,
    evidence: { ...(company !== undefined && { company }) },
  };
}

/** Symbol of a depositary receipt in the over-the-counter market. */
const RECEIPT_SYMBOL = /^[A-Z]{4}Y$/;

/** Whether the symbol is that of depositary shares in a text about a split of the shares that they represent. */
function isOfDepositaryShare({ security: { ticker, exchange }, sentences }: SecurityResult): boolean {
  if (leavesAdsUnchanged(sentences)) return true;
  const isReceipt = exchange === OTC && ticker !== null && RECEIPT_SYMBOL.test(ticker);
  return isReceipt && !sentences.some(({ plain }) => DEPOSITARY.test(plain));
}

function withEvidence(split: SplitFacts, { ticker, exchange, company }: Evidence): SplitFacts {
  const sentences = { ticker, exchange, company };
  const stated = Object.entries(sentences).filter(([, sentence]) => sentence !== undefined);
  return { ...split, evidence: { ...Object.fromEntries(stated), ...split.evidence } };
}

function parseText(raw: string, inHeading: boolean): TextPart {
  const text = toPlainText(withoutOtherReleases(decodeMarkup(raw)));
  return { plain: text.plain, sentences: splitSentences(text, inHeading), tickers: findTickers(text.plain) };
}

/** Kinds that the sentences of a release may suggest although its list of fund splits announces reverse splits. */
const KINDS_BESIDE_FUND_SPLITS: readonly ReleaseKind[] = ["other", "forward_split", "completed_past"];
const ANNOUNCES_SPLITS =
  /\b(?:announc(?:e[sd]?|ing)|will|to)\b[^.;]{0,160}\bsplits?\b|\breverse (?:share |stock )?splits? (?:is|are|takes?|becomes?) effect/i;
const PAST_SPLITS =
  /\b(?:effected|completed|implemented|executed|conducted|underwent|previously|were|was|had|has been|have been)\b/i;

/** Classifies a release. A list of fund splits that are named reverse splits announces them, even if no sentence does. */
function findReleaseKind(sentences: readonly Sentence[], funds: readonly FundSplit[], news: NewsContext): KindResult {
  const result = findKind(sentences, news);
  const named =
    funds.find(({ isNamedReverse }) => isNamedReverse) ??
    funds.find(() => sentences.some(({ plain }) => /\breverse (?:share |stock )?splits? (?:is|are)\b/i.test(plain)));
  if (named === undefined || !KINDS_BESIDE_FUND_SPLITS.includes(result.kind)) return result;
  const lead = leadSentences(sentences).filter(({ plain }) => /\bsplits?\b/i.test(plain));
  const isAnnounced = lead.some(({ plain }) => ANNOUNCES_SPLITS.test(plain));
  if (!isAnnounced || lead.some(({ plain }) => PAST_SPLITS.test(plain))) return result;
  return { kind: "reverse_split", sentence: named.sentence, isCompleted: false };
}

/** Facts about a release as a whole, from which the facts of its splits are derived. */
interface ReleaseFacts extends SecurityResult, Pick<SecuritiesResult, "isNotice" | "mentions" | "relatedTickers"> {
  readonly kind: ReleaseKind;
  readonly parts: readonly TextPart[];
  readonly exDate: ExDateResult;
  readonly dates: DateContext;
  readonly funds: readonly FundSplit[];
}

interface SplitsResult {
  readonly splits: readonly SplitFacts[];
  readonly contradictions: readonly FactField[];
}

/** Kinds of release that state the terms of a split. An approval states none yet. */
const KINDS_WITH_TERMS: readonly ReleaseKind[] = ["reverse_split", "ads_ratio_change", "postponed", "cancelled"];

const SEVERAL_FUNDS =
  /"funds"|(?<!\b(?:every|each) )\b(?:both|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:of its |leveraged |of the )?(?:ETFs|ETNs|funds)\b/i;

/** Finds the splits that a release announces, postpones or cancels: one, or one for each fund. */
function findSplits(release: ReleaseFacts): SplitsResult {
  if (!KINDS_WITH_TERMS.includes(release.kind)) return { splits: [], contradictions: [] };
  const funds = release.funds.filter(
    ({ ticker, newCusip }) => ticker === null || newCusip !== null || !release.relatedTickers.has(ticker),
  );
  const areListed = funds.length > 1 || funds.some(({ exDate }) => exDate !== undefined);
  return areListed ? splitsOfFunds(funds, release) : singleSplit(withoutCancelledDate(release), funds[0]);
}

/** A cancelled split has no first trading day. */
function withoutCancelledDate(release: ReleaseFacts): ReleaseFacts {
  return release.kind === "cancelled" ? { ...release, exDate: NO_EX_DATE } : release;
}

function singleSplit(release: ReleaseFacts, fund: FundSplit | undefined): SplitsResult {
  const { sentences, security, isNotice } = release;
  const exDate = fund === undefined || release.kind === "cancelled" ? release.exDate : exDateOfOnlyFund(fund, release);
  const listing = listingOfFund(release, fund);
  const ratio = ratioOfSingleSplit(release, fund);
  const cusip = findNewCusip(sentences, { isNotice });
  const split: SplitFacts = {
    ...security,
    ...listing,
    ratio: ratio.ratio,
    exDate: exDate.exDate,
    exDateBasis: exDate.basis,
    newCusip: cusip.newCusip,
    evidence: {
      ...(listing.ticker && quoteEvidence("ticker", fund?.sentence)),
      ...(listing.company !== undefined && quoteEvidence("company", fund?.sentence)),
      ...(listing.exchange && quoteEvidence("exchange", fund?.sentence)),
      ...(ratio.ratio && quoteEvidence("ratio", ratio.sentence)),
      ...exDateEvidence(exDate),
      ...(cusip.newCusip !== null && quoteEvidence("newCusip", cusip.sentence)),
    },
  };
  return {
    splits: [split, ...release.otherClasses.map((ticker) => ({ ...split, ticker }))],
    contradictions: contradictedFields({
      ticker: release.contradictory && split.ticker === null,
      ratio: ratio.contradictory,
      exDate: exDate.contradictory,
      newCusip: cusip.contradictory,
    }),
  };
}

/** Returns the fund's name, and its listing if the release has no ticker or its first ticker belongs to the sponsor. */
function listingOfFund(
  { sentences, security, mentions }: ReleaseFacts,
  fund: FundSplit | undefined,
): Partial<SplitFacts> {
  if (!fund) return {};
  const name = fund.name !== null && TRADED_FUND.test(fund.name) ? { company: fund.name } : {};
  if (security.ticker === null) return { ticker: fund.ticker, ...name };
  if (fund.ticker === security.ticker) return name;
  if (!findSponsors(findFundTokens(sentences)).has(security.ticker)) return {};
  return { ticker: fund.ticker, exchange: exchangeOfFund(fund, mentions, security), ...name };
}

function exchangeOfFund(
  fund: FundSplit,
  mentions: readonly TaggedTicker[],
  security: Security,
): SplitFacts["exchange"] {
  return mentions.find(({ ticker }) => ticker === fund.ticker)?.exchange ?? security.exchange;
}

/** A fund's ratio may be stated only in a table. In a release about several funds, a ratio without its fund is discarded. */
function ratioOfSingleSplit(release: ReleaseFacts, fund: FundSplit | undefined): RatioResult {
  if (!fund && leadSentences(release.sentences).some(({ plain }) => SEVERAL_FUNDS.test(plain))) return NO_RATIO;
  const result = ratioOf(release);
  return result.ratio === null && fund && fund.ratio !== null
    ? { ratio: fund.ratio, sentence: fund.sentence, contradictory: false }
    : result;
}

/** Each fund has its own ratio, ticker and CUSIP, and its own first trading day or that of all funds. */
function splitsOfFunds(funds: readonly FundSplit[], release: ReleaseFacts): SplitsResult {
  const { security, mentions } = release;
  const tagSentences = findTagSentences(release.parts);
  const exDates = funds.map((fund) => (release.kind === "cancelled" ? NO_EX_DATE : exDateOfFund(fund, release)));
  const splits = funds.map((fund, index): SplitFacts => {
    const { ticker, name, ratio, newCusip, sentence } = fund;
    const exDate = exDates[index] ?? NO_EX_DATE;
    return {
      ticker,
      exchange: fund.exchange ?? exchangeOfFund(fund, mentions, security),
      company: name ?? security.company,
      ratio,
      exDate: exDate.exDate,
      exDateBasis: exDate.basis,
      newCusip,
      evidence: {
        ...(ticker && quoteEvidence("ticker", sentence)),
        ...(ratio && quoteEvidence("ratio", sentence)),
        ...(name !== null && quoteEvidence("company", sentence)),
        ...quoteEvidence("exchange", fund.exchange === null ? ticker && tagSentences.get(ticker) : sentence),
        ...(states(sentence, newCusip) && quoteEvidence("newCusip", sentence)),
        ...exDateEvidence(exDate),
      },
    };
  });
  const hasContradictoryRatio = funds.some(({ ratio }) => ratio === null);
  return {
    splits,
    contradictions: contradictedFields({
      ratio: hasContradictoryRatio,
      exDate: exDates.some(({ contradictory }) => contradictory),
    }),
  };
}

/** The first sentence that states each ticker together with its exchange. */
function findTagSentences(parts: readonly TextPart[]): ReadonlyMap<Ticker, Sentence> {
  const found = new Map<Ticker, Sentence>();
  for (const { sentences, tickers } of parts) {
    let at = 0;
    for (const { ticker, exchange, start } of tickers) {
      while ((sentences[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1;
      const sentence = sentences[at];
      if (exchange !== null && sentence !== undefined && !found.has(ticker)) found.set(ticker, sentence);
    }
  }
  return found;
}

function states({ verbatim }: Sentence, cusip: string | null): boolean {
  return cusip !== null && verbatim.replaceAll(" ", "").includes(cusip);
}

/** The day of the fund's row, else that of the release. */
function exDateOfOnlyFund(fund: FundSplit, release: ReleaseFacts): ExDateResult {
  const isStated = fund.exDate === undefined && release.exDate.exDate !== null;
  return isStated ? release.exDate : exDateOfFund(fund, release);
}

/** The day of the fund's row, else of its sentence or list item, else of the release, unless that day is another fund's. */
function exDateOfFund(
  { exDate, effectiveDate, sentence }: FundSplit,
  { exDate: shared, dates, funds }: ReleaseFacts,
): ExDateResult {
  if (exDate !== undefined) return { ...NO_EX_DATE, exDate, basis: exDate && "trading", sentence };
  const own = findExDate([sentence], { ...dates, isAboutSplit: true });
  const result = own.sentence === null || hasSeveralRows(own.sentence, dates) ? shared : own;
  const isOfOtherFund = funds.some((other) => other.sentence === result.sentence && other.sentence !== sentence);
  const dated = isOfOtherFund || hasSeveralRows(result.sentence, dates) ? NO_EX_DATE : result;
  if (effectiveDate === null || dated.exDate !== null || dated.contradictory) return dated;
  return { ...NO_EX_DATE, exDate: effectiveDate, basis: "effective", sentence };
}

/** Whether a sentence is a table whose rows were joined: each of its days may belong to another row. */
function hasSeveralRows(sentence: Sentence | null, { dateline, published = null }: DateContext): boolean {
  if (sentence === null || !/[|\t]/.test(sentence.verbatim)) return false;
  const days = findDates(sentence.plain, dateline ?? published).map(({ day }) => day);
  return new Set(days.filter((day) => day !== dateline)).size > 1;
}

function exDateEvidence({ exDate, sentence }: ExDateResult): Evidence {
  return exDate === null ? {} : quoteEvidence("exDate", sentence);
}

function contradictedFields(fields: Readonly<Partial<Record<FactField, boolean>>>): readonly FactField[] {
  return (["ticker", "ratio", "exDate", "newCusip"] as const).filter((field) => fields[field]);
}

/** A postponement or cancellation may concern depositary shares too, so both forms of ratio are tried. */
function ratioOf({ kind, sentences }: ReleaseFacts): RatioResult {
  const [findFirst, findSecond] = kind === "reverse_split" ? [findRatio, findAdsRatio] : [findAdsRatio, findRatio];
  const result = findFirst(sentences);
  return result.ratio !== null || result.contradictory ? result : findSecond(sentences);
}
