import { cutEncoded, cutText, sanitizeText } from "../../lib/external-text.ts";
import { webAddress } from "../../lib/web-address.ts";

/** Length limits in UTF-16 units: https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
export const MAX_LENGTH = {
  content: 2_000,
  title: 256,
  author: 256,
  description: 4_096,
  footer: 2_048,
  label: 80,
  customId: 100,
  embeds: 6_000,
  link: 2_048,
} as const;

const ZERO_WIDTH_SPACE = "\u200B";

/** Escapes markup, links and mentions. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[\\*_~|`[\]]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/^([^\S\r\n\u2028\u2029]*)(>|-#|#{1,3}(?=\s)|[-+](?=\s))/gm, "$1\\$2")
    .replace(/^([^\S\r\n\u2028\u2029]*\d+)\.(?=\s)/gm, "$1\\.")
    .replace(/@(?=everyone|here)/gi, `@${ZERO_WIDTH_SPACE}`)
    .replace(/<(?=[@#:/a-z])/gi, `<${ZERO_WIDTH_SPACE}`);
}

/** Escapes and cuts the text, so that the escaped text has at most `max` units. */
export function escapeText(text: string, max: number): string {
  // Bounds the work for very long texts.
  return cutEncoded(sanitizeText(cutText(text, max * 8)).trim(), max, escapeMarkup);
}

/** Returns an HTTP address that is safe inside markup; null for any other address. */
export function safeLink(link: string | null | undefined): string | null {
  const address = webAddress(link ?? "");
  const encoded = address?.replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) ?? null;
  return encoded === null || encoded.length > MAX_LENGTH.link ? null : encoded;
}

/** Returns `[text](link)`, or only the text if the link is not safe. `text` must be escaped. */
export function formatLink(text: string, link: string | null | undefined): string {
  const address = safeLink(link);
  return address === null || text === "" ? text : `[${text}](${address})`;
}
