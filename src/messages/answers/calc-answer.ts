import type { SplitEvidence } from "../../domain/alert/event.ts";
import {
  type Fraction,
  type FractionEvidence,
  type KnownArticle,
  TREATMENTS,
  type Treatment,
} from "../../domain/article/article.ts";
import type { TermsOfTicker } from "../../domain/article/evidence.ts";
import { type Ratio, ratioName } from "../../domain/split/ratio.ts";
import {
  type Conversion,
  convert,
  isHalf,
  isZero,
  type Settlement,
  type Shares,
  settle,
} from "../../domain/split/share-conversion.ts";
import { ratioLabel, type Split, shownSymbol } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { capitalize, formatCount, type TimeContext, treatmentText } from "../format.ts";
import { type Button, button, type Card, card, type Fact, type Row } from "../message.ts";
import { amountText, newSharesText, sharesText, wholeSharesText } from "../shares-text.ts";
import {
  disagreementWarnings,
  fractionFact,
  fractionQuotes,
  longRatioText,
  recordWarnings,
  releaseFact,
  splitName,
  unlistedText,
  watchButton,
} from "../split-text.ts";
import { calcPicture } from "./calc-picture.ts";
import { type ListState, noListedSplitText, tickerStateText } from "./show-answer.ts";

/** A holding and a split that applies to it. */
export interface SplitCalc extends Pick<SplitEvidence, "disagreements"> {
  readonly held: Shares;
  readonly split: Split;
  /** Treatments of fractional shares that releases state, one entry per treatment, newest first. */
  readonly fractions: readonly FractionEvidence[];
}

export function splitCalcCard(calc: SplitCalc, context: TimeContext): Card {
  const { held, split, fractions } = calc;
  const { record } = split;
  const { ticker, ratio } = record;
  const stateLine = `${shownSymbol(record)}: ${tickerStateText({ ticker, split, others: [], unlisted: null, latestRelease: null, list: "complete" }, context)}.`;
  const warnings = [...recordWarnings(record), ...disagreementWarnings(calc, record)];
  const buttons = [detailsButton(ticker)];
  if (ratio === null) {
    const title = `${splitName(record)}: can't calculate with this ratio`;
    return card({ tone: "warning", title, lines: [stateLine, enterRatioText(held)], warnings, buttons });
  }
  const lines = [stateLine, ...flappingLines(split)];
  return {
    ...calculationCard({ held, ratio, symbol: shownSymbol(record), lines, fractions }),
    warnings: [...warnings, ...differenceWarnings(fractions)],
    buttons,
  };
}

/** Calculation with the release's ratio, for a split that only a release announces. */
export function unlistedCalcCard(
  held: Shares,
  ratio: Ratio,
  { article, terms }: { readonly article: KnownArticle; readonly terms: TermsOfTicker },
): Card {
  const { fraction, source, url } = article;
  const fractions = fraction === null ? [] : [{ ...fraction, source, url }];
  const { ticker } = terms;
  const base = calculationCard({
    held,
    ratio,
    symbol: ticker,
    lines: [`${ticker}: ${unlistedText(terms)}.`],
    fractions,
  });
  return { ...base, facts: [...base.facts, ...releaseFact(article)], buttons: [detailsButton(ticker)] };
}

/** Calculation with the ratio that the user entered. */
export function ratioCalcCard(held: Shares, ratio: Ratio, ticker: Ticker | null): Card {
  const lines = ticker === null ? [] : [`This uses the ratio you entered: no split of ${ticker} has it.`];
  const footer = "The company's press release says which treatment applies.";
  return { ...calculationCard({ held, ratio, symbol: ticker, lines, fractions: null }), footer };
}

/** A ticker without a known ratio. */
export interface UnknownRatio {
  readonly ticker: Ticker;
  readonly held: Shares;
  readonly list: ListState;
  /** Split that only a release announces, without a ratio. */
  readonly unlisted: { readonly terms: TermsOfTicker } | null;
}

export function noRatioCard({ ticker, held, list, unlisted }: UnknownRatio): Card {
  return card({
    title: `No reverse split of ${ticker} is listed, so there's nothing to calculate`,
    lines: [
      unlisted === null ? noListedSplitText(list) : `${capitalize(unlistedText(unlisted.terms))}.`,
      enterRatioText(held),
    ],
    buttons: [watchButton(ticker)],
  });
}

/** Footer for a ticker with more listed splits than the answer shows. */
export function moreSplitsText(shown: number, total: number): string {
  return `This ticker is listed ${formatCount(total, "time")}. The first ${shown} are calculated here.`;
}

interface Calculation {
  readonly held: Shares;
  readonly ratio: Ratio;
  /** Null if the calculation is only about a ratio. */
  readonly symbol: string | null;
  /** Lines shown above the lines about the holding. */
  readonly lines: readonly string[];
  /** Null if the calculation isn't about a particular split. */
  readonly fractions: readonly FractionEvidence[] | null;
}

