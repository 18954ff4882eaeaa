import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from "discord.js";
import type { Answer } from "../../commands/command.ts";
import { memoize } from "../../lib/collections.ts";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { type Button, button, type Card, type Fact, type Quote, type Row, type Tone } from "../../messages/message.ts";
import { plainLines } from "../../messages/plain-text.ts";
import type { Outgoing, Rendered } from "../../ports/chat-platform.ts";
import { escapeText, formatLink, MAX_LENGTH, safeLink } from "./markdown.ts";

/** Body of a message, without the fields that are added at the time of sending. */
export interface DiscordBody {
  readonly content?: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly ButtonRow[];
  readonly allowed_mentions: AllowedMentions;
  readonly flags?: MessageFlags;
}

interface AllowedMentions {
  readonly parse: readonly [];
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
}

const MAX_EMBEDS = 10;
const MAX_MENTIONS = 20;
/** Maximum length of the headline or command line above the embeds. */
const MAX_HEADLINE_LENGTH = 300;
const MAX_SUBJECT_LENGTH = 12;
/** Maximum messages per answer. Further cards are omitted. */
const MAX_MESSAGES = 4;

/** Renders an alert. Its text contains the mentions and a headline, which phones show in notifications. */
export function renderMessage(outgoing: Outgoing): Rendered & { readonly body: DiscordBody } {
  const { messageId, cards, mentions, isQuiet = false } = outgoing;
  if (outgoing.isTextOnly === true) return renderText(outgoing);
  const embeds = embedsOf(cards, messageId);
  const renderedCards = cards.slice(0, embeds.length);
  const validMentions = mentions.filter((mention) => MENTION.test(mention)).slice(0, MAX_MENTIONS);
  const body = {
    content: [...validMentions, headlineOf(renderedCards)].join(" ").slice(0, MAX_LENGTH.content),
    embeds,
    components: rowsOf(renderedCards.map((card) => alertButtons(card, renderedCards.length > 1))),
    allowed_mentions: allowedMentions(validMentions),
    ...(isQuiet && { flags: MessageFlags.SuppressNotifications }),
  };
  return { body, cardCount: renderedCards.length };
}

/** The first card as text; its last line is the message's id, by which a search finds it. */
function renderText({ messageId, cards: [card] }: Outgoing): Rendered & { readonly body: DiscordBody } {
  const idLine = `\n-# ${messageId}`;
  const maxLength = MAX_LENGTH.content - idLine.length;
  const text = card === undefined ? "" : escapeText(plainLines(card).join("\n"), maxLength);
  const body = { content: `${text}${idLine}`, embeds: [], components: [], allowed_mentions: allowedMentions([]) };
  return { body, cardCount: 1 };
}

/** Whether a text was rendered with the id. */
export function textContains(content: string, messageId: string): boolean {
  return content.endsWith(`\n-# ${messageId}`);
}

/** Renders the private answer to a command, in up to MAX_MESSAGES messages. */
export function renderAnswer({ cards, shareable }: Answer, commandLine: string): readonly DiscordBody[] {
  const bodies: DiscordBody[] = [];
  for (let remaining = cards; remaining.length > 0 && bodies.length < MAX_MESSAGES; ) {
    const embeds = embedsOf(remaining, null);
    const renderedCards = remaining.slice(0, embeds.length);
    remaining = remaining.slice(embeds.length);
    const share = shareable && remaining.length === 0 ? buttonOf("share", button("Share", commandLine)) : null;
    const groups = renderedCards.map((card) => answerButtons(card, commandLine, renderedCards.length > 1));
    bodies.push({
      embeds,
      components: rowsOf(share ? [...groups, [share]] : groups),
      allowed_mentions: allowedMentions([]),
    });
  }
  return bodies;
}

/** Renders an answer that a person shares with the channel. */
export function renderShared({ cards }: Answer, commandLine: string, sharedBy: string): DiscordBody {
  const embeds = embedsOf(cards, null);
  const renderedCards = cards.slice(0, embeds.length);
  return {
    content: `<@${sharedBy}> shares ${escapeText(`/splits ${commandLine}`, MAX_HEADLINE_LENGTH)}`,
    embeds,
    components: rowsOf(renderedCards.map((card) => buttonsOf(card, "answer", renderedCards.length > 1))),
    allowed_mentions: allowedMentions([]),
  };
}

