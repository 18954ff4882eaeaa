import { formatCount } from "../format.ts";
import { type Button, type Card, card } from "../message.ts";

export interface StoredPersonData {
  readonly tickers: number;
  readonly rules: number;
  /** How many alerts wait for them. */
  readonly waiting: number;
  /** Rules of channels that they set. */
  readonly channelRules: number;
}

export function confirmForgetCard(kept: StoredPersonData, confirm: Button): Card {
  const { tickers, rules, waiting, channelRules } = kept;
  return card({
    tone: "warning",
    title: "Delete all that is stored about you?",
    lines: [
      "This cannot be undone. Nothing is deleted yet.",
      `To be deleted: your watchlist (${formatCount(tickers, "ticker")}), your own rules (${formatCount(rules, "rule")}), your settings, the address of your calendar, imports under way, where you are written to, and what you were told.`,
      ...(waiting > 0 ? [`${formatCount(waiting, "alert waits", "alerts wait")} for you: you will not be told.`] : []),
      channelRules > 0
        ? `${formatCount(channelRules, "rule")} that you set for channels ${channelRules === 1 ? "stays" : "stay"}, without your name.`
        : "Rules of channels stay, without your name.",
      "To keep a copy: /splits export",
    ],
    buttons: [confirm],
  });
}

export function forgottenCard(): Card {
  return card({
    tone: "good",
    title: "All that was stored about you is deleted",
    lines: [
      "Nothing will be sent to you. Messages that you have got already are in your chat, and yours to delete.",
      "Rules of channels stay, without your name.",
    ],
  });
}
