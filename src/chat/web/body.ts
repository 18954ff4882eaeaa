import { cutText, sanitizeText } from "../../lib/external-text.ts";
import type * as messages from "../../messages/message.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Button, Card, CardFile, Fact, Message, MessageBody, Picture, Quote, Row } from "./page/protocol.ts";

/** Cards per message; further cards go to another message. */
export const MAX_CARDS = 20;

const MAX_TITLE = 300;
const MAX_TEXT = 2_000;
const MAX_LABEL = 80;
/** Buttons with longer commands are left out, because a truncated command would be a different one. */
const MAX_COMMAND = 500;
const MAX_LINK = 2_000;
/** Larger pictures are left out. */
const MAX_SVG = 100_000;

const COUNTS = {
  badges: 10,
  lines: 50,
  facts: 50,
  rows: 100,
  quotes: 10,
  warnings: 20,
  buttons: 20,
  mentions: 20,
  files: 10,
} as const;

export function messageBody(
  cards: readonly messages.Card[],
  mentions: readonly string[],
  shared: MessageBody["shared"] = null,
): MessageBody {
  return {
    cards: limitCards(cards.slice(0, MAX_CARDS)).map(withoutFiles),
    mentions: mentions.slice(0, COUNTS.mentions).map((mention) => shortText(mention, MAX_LABEL)),
    shared,
  };
}

/** Limits the lengths and counts of all parts, and removes unsafe characters and links. */
export function limitCards(cards: readonly messages.Card[]): readonly Card[] {
  return cards.map((card) => ({
    tone: card.tone,
    badges: badges(card.badges),
    title: shortText(card.title, MAX_TITLE),
    link: safeLink(card.link),
    lines: texts(card.lines, COUNTS.lines),
    facts: card.facts.slice(0, COUNTS.facts).map(boundFact),
    rows: card.rows.slice(0, COUNTS.rows).map(boundRow),
    quotes: card.quotes.slice(0, COUNTS.quotes).map(boundQuote),
    warnings: texts(card.warnings, COUNTS.warnings),
    buttons: card.buttons
      .filter((button) => button.command.length <= MAX_COMMAND)
      .slice(0, COUNTS.buttons)
      .map(boundButton),
    footer: card.footer === null ? null : shortText(card.footer, MAX_TEXT),
    ...optionalPicture(card.picture),
    ...(card.files === undefined ? {} : { files: card.files.slice(0, COUNTS.files).flatMap(boundFile) }),
  }));
}

function optionalPicture(picture: messages.Picture | undefined): { readonly picture?: Picture } {
  if (picture === undefined || picture.svg.length > MAX_SVG) return {};
  return { picture: { svg: picture.svg, alt: shortText(picture.alt, MAX_TEXT) } };
}

/** Keeps a path only if it stays on this server. */
function boundFile({ name, path, mediaType, text }: messages.CardFile): readonly CardFile[] {
  if (path === null) return [{ name: shortText(name, MAX_LABEL), mediaType, text }];
  return /^\/[\w./-]{1,200}$/.test(path) && !path.startsWith("//") ? [{ name: shortText(name, MAX_LABEL), path }] : [];
}

/** Files are private to the requester, so shared messages have none. */
function withoutFiles(card: Card): Card {
  const { files: _, ...others } = card;
  return others;
}

function boundFact(fact: messages.Fact): Fact {
  return {
    label: shortText(fact.label, MAX_LABEL),
    value: shortText(fact.value, MAX_TEXT),
    ...(fact.was === undefined ? {} : { was: shortText(fact.was, MAX_TEXT) }),
    ...optionalLink(fact.link),
  };
}

function boundRow(row: messages.Row): Row {
  return {
    title: shortText(row.title, MAX_TITLE),
    detail: shortText(row.detail, MAX_TEXT),
    ...optionalLink(row.link),
    ...(row.badges === undefined ? {} : { badges: badges(row.badges) }),
  };
}

function boundQuote(quote: messages.Quote): Quote {
  return {
    text: shortText(quote.text, MAX_TEXT),
    source: shortText(quote.source, MAX_LABEL),
    link: safeLink(quote.link) ?? "",
  };
}

function boundButton(button: messages.Button): Button {
  return {
    label: shortText(button.label, MAX_LABEL),
    command: shortText(button.command, MAX_COMMAND),
    style: button.style,
  };
}

function badges(given: readonly string[]): readonly string[] {
  return given.slice(0, COUNTS.badges).map((badge) => shortText(badge, MAX_LABEL));
}

/** The first `count` texts, then the number of omitted ones. */
function texts(given: readonly string[], count: number): readonly string[] {
  const kept = given.slice(0, count).map((text) => shortText(text, MAX_TEXT));
  return given.length > count ? [...kept, `… and ${given.length - count} more`] : kept;
}

function optionalLink(link: string | undefined): { readonly link?: string } {
  const safe = safeLink(link ?? null);
  return safe === null ? {} : { link: safe };
}

/** Returns an http or https link or a link to a message; null for anything else, such as `javascript:`. */
function safeLink(link: string | null): string | null {
  if (link === null || link.length > MAX_LINK) return null;
  if (link.startsWith("/#message-")) return link;
  const protocol = URL.canParse(link) ? new URL(link).protocol : "";
  return protocol === "http:" || protocol === "https:" ? link : null;
}

function shortText(text: string, max: number): string {
  return sanitizeText(cutText(text, max));
}

const EMPTY: MessageBody = { cards: [], mentions: [], shared: null };

/** Converts a posting for the page. */
export function toMessage(posting: Posting): Message {
  return {
    number: posting.number,
    messageId: posting.messageId,
    to: { kind: posting.to.kind, id: posting.to.id },
    replyTo: posting.replyTo?.id ?? null,
    at: posting.at,
    body: isMessageBody(posting.body) ? withSharerName(posting.body, posting) : EMPTY,
  };
}

/** The name of the person who shared is part of the posting, not of its body, so that `forget` can remove it. */
function withSharerName(body: MessageBody, { sharedBy }: Posting): MessageBody {
  return body.shared === null ? body : { ...body, shared: { ...body.shared, by: sharedBy?.id ?? "someone" } };
}

/** The store doesn't know the format of bodies. */
function isMessageBody(body: unknown): body is MessageBody {
  return (
    typeof body === "object" && body !== null && "cards" in body && Array.isArray(body.cards) && "mentions" in body
  );
}

/** Link to a message, relative so that it works under any host name. */
export function messageLink(messageId: string): string {
  return `/#message-${encodeURIComponent(messageId)}`;
}
