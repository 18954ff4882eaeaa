import { cutEncoded, sanitizeText } from "../../../lib/external-text.ts";
import { textPieces } from "../../../lib/text-pieces.ts";
import { webAddress } from "../../../lib/web-address.ts";

/*
 * External text in Slack's two text formats. `plain_text` has no markup. `mrkdwn` escapes `&`, `<` and `>`; it has no escape for
 * the characters that mark bold, italics, strikethrough, code and emoji, so `toMrkdwn` replaces them by look-alikes.
 */

/** Text for `plain_text`, truncated to `maxLength` characters. */
export function toPlainText(text: string, maxLength: number): string {
  return cutEncoded(toSafeText(text, maxLength), maxLength, (part) => part.replace(MENTION_START, "<\u2060"));
}

/** Text without markup for `mrkdwn`, on one line, truncated to `maxLength` encoded characters. */
export function toMrkdwn(text: string, maxLength: number): string {
  return cutEncoded(toOneLine(text, maxLength), maxLength, (part) =>
    escapeEntities(part.replace(FORMATTING, (character) => LOOKALIKES[character] ?? character)),
  );
}

/** Removes control characters. Returns up to twice `maxLength` characters; the caller truncates after encoding. */
export function toSafeText(text: string, maxLength: number): string {
  return sanitizeText(text.slice(0, maxLength * 2)).trim();
}

/** Like `toSafeText`, on one line. */
export function toOneLine(text: string, maxLength: number): string {
  return toSafeText(text, maxLength).replace(/\s+/g, " ");
}

/** A link with a label; only the label if the URL is not http(s). */
export function formatLink(label: string, address: string | null | undefined): string {
  const url = safeUrl(address);
  return url === null ? label : `<${url}|${label}>`;
}

const MAX_URL_LENGTH = 1_500;

/** An http(s) URL encoded for a link; null for anything else. */
export function safeUrl(address: string | null | undefined): string | null {
  const encoded = escapeEntities(webAddress(address ?? "") ?? "");
  return encoded === "" || encoded.length > MAX_URL_LENGTH ? null : encoded;
}

/**
 * Text typed in Slack, as the command parser expects it. Slack writes channels, people and user groups as `<#C1|name>`,
 * `<@U1|name>` and `<!subteam^S1|@name>`, and escapes other text.
 */
export function commandText(text: string): string {
  return textPieces(text).map(pieceOfCommand).join("");
}

function pieceOfCommand(text: string): string {
  const named = text
    .replace(/<#[CG][A-Z0-9]+\|([^<>]+)>/g, "$1")
    .replace(/<(@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)\|[^<>]*>/g, "<$1>");
  return unescapeEntities(named);
}

function unescapeEntities(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

/** A mention of a person or a user group, in Slack's markup. */
const MENTION = /^<(?:@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)>$/;

export function isMention(text: string): boolean {
  return MENTION.test(text);
}

/** Start of a mention. `plain_text` has no mentions; this is for clients that interpret them anyway. */
const MENTION_START = /<(?=[!@#])/g;

/** `*`, `_` and `~` at the edge of a word (Slack ignores them inside), backticks, and the colon before an emoji name. */
const FORMATTING = /(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])|`|:(?=[a-z0-9_+'-]+:)/giu;

/** Replacements that look the same. A colon stays; the word joiner after it prevents an emoji. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "*": "\u2217",
  _: "\uFF3F",
  "~": "\u223C",
  "`": "\u02CB",
  ":": ":\u2060",
};

export function escapeEntities(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
