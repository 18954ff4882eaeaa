import { formatCount } from "../format.ts";
import { type Button, type Card, card } from "../message.ts";

export interface StoredPersonData {
  readonly tickers: number;
  readonly rules: number;
  /** Number of alerts waiting to be sent. */
  readonly waiting: number;
  /** Number of channel rules that the person set. */
  readonly channelRules: number;
}

export function confirmForgetCard(data: StoredPersonData, confirm: Button): Card {
  const { tickers, rules, waiting, channelRules } = data;
  return card({
    tone: "warning",
    title: "Delete everything stored about you?",
    lines: [
      "This can't be undone. Nothing has been deleted yet.",
      `This deletes your watchlist (${formatCount(tickers, "ticker")}), your own rules (${formatCount(rules, "rule")}), your settings, your calendar address, the record of your last import, the saved id of your direct-message channel and your alert history.`,
      ...(waiting > 0 ? [`${formatCount(waiting, "waiting alert")} won't be sent to you.`] : []),
      channelRules > 0
        ? `${formatCount(channelRules, "rule")} that you set for channels ${channelRules === 1 ? "stays" : "stay"}, without your name.`
        : "Channel rules stay, without your name.",
      "To keep a copy: /splits export",
    ],
    buttons: [confirm],
  });
}

export function forgottenCard(): Card {
  return card({
    tone: "good",
    title: "Everything stored about you was deleted",
    lines: [
      "You won't get any more alerts. Messages that you already received stay in your chat; you can delete them there.",
      "Channel rules stay, without your name.",
    ],
  });
}
