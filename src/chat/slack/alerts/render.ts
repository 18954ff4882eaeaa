import { memoize } from "../../../lib/collections.ts";
import { cutText } from "../../../lib/external-text.ts";
import { button, type Card, type Tone } from "../../../messages/message.ts";
import { plainLines } from "../../../messages/plain-text.ts";
import type { Outgoing, Rendered } from "../../../ports/chat-platform.ts";
import { type Block, context, LIMITS, mrkdwn, plain, section } from "../block-kit/blocks.ts";
import { ACTION, buttonElement, cardBlocks, headline, jsonLength } from "../block-kit/card.ts";
import { isMention, toMrkdwn, toOneLine, toPlainText } from "../block-kit/mrkdwn.ts";

/** Type of the metadata that a search uses to find splitwatch's messages. */
export const METADATA_EVENT_TYPE = "splitwatch_message";

/** Arguments of `chat.postMessage`, stored as JSON until the message is delivered. */
export interface SlackBody {
  readonly text: string;
  /** Empty: the message is its text. */
  readonly blocks: readonly Block[];
  /** Whether a thread reply is also shown in the channel. */
  readonly broadcast: boolean;
  readonly metadata: {
    readonly event_type: typeof METADATA_EVENT_TYPE;
    readonly event_payload: { readonly message_id: string };
  };
}

/** One message of a command's answer. */
export interface SlackAnswer {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Tones of thread replies that are also shown in the channel. Reminders are not. */
const BROADCAST_TONES: ReadonlySet<Tone> = new Set(["change", "warning", "new"]);

export function renderMessage(outgoing: Outgoing): Rendered {
  const { messageId, cards, mentions, isQuiet = false } = outgoing;
  if (outgoing.isTextOnly === true) return renderText(outgoing);
  const mentionText = mentions.filter(isMention).slice(0, MAX_MENTIONS).join(" ");
  const { blocks, cardCount } = packCards(cards, mentionText === "" ? [] : [section(mrkdwn(mentionText))]);
  const shown = cards.slice(0, cardCount);
  const body: SlackBody = {
    text: notificationLine(shown, mentionText),
    blocks,
    broadcast: !isQuiet && shown.some(({ tone }) => BROADCAST_TONES.has(tone)),
    metadata: metadataOf(messageId),
  };
  return { body, cardCount };
}

function metadataOf(messageId: string): SlackBody["metadata"] {
  return { event_type: METADATA_EVENT_TYPE, event_payload: { message_id: messageId } };
}

/** The first card as text, without blocks. */
function renderText({ messageId, cards: [card] }: Outgoing): Rendered {
  const lines = card === undefined ? [] : plainLines(card);
  const text = lines.map((line) => toMrkdwn(line, MAX_PLAIN_LINE_LENGTH)).join("\n");
  const body: SlackBody = {
    text: cutText(text, LIMITS.text),
    blocks: [],
    broadcast: false,
    metadata: metadataOf(messageId),
  };
  return { body, cardCount: 1 };
}

const MAX_PLAIN_LINE_LENGTH = 500;

/** End of an answer: a button that shares it with the channel, or the name of the person who shared it. */
export type AnswerFooter =
  | { readonly kind: "shareable"; readonly commandLine: string }
  | { readonly kind: "shared"; readonly by: string };

/** Splits an answer into at most `max` messages; the footer is part of the first. A note states how many cards don't fit. */
export function renderAnswer(cards: readonly Card[], footer: AnswerFooter | null, max: number): readonly SlackAnswer[] {
  const answers: SlackAnswer[] = [];
  for (let remaining = cards; remaining.length > 0 && answers.length < max; ) {
    const { blocks, cardCount } = packCards(remaining, []);
    const text = notificationLine(remaining.slice(0, cardCount), "");
    answers.push({
      text,
      blocks: footer && answers.length === 0 ? [...blocks, ...footerBlocks(footer, jsonLength(blocks))] : blocks,
    });
    remaining = remaining.slice(cardCount);
    if (answers.length === max) return withOmissionNote(answers, remaining);
  }
  return answers;
}

const MAX_OMITTED_TITLE_LENGTH = 60;
const MAX_OMISSION_NOTE_LENGTH = 300;

/** JSON length that each message leaves free for a share button or a note on omitted cards. */
const RESERVED_JSON_LENGTH = 300;

/** Adds a note to the last message, which has room for it: packCards reserves a block. */
function withOmissionNote(answers: readonly SlackAnswer[], omitted: readonly Card[]): readonly SlackAnswer[] {
  const [last, first] = [answers.at(-1), omitted[0]];
  if (last === undefined || first === undefined) return answers;
  const title = toOneLine(headline(first), MAX_OMITTED_TITLE_LENGTH);
  const note = `${omitted.length} more don't fit here, starting with “${title}”. Narrow the command, for example to one ticker, to see them.`;
  return [
    ...answers.slice(0, -1),
    { ...last, blocks: [...last.blocks, ...context([plain(toPlainText(note, MAX_OMISSION_NOTE_LENGTH))])] },
  ];
}

const MAX_MENTIONS = 25;

/** Adds as many cards as fit, at least one, separated by dividers. */
function packCards(
  cards: readonly Card[],
  leadingBlocks: readonly Block[],
): { blocks: readonly Block[]; cardCount: number } {
  let blocks = leadingBlocks;
  let cardCount = 0;
  for (const card of cards) {
    const added = blocksAt(card, cardCount);
    const next: readonly Block[] = cardCount === 0 ? [...blocks, ...added] : [...blocks, { type: "divider" }, ...added];
    // The reserved block and JSON length are for a share button or a note on omitted cards.
    if (cardCount > 0 && (next.length > LIMITS.blocks - 1 || jsonLength(next) > LIMITS.json - RESERVED_JSON_LENGTH))
      break;
    blocks = next;
    cardCount += 1;
  }
  return { blocks, cardCount };
}

/** Blocks of a card. `position`: index of the card in its message, which makes the action ids unique. */
const blocksAt = memoize((card: Card, position: number) =>
  cardBlocks(card, (action, index) => `${action}:${position}:${index}`),
);

const cardHeadline = memoize(headline);

function notificationLine(cards: readonly Card[], mentionText: string): string {
  const titles = cards.map((card) => cardHeadline(card)).filter((title) => title !== "");
  const text = toMrkdwn(titles.join(" · ") || "splitwatch", LIMITS.text - mentionText.length - 1);
  return `${mentionText} ${text}`.trim();
}

function footerBlocks(footer: AnswerFooter, usedJsonLength: number): readonly Block[] {
  if (footer.kind === "shared") return context([plain(toPlainText(`Shared by ${footer.by || "someone"}`, 100))]);
  if (footer.commandLine.length > LIMITS.buttonValue) return [];
  const share = button("Share with the channel", footer.commandLine);
  const blocks: readonly Block[] = [{ type: "actions", elements: [buttonElement(share, `${ACTION.share}:0`)] }];
  return usedJsonLength + jsonLength(blocks) <= LIMITS.json + SHARE_BUTTON_ALLOWANCE ? blocks : [];
}

/** JSON length by which a share button may exceed LIMITS.json, which is below Slack's real limit. */
const SHARE_BUTTON_ALLOWANCE = 500;

/** Checks a stored body, whose format the store doesn't know. */
export function isSlackBody(body: unknown): body is SlackBody {
  return typeof body === "object" && body !== null && "text" in body && "blocks" in body && "metadata" in body;
}
