import { MINUTE_MS } from "../domain/time/day.ts";
import {
  noStoryCard,
  REPLAY_BUTTON,
  STORY_BEGINS,
  storyJustStartedCard,
  storyReplayedCard,
} from "../messages/answers/story-answer.ts";
import type { Card } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";

/** Minimum time between two starts of the story: each start replaces the sample. */
const MIN_REPLAY_INTERVAL_MS = MINUTE_MS / 2;

/** Starts the story of the sample data at the first subscription; later subscriptions offer to start it again. */
export function withStory(card: Card, { source: { story } }: Pick<CommandContext, "source">): Card {
  if (!story) return card;
  if (story.startedAt() !== null) return { ...card, buttons: [...card.buttons, REPLAY_BUTTON] };
  story.begin();
  return { ...card, lines: [...card.lines, STORY_BEGINS] };
}

/** Starts the sample and its story again. */
export async function replayStory({ source: { story }, clock }: CommandContext): Promise<Card> {
  if (!story) return noStoryCard();
  const startedAt = story.startedAt();
  if (startedAt !== null && clock.now() - startedAt < MIN_REPLAY_INTERVAL_MS) return storyJustStartedCard();
  await story.replay();
  return { ...storyReplayedCard(), badges: ["SAMPLE"] };
}
