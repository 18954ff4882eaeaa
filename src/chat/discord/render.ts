import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import type { Answer } from "../../commands/command.ts";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { type Button, button, type Card, type Fact, type Quote, type Row, type Tone } from "../../messages/message.ts";
import type { Outgoing, Rendered } from "../../ports/chat-platform.ts";
import { escapedText, linked, MAX_LENGTH, safeLink } from "./markdown.ts";

/** Body of a message, without the fields that are added when it is sent. */
export interface DiscordBody {
  readonly content?: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly ButtonRow[];
  readonly allowed_mentions: AllowedMentions;
}

interface AllowedMentions {
  readonly parse: readonly [];
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
}

const MAX_EMBEDS = 10;
const MAX_MENTIONS = 20;
/** Length of the text beside an alert's embed, which notifications show. */
const MAX_HEADLINE_LENGTH = 300;
const MAX_SUBJECT_LENGTH = 12;
/** Longer answers are cut. */
const MAX_MESSAGES = 4;

/** Renders an alert. Its text, which phones show in notifications, has the mentions and a headline. */
export function renderMessage({ messageId, cards, mentions }: Outgoing): Rendered & { readonly body: DiscordBody } {
  const embeds = embedsOf(cards, messageId);
  const carried = cards.slice(0, embeds.length);
  const mentioned = mentions.filter((mention) => MENTION.test(mention)).slice(0, MAX_MENTIONS);
  const body = {
    content: [...mentioned, headlineOf(carried)].join(" ").slice(0, MAX_LENGTH.content),
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "answer", carried.length > 1))),
    allowed_mentions: allowed(mentioned),
  };
  return { body, carried: carried.length };
}

/** Renders the private answer to a command, in up to MAX_MESSAGES messages. */
export function renderAnswer({ cards, shareable }: Answer, line: string): readonly DiscordBody[] {
  const bodies: DiscordBody[] = [];
  for (let remaining = cards; remaining.length > 0 && bodies.length < MAX_MESSAGES; ) {
    const embeds = embedsOf(remaining, null);
    const carried = remaining.slice(0, embeds.length);
    remaining = remaining.slice(embeds.length);
    const share = shareable && remaining.length === 0 ? buttonOf("share", button("Share", line)) : null;
    const groups = carried.map((card) => answerButtons(card, line, carried.length > 1));
    bodies.push({ embeds, components: rowsOf(share ? [...groups, [share]] : groups), allowed_mentions: allowed([]) });
  }
  return bodies;
}

/** Renders an answer that a person shares with the channel. */
export function renderShared({ cards }: Answer, line: string, sharedBy: string): DiscordBody {
  const embeds = embedsOf(cards, null);
  const carried = cards.slice(0, embeds.length);
  return {
    content: `<@${sharedBy}> shares ${escapedText(`/splits ${line}`, MAX_HEADLINE_LENGTH)}`,
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "answer", carried.length > 1))),
    allowed_mentions: allowed([]),
  };
}

