import { button, type Card, type Tone } from "../../../messages/message.ts";
import type { Outgoing, Rendered } from "../../../ports/chat-platform.ts";
import { type Block, context, LIMITS, mrkdwn, plain, section } from "../block-kit/blocks.ts";
import { ACTION, buttonElement, cardBlocks, headline, jsonLength } from "../block-kit/card.ts";
import { inert, plainText } from "../block-kit/text.ts";
import { isMention } from "../commands/mentions.ts";

/** Under which our own messages are found again. */
export const METADATA_EVENT_TYPE = "splitwatch_message";

/** What an alert is posted with. Plain JSON: the store keeps it until Slack has named the message. */
export interface SlackBody {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** An answer in a thread is shown in the channel too. */
  readonly broadcast: boolean;
  readonly metadata: {
    readonly event_type: typeof METADATA_EVENT_TYPE;
    readonly event_payload: { readonly message_id: string };
  };
}

/** One message of an answer to a command. */
export interface SlackAnswer {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** News that changes what people rely on. A reminder is for those who follow the thread. */
const BROADCAST_TONES: ReadonlySet<Tone> = new Set(["change", "warning", "new"]);

export function renderMessage({ messageId, cards, mentions }: Outgoing): Rendered {
  const called = mentions.filter(isMention).slice(0, MAX_MENTIONS).join(" ");
  const { blocks, carried } = fill(cards, called === "" ? [] : [section(mrkdwn(called))]);
  const told = cards.slice(0, carried);
  const body: SlackBody = {
    text: notificationLine(told, called),
    blocks,
    broadcast: told.some(({ tone }) => BROADCAST_TONES.has(tone)),
    metadata: { event_type: METADATA_EVENT_TYPE, event_payload: { message_id: messageId } },
  };
  return { body, carried };
}

/** What stands under an answer: a button that runs the line again for all, or who had it posted. */
export type AnswerFooter =
  | { readonly kind: "shareable"; readonly line: string }
  | { readonly kind: "shared"; readonly by: string };

/** The messages of an answer, at most `most`; `end` is put under the first of them. */
export function renderAnswer(cards: readonly Card[], end: AnswerFooter | null, most: number): readonly SlackAnswer[] {
  const answers: SlackAnswer[] = [];
  for (let left = cards; left.length > 0 && answers.length < most; ) {
    const { blocks, carried } = fill(left, []);
    const text = notificationLine(left.slice(0, carried), "");
    answers.push({
      text,
      blocks: end && answers.length === 0 ? [...blocks, ...endBlocks(end, jsonLength(blocks))] : blocks,
    });
    left = left.slice(carried);
  }
  return answers;
}

const MAX_MENTIONS = 25;

/** As many cards as fit after `first`, with a line between them. The first card is always there. */
function fill(cards: readonly Card[], first: readonly Block[]): { blocks: readonly Block[]; carried: number } {
  let blocks = first;
  let carried = 0;
  for (const card of cards) {
    const own = cardBlocks(card, (action, index) => `${action}:${carried}:${index}`);
    const next: readonly Block[] = carried === 0 ? [...blocks, ...own] : [...blocks, { type: "divider" }, ...own];
    // One block and a little room are kept for a button to share.
    if (carried > 0 && (next.length > LIMITS.blocks - 1 || jsonLength(next) > LIMITS.json - 300)) break;
    blocks = next;
    carried += 1;
  }
  return { blocks, carried };
}

function notificationLine(cards: readonly Card[], called: string): string {
  const titles = cards.map(headline).filter((title) => title !== "");
  const said = inert(titles.join(" · ") || "splitwatch", LIMITS.text - called.length - 1);
  return `${called} ${said}`.trim();
}

function endBlocks(end: AnswerFooter, size: number): readonly Block[] {
  if (end.kind === "shared") return context([plain(plainText(`Shared by ${end.by || "somebody"}`, 100))]);
  if (end.line.length > LIMITS.buttonValue) return [];
  const share = button("Share with the channel", end.line);
  const blocks: readonly Block[] = [{ type: "actions", elements: [buttonElement(share, `${ACTION.share}:0`)] }];
  return size + jsonLength(blocks) <= LIMITS.json + SHARE_BUTTON_ALLOWANCE ? blocks : [];
}

/** Slack's own limit is a little higher than ours. */
const SHARE_BUTTON_ALLOWANCE = 500;

/** The store keeps bodies without knowing them: this tells those of Slack. */
export function isSlackBody(body: unknown): body is SlackBody {
  return typeof body === "object" && body !== null && "text" in body && "blocks" in body && "metadata" in body;
}
