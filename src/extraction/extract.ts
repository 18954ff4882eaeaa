import type { Article, ReleaseKind } from "../domain/article/article.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Day } from "../domain/time/day.ts";
import { findAdsRatio } from "./ads-ratio.ts";
import { findNewCusip } from "./cusip.ts";
import { findAnnouncementDay, findDateline } from "./dateline.ts";
import { type ExDateResult, findExDate } from "./ex-date.ts";
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
import { type FundSplit, findFundSplits, findSponsors } from "./funds.ts";
import { findKind } from "./kind.ts";
import { decodeMarkup } from "./markup.ts";
import { toPlainText, withoutOtherReleases } from "./plain-text.ts";
import { findRatio, NO_RATIO, type RatioResult } from "./ratio.ts";
import { findSecurity, type SecurityResult, type TextPart } from "./security.ts";
import { leadSentences, type Sentence, splitSentences } from "./sentences.ts";
import { findTickers } from "./tickers.ts";

export type { ArticleFacts, SplitFacts } from "./facts.ts";

/** Kinds of release about a new split. In releases of other kinds, fractions belong to a merger or an earlier split. */
const KINDS_WITH_FRACTION: readonly ReleaseKind[] = [
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "approval_only",
  "ratio_range",
];

const NO_FRACTION: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/** Text of a release. The publication day determines the year of dates without one. */
type Text = Pick<Article, "heading" | "content"> & { readonly published?: Day | null };

/** Extracts the facts that a release states, in time linear in the length of its text. */
export function extractFacts(
  { heading, content, published = null }: Text,
  directory: SymbolDirectory | null = null,
): ArticleFacts {
  const parts = [parseText(heading, true), parseText(content, false)] as const;
  const sentences = parts.flatMap((part) => part.sentences);
  const { kind, sentence, isCompleted } = findKind(sentences);
  const fraction = KINDS_WITH_FRACTION.includes(kind) ? findFraction(sentences, isCompleted) : NO_FRACTION;
  const securityResult = findSecurity(parts, directory);
  const { security, mentions, isNotice } = securityResult;
  const dateline = findDateline(sentences, published);
  const exDate = findExDate(sentences, { dateline: dateline.day, published, exchange: security.exchange, isNotice });
  const announced = findAnnouncementDay(sentences, dateline.day, exDate);
  const { splits, contradictions } = findSplits({ ...securityResult, kind, sentences, exDate });
  return {
    kind,
    mentions,
    security,
    fraction: fraction.fraction,
    announced,
    splits,
    contradictions: [...contradictions, ...(fraction.contradictory ? (["fraction"] as const) : [])],
    evidence: {
      ...quoteEvidence("kind", sentence),
      ...securityResult.evidence,
      ...(announced !== null && quoteEvidence("announced", dateline.sentence)),
      ...(fraction.fraction && { fraction: fraction.fraction.sentence }),
      ...(fraction.levelSentence !== null && { level: fraction.levelSentence }),
    },
  };
}

function parseText(raw: string, inHeading: boolean): TextPart {
  const text = toPlainText(withoutOtherReleases(decodeMarkup(raw)));
  return { plain: text.plain, sentences: splitSentences(text, inHeading), tickers: findTickers(text.plain) };
}

/** Facts about a release as a whole, from which the facts of its splits are derived. */
interface ReleaseFacts extends SecurityResult {
  readonly kind: ReleaseKind;
  readonly sentences: readonly Sentence[];
  readonly exDate: ExDateResult;
}

interface SplitsResult {
  readonly splits: readonly SplitFacts[];
  readonly contradictions: readonly FactField[];
}

/** Kinds of release that state the terms of a split. An approval states none yet. */
const KINDS_WITH_TERMS: readonly ReleaseKind[] = ["reverse_split", "ads_ratio_change", "postponed", "cancelled"];

const SEVERAL_FUNDS =
  /"funds"|\b(?:both|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:of its |leveraged |of the )?(?:ETFs|ETNs|funds)\b/i;

const NO_EX_DATE: ExDateResult = { exDate: null, sentence: null, contradictory: false, isFuture: false };

/** Finds the splits that a release announces, postpones or cancels: one, or one for each fund. */
function findSplits(release: ReleaseFacts): SplitsResult {
  if (!KINDS_WITH_TERMS.includes(release.kind)) return { splits: [], contradictions: [] };
  const funds = findFundSplits(release.sentences).filter(({ ticker }) => !release.relatedTickers.has(ticker));
  // A cancelled split has no first trading day.
  const facts = release.kind === "cancelled" ? { ...release, exDate: NO_EX_DATE } : release;
  return funds.length > 1 ? splitsOfFunds(funds, facts) : singleSplit(facts, funds[0]);
}

function singleSplit(release: ReleaseFacts, fund: FundSplit | undefined): SplitsResult {
  const { sentences, security, exDate, isNotice } = release;
  const listing = listingOfFund(release, fund);
  const ratio = ratioOfSingleSplit(release, fund);
  const cusip = findNewCusip(sentences, { isNotice });
  const split: SplitFacts = {
    ...security,
    ...listing,
    ratio: ratio.ratio,
    exDate: exDate.exDate,
    newCusip: cusip.newCusip,
    evidence: {
      ...(listing.ticker && quoteEvidence("ticker", fund?.sentence)),
      ...(listing.exchange && quoteEvidence("exchange", fund?.sentence)),
      ...(ratio.ratio && quoteEvidence("ratio", ratio.sentence)),
      ...exDateEvidence(exDate),
      ...(cusip.newCusip !== null && quoteEvidence("newCusip", cusip.sentence)),
    },
  };
  return {
    splits: [split],
    contradictions: contradictedFields({
      ticker: release.contradictory && split.ticker === null,
      ratio: ratio.contradictory,
      exDate: exDate.contradictory,
      newCusip: cusip.contradictory,
    }),
  };
}

/** Returns the fund's listing if the release has no ticker or its first ticker belongs to the sponsor, else no fields. */
function listingOfFund(
  { sentences, security, mentions }: ReleaseFacts,
  fund: FundSplit | undefined,
): Partial<SplitFacts> {
  if (!fund) return {};
  if (security.ticker === null) return { ticker: fund.ticker };
  if (fund.ticker === security.ticker || !findSponsors(findFundTokens(sentences)).has(security.ticker)) return {};
  return { ticker: fund.ticker, exchange: exchangeOfFund(fund, mentions, security) };
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

/** All funds of a release have the same first trading day; each has its own ratio, ticker and CUSIP. */
function splitsOfFunds(funds: readonly FundSplit[], { security, mentions, exDate }: ReleaseFacts): SplitsResult {
  const splits = funds.map((fund): SplitFacts => {
    const { ticker, name, ratio, newCusip, sentence } = fund;
    return {
      ticker,
      exchange: exchangeOfFund(fund, mentions, security),
      company: name ?? security.company,
      ratio,
      exDate: exDate.exDate,
      newCusip,
      evidence: {
        ...quoteEvidence("ticker", sentence),
        ...(ratio && quoteEvidence("ratio", sentence)),
        ...(name !== null && quoteEvidence("company", sentence)),
        ...exDateEvidence(exDate),
      },
    };
  });
  const hasContradictoryRatio = funds.some(({ ratio }) => ratio === null);
  return {
    splits,
    contradictions: contradictedFields({ ratio: hasContradictoryRatio, exDate: exDate.contradictory }),
  };
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