/** Renders as many leading cards as fit into one message, at least one. */
function embedsOf(cards: readonly Card[], messageId: string | null): readonly APIEmbed[] {
  const [first, ...further] = cards.slice(0, MAX_EMBEDS);
  if (!first) return [];
  const embeds = [embedWithin(first, messageId, MAX_LENGTH.embeds)];
  let size = embeds.map(sizeOf).at(0) ?? 0;
  for (const card of further) {
    const embed = embedOf(card, messageId);
    size += sizeOf(embed);
    if (size > MAX_LENGTH.embeds) break;
    embeds.push(embed);
  }
  return embeds;
}

function headlineOf(cards: readonly Card[]): string {
  const [first] = cards;
  if (!first) return "";
  const furtherCount = cards.length - 1;
  return furtherCount === 0 ? cardHeadline(first) : `${cardHeadline(first)} (and ${furtherCount} more)`;
}

const cardHeadline = memoize(({ badges, title }: Card): string => {
  const marks = badges.map((badge) => sanitizeText(badge).trim()).filter((badge) => badge !== "");
  return escapeText([...marks.map((badge) => `${badge}:`), title].join(" ").replace(/\s+/g, " "), MAX_HEADLINE_LENGTH);
});

/** Mention of a person or a role. Nothing else may notify anyone. */
const MENTION = /^<@(&?)(\d{1,20})>$/;

function allowedMentions(mentions: readonly string[]): AllowedMentions {
  const idsOf = (kindPrefix: string): readonly string[] =>
    mentions.flatMap((mention) => {
      const [, prefix, id] = MENTION.exec(mention) ?? [];
      return prefix === kindPrefix && id !== undefined ? [id] : [];
    });
  const [roles, users] = [idsOf("&"), idsOf("")];
  return { parse: [], ...(roles.length > 0 ? { roles } : {}), ...(users.length > 0 ? { users } : {}) };
}

/** Buttons of one card. A button that runs the answer's own command, such as paging, replaces the answer; others post a new one. */
function answerButtons(card: Card, commandLine: string, isOneOfMany: boolean): ReturnType<typeof buttonsOf> {
  const name = commandName(commandLine);
  const groups = card.buttons.map((cardButton) =>
    buttonsOf(
      { ...card, buttons: [cardButton] },
      commandName(cardButton.command) === name ? "replace" : "answer",
      isOneOfMany,
    ),
  );
  return groups.flat();
}

function commandName(commandLine: string): string {
  return /^\S*/.exec(commandLine.trim())?.[0]?.toLowerCase() ?? "";
}

function buttonsOf(
  { buttons }: Card,
  action: Action,
  isOneOfMany: boolean,
): NonNullable<ReturnType<typeof buttonOf>>[] {
  return buttons.flatMap((cardButton) => buttonOf(action, isOneOfMany ? withSubject(cardButton) : cardButton) ?? []);
}

const alertButtons = memoize((card: Card, isOneOfMany: boolean) => buttonsOf(card, "answer", isOneOfMany));

/** Adds the command's argument, such as a ticker, to a label: with several cards, `Details` alone is ambiguous. */
function withSubject(cardButton: Button): Button {
  const subject = cardButton.command.replace(/^\S+\s*/, "");
  const keepsLabel = subject === "" || subject.length > MAX_SUBJECT_LENGTH || cardButton.label.includes(subject);
  return keepsLabel ? cardButton : { ...cardButton, label: `${cardButton.label} ${subject}` };
}

type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Effect of a button. `answer`: answers privately. `replace`: replaces the private message. `share`: answers in the channel. */
type Action = "answer" | "replace" | "share";

const ACTION_CODES: Readonly<Record<Action, string>> = { answer: "r", replace: "t", share: "s" };
const STYLES: Readonly<Record<Button["style"], APIButtonComponentWithCustomId["style"]>> = {
  normal: ButtonStyle.Secondary,
  primary: ButtonStyle.Primary,
  danger: ButtonStyle.Danger,
};

const MAX_ROWS = 5;
const MAX_BUTTONS_PER_ROW = 5;

