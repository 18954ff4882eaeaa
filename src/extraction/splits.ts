import type { ReleaseKind } from "../domain/article/article.ts";
import { findAdsRatio } from "./ads-ratio.ts";
import { findNewCusip } from "./cusip.ts";
import type { ExDateResult } from "./ex-date.ts";
import type { Mention } from "./facts.ts";
import { type Evidence, type FactField, quote, type Security, type SplitFacts } from "./facts.ts";
import { findSponsors } from "./fund-sponsors.ts";
import { findFundTokens } from "./fund-tokens.ts";
import { type FundSplit, findFundSplits } from "./funds.ts";
import { findRatio, NO_RATIO, type RatioResult } from "./ratio.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** What has been read of a release by the time that its splits are put together. */
interface ReadSoFar {
  readonly kind: ReleaseKind;
  readonly sentences: readonly Sentence[];
  readonly security: Security;
  readonly mentions: readonly Mention[];
  readonly exDate: ExDateResult;
}

interface SplitsResult {
  readonly splits: readonly SplitFacts[];
  readonly contradictions: readonly FactField[];
}

/** The kinds of release that hold the terms of a split. What is only approved has none yet. */
const KINDS_WITH_TERMS: readonly ReleaseKind[] = ["reverse_split", "ads_ratio_change", "postponed", "cancelled"];

const SEVERAL_FUNDS =
  /"funds"|\b(?:both|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:of its |leveraged |of the )?(?:ETFs|ETNs|funds)\b/i;

const NO_DAY: ExDateResult = { exDate: null, sentence: null, contradictory: false, isFuture: false };

const NO_SPLITS: SplitsResult = { splits: [], contradictions: [] };

/** The splits that a release announces, moves or calls off: one, or one for each of its funds. */
export function findSplits(release: ReadSoFar): SplitsResult {
  if (!KINDS_WITH_TERMS.includes(release.kind)) return NO_SPLITS;
  const funds = findFundSplits(release.sentences);
  // The day of a split that is called off is that of nothing.
  const read = release.kind === "cancelled" ? { ...release, exDate: NO_DAY } : release;
  return funds.length > 1 ? splitsOfFunds(funds, read) : oneSplit(read, funds[0]);
}

function oneSplit(release: ReadSoFar, fund: FundSplit | undefined): SplitsResult {
  const { sentences, security, exDate } = release;
  const own = tickerOfOne(release, fund);
  const ratio = ratioOfOne(release, fund);
  const cusip = findNewCusip(sentences);
  const split: SplitFacts = {
    ...security,
    ...own,
    ratio: ratio.ratio,
    exDate: exDate.exDate,
    newCusip: cusip.newCusip,
    evidence: {
      ...(own.ticker && quote("ticker", fund?.sentence)),
      ...(own.exchange && quote("exchange", fund?.sentence)),
      ...(ratio.ratio && quote("ratio", ratio.sentence)),
      ...evidenceOfExDate(exDate),
      ...(cusip.newCusip !== null && quote("newCusip", cusip.sentence)),
    },
  };
  return {
    splits: [split],
    contradictions: [
      ...contradicted("ratio", ratio.contradictory),
      ...contradicted("exDate", exDate.contradictory),
      ...contradicted("newCusip", cusip.contradictory),
    ],
  };
}

/**
 * The fund's own ticker, where the one that the release names first is that of its sponsor, or where it names none by a
 * tag.
 */
function tickerOfOne({ sentences, security, mentions }: ReadSoFar, fund: FundSplit | undefined): Partial<SplitFacts> {
  if (!fund) return {};
  if (security.ticker === null) return { ticker: fund.ticker };
  if (fund.ticker === security.ticker || !findSponsors(findFundTokens(sentences)).has(security.ticker)) return {};
  const exchange = mentions.find(({ ticker }) => ticker === fund.ticker)?.exchange ?? security.exchange;
  return { ticker: fund.ticker, exchange };
}

/** A single fund may have its ratio in a table alone. */
function ratioOfOne(release: ReadSoFar, fund: FundSplit | undefined): RatioResult {
  if (fund === undefined) return isOnSeveralFunds(release.sentences) ? NO_RATIO : ratioOf(release);
  const found = ratioOf(release);
  return found.ratio === null && fund.ratio !== null
    ? { ratio: fund.ratio, sentence: fund.sentence, contradictory: false }
    : found;
}

/** Then a ratio is that of some of them, and which is lost with the table. */
function isOnSeveralFunds(sentences: readonly Sentence[]): boolean {
  return leadSentences(sentences).some(({ plain }) => SEVERAL_FUNDS.test(plain));
}

/** They trade on the new basis from one day on; ratio, ticker and CUSIP are each fund's own. */
function splitsOfFunds(funds: readonly FundSplit[], { security, mentions, exDate }: ReadSoFar): SplitsResult {
  const splits = funds.map(({ ticker, name, ratio, newCusip, sentence }): SplitFacts => {
    const exchange = mentions.find((mention) => mention.ticker === ticker)?.exchange ?? security.exchange;
    const company = name ?? security.company;
    return {
      ticker,
      exchange,
      company,
      ratio,
      exDate: exDate.exDate,
      newCusip,
      evidence: {
        ...quote("ticker", sentence),
        ...(ratio && quote("ratio", sentence)),
        ...(name !== null && quote("company", sentence)),
        ...evidenceOfExDate(exDate),
      },
    };
  });
  return {
    splits,
    contradictions: [
      ...contradicted(
        "ratio",
        funds.some(({ ratio }) => ratio === null),
      ),
      ...contradicted("exDate", exDate.contradictory),
    ],
  };
}

function evidenceOfExDate({ exDate, sentence }: ExDateResult): Evidence {
  return exDate === null ? {} : quote("exDate", sentence);
}

function contradicted(field: FactField, contradicts: boolean): readonly FactField[] {
  return contradicts ? [field] : [];
}

/** Depositary shares may be moved or called off as any others, so their ratio is asked for where no other one is told. */
function ratioOf({ kind, sentences }: ReadSoFar): RatioResult {
  const [first, second] = kind === "reverse_split" ? [findRatio, findAdsRatio] : [findAdsRatio, findRatio];
  const found = first(sentences);
  return found.ratio !== null || found.contradictory ? found : second(sentences);
}
