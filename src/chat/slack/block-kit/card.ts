import { filesOnRequestText } from "../../../messages/calendar/calendar-answer.ts";
import type { Button, Card, Fact, Quote, Row, Tone } from "../../../messages/message.ts";
import { type Block, type ButtonElement, context, header, LIMITS, mrkdwn, plain, section, sections } from "./blocks.ts";
import { formatLink, safeUrl, toMrkdwn, toOneLine, toPlainText, toSafeText } from "./mrkdwn.ts";

/** Factors for MAX_PART_LENGTH, tried in order until the card fits in a message. */
const SCALES = [1, 0.5, 0.25, 0.1] as const;

/** Maximum length of each part of a card, in characters. */
const MAX_PART_LENGTH = {
  lines: 2_500,
  facts: 3_000,
  rows: 5_500,
  quotes: 2_000,
  warnings: 1_000,
  title: 600,
  footer: 300,
} as const;
const MAX_LABEL_LENGTH = 60;

const TONE_EMOJI: Readonly<Record<Tone, string>> = {
  new: "🆕",
  change: "🔄",
  warning: "⚠️",
  due: "⏰",
  good: "✅",
  bad: "❌",
  plain: "",
};

/** First part of an element's action id, which names the effect of the element. */
export const ACTION = { run: "run", share: "share", edit: "edit", home: "home" } as const;

/** Returns a pattern that matches the action ids of these kinds. */
export function actionPattern(...kinds: readonly (typeof ACTION)[keyof typeof ACTION][]): RegExp {
  return new RegExp(`^(?:${kinds.join("|")}):`);
}

/** Creates an action id, which must be unique within a message. */
export type ActionIdOf = (action: "run" | "edit", index: number) => string;

/** Renders a card as blocks that fit in one message. */
export function cardBlocks(card: Card, actionId: ActionIdOf): readonly Block[] {
  let blocks: readonly Block[] = [];
  for (const scale of SCALES) {
    blocks = blocksWith(card, scale, actionId);
    if (fitsInMessage(blocks)) break;
  }
  return blocks;
}

/** Reserved for a mention, a divider and a share button. */
const RESERVED_BLOCKS = 4;
const RESERVED_JSON_LENGTH = 1_000;

function fitsInMessage(blocks: readonly Block[]): boolean {
  return blocks.length <= LIMITS.blocks - RESERVED_BLOCKS && jsonLength(blocks) <= LIMITS.json - RESERVED_JSON_LENGTH;
}

export function jsonLength(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}

/** Title with badges, used in the notification line. */
export function headline({ badges, title }: Card): string {
  return toOneLine([...badges.map((badge) => `[${badge}]`), title].join(" "), 1_000);
}

function blocksWith(card: Card, scale: number, actionId: ActionIdOf): readonly Block[] {
  const maxLength = (part: keyof typeof MAX_PART_LENGTH): number => Math.floor(MAX_PART_LENGTH[part] * scale);
  return [
    ...titleBlocks(card, maxLength("title")),
    ...lineBlocks(card.lines, maxLength("lines")),
    ...pictureBlocks(card),
    ...sections(fitLines(card.facts.map(factLine), maxLength("facts"))),
    ...sections(fitLines(card.rows.map(rowText), maxLength("rows"))),
    ...sections(fitLines(card.quotes.map(quoteLine), maxLength("quotes"))),
    ...context(
      fitLines(card.warnings.map(warningLine), maxLength("warnings")).slice(0, LIMITS.contextElements).map(mrkdwn),
    ),
    ...fileBlocks(card),
    ...buttonBlocks(card, scale, actionId),
    ...footerBlocks(card, maxLength("footer")),
  ];
}

function titleBlocks(card: Card, maxLength: number): readonly Block[] {
  const title = headline(card);
  const full = `${TONE_EMOJI[card.tone]} ${title}`.trim() || "splitwatch";
  const short = toPlainText(full, LIMITS.header);
  // A title that is too long for a header is repeated in full below it.
  return short.endsWith("…") && !full.endsWith("…")
    ? [header(short), section(plain(toPlainText(title, Math.max(maxLength, LIMITS.header))))]
    : [header(short)];
}

function lineBlocks(lines: readonly string[], maxLength: number): readonly Block[] {
  const texts = lines.map((line) => toSafeText(line, maxLength)).filter((line) => line !== "");
  return texts.length === 0 || maxLength === 0 ? [] : [section(plain(toPlainText(texts.join("\n"), maxLength)))];
}

/** Slack fetches the picture, so it needs a public https URL. */
function pictureBlocks({ picture }: Card): readonly Block[] {
  const address = picture?.link ?? null;
  if (picture === undefined || address === null || !address.startsWith("https:")) return [];
  return [{ type: "image", image_url: address, alt_text: toPlainText(picture.alt, LIMITS.alt) || picture.name }];
}

/** A note on the files of a card that is shown without its files, such as in a shared answer or home tab. */
function fileBlocks({ files = [] }: Card): readonly Block[] {
  const text = filesOnRequestText(files);
  return text === null ? [] : context([plain(toPlainText(text, LIMITS.contextElement))]);
}

/** Renders a line with about `maxLength` characters. Links and mentions are not truncated. */
type LineWriter = (maxLength: number) => string;

