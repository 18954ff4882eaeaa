import type { Json } from "./workspace.ts";

/**
 * The documented limits of what an app may post, checked as Slack would: the rules stand at docs.slack.dev under Block Kit's
 * blocks, elements and composition objects, under chat.postMessage and under message metadata. Each problem names its place.
 */

const LONGEST_TEXT = 40_000;
/** Longer notification lines are cut, which an alert must not leave to Slack. */
const ADVISED_TEXT = 4_000;
const MOST_BLOCKS = 50;
/** Not documented: Slack answers msg_blocks_too_long from about here on. */
const LONGEST_BLOCKS = 13_200;
const LONGEST_METADATA = 8_000;
const LONGEST_ID = 255;
const LONGEST_URL = 3_000;

export type Check = (value: unknown, at: string) => readonly string[];

/** All that is wrong with a message; `args` as the call carries them, its JSON parsed. */
export function checkMessage(args: Json): readonly string[] {
  const { text, blocks, attachments, metadata } = args;
  return [
    ...checkTopText(text),
    ...(blocks === undefined ? [] : checkBlocks(blocks, "blocks")),
    ...(attachments === undefined ? [] : checkAttachments(attachments)),
    ...(metadata === undefined ? [] : checkMetadata(metadata)),
    ...checkSwitches(args),
  ];
}

/** With blocks it is all that a notification and a screen reader have, so it is asked for always. */
function checkTopText(text: unknown): readonly string[] {
  if (typeof text !== "string" || text.trim() === "") return ["text: missing, so the notification line is empty"];
  if (text.length > LONGEST_TEXT) return [`text: ${text.length} characters, Slack cuts at ${LONGEST_TEXT}`];
  if (text.length > ADVISED_TEXT) return [`text: ${text.length} characters, at most ${ADVISED_TEXT} are advised`];
  return [...checkWellFormed(text, "text"), ...checkSequences(text, "text")];
}

/** Either would turn names in the data into calls of people. */
function checkSwitches(args: Json): readonly string[] {
  const problems: string[] = [];
  if (args.parse === "full") problems.push("parse: full makes mentions of plain words");
  if (args.link_names === true || args.link_names === "true" || args.link_names === "1")
    problems.push("link_names: makes mentions of plain words");
  return problems;
}

function checkMetadata(metadata: unknown): readonly string[] {
  if (!isObject(metadata)) return ["metadata: not an object"];
  const problems = unknownKeys(metadata, ["event_type", "event_payload"], "metadata");
  if (typeof metadata.event_type !== "string" || !/^\w{1,255}$/.test(metadata.event_type))
    problems.push("metadata.event_type: not letters, digits and underscores");
  if (!isObject(metadata.event_payload)) problems.push("metadata.event_payload: not an object");
  if (JSON.stringify(metadata).length > LONGEST_METADATA) problems.push("metadata: too large");
  return problems;
}

function checkAttachments(attachments: unknown): readonly string[] {
  if (!Array.isArray(attachments)) return ["attachments: not a list"];
  if (attachments.length > 100) return [`attachments: ${attachments.length}, at most 100`];
  return attachments.flatMap((attachment, index) => checkAttachment(attachment, `attachments[${index}]`));
}

