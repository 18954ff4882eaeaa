import { button, type Card, card } from "../message.ts";

/** Command that starts the sample and its story again. */
const REPLAY_LINE = "test kind:story";

/** Line of the first subscription's answer. */
export const STORY_BEGINS = `The sample story starts now: the first alert arrives within half a minute, and each kind of alert within a quarter of an hour. To start it again: /splits ${REPLAY_LINE}`;

export const REPLAY_BUTTON = button("Replay the sample story", REPLAY_LINE);

export function storyReplayedCard(): Card {
  return card({
    tone: "good",
    title: "The sample story starts again",
    lines: [
      "The first alert arrives within half a minute, and each kind of alert within a quarter of an hour, where a rule or watchlist matches it.",
    ],
    buttons: [button("Rules here", "subscriptions"), button("Your watchlist", "watchlist")],
  });
}

export function storyJustStartedCard(): Card {
  return card({
    title: "The sample story has just started",
    lines: ["The first alert arrives within half a minute, where a rule or watchlist matches it."],
    buttons: [button("Rules here", "subscriptions")],
  });
}

export function noStoryCard(): Card {
  return card({
    title: "There is no sample story to replay",
    lines: ["The data isn't the built-in sample. To see an alert here, send a test card of any kind."],
    buttons: [button("Send a test card", "test kind:announced")],
  });
}
