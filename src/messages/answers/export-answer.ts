import { A_TICKER } from "../example-tickers.ts";
import { type Card, type CardFile, card } from "../message.ts";
import { formatCount, joinList } from "../words.ts";

export interface ExportCounts {
  readonly scope: "me" | "channel";
  readonly tickers: number;
  readonly rules: number;
  /** How many of the rules call somebody. */
  readonly mentions: number;
}

export function exportedCard(counts: ExportCounts, file: CardFile): Card {
  const { scope, tickers, rules, mentions } = counts;
  const held = joinList([
    ...(scope === "me" ? [formatCount(tickers, "ticker")] : []),
    formatCount(rules, "rule"),
    scope === "me" ? "your settings" : "the settings of this channel",
  ]);
  return card({
    tone: "good",
    title: `${scope === "me" ? "Yours" : "This channel's"}, to take along: ${held}`,
    lines: [
      "The file works on every platform: /splits import reads it.",
      ...(mentions > 0 ? ["Whom a rule calls does not go along: it means nothing elsewhere."] : []),
    ],
    files: [file],
  });
}

export function listExportedCard(tickers: number, file: CardFile): Card {
  return card({
    tone: "good",
    title: `Your watchlist as a list: ${formatCount(tickers, "ticker")}`,
    lines: ["Other programs read it too. Rules and settings are in the other form: /splits export"],
    files: [file],
  });
}

export function nothingToExportCard(): Card {
  return card({
    title: "There is nothing to export: you watch no ticker",
    lines: [`Begin with: /splits watch ${A_TICKER}`],
  });
}
