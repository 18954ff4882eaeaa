import type { Json } from "./workspace.ts";

/**
 * Checks messages against Slack's documented limits (docs.slack.dev: Block Kit, chat.postMessage, message metadata). Each
 * problem names the path of the invalid value.
 */

const MAX_TEXT_LENGTH = 40_000;
/** Slack truncates longer notification lines; splitwatch must do that itself. */
const ADVISED_TEXT_LENGTH = 4_000;
const MAX_BLOCKS = 50;
/** Undocumented: Slack answers `msg_blocks_too_long` from about this length. */
const MAX_BLOCKS_LENGTH = 13_200;
const MAX_METADATA_LENGTH = 8_000;
const MAX_ID_LENGTH = 255;
const MAX_URL_LENGTH = 3_000;

export type Check = (value: unknown, at: string) => readonly string[];

/** Returns all problems of a message. `args`: the call's arguments with parsed JSON. */
export function checkMessage(args: Json): readonly string[] {
  const { text, blocks, attachments, metadata } = args;
  return [
    ...checkTopText(text),
    ...(blocks === undefined ? [] : checkBlocks(blocks, "blocks")),
    ...(attachments === undefined ? [] : checkAttachments(attachments)),
    ...(metadata === undefined ? [] : checkMetadata(metadata)),
    ...checkMentionOptions(args),
  ];
}

/** Required in each message: with blocks, notifications and screen readers use only this text. */
function checkTopText(text: unknown): readonly string[] {
  if (typeof text !== "string" || text.trim() === "") return ["text: missing, so the notification line is empty"];
  if (text.length > MAX_TEXT_LENGTH) return [`text: ${text.length} characters, Slack truncates at ${MAX_TEXT_LENGTH}`];
  if (text.length > ADVISED_TEXT_LENGTH)
    return [`text: ${text.length} characters, at most ${ADVISED_TEXT_LENGTH} are advised`];
  return [...checkWellFormed(text, "text"), ...checkSequences(text, "text")];
}

/** These options would turn names in external text into mentions. */
function checkMentionOptions(args: Json): readonly string[] {
  const problems: string[] = [];
  if (args.parse === "full") problems.push("parse: full turns plain text into mentions");
  if (args.link_names === true || args.link_names === "true" || args.link_names === "1")
    problems.push("link_names: turns plain text into mentions");
  return problems;
}

function checkMetadata(metadata: unknown): readonly string[] {
  if (!isObject(metadata)) return ["metadata: not an object"];
  const problems = findUnknownKeys(metadata, ["event_type", "event_payload"], "metadata");
  if (typeof metadata.event_type !== "string" || !/^\w{1,255}$/.test(metadata.event_type))
    problems.push("metadata.event_type: not letters, digits and underscores");
  if (!isObject(metadata.event_payload)) problems.push("metadata.event_payload: not an object");
  if (JSON.stringify(metadata).length > MAX_METADATA_LENGTH) problems.push("metadata: too large");
  return problems;
}

function checkAttachments(attachments: unknown): readonly string[] {
  if (!Array.isArray(attachments)) return ["attachments: not a list"];
  if (attachments.length > 100) return [`attachments: ${attachments.length}, at most 100`];
  return attachments.flatMap((attachment, index) => checkAttachment(attachment, `attachments[${index}]`));
}

