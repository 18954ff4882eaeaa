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

/** Adds to the answer to a subscription that the story of the sample data starts, or a button that starts it again. */
export function withStory(card: Card, { source: { story } }: Pick<CommandContext, "source">): Card {
  if (!story) return card;
  return story.startedAt === null
    ? { ...card, lines: [...card.lines, STORY_BEGINS] }
    : { ...card, buttons: [...card.buttons, REPLAY_BUTTON] };
}

/** Starts the sample and its story again. */
export async function replayStory({ source: { story }, clock }: CommandContext): Promise<Card> {
  if (!story) return noStoryCard();
  const { startedAt } = story;
  if (startedAt !== null && clock.now() - startedAt < MIN_REPLAY_INTERVAL_MS) return storyJustStartedCard();
  await story.replay();
  return { ...storyReplayedCard(), badges: ["SAMPLE"] };
}
