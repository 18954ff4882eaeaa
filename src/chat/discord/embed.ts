import type { APIEmbed } from "discord.js";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import type { Card, Fact, Quote, Row, Tone } from "../../messages/message.ts";
import { escapedText, linked, MAX_LENGTH, safeLink } from "./markdown.ts";

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
export function embedOf(card: Card, messageId: string | null): APIEmbed {
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
export function sizeOf({ title, description, author, footer }: APIEmbed): number {
  return [title, description, author?.name, footer?.text].join("").length;
}

/** Renders a card with its description shortened, so that the embed has at most `size`. */
export function embedWithin(card: Card, messageId: string | null, size: number): APIEmbed {
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