/** Returns the lines that fit in `maxLength` together, truncated if needed. A last line states how many are omitted. */
function fitLines(lines: readonly LineWriter[], maxLength: number): readonly string[] {
  const written: string[] = [];
  let remaining = Math.min(maxLength, LIMITS.section * 10);
  for (const [index, write] of lines.entries()) {
    const evenShare = Math.max(remaining - 60, 0) / (lines.length - index);
    const line = write(
      Math.max(Math.floor(Math.min(LIMITS.section, Math.max(evenShare, Math.min(remaining / 2, 600)))), 40),
    );
    if (line.length > remaining) return [...written, `… and ${lines.length - index} more`];
    if (line !== "") written.push(line);
    remaining -= line.length + 1;
  }
  return written;
}

function factLine({ label, value, was, link, isPersonId }: Fact): LineWriter {
  const mention = isPersonId ? userMention(value) : null;
  if (mention !== null) return () => `*${toMrkdwn(label, MAX_LABEL_LENGTH)}:* ${mention}`;
  return (maxLength) => {
    const name = toMrkdwn(label, MAX_LABEL_LENGTH);
    const maxValueLength = Math.max(
      Math.floor((maxLength - name.length - linkLength(link)) / (was === undefined ? 1 : 2)) - 8,
      12,
    );
    const currentValue = formatLink(toMrkdwn(value, maxValueLength), link);
    const formerValue = was === undefined ? "" : `~${toMrkdwn(was, maxValueLength)}~ → `;
    return `${name === "" ? "" : `*${name}:* `}${formerValue}${was === undefined || currentValue === "" ? currentValue : `*${currentValue}*`}`;
  };
}

/** Mention of a person with the id `WORKSPACE/USER`; null for another text, such as the id of a deleted person. */
function userMention(personId: string): string | null {
  const userId = /^[A-Z0-9]{1,30}\/([A-Z0-9]{1,30})$/.exec(personId)?.[1];
  return userId === undefined ? null : `<@${userId}>`;
}

function rowText({ title, detail, link, badges = [] }: Row): LineWriter {
  return (maxLength) => {
    const marks =
      badges.length === 0 ? "" : ` ${toMrkdwn(badges.map((badge) => `[${badge}]`).join(" "), MAX_LABEL_LENGTH)}`;
    const maxTextLength = Math.max(maxLength - marks.length - linkLength(link) - 8, 24);
    const name = toMrkdwn(title, Math.floor(maxTextLength / 2));
    const head = name === "" ? "" : `*${formatLink(name, link)}*`;
    const details = toMrkdwn(detail, maxTextLength - name.length);
    return [`${head}${marks}`.trim(), details].filter((line) => line !== "").join("\n");
  };
}

function quoteLine({ text, source, link }: Quote): LineWriter {
  return (maxLength) => {
    const sourceName = toMrkdwn(source, MAX_LABEL_LENGTH) || "source";
    const quotation = toMrkdwn(text, Math.max(maxLength - sourceName.length - linkLength(link) - 10, 12));
    return quotation === "" ? "" : `“${quotation}” — ${formatLink(sourceName, link)}`;
  };
}

function warningLine(warning: string): LineWriter {
  return (maxLength) => {
    const text = toMrkdwn(warning, Math.min(maxLength, LIMITS.contextElement) - 10);
    return text === "" ? "" : `⚠️ ${text}`;
  };
}

function linkLength(link: string | undefined): number {
  const url = safeUrl(link);
  return url === null ? 0 : url.length + 3;
}

function buttonBlocks({ buttons, editableRules = [] }: Card, scale: number, actionId: ActionIdOf): readonly Block[] {
  const maxButtons = Math.max(Math.floor(LIMITS.buttons * scale), 5);
  const runButtons = buttons
    .filter(({ command }) => command.length <= LIMITS.buttonValue * scale)
    .map((button, index) => buttonElement(button, actionId(ACTION.run, index)));
  const editButtons = editableRules.map((number, index) => {
    return editButton(number, editableRules.length === 1 ? "Edit" : `Edit ${number}`, actionId(ACTION.edit, index));
  });
  // With several rules, edit and remove buttons are in separate rows.
  const rows = editableRules.length === 1 ? [[...runButtons, ...editButtons]] : [editButtons, runButtons];
  return rows.flatMap((row) => (row.length === 0 ? [] : [{ type: "actions", elements: row.slice(0, maxButtons) }]));
}

/** Button that opens the form of a rule, or of a new rule if `number` is null. */
export function editButton(number: number | null, label: string, actionId: string): ButtonElement {
  return { type: "button", text: plain(label), action_id: actionId, value: String(number ?? NEW_RULE) };
}

export const NEW_RULE = "new";

export function buttonElement({ label, command, style }: Button, actionId: string): ButtonElement {
  return {
    type: "button",
    text: plain(toPlainText(label.replace(/\s+/g, " "), LIMITS.buttonText) || "…"),
    action_id: actionId,
    value: command,
    ...(style === "normal" ? {} : { style }),
  };
}

/** A line with the card's link and its footer. */
function footerBlocks({ footer, link }: Card, maxLength: number): readonly Block[] {
  const host = safeUrl(link) === null || link === null ? "" : toMrkdwn(new URL(link).host, MAX_LABEL_LENGTH);
  const footerText = footer === null ? "" : toMrkdwn(footer, maxLength);
  return context([
    ...(host === "" ? [] : [mrkdwn(formatLink(`Open on ${host}`, link))]),
    ...(footerText === "" ? [] : [mrkdwn(footerText)]),
  ]);
}
