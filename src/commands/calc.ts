import { evidenceOn, fractionsOf } from "../domain/article/evidence.ts";
import { isSameRatio } from "../domain/split/ratio.ts";
import type { Shares } from "../domain/split/share-conversion.ts";
import type { Split } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import {
  moreSplitsText,
  noRatioCard,
  ratioCalcCard,
  splitCalcCard,
  unlistedCalcCard,
} from "../messages/answers/calc-answer.ts";
import { EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import type { Card } from "../messages/message.ts";
import { TICKER_OR_RATIO_MISSING } from "../messages/option-text.ts";
import { defineCommand } from "./command.ts";
import {
  type CurrentData,
  readCurrentData,
  sampleBadges,
  splitsOf,
  type UnlistedSplit,
  unlistedSplitOf,
} from "./current-data.ts";

const MAX_SPLITS = 5;

/** Not shareable: a person's number of shares is private. */
export const calc = defineCommand({
  name: "calc",
  aboutSplits: true,
  summary: "Your shares after a split: whole shares, and the fraction under each treatment",
  example: `calc ticker:${EXAMPLE_TICKER} shares:150`,
  options: {
    ticker: { kind: "ticker", isPrimary: true, summary: "The ticker whose split ratio is used" },
    ratio: { kind: "ratio", summary: "The ratio, if no split is listed or to try a different ratio" },
    shares: {
      kind: "shares",
      required: true,
      units: ["share", "shares", "of"],
      summary: "The number of shares you hold before the split",
    },
  },
  check({ ticker, ratio }) {
    return ticker === undefined && ratio === undefined ? [TICKER_OR_RATIO_MISSING] : [];
  },
  async run({ ticker, ratio, shares }, _call, context) {
    if (ticker === undefined) return ratio ? [ratioCalcCard(shares, ratio, null)] : [];
    const data = await readCurrentData(context);
    const calculable = calculableSplits(data, ticker);
    const badges = sampleBadges(context);
    const answers = answersFor(shares, calculable, data).map((card) => ({ ...card, badges }));
    if (ratio !== undefined) {
      const ratios = [...calculable.splits.map(({ record }) => record.ratio), calculable.unlisted?.terms.ratio ?? null];
      return ratios.some((knownRatio) => isSameRatio(knownRatio, ratio))
        ? answers
        : [ratioCalcCard(shares, ratio, ticker), ...answers];
    }
    if (answers.length > 0) return answers;
    return [{ ...noRatioCard({ ticker, held: shares, list: data.list, unlisted: calculable.unlisted }), badges }];
  },
});

/** Splits of a ticker for which `calc` can answer. */
interface CalculableSplits {
  readonly splits: readonly Split[];
  /** Announced by a release but not listed; null: none. */
  readonly unlisted: UnlistedSplit | null;
}

/** Returns the current splits, or the most recent past split if there are none: its holders may still need the calculation. */
function calculableSplits(data: CurrentData, ticker: Ticker): CalculableSplits {
  const all = splitsOf(data, ticker);
  const unlisted = unlistedSplitOf(data, ticker);
  const currentSplits = all.filter(({ status }) => status !== "closed");
  return { splits: currentSplits.length === 0 && unlisted === null ? all.slice(0, 1) : currentSplits, unlisted };
}

function answersFor(
  held: Shares,
  { splits, unlisted }: CalculableSplits,
  { articles, time }: CurrentData,
): readonly Card[] {
  const shownSplits = splits.slice(0, MAX_SPLITS);
  const footer = shownSplits.length < splits.length ? moreSplitsText(shownSplits.length, splits.length) : null;
  const cards = shownSplits.map((split) => {
    const { disagreements } = evidenceOn(split.record, articles);
    const fractions = fractionsOf(split.record, articles);
    return { ...splitCalcCard({ held, split, fractions, disagreements }, time), footer };
  });
  const ratio = unlisted?.terms.ratio ?? null;
  return unlisted === null || ratio === null ? cards : [unlistedCalcCard(held, ratio, unlisted), ...cards];
}
