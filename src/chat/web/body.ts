import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { webAddress } from "../../lib/web-address.ts";
import type * as messages from "../../messages/message.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Button, Card, CardFile, Fact, Message, MessageBody, Picture, Quote, Row } from "./page/protocol.ts";

/** Cards per message; further cards are sent in another message. */
export const MAX_CARDS = 20;

const MAX_TITLE_LENGTH = 300;
const MAX_TEXT_LENGTH = 2_000;
const MAX_LABEL_LENGTH = 80;
/** Buttons with longer commands are omitted, because a truncated command would be a different command. */
const MAX_COMMAND_LENGTH = 500;
const MAX_LINK_LENGTH = 2_000;
/** Larger pictures are omitted. */
const MAX_SVG_LENGTH = 100_000;

const MAX_COUNTS = {
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
    mentions: mentions.slice(0, MAX_COUNTS.mentions).map((mention) => shortText(mention, MAX_LABEL_LENGTH)),
    shared,
  };
}

/** Limits the lengths and counts of all parts, and removes unsafe characters and links. */
export function limitCards(cards: readonly messages.Card[]): readonly Card[] {
  return cards.map((card) => ({
    tone: card.tone,
    badges: limitBadges(card.badges),
    title: shortText(card.title, MAX_TITLE_LENGTH),
    link: safeLink(card.link),
    lines: limitTexts(card.lines, MAX_COUNTS.lines),
    facts: card.facts.slice(0, MAX_COUNTS.facts).map(limitFact),
    rows: card.rows.slice(0, MAX_COUNTS.rows).map(limitRow),
    quotes: card.quotes.slice(0, MAX_COUNTS.quotes).map(limitQuote),
    warnings: limitTexts(card.warnings, MAX_COUNTS.warnings),
    buttons: card.buttons
      .filter((button) => button.command.length <= MAX_COMMAND_LENGTH)
      .slice(0, MAX_COUNTS.buttons)
      .map(limitButton),
    footer: card.footer === null ? null : shortText(card.footer, MAX_TEXT_LENGTH),
    ...optionalPicture(card.picture),
    ...(card.files === undefined ? {} : { files: card.files.slice(0, MAX_COUNTS.files).flatMap(limitFile) }),
  }));
}

function optionalPicture(picture: messages.Picture | undefined): { readonly picture?: Picture } {
  if (picture === undefined || picture.svg.length > MAX_SVG_LENGTH) return {};
  return { picture: { svg: picture.svg, alt: shortText(picture.alt, MAX_TEXT_LENGTH) } };
}

/** Omits a file whose path is not on this server. */
function limitFile({ name, path, mediaType, text }: messages.CardFile): readonly CardFile[] {
  if (path === null) return [{ name: shortText(name, MAX_LABEL_LENGTH), mediaType, text }];
  return /^\/[\w./-]{1,200}$/.test(path) && !path.startsWith("//")
    ? [{ name: shortText(name, MAX_LABEL_LENGTH), path }]
    : [];
}

/** Files are private to the requester, so shared messages have none. */
function withoutFiles(card: Card): Card {
  const { files: _, ...cardWithoutFiles } = card;
  return cardWithoutFiles;
}

function limitFact(fact: messages.Fact): Fact {
  return {
    label: shortText(fact.label, MAX_LABEL_LENGTH),
    value: shortText(fact.value, MAX_TEXT_LENGTH),
    ...(fact.was === undefined ? {} : { was: shortText(fact.was, MAX_TEXT_LENGTH) }),
    ...optionalLink(fact.link),
    ...(fact.isRelease && { isRelease: true }),
  };
}

function limitRow(row: messages.Row): Row {
  return {
    title: shortText(row.title, MAX_TITLE_LENGTH),
    detail: shortText(row.detail, MAX_TEXT_LENGTH),
    ...optionalLink(row.link),
    ...(row.isRelease && { isRelease: true }),
    ...(row.ticker === undefined ? {} : { ticker: shortText(row.ticker, MAX_LABEL_LENGTH) }),
    ...(row.badges === undefined ? {} : { badges: limitBadges(row.badges) }),
  };
}

function limitQuote(quote: messages.Quote): Quote {
  return {
    text: shortText(quote.text, MAX_TEXT_LENGTH),
    source: shortText(quote.source, MAX_LABEL_LENGTH),
    link: safeLink(quote.link) ?? "",
  };
}

function limitButton(button: messages.Button): Button {
  return {
    label: shortText(button.label, MAX_LABEL_LENGTH),
    command: shortText(button.command, MAX_COMMAND_LENGTH),
    style: button.style,
  };
}

function limitBadges(badges: readonly string[]): readonly string[] {
  return badges.slice(0, MAX_COUNTS.badges).map((badge) => shortText(badge, MAX_LABEL_LENGTH));
}

/** Returns the first `count` texts and, if some are omitted, their number. */
function limitTexts(texts: readonly string[], count: number): readonly string[] {
  const limited = texts.slice(0, count).map((text) => shortText(text, MAX_TEXT_LENGTH));
  return texts.length > count ? [...limited, `… and ${texts.length - count} more`] : limited;
}

function optionalLink(link: string | undefined): { readonly link?: string } {
  const safeUrl = safeLink(link ?? null);
  return safeUrl === null ? {} : { link: safeUrl };
}

/** Returns an http or https link or a link to a message; null for anything else, such as `javascript:`. */
function safeLink(link: string | null): string | null {
  if (link === null || link.length > MAX_LINK_LENGTH) return null;
  return link.startsWith("/#message-") ? link : webAddress(link);
}

function shortText(text: string, max: number): string {
  return sanitizeText(cutText(text, max));
}

const EMPTY_BODY: MessageBody = { cards: [], mentions: [], shared: null };

/** Converts a posting for the page. */
export function toMessage(posting: Posting): Message {
  return {
    number: posting.number,
    messageId: posting.messageId,
    to: { kind: posting.to.kind, id: posting.to.id },
    replyTo: posting.replyTo?.id ?? null,
    at: posting.at,
    body: isMessageBody(posting.body) ? withSharerName(posting.body, posting) : EMPTY_BODY,
  };
}

/** Adds the sharer's name, which is stored outside the body so that `forget` can remove it. */
function withSharerName(body: MessageBody, { sharedBy }: Posting): MessageBody {
  return body.shared === null ? body : { ...body, shared: { ...body.shared, by: sharedBy?.id ?? "someone" } };
}

/** The store doesn't validate bodies. */
function isMessageBody(body: unknown): body is MessageBody {
  return (
    typeof body === "object" && body !== null && "cards" in body && Array.isArray(body.cards) && "mentions" in body
  );
}

/** Link to a message, relative so that it works with any host name. */
export function messageLink(messageId: string): string {
  return `/#message-${encodeURIComponent(messageId)}`;
}