function calculationCard({ held, ratio, symbol, lines, fractions }: Calculation): Card {
  const conversion = convert(held, ratio);
  const statedFractions = fractions ?? [];
  const settlement = knownSettlement(conversion, statedFractions[0] ?? null);
  const resultText = settlement === null ? openResultText(conversion, fractions) : settledText(settlement, conversion);
  return card({
    title: `${sharesText(held, symbol ?? "")} at ${ratioName(ratio)}: ${resultText}`,
    lines: [...lines, ...smallHoldingLines(conversion), ...brokerLines(statedFractions)],
    facts: [...conversionFacts(conversion, ratio), ...(fractions === null ? [] : [fractionFact(fractions[0] ?? null)])],
    rows: treatmentRows(conversion, statedFractions),
    quotes: statedFractions.flatMap((evidence) => fractionQuotes(evidence)),
    picture: calcPicture({ conversion, ratio, settlement, resultText }),
  });
}

function detailsButton(ticker: Ticker): Button {
  return button("Details", `show ${ticker}`);
}

function differenceWarnings(fractions: readonly FractionEvidence[]): readonly string[] {
  return fractions.length < 2 ? [] : ["Releases differ on fractional shares. The newest release is quoted first."];
}

function enterRatioText(held: Shares): string {
  return `If you know the ratio, enter it: /splits calc ratio:1-for-20 shares:${amountText(held)}`;
}

/** What the holder gets; null if no release states it, or if the holder's broker decides. */
function knownSettlement(conversion: Conversion, stated: Fraction | null): Settlement | null {
  if (stated === null) return null;
  const settlement = settle(stated.treatment, conversion);
  const isRounding = stated.treatment === "round_up" || stated.treatment === "round_nearest";
  return isRounding && stated.level === "participant" && !isZero(conversion.fraction) ? null : settlement;
}

/** `8 new shares, 7.5 rounded up`, `7 new shares and cash for 0.5 of a share` */
function settledText({ newShares, cashFor }: Settlement, { exact, whole, fraction }: Conversion): string {
  const shares = newSharesText(newShares);
  if (isZero(fraction)) return `${shares}, no fraction`;
  if (cashFor !== null) return `${shares} and cash for ${amountText(cashFor)} of a share`;
  return `${shares}, ${amountText(exact)} rounded ${newShares > whole ? "up" : "down"}`;
}

/** `7 or 8 new shares, depending on …` */
function openResultText({ whole, fraction }: Conversion, fractions: readonly FractionEvidence[] | null): string {
  if (isZero(fraction)) return `${newSharesText(whole)}, no fraction`;
  const shares = `${whole.toLocaleString("en-US")} or ${newSharesText(whole + 1n)}`;
  if (fractions === null) return `${shares}, depending on the treatment of fractions`;
  if (fractions.length > 0) return `${shares}, your broker decides`;
  return `${shares}, the treatment of fractions isn't stated`;
}

function conversionFacts({ held, exact, whole, fraction, leftOver }: Conversion, ratio: Ratio): readonly Fact[] {
  const part = `${amountText(fraction)} of a new share, from ${sharesText(leftOver, "old")}`;
  return [
    { label: "Ratio", value: longRatioText(ratio) },
    { label: "Old shares", value: amountText(held) },
    { label: "New shares, exactly", value: amountText(exact) },
    { label: "Whole new shares", value: whole.toLocaleString("en-US") },
    { label: "Fraction", value: isZero(fraction) ? "none" : part },
  ];
}

/** Result of each treatment, with a badge if a release states it. */
function treatmentRows(conversion: Conversion, fractions: readonly FractionEvidence[]): readonly Row[] {
  return TREATMENTS.map((treatment) => {
    const row = { title: capitalize(treatmentText(treatment)), detail: settlementText(treatment, conversion) };
    const evidence = fractions.find((fraction) => fraction.treatment === treatment);
    if (evidence === undefined) return row;
    return {
      ...row,
      badges: [evidence === fractions[0] ? "STATED" : "STATED EARLIER"],
      link: evidence.url,
      isRelease: true,
    };
  });
}

function settlementText(treatment: Treatment, conversion: Conversion): string {
  const { newShares, cashFor } = settle(treatment, conversion);
  const shares = wholeSharesText(newShares);
  if (isZero(conversion.fraction)) return shares;
  if (cashFor !== null) return `${shares}, and cash for ${amountText(cashFor)} of a share`;
  if (newShares === conversion.whole) return `${shares}, and nothing for the fraction`;
  return treatment === "round_nearest" && isHalf(conversion.fraction) ? `${shares}: exactly half rounds up` : shares;
}

/** Explains that a holding below one new share becomes one share or none. */
function smallHoldingLines({ whole, fraction }: Conversion): readonly string[] {
  if (whole > 0n) return [];
  return [
    "This is less than one new share. " +
      `Rounded up it becomes 1 share; cash in lieu leaves 0 shares and cash for ${amountText(fraction)} of a share.`,
  ];
}

function brokerLines([newest]: readonly FractionEvidence[]): readonly string[] {
  if (newest?.level !== "participant") return [];
  return [
    "Fractions are rounded per clearing participant, so for your broker as a whole. " +
      "Your broker decides what your account receives.",
  ];
}

function flappingLines({ record, pendingRecord }: Split): readonly string[] {
  if (pendingRecord === null || ratioLabel(pendingRecord) === ratioLabel(record)) return [];
  return [`The source keeps changing this record. It currently says: ${ratioLabel(pendingRecord)}.`];
}