/** splitwatch uses only the color and the blocks of attachments, not their legacy fields. */
function checkAttachment(attachment: unknown, at: string): readonly string[] {
  if (!isObject(attachment)) return [`${at}: not an object`];
  const problems = findUnknownKeys(attachment, ["color", "blocks", "fallback"], at);
  const { color, blocks } = attachment;
  if (color !== undefined && !(typeof color === "string" && /^(#[0-9a-f]{6}|good|warning|danger)$/i.test(color)))
    problems.push(`${at}.color: ${JSON.stringify(color)}`);
  return [...problems, ...checkBlocks(blocks, `${at}.blocks`)];
}

function checkBlocks(blocks: unknown, at: string): readonly string[] {
  if (!Array.isArray(blocks)) return [`${at}: not a list`];
  const problems: string[] = [];
  if (blocks.length === 0) problems.push(`${at}: empty`);
  if (blocks.length > MAX_BLOCKS) problems.push(`${at}: ${blocks.length} blocks, at most ${MAX_BLOCKS}`);
  const size = JSON.stringify(blocks).length;
  if (size > MAX_BLOCKS_LENGTH) problems.push(`${at}: ${size} characters in all, at most about ${MAX_BLOCKS_LENGTH}`);
  problems.push(...findDuplicates(blocks, "block_id", at));
  return [...problems, ...blocks.flatMap((block, index) => checkBlock(block, `${at}[${index}]`))];
}

function checkBlock(block: unknown, at: string): readonly string[] {
  if (!isObject(block)) return [`${at}: not an object`];
  const checkOwn = BLOCKS[String(block.type)];
  if (!checkOwn) return [`${at}.type: ${JSON.stringify(block.type)} is not a block that splitwatch posts`];
  return [...checkId(block.block_id, `${at}.block_id`), ...checkOwn(block, at)];
}

export const BLOCKS: Readonly<Record<string, (block: Json, at: string) => readonly string[]>> = {
  section: checkSection,
  header: (block, at) => [
    ...findUnknownKeys(block, ["type", "block_id", "text"], at),
    ...checkText(block.text, `${at}.text`, { maxLength: 150, kinds: ["plain_text"] }),
  ],
  image: (block, at) => [
    ...findUnknownKeys(block, ["type", "block_id", "image_url", "alt_text", "title"], at),
    ...(String(block.image_url).startsWith("https://") ? [] : [`${at}.image_url: not a URL that Slack can fetch`]),
    ...checkString(block.image_url, `${at}.image_url`, MAX_URL_LENGTH),
    ...(block.alt_text === undefined || block.alt_text === "" ? [`${at}.alt_text: missing`] : []),
    ...checkString(block.alt_text, `${at}.alt_text`, 2_000),
  ],
  divider: (block, at) => findUnknownKeys(block, ["type", "block_id"], at),
  context: (block, at) => [
    ...findUnknownKeys(block, ["type", "block_id", "elements"], at),
    ...checkList(block.elements, `${at}.elements`, [1, 10], (element, path) => checkText(element, path)),
  ],
  actions: (block, at) => [
    ...findUnknownKeys(block, ["type", "block_id", "elements"], at),
    ...checkList(block.elements, `${at}.elements`, [1, 25], checkElement),
    ...findDuplicates(Array.isArray(block.elements) ? block.elements : [], "action_id", `${at}.elements`),
  ],
};

function checkSection(block: Json, at: string): readonly string[] {
  const problems = findUnknownKeys(block, ["type", "block_id", "text", "fields", "accessory", "expand"], at);
  if (block.text === undefined && block.fields === undefined) problems.push(`${at}: neither text nor fields`);
  if (block.text !== undefined) problems.push(...checkText(block.text, `${at}.text`));
  if (block.accessory !== undefined) problems.push(...checkElement(block.accessory, `${at}.accessory`));
  if (block.fields !== undefined) {
    const checkField: Check = (field, path) => checkText(field, path, { maxLength: 2_000 });
    problems.push(...checkList(block.fields, `${at}.fields`, [1, 10], checkField));
  }
  return problems;
}

export const checkElement: Check = (element, at) => {
  if (!isObject(element)) return [`${at}: not an object`];
  if (element.type === "button") return checkButton(element, at);
  if (element.type === "overflow") return checkOverflow(element, at);
  return [`${at}.type: ${JSON.stringify(element.type)} is not an element that splitwatch posts`];
};

function checkButton(button: Json, at: string): readonly string[] {
  const keys = ["type", "text", "action_id", "url", "value", "style", "confirm", "accessibility_label"];
  const problems = findUnknownKeys(button, keys, at);
  if (button.style !== undefined && button.style !== "primary" && button.style !== "danger")
    problems.push(`${at}.style: ${JSON.stringify(button.style)}`);
  if (button.confirm !== undefined) problems.push(...checkConfirm(button.confirm, `${at}.confirm`));
  return [
    ...problems,
    ...checkText(button.text, `${at}.text`, { maxLength: 75, kinds: ["plain_text"] }),
    ...checkId(button.action_id, `${at}.action_id`),
    ...checkString(button.value, `${at}.value`, 2_000),
    ...checkString(button.url, `${at}.url`, MAX_URL_LENGTH),
    ...checkString(button.accessibility_label, `${at}.accessibility_label`, 75),
  ];
}

function checkOverflow(overflow: Json, at: string): readonly string[] {
  const checkOption: Check = (option, path) => {
    if (!isObject(option)) return [`${path}: not an object`];
    return [
      ...findUnknownKeys(option, ["text", "value", "description", "url"], path),
      ...checkText(option.text, `${path}.text`, { maxLength: 75, kinds: ["plain_text"] }),
      ...(option.value === undefined ? [`${path}.value: missing`] : []),
      ...checkString(option.value, `${path}.value`, 150),
      ...checkString(option.url, `${path}.url`, MAX_URL_LENGTH),
    ];
  };
  return [
    ...findUnknownKeys(overflow, ["type", "action_id", "options", "confirm"], at),
    ...checkId(overflow.action_id, `${at}.action_id`),
    ...checkList(overflow.options, `${at}.options`, [1, 5], checkOption),
  ];
}

function checkConfirm(confirm: unknown, at: string): readonly string[] {
  if (!isObject(confirm)) return [`${at}: not an object`];
  const plain = { kinds: ["plain_text"] } as const;
  return [
    ...findUnknownKeys(confirm, ["title", "text", "confirm", "deny", "style"], at),
    ...checkText(confirm.title, `${at}.title`, { maxLength: 100, ...plain }),
    ...checkText(confirm.text, `${at}.text`, { maxLength: 300 }),
    ...checkText(confirm.confirm, `${at}.confirm`, { maxLength: 30, ...plain }),
    ...checkText(confirm.deny, `${at}.deny`, { maxLength: 30, ...plain }),
  ];
}

export function checkText(
  text: unknown,
  at: string,
  { maxLength = 3_000, kinds = ["plain_text", "mrkdwn"] }: { maxLength?: number; kinds?: readonly string[] } = {},
): readonly string[] {
  if (!isObject(text)) return [`${at}: not a text object`];
  if (!kinds.includes(String(text.type)))
    return [`${at}.type: ${JSON.stringify(text.type)}, not ${kinds.join(" or ")}`];
  const own = text.type === "mrkdwn" ? "verbatim" : "emoji";
  const problems = findUnknownKeys(text, ["type", "text", own], at);
  if (typeof text.text !== "string" || text.text === "") return [...problems, `${at}.text: empty`];
  if (text.text.length > maxLength) problems.push(`${at}.text: ${text.text.length} characters, at most ${maxLength}`);
  problems.push(...checkWellFormed(text.text, `${at}.text`));
  if (text.type === "mrkdwn") problems.push(...checkSequences(text.text, `${at}.text`));
  return problems;
}

/** In mrkdwn, `<`, `>` and `&` are allowed only in links and mentions; elsewhere they must be escaped. */
function checkSequences(text: string, at: string): readonly string[] {
  const rest = text.replace(/<(?:https?:\/\/|mailto:|[@#][UWCS]|!subteam\^|!date\^)[^<>]*>/g, "");
  const problems: string[] = [];
  if (/[<>]/.test(rest)) problems.push(`${at}: an unescaped < or > in ${JSON.stringify(rest.slice(0, 80))}`);
  if (/&(?!(?:amp|lt|gt);)/.test(rest)) problems.push(`${at}: an unescaped &`);
  return problems;
}

/** Slack refuses lone surrogates and drops control characters. */
function checkWellFormed(text: string, at: string): readonly string[] {
  const invalid = /\p{Cs}|(?![\n\t])\p{Cc}/u.exec(text)?.[0];
  return invalid === undefined ? [] : [`${at}: contains the character ${invalid.codePointAt(0)?.toString(16)}`];
}

export function checkId(value: unknown, at: string): readonly string[] {
  return value === "" ? [`${at}: empty`] : checkString(value, at, MAX_ID_LENGTH);
}

export function checkString(value: unknown, at: string, maxLength: number): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== "string") return [`${at}: not a text`];
  return value.length > maxLength ? [`${at}: ${value.length} characters, at most ${maxLength}`] : [];
}

export function checkList(list: unknown, at: string, [min, max]: readonly [number, number], check: Check): string[] {
  if (!Array.isArray(list)) return [`${at}: not a list`];
  const problems = list.flatMap((member: unknown, index) => check(member, `${at}[${index}]`));
  if (list.length < min || list.length > max) problems.push(`${at}: ${list.length} items, from ${min} to ${max}`);
  return problems;
}

export function findDuplicates(list: readonly unknown[], key: string, at: string): readonly string[] {
  const ids = list.flatMap((member) => (isObject(member) && member[key] !== undefined ? [member[key]] : []));
  return new Set(ids).size === ids.length ? [] : [`${at}: duplicate ${key}`];
}

export function findUnknownKeys(object: Json, known: readonly string[], at: string): string[] {
  return Object.keys(object).flatMap((key) => (known.includes(key) ? [] : [`${at}.${key}: unknown field`]));
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