/** Embeds of as many leading cards as fit into one message; the first card always fits. */
function embedsOf(cards: readonly Card[], messageId: string | null): readonly APIEmbed[] {
  const [first, ...others] = cards.slice(0, MAX_EMBEDS);
  if (!first) return [];
  const embeds = [embedWithin(first, messageId, MAX_LENGTH.embeds)];
  let size = embeds.map(sizeOf).at(0) ?? 0;
  for (const card of others) {
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
  const badges = first.badges.map((badge) => sanitizeText(badge).trim()).filter((badge) => badge !== "");
  const headline = escapedText(
    [...badges.map((badge) => `${badge}:`), first.title].join(" ").replace(/\s+/g, " "),
    MAX_HEADLINE_LENGTH,
  );
  const more = cards.length - 1;
  return more === 0 ? headline : `${headline} (and ${more} more)`;
}

/** Mention of a person or a role. Nothing else may notify anyone. */
const MENTION = /^<@(&?)(\d{1,20})>$/;

function allowed(mentions: readonly string[]): AllowedMentions {
  const idsOf = (kind: string): readonly string[] =>
    mentions.flatMap((mention) => {
      const [, found, id] = MENTION.exec(mention) ?? [];
      return found === kind && id !== undefined ? [id] : [];
    });
  const [roles, users] = [idsOf("&"), idsOf("")];
  return { parse: [], ...(roles.length > 0 ? { roles } : {}), ...(users.length > 0 ? { users } : {}) };
}

/** Buttons of the same command, such as paging, replace the message; others answer below it. */
function answerButtons(card: Card, line: string, isOneOfMany: boolean): ReturnType<typeof buttonsOf> {
  const name = commandName(line);
  const groups = card.buttons.map((one) =>
    buttonsOf({ ...card, buttons: [one] }, commandName(one.command) === name ? "replace" : "answer", isOneOfMany),
  );
  return groups.flat();
}

function commandName(line: string): string {
  return /^\S*/.exec(line.trim())?.[0]?.toLowerCase() ?? "";
}

function buttonsOf(
  { buttons }: Card,
  action: Action,
  isOneOfMany: boolean,
): NonNullable<ReturnType<typeof buttonOf>>[] {
  return buttons.flatMap((one) => buttonOf(action, isOneOfMany ? withSubject(one) : one) ?? []);
}

/** Adds the ticker to a label: next to several cards `Details` alone is ambiguous. */
function withSubject(one: Button): Button {
  const subject = one.command.replace(/^\S+\s*/, "");
  const isClear = subject === "" || subject.length > MAX_SUBJECT_LENGTH || one.label.includes(subject);
  return isClear ? one : { ...one, label: `${one.label} ${subject}` };
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
const MAX_PER_ROW = 5;

/** Null if the command does not fit into the button's ID: a cut command would be a different one. */
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
export function parseButtonId(customId: string): { readonly action: Action; readonly line: string } | null {
  const [, code, line] = /^([rts]):(.+)$/s.exec(customId) ?? [];
  const action = (["answer", "replace", "share"] as const).find((known) => ACTION_CODES[known] === code);
  return action === undefined || line === undefined ? null : { action, line };
}

/** Arranges button groups in rows, each group in one row if it fits. Excess buttons are dropped. */
function rowsOf(groups: readonly (readonly APIButtonComponentWithCustomId[])[]): ButtonRow[] {
  const seen = new Set<string>();
  const rows: APIButtonComponentWithCustomId[][] = [];
  for (const group of groups) {
    // Discord rejects messages with duplicate button IDs.
    const added = group.filter(({ custom_id: id }) => !seen.has(id) && seen.add(id));
    const last = rows.at(-1);
    if (last && last.length + added.length <= MAX_PER_ROW) last.push(...added);
    else for (let at = 0; at < added.length; at += MAX_PER_ROW) rows.push(added.slice(at, at + MAX_PER_ROW));
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

/** Texts are cut to these lengths. */
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

/** Renders a card. Facts are lines instead of Discord's fields, which take two lines each on a phone. The footer has `messageId`. */
function embedOf(card: Card, messageId: string | null): APIEmbed {
  const link = safeLink(card.link);
  const badges = card.badges
    .map((badge) => cutText(sanitizeText(badge).trim(), MAX_TEXT_LENGTH.badge))
    .filter((badge) => badge !== "");
  const description = fill(paragraphsOf(card), MAX_LENGTH.description, link);
  const footer = [
    ...(card.footer === null ? [] : [cutText(sanitizeText(card.footer).trim(), MAX_TEXT_LENGTH.footer)]),
    ...(messageId === null ? [] : [messageId]),
  ].filter((text) => text !== "");
  return {
    color: COLORS[card.tone],
    title: escapedText(card.title, MAX_LENGTH.title) || "splitwatch",
    ...(badges.length === 0 ? {} : { author: { name: cutText(badges.join(SEPARATOR), MAX_LENGTH.author) } }),
    ...(link === null ? {} : { url: link }),
    ...(description === "" ? {} : { description }),
    ...(footer.length === 0 ? {} : { footer: { text: footer.join(SEPARATOR) } }),
  };
}

/** Length that counts towards Discord's limit for all embeds of a message. */
function sizeOf({ title, description, author, footer }: APIEmbed): number {
  return [title, description, author?.name, footer?.text].join("").length;
}

/** Renders a card with its description shortened, so that the embed has at most `size`. */
function embedWithin(card: Card, messageId: string | null, size: number): APIEmbed {
  const whole = embedOf(card, messageId);
  const excess = sizeOf(whole) - size;
  if (excess <= 0) return whole;
  const room = Math.max(0, (whole.description?.length ?? 0) - excess);
  const { description: _, ...rest } = whole;
  const description = fill(paragraphsOf(card), room, whole.url ?? null);
  return description === "" ? rest : { ...rest, description };
}

export function footerContains(text: string | undefined, messageId: string): boolean {
  return text !== undefined && (text === messageId || text.endsWith(`${SEPARATOR}${messageId}`));
}

/** Lines without a blank line between them. */
type Paragraph = readonly string[];

function paragraphsOf(card: Card): readonly Paragraph[] {
  return [
    card.lines.map((line) => withRole(escapedText(line, MAX_TEXT_LENGTH.line))).filter((line) => line !== ""),
    card.facts.map(factLine).filter((line) => line !== ""),
    card.warnings.map((warning) => `⚠️ ${escapedText(warning, MAX_TEXT_LENGTH.line)}`),
    ...card.quotes.map(quoteLines),
    card.rows.flatMap(rowLines),
  ].filter((paragraph) => paragraph.length > 0);
}

function factLine({ label, value, was, link }: Fact): string {
  const now =
    addressIn(value, link) ??
    (linked(personIn(value) ?? escapedText(oneLine(value), MAX_TEXT_LENGTH.value), link) || "not stated");
  const before = was === undefined ? "" : `~~${escapedText(oneLine(was), MAX_TEXT_LENGTH.value) || "not stated"}~~ → `;
  const name = escapedText(oneLine(label), MAX_TEXT_LENGTH.label);
  const text = was === undefined ? now : `${before}**${now}**`;
  return name === "" ? text : `**${name}:** ${text}`;
}

/** Shows a value that is its own link as plain address: Discord ignores links whose text is another address. */
function addressIn(value: string, link: string | undefined): string | null {
  const safe = value === link ? safeLink(link) : null;
  return safe === null ? null : `<${safe}>`;
}

/** Shows a user ID as the person's name. Mentions in an embed notify nobody. */
function personIn(value: string): string | null {
  return /^\d{17,20}$/.test(value) ? `<@${value}>` : null;
}

/** Shows the role at the end of a rule's description by its name. */
function withRole(text: string): string {
  return text.replace(/(?<=; mentioning )<\u200B@&(\d{1,20})>(?=\.$)/, "<@&$1>");
}

function quoteLines({ text, source, link }: Quote): Paragraph {
  const quoted = escapedText(oneLine(text), MAX_TEXT_LENGTH.quote);
  const attribution = linked(escapedText(oneLine(source), MAX_TEXT_LENGTH.source) || "the release", link);
  return quoted === "" ? [] : [`> “${quoted}”`, `> ${attribution}`];
}

function rowLines({ title, detail, link, badges = [] }: Row): Paragraph {
  const name = linked(escapedText(oneLine(title), MAX_TEXT_LENGTH.row), link);
  const marks = badges
    .map((badge) => escapedText(oneLine(badge), MAX_TEXT_LENGTH.badge))
    .filter((badge) => badge !== "");
  const head = [...(name === "" ? [] : [`**${name}**`]), ...marks.map((mark) => `[${mark}]`)].join(" ");
  return [head, withRole(escapedText(oneLine(detail), MAX_TEXT_LENGTH.detail))].filter((line) => line !== "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Cuts to whole lines and adds a link to the rest. */
function fill(paragraphs: readonly Paragraph[], maxLength: number, link: string | null): string {
  const text = paragraphs.map((paragraph) => paragraph.join("\n")).join("\n\n");
  if (text.length <= maxLength) return text;
  const ending = link === null ? "\n…" : `\n… ${linked("the rest", link)}`;
  let end = 0;
  for (
    let next = text.indexOf("\n");
    next >= 0 && next + ending.length <= maxLength;
    next = text.indexOf("\n", next + 1)
  )
    end = next;
  return end === 0 ? "" : text.slice(0, end).trimEnd() + ending;
}
