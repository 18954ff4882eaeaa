import { isObject } from "../server/message-checks.ts";
import type { Json, MessageParts } from "../server/workspace.ts";

/** A displayed button. */
export interface ShownButton {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string | null;
  readonly url: string | null;
  readonly style: string | null;
}

/** Displayed text of the blocks, one line per text: without entities, URLs and markup. Without blocks, the text is displayed. */
export function shownText(
  message: Pick<MessageParts, "blocks" | "attachments"> & Partial<Pick<MessageParts, "text">>,
): string {
  const blocks = allBlocks(message);
  return blocks.length === 0 ? plain(message.text ?? "") : textObjects(blocks).map(displayed).join("\n");
}

/** Displayed notification line. */
export function notificationText({ text }: Pick<MessageParts, "text">): string {
  return plain(text);
}

/** Mentions in the message, such as `<@U1>`, `<!here>`, `<!subteam^S1>`. */
export function mentionsIn(message: MessageParts): readonly string[] {
  const marked = textObjects(allBlocks(message)).filter(({ type }) => type === "mrkdwn");
  const texts = [message.text, ...marked.map(({ text }) => text)];
  const calls = texts.flatMap((text) => [...text.matchAll(/<(?:@[UW]\w+|!(?!date)[^<>|]*)[^<>]*>/g)]);
  return [...new Set(calls.map(([call]) => call.replace(/\|[^>]*/, "")))];
}

/** URLs of the links and buttons in the blocks. */
export function linksIn(message: Pick<MessageParts, "blocks" | "attachments">): readonly string[] {
  const marked = textObjects(allBlocks(message)).filter(({ type }) => type === "mrkdwn");
  const inTexts = marked.flatMap(({ text }) => [...text.matchAll(/<((?:https?|mailto):[^<>|]*)/g)].map(([, to]) => to));
  const onButtons = buttonsOn(message).map(({ url }) => url);
  return [...inTexts, ...onButtons].flatMap((link) => (link === undefined || link === null ? [] : [plain(link)]));
}

export function buttonsOn(message: Pick<MessageParts, "blocks" | "attachments">): readonly ShownButton[] {
  return allBlocks(message).flatMap((block) => {
    const elements = [...listOf(block.elements), ...listOf([block.accessory])];
    return elements.flatMap((element) => {
      if (element.type === "button") return [toButton(element, block, element)];
      if (element.type !== "overflow") return [];
      return listOf(element.options).map((option) => toButton(option, block, element));
    });
  });
}

function toButton(shownAs: Json, block: Json, element: Json): ShownButton {
  return {
    label: isObject(shownAs.text) ? textOf(shownAs.text.text) : "",
    actionId: textOf(element.action_id),
    blockId: textOf(block.block_id),
    value: orNull(shownAs.value),
    url: orNull(shownAs.url),
    style: orNull(element.style),
  };
}

function allBlocks({ blocks, attachments }: Pick<MessageParts, "blocks" | "attachments">): readonly Json[] {
  return [...blocks, ...attachments.flatMap(({ blocks: inner }) => listOf(inner))];
}

interface TextObject {
  readonly type: string;
  readonly text: string;
}

/** Text objects in display order, without button labels. */
function textObjects(blocks: readonly Json[]): readonly TextObject[] {
  return blocks
    .flatMap((block) => [block.text, ...listOf(block.fields), ...listOf(block.elements)])
    .flatMap((text) => {
      if (!isObject(text) || (text.type !== "mrkdwn" && text.type !== "plain_text")) return [];
      return [{ type: text.type, text: textOf(text.text) }];
    });
}

function displayed({ type, text }: TextObject): string {
  return type === "mrkdwn" ? plain(text).replace(/(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])/gu, "") : text;
}

function plain(text: string): string {
  return text
    .replace(/<(?:https?|mailto):[^<>|]*\|([^<>]*)>/g, "$1")
    .replace(/<((?:https?|mailto):[^<>|]*)>/g, "$1")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\p{Cf}/gu, "");
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function orNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