/** Returns null if the command does not fit into the button's ID: a cut command would be a different command. */
function buttonOf(action: Action, { label, command, style }: Button): APIButtonComponentWithCustomId | null {
  const customId = `${ACTION_CODES[action]}:${command}`;
  if (customId.length > MAX_LENGTH.customId || command.trim() === "") return null;
  return {
    type: ComponentType.Button,
    style: STYLES[style],
    label: cutText(sanitizeText(label).replace(/\s+/g, " ").trim() || command, MAX_LENGTH.label),
    custom_id: customId,
  };
}

/** Decodes a button's ID. It contains the whole command, so buttons keep working after a restart. */
export function parseButtonId(customId: string): { readonly action: Action; readonly commandLine: string } | null {
  const [, code, commandLine] = /^([rts]):(.+)$/s.exec(customId) ?? [];
  const action = (["answer", "replace", "share"] as const).find((candidate) => ACTION_CODES[candidate] === code);
  return action === undefined || commandLine === undefined ? null : { action, commandLine };
}

/** Arranges button groups in rows, each group in one row if it fits. Excess buttons are dropped. */
function rowsOf(groups: readonly (readonly APIButtonComponentWithCustomId[])[]): ButtonRow[] {
  const usedIds = new Set<string>();
  const rows: APIButtonComponentWithCustomId[][] = [];
  for (const group of groups) {
    // Discord rejects messages with duplicate button IDs.
    const newButtons = group.filter(({ custom_id: id }) => !usedIds.has(id) && usedIds.add(id));
    const last = rows.at(-1);
    if (last && last.length + newButtons.length <= MAX_BUTTONS_PER_ROW) last.push(...newButtons);
    else
      for (let start = 0; start < newButtons.length; start += MAX_BUTTONS_PER_ROW)
        rows.push(newButtons.slice(start, start + MAX_BUTTONS_PER_ROW));
  }
  return rows.slice(0, MAX_ROWS).map((components) => ({ type: ComponentType.ActionRow, components }));
}

const COLORS: Readonly<Record<Tone, number>> = {
  new: 0x2f80ed,
  change: 0xf2994a,
  warning: 0xd9480f,
  due: 0x8e5cd9,
  good: 0x27ae60,
  bad: 0xc92a2a,
  plain: 0x6b7684,
};

/** Lengths to which texts are cut, in UTF-16 units. */
const MAX_TEXT_LENGTH = {
  badge: 40,
  line: 1_000,
  label: 100,
  value: 300,
  row: 250,
  detail: 500,
  quote: 700,
  source: 80,
  footer: 200,
};

const SEPARATOR = " · ";

/** Renders a card. The footer contains `messageId`. */
function embedOf(card: Card, messageId: string | null): APIEmbed {
  const embed = embedWithoutId(card);
  if (messageId === null) return embed;
  return { ...embed, footer: { text: [...(embed.footer ? [embed.footer.text] : []), messageId].join(SEPARATOR) } };
}

/** Embed without a message ID. Facts are rendered as lines, because each field of an embed takes two lines on a phone. */
const embedWithoutId = memoize((card: Card): APIEmbed => {
  const link = safeLink(card.link);
  const badges = card.badges
    .map((badge) => cutText(sanitizeText(badge).trim(), MAX_TEXT_LENGTH.badge))
    .filter((badge) => badge !== "");
  const description = joinParagraphs(paragraphsOf(card), MAX_LENGTH.description, link);
  const footer = card.footer === null ? "" : cutText(sanitizeText(card.footer).trim(), MAX_TEXT_LENGTH.footer);
  return {
    color: COLORS[card.tone],
    title: escapeText(card.title, MAX_LENGTH.title) || "splitwatch",
    ...(badges.length === 0 ? {} : { author: { name: cutText(badges.join(SEPARATOR), MAX_LENGTH.author) } }),
    ...(link === null ? {} : { url: link }),
    ...(description === "" ? {} : { description }),
    ...(footer === "" ? {} : { footer: { text: footer } }),
  };
});

/** Returns the length that counts toward Discord's limit for all embeds of a message. */
function sizeOf({ title, description, author, footer }: APIEmbed): number {
  return [title, description, author?.name, footer?.text].join("").length;
}

