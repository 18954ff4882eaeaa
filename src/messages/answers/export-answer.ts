import { A_TICKER } from "../example-tickers.ts";
import { type Card, type CardFile, card } from "../message.ts";
import { count, listWords } from "../words.ts";

export interface ExportCounts {
  readonly scope: "me" | "channel";
  readonly tickers: number;
  readonly rules: number;
  /** How many of the rules call somebody. */
  readonly called: number;
}

export function exportedCard(counts: ExportCounts, file: CardFile): Card {
  const { scope, tickers, rules, called } = counts;
  const held = listWords([
    ...(scope === "me" ? [count(tickers, "ticker")] : []),
    count(rules, "rule"),
    scope === "me" ? "your settings" : "the settings of this channel",
  ]);
  return card({
    tone: "good",
    title: `${scope === "me" ? "Yours" : "This channel's"}, to take along: ${held}`,
    lines: [
      "The file works on every platform: /splits import reads it.",
      ...(called > 0 ? ["Whom a rule calls does not go along: it means nothing elsewhere."] : []),
    ],
    files: [file],
  });
}

export function listExportedCard(tickers: number, file: CardFile): Card {
  return card({
    tone: "good",
    title: `Your watchlist as a list: ${count(tickers, "ticker")}`,
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
