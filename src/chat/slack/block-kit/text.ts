/**
 * Text from outside, in the two forms that Slack takes. In `plain_text` nothing is markup. In `mrkdwn` three characters are
 * escaped, and the marks of bold, italics, code and emoji are changed so that they mark nothing: Slack has no escape for them.
 */

/** As `plain_text`, of at most `most` characters. */
export function plainText(text: string, most: number): string {
  return cutWritten(cleaned(text, most), most, (part) => part.replace(CALL, "<\u2060"));
}

/** As a part of `mrkdwn`, on one line, of at most `most` characters as written. */
export function inert(text: string, most: number): string {
  return cutWritten(oneLine(text, most), most, (part) =>
    escaped(part.replace(MARK, (mark) => LOOKALIKES[mark] ?? mark)),
  );
}

/** Without what no chat shows well: control characters, halves of characters, turned directions of writing. */
export function cleaned(text: string, most: number): string {
  return text
    .slice(0, most * 2)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/(?![\n\t])\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .trim();
}

export function oneLine(text: string, most: number): string {
  return cleaned(text, most).replace(/\s+/g, " ");
}

/** A link with a label; the label alone where the address is none that people should follow. */
export function linked(label: string, address: string | null | undefined): string {
  const url = safeUrl(address);
  return url === null ? label : `<${url}|${label}>`;
}

const MAX_URL_LENGTH = 1_500;

/** An http address as it stands in a link; null where it is no such address. */
export function safeUrl(address: string | null | undefined): string | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  const written = escaped(href.replaceAll("|", "%7C"));
  return /^https?:$/.test(protocol) && written.length <= MAX_URL_LENGTH ? written : null;
}

/** What Slack escaped, as it was typed. */
export function unescaped(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

/** What would call somebody, were it read as markup after all. */
const CALL = /<(?=[!@#])/g;

/** Inside a word (`round_up`) these mark nothing and stay; a colon counts where a name of an emoji follows. */
const MARK = /(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])|`|:(?=[a-z0-9_+'-]+:)/giu;

const LOOKALIKES: Readonly<Record<string, string>> = {
  "*": "\u2217",
  _: "\uFF3F",
  "~": "\u223C",
  "`": "\u02CB",
  ":": ":\u2060",
};

export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The longest beginning that, once written, is not longer than `most`; with "…" where something is left out. */
function cutWritten(text: string, most: number, write: (part: string) => string): string {
  const whole = write(text);
  if (whole.length <= most) return whole;
  const characters = Array.from(text.slice(0, most));
  let [fits, tooMany] = [0, characters.length + 1];
  while (tooMany - fits > 1) {
    const tried = Math.floor((fits + tooMany) / 2);
    if (write(characters.slice(0, tried).join("")).length < most) fits = tried;
    else tooMany = tried;
  }
  return `${write(characters.slice(0, fits).join("").trimEnd())}…`;
}