/** Ours hold a colour and blocks; the old fields of attachments are no part of what we post. */
function checkAttachment(attachment: unknown, at: string): readonly string[] {
  if (!isObject(attachment)) return [`${at}: not an object`];
  const problems = unknownKeys(attachment, ["color", "blocks", "fallback"], at);
  const { color, blocks } = attachment;
  if (color !== undefined && !(typeof color === "string" && /^(#[0-9a-f]{6}|good|warning|danger)$/i.test(color)))
    problems.push(`${at}.color: ${JSON.stringify(color)}`);
  return [...problems, ...checkBlocks(blocks, `${at}.blocks`)];
}

function checkBlocks(blocks: unknown, at: string): readonly string[] {
  if (!Array.isArray(blocks)) return [`${at}: not a list`];
  const problems: string[] = [];
  if (blocks.length === 0) problems.push(`${at}: empty`);
  if (blocks.length > MOST_BLOCKS) problems.push(`${at}: ${blocks.length} blocks, at most ${MOST_BLOCKS}`);
  const size = JSON.stringify(blocks).length;
  if (size > LONGEST_BLOCKS) problems.push(`${at}: ${size} characters in all, at most about ${LONGEST_BLOCKS}`);
  problems.push(...repeated(blocks, "block_id", at));
  return [...problems, ...blocks.flatMap((block, index) => checkBlock(block, `${at}[${index}]`))];
}

function checkBlock(block: unknown, at: string): readonly string[] {
  if (!isObject(block)) return [`${at}: not an object`];
  const checkOwn = BLOCKS[String(block.type)];
  if (!checkOwn) return [`${at}.type: ${JSON.stringify(block.type)} is no block that a message of ours holds`];
  return [...checkId(block.block_id, `${at}.block_id`), ...checkOwn(block, at)];
}

export const BLOCKS: Readonly<Record<string, (block: Json, at: string) => readonly string[]>> = {
  section: checkSection,
  header: (block, at) => [
    ...unknownKeys(block, ["type", "block_id", "text"], at),
    ...checkText(block.text, `${at}.text`, { longest: 150, kinds: ["plain_text"] }),
  ],
  image: (block, at) => [
    ...unknownKeys(block, ["type", "block_id", "image_url", "alt_text", "title"], at),
    ...(String(block.image_url).startsWith("https://") ? [] : [`${at}.image_url: no address that Slack can reach`]),
    ...checkString(block.image_url, `${at}.image_url`, LONGEST_URL),
    ...(block.alt_text === undefined || block.alt_text === "" ? [`${at}.alt_text: missing`] : []),
    ...checkString(block.alt_text, `${at}.alt_text`, 2_000),
  ],
  divider: (block, at) => unknownKeys(block, ["type", "block_id"], at),
  context: (block, at) => [
    ...unknownKeys(block, ["type", "block_id", "elements"], at),
    ...checkList(block.elements, `${at}.elements`, [1, 10], (element, place) => checkText(element, place)),
  ],
  actions: (block, at) => [
    ...unknownKeys(block, ["type", "block_id", "elements"], at),
    ...checkList(block.elements, `${at}.elements`, [1, 25], checkElement),
    ...repeated(Array.isArray(block.elements) ? block.elements : [], "action_id", `${at}.elements`),
  ],
};

function checkSection(block: Json, at: string): readonly string[] {
  const problems = unknownKeys(block, ["type", "block_id", "text", "fields", "accessory", "expand"], at);
  if (block.text === undefined && block.fields === undefined) problems.push(`${at}: neither text nor fields`);
  if (block.text !== undefined) problems.push(...checkText(block.text, `${at}.text`));
  if (block.accessory !== undefined) problems.push(...checkElement(block.accessory, `${at}.accessory`));
  if (block.fields !== undefined) {
    const checkField: Check = (field, place) => checkText(field, place, { longest: 2_000 });
    problems.push(...checkList(block.fields, `${at}.fields`, [1, 10], checkField));
  }
  return problems;
}

export const checkElement: Check = (element, at) => {
  if (!isObject(element)) return [`${at}: not an object`];
  if (element.type === "button") return checkButton(element, at);
  if (element.type === "overflow") return checkOverflow(element, at);
  return [`${at}.type: ${JSON.stringify(element.type)} is no element that a message of ours holds`];
};

function checkButton(button: Json, at: string): readonly string[] {
  const keys = ["type", "text", "action_id", "url", "value", "style", "confirm", "accessibility_label"];
  const problems = unknownKeys(button, keys, at);
  if (button.style !== undefined && button.style !== "primary" && button.style !== "danger")
    problems.push(`${at}.style: ${JSON.stringify(button.style)}`);
  if (button.confirm !== undefined) problems.push(...checkConfirm(button.confirm, `${at}.confirm`));
  return [
    ...problems,
    ...checkText(button.text, `${at}.text`, { longest: 75, kinds: ["plain_text"] }),
    ...checkId(button.action_id, `${at}.action_id`),
    ...checkString(button.value, `${at}.value`, 2_000),
    ...checkString(button.url, `${at}.url`, LONGEST_URL),
    ...checkString(button.accessibility_label, `${at}.accessibility_label`, 75),
  ];
}

function checkOverflow(overflow: Json, at: string): readonly string[] {
  const checkOption: Check = (option, place) => {
    if (!isObject(option)) return [`${place}: not an object`];
    return [
      ...unknownKeys(option, ["text", "value", "description", "url"], place),
      ...checkText(option.text, `${place}.text`, { longest: 75, kinds: ["plain_text"] }),
      ...(option.value === undefined ? [`${place}.value: missing`] : []),
      ...checkString(option.value, `${place}.value`, 150),
      ...checkString(option.url, `${place}.url`, LONGEST_URL),
    ];
  };
  return [
    ...unknownKeys(overflow, ["type", "action_id", "options", "confirm"], at),
    ...checkId(overflow.action_id, `${at}.action_id`),
    ...checkList(overflow.options, `${at}.options`, [1, 5], checkOption),
  ];
}

function checkConfirm(confirm: unknown, at: string): readonly string[] {
  if (!isObject(confirm)) return [`${at}: not an object`];
  const plain = { kinds: ["plain_text"] } as const;
  return [
    ...unknownKeys(confirm, ["title", "text", "confirm", "deny", "style"], at),
    ...checkText(confirm.title, `${at}.title`, { longest: 100, ...plain }),
    ...checkText(confirm.text, `${at}.text`, { longest: 300 }),
    ...checkText(confirm.confirm, `${at}.confirm`, { longest: 30, ...plain }),
    ...checkText(confirm.deny, `${at}.deny`, { longest: 30, ...plain }),
  ];
}

export function checkText(
  text: unknown,
  at: string,
  { longest = 3_000, kinds = ["plain_text", "mrkdwn"] }: { longest?: number; kinds?: readonly string[] } = {},
): readonly string[] {
  if (!isObject(text)) return [`${at}: not a text object`];
  if (!kinds.includes(String(text.type)))
    return [`${at}.type: ${JSON.stringify(text.type)}, not ${kinds.join(" or ")}`];
  const own = text.type === "mrkdwn" ? "verbatim" : "emoji";
  const problems = unknownKeys(text, ["type", "text", own], at);
  if (typeof text.text !== "string" || text.text === "") return [...problems, `${at}.text: empty`];
  if (text.text.length > longest) problems.push(`${at}.text: ${text.text.length} characters, at most ${longest}`);
  problems.push(...checkWellFormed(text.text, `${at}.text`));
  if (text.type === "mrkdwn") problems.push(...checkSequences(text.text, `${at}.text`));
  return problems;
}

/** In mrkdwn `<`, `>` and `&` are Slack's own: they stand in a link or a mention, or are escaped. */
function checkSequences(text: string, at: string): readonly string[] {
  const rest = text.replace(/<(?:https?:\/\/|mailto:|[@#][UWCS]|!subteam\^|!date\^)[^<>]*>/g, "");
  const problems: string[] = [];
  if (/[<>]/.test(rest)) problems.push(`${at}: an unescaped < or > in ${JSON.stringify(rest.slice(0, 80))}`);
  if (/&(?!(?:amp|lt|gt);)/.test(rest)) problems.push(`${at}: an unescaped &`);
  return problems;
}

/** Halves of characters and control characters: Slack refuses the one and drops the other. */
function checkWellFormed(text: string, at: string): readonly string[] {
  const odd = /\p{Cs}|(?![\n\t])\p{Cc}/u.exec(text)?.[0];
  return odd === undefined ? [] : [`${at}: holds the character ${odd.codePointAt(0)?.toString(16)}`];
}

export function checkId(value: unknown, at: string): readonly string[] {
  return value === "" ? [`${at}: empty`] : checkString(value, at, LONGEST_ID);
}

export function checkString(value: unknown, at: string, longest: number): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== "string") return [`${at}: not a text`];
  return value.length > longest ? [`${at}: ${value.length} characters, at most ${longest}`] : [];
}

export function checkList(list: unknown, at: string, [least, most]: readonly [number, number], check: Check): string[] {
  if (!Array.isArray(list)) return [`${at}: not a list`];
  const problems = list.flatMap((member: unknown, index) => check(member, `${at}[${index}]`));
  if (list.length < least || list.length > most) problems.push(`${at}: ${list.length}, from ${least} to ${most}`);
  return problems;
}

export function repeated(list: readonly unknown[], key: string, at: string): readonly string[] {
  const ids = list.flatMap((member) => (isObject(member) && member[key] !== undefined ? [member[key]] : []));
  return new Set(ids).size === ids.length ? [] : [`${at}: a ${key} stands twice`];
}

export function unknownKeys(object: Json, known: readonly string[], at: string): string[] {
  return Object.keys(object).flatMap((key) => (known.includes(key) ? [] : [`${at}.${key}: not a field of it`]));
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
