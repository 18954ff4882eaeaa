import type { APIEmbed } from "discord.js";
import type { Card, Fact, Quote, Row, Tone } from "../../messages/message.ts";
import { cutTo, escapedText, linked, MAX_LENGTH, plainText, safeLink } from "./text.ts";

const COLOURS: Readonly<Record<Tone, number>> = {
  new: 0x2f80ed,
  change: 0xf2994a,
  warning: 0xd9480f,
  due: 0x8e5cd9,
  good: 0x27ae60,
  bad: 0xc92a2a,
  plain: 0x6b7684,
};

/** How much of one text is shown; what is longer is cut. */
const MOST = {
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

/**
 * A card as an embed. What alerts are about stands in lines rather than in Discord's fields: on a phone each field takes
 * two lines. `messageId` goes into the footer, where it is found again.
 */
export function embedOf(card: Card, messageId: string | null): APIEmbed {
  const link = safeLink(card.link);
  const badges = card.badges.map((badge) => cutTo(plainText(badge).trim(), MOST.badge)).filter((badge) => badge !== "");
  const description = fill(paragraphsOf(card), MAX_LENGTH.description, link);
  const footer = [
    ...(card.footer === null ? [] : [cutTo(plainText(card.footer).trim(), MOST.footer)]),
    ...(messageId === null ? [] : [messageId]),
  ].filter((text) => text !== "");
  return {
    color: COLOURS[card.tone],
    title: escapedText(card.title, MAX_LENGTH.title) || "splitwatch",
    ...(badges.length === 0 ? {} : { author: { name: cutTo(badges.join(SEPARATOR), MAX_LENGTH.author) } }),
    ...(link === null ? {} : { url: link }),
    ...(description === "" ? {} : { description }),
    ...(footer.length === 0 ? {} : { footer: { text: footer.join(SEPARATOR) } }),
  };
}

/** What Discord counts against its limit over all embeds of a message. */
export function sizeOf({ title, description, author, footer }: APIEmbed): number {
  return [title, description, author?.name, footer?.text].join("").length;
}

/** The same embed with so much less in its description that it has at most `size`. */
export function embedWithin(card: Card, messageId: string | null, size: number): APIEmbed {
  const whole = embedOf(card, messageId);
  const excess = sizeOf(whole) - size;
  if (excess <= 0) return whole;
  const room = Math.max(0, (whole.description?.length ?? 0) - excess);
  const { description: _, ...rest } = whole;
  const description = fill(paragraphsOf(card), room, whole.url ?? null);
  return description === "" ? rest : { ...rest, description };
}

export function footerHolds(text: string | undefined, messageId: string): boolean {
  return text !== undefined && (text === messageId || text.endsWith(`${SEPARATOR}${messageId}`));
}

/** What belongs together without a blank line between it. */
type Paragraph = readonly string[];

function paragraphsOf(card: Card): readonly Paragraph[] {
  return [
    card.lines.map((line) => withRole(escapedText(line, MOST.line))).filter((line) => line !== ""),
    card.facts.map(factLine).filter((line) => line !== ""),
    card.warnings.map((mark) => `⚠️ ${escapedText(mark, MOST.line)}`),
    ...card.quotes.map(quoteLines),
    card.rows.flatMap(rowLines),
  ].filter((paragraph) => paragraph.length > 0);
}

function factLine({ label, value, was, link }: Fact): string {
  const now =
    addressIn(value, link) ??
    (linked(personIn(value) ?? escapedText(oneLine(value), MOST.value), link) || "not stated");
  const before = was === undefined ? "" : `~~${escapedText(oneLine(was), MOST.value) || "not stated"}~~ → `;
  const name = escapedText(oneLine(label), MOST.label);
  const text = was === undefined ? now : `${before}**${now}**`;
  return name === "" ? text : `**${name}:** ${text}`;
}

/** An address that is to be copied stands there as it is: Discord makes no link of one address in the words of another. */
function addressIn(value: string, link: string | undefined): string | null {
  const safe = value === link ? safeLink(link) : null;
  return safe === null ? null : `<${safe}>`;
}

/** A person is known to us by a number that says nothing to people. Within an embed nobody is called by showing the name. */
function personIn(value: string): string | null {
  return /^\d{17,20}$/.test(value) ? `<@${value}>` : null;
}

/** The role at the end of a rule in words, by its name. */
function withRole(text: string): string {
  return text.replace(/(?<=; calling )<\u200B@&(\d{1,20})>(?=\.$)/, "<@&$1>");
}

function quoteLines({ text, source, link }: Quote): Paragraph {
  const said = escapedText(oneLine(text), MOST.quote);
  const who = linked(escapedText(oneLine(source), MOST.source) || "the release", link);
  return said === "" ? [] : [`> “${said}”`, `> ${who}`];
}

function rowLines({ title, detail, link, badges = [] }: Row): Paragraph {
  const name = linked(escapedText(oneLine(title), MOST.row), link);
  const marks = badges.map((badge) => escapedText(oneLine(badge), MOST.badge)).filter((badge) => badge !== "");
  const head = [...(name === "" ? [] : [`**${name}**`]), ...marks.map((mark) => `[${mark}]`)].join(" ");
  return [head, withRole(escapedText(oneLine(detail), MOST.detail))].filter((line) => line !== "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** As many whole lines as fit; then how to see the rest. */
function fill(paragraphs: readonly Paragraph[], room: number, link: string | null): string {
  const whole = paragraphs.map((paragraph) => paragraph.join("\n")).join("\n\n");
  if (whole.length <= room) return whole;
  const ending = link === null ? "\n…" : `\n… ${linked("the rest", link)}`;
  let end = 0;
  for (let next = whole.indexOf("\n"); next >= 0 && next + ending.length <= room; next = whole.indexOf("\n", next + 1))
    end = next;
  return end === 0 ? "" : whole.slice(0, end).trimEnd() + ending;
}
