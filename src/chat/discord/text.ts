/** Discord's limits on texts, in UTF-16 units: https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
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

/**
 * The text without what is no text: control characters, halves of characters, and the marks that turn the direction of
 * writing round, which would make `cod.exe` read as `exe.doc`.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/gu, "")
    .replace(/\p{Cs}/gu, "\uFFFD");
}

/** Plain text that Discord shows as it stands: no markup, no link, and nobody is called. */
function inert(text: string): string {
  return text
    .replace(/[\\*_~|`[\]]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/^(\s*)(>|-#|#{1,3}(?=\s)|[-+](?=\s))/gm, "$1\\$2")
    .replace(/^(\s*\d+)\.(?=\s)/gm, "$1\\.")
    .replace(/@(?=everyone|here)/gi, `@${ZERO_WIDTH_SPACE}`)
    .replace(/<(?=[@#:/a-z])/gi, `<${ZERO_WIDTH_SPACE}`);
}

/** At most `max` units, cut between characters. */
export function cutTo(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Made harmless and cut, so that it has at most `max` units with all that makes it harmless. */
export function escapedText(text: string, max: number): string {
  // Far more than is shown need not be read.
  const plain = plainText(cutTo(text, max * 8)).trim();
  const whole = plain.length <= max ? inert(plain) : null;
  if (whole !== null && whole.length <= max) return whole;
  let [fits, tooLong] = [0, Math.min(plain.length, max)];
  while (fits < tooLong) {
    const middle = Math.ceil((fits + tooLong) / 2);
    if (inert(cutTo(plain, middle)).length <= max) fits = middle;
    else tooLong = middle - 1;
  }
  return inert(cutTo(plain, fits));
}

/** The address where it is one to follow, in a form that can stand in markup. Null for `javascript:` and all else. */
export function safeLink(link: string | null | undefined): string | null {
  if (link === null || link === undefined || !URL.canParse(link)) return null;
  const { protocol, href } = new URL(link);
  if (protocol !== "http:" && protocol !== "https:") return null;
  const written = href.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return written.length > MAX_LENGTH.link ? null : written;
}

/** `[text](link)`, or the text alone where there is no link to follow. `text` is harmless already. */
export function linked(text: string, link: string | null | undefined): string {
  const safe = safeLink(link);
  return safe === null || text === "" ? text : `[${text}](${safe})`;
}