/** Renders a card with its description shortened, so that the embed has at most `maxLength` units. */
function embedWithin(card: Card, messageId: string | null, maxLength: number): APIEmbed {
  const whole = embedOf(card, messageId);
  const excess = sizeOf(whole) - maxLength;
  if (excess <= 0) return whole;
  const maxDescriptionLength = Math.max(0, (whole.description?.length ?? 0) - excess);
  const { description: _, ...withoutDescription } = whole;
  const description = joinParagraphs(paragraphsOf(card), maxDescriptionLength, whole.url ?? null);
  return description === "" ? withoutDescription : { ...withoutDescription, description };
}

export function footerContains(text: string | undefined, messageId: string): boolean {
  return text !== undefined && (text === messageId || text.endsWith(`${SEPARATOR}${messageId}`));
}

/** Lines without a blank line between them. */
type Paragraph = readonly string[];

function paragraphsOf(card: Card): readonly Paragraph[] {
  return [
    card.lines.map((line) => withRole(escapeText(line, MAX_TEXT_LENGTH.line))).filter((line) => line !== ""),
    card.facts.map(factLine).filter((line) => line !== ""),
    card.warnings.map((warning) => `⚠️ ${escapeText(warning, MAX_TEXT_LENGTH.line)}`),
    ...card.quotes.map(quoteLines),
    card.rows.flatMap(rowLines),
  ].filter((paragraph) => paragraph.length > 0);
}

function factLine({ label, value, was, link, isPersonId }: Fact): string {
  const currentValue =
    bareLink(value, link) ??
    (formatLink((isPersonId && personMention(value)) || escapeText(oneLine(value), MAX_TEXT_LENGTH.value), link) ||
      "not stated");
  const formerValue =
    was === undefined ? "" : `~~${escapeText(oneLine(was), MAX_TEXT_LENGTH.value) || "not stated"}~~ → `;
  const name = escapeText(oneLine(label), MAX_TEXT_LENGTH.label);
  const text = was === undefined ? currentValue : `${formerValue}**${currentValue}**`;
  return name === "" ? text : `**${name}:** ${text}`;
}

/** Returns `<address>` if a value is its own link: Discord doesn't render `[text](link)` if the text is an address. */
function bareLink(value: string, link: string | undefined): string | null {
  const address = value === link ? safeLink(link) : null;
  return address === null ? null : `<${address}>`;
}

/** Mention of a user ID, which Discord shows as the person's name; null for other values. A mention in an embed notifies nobody. */
function personMention(value: string): string | null {
  return /^\d{17,20}$/.test(value) ? `<@${value}>` : null;
}

/** Restores the escaped role mention at the end of a rule's description, so that Discord shows the role's name. */
function withRole(text: string): string {
  return text.replace(/(?<=; mentioning )<\u200B@&(\d{1,20})>(?=\.$)/, "<@&$1>");
}

function quoteLines({ text, source, link }: Quote): Paragraph {
  const quotation = escapeText(oneLine(text), MAX_TEXT_LENGTH.quote);
  const attribution = formatLink(escapeText(oneLine(source), MAX_TEXT_LENGTH.source) || "the release", link);
  return quotation === "" ? [] : [`> “${quotation}”`, `> ${attribution}`];
}

function rowLines({ title, detail, link, badges = [] }: Row): Paragraph {
  const name = formatLink(escapeText(oneLine(title), MAX_TEXT_LENGTH.row), link);
  const marks = badges
    .map((badge) => escapeText(oneLine(badge), MAX_TEXT_LENGTH.badge))
    .filter((badge) => badge !== "");
  const head = [...(name === "" ? [] : [`**${name}**`]), ...marks.map((mark) => `[${mark}]`)].join(" ");
  return [head, withRole(escapeText(oneLine(detail), MAX_TEXT_LENGTH.detail))].filter((line) => line !== "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Joins paragraphs. A text over `maxLength` is cut after a whole line and ends with a link to the full text. */
function joinParagraphs(paragraphs: readonly Paragraph[], maxLength: number, link: string | null): string {
  const text = paragraphs.map((paragraph) => paragraph.join("\n")).join("\n\n");
  if (text.length <= maxLength) return text;
  const ending = link === null ? "\n…" : `\n… ${formatLink("the rest", link)}`;
  let end = 0;
  for (
    let next = text.indexOf("\n");
    next >= 0 && next + ending.length <= maxLength;
    next = text.indexOf("\n", next + 1)
  )
    end = next;
  return end === 0 ? "" : text.slice(0, end).trimEnd() + ending;
}
