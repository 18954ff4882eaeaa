/**
 * Converts HTML to text: replaces entities (even if escaped repeatedly) with characters, tags of blocks with line breaks and
 * ends of table cells with `|`, and removes other tags, comments and what a browser doesn't show, such as scripts and styles.
 * Resolves the escapes of a JSON string with line breaks (`\\n`), as some sites show one in place of its text.
 * Returns text without markup unchanged.
 */
export function decodeMarkup(raw: string): string {
  const unescaped = raw.includes("\\n") ? raw.replaceAll(JSON_ESCAPE, resolveEscape) : raw;
  const decoded = unescaped.includes("&") ? unescaped.replaceAll(ENTITY, decodeEntity) : unescaped;
  return decoded.includes("<") ? withoutHiddenText(decoded).replaceAll(TAG, textOfTag) : decoded;
}

/** Start of a comment, of an element that a browser never shows, or of one that its attributes hide. */
const HIDDEN_START =
  /<(?:(script|style|noscript|template)(?=[\s/>])[^<>]*>?|(p|div|span|section|table|tr|td|ul|ol|li|h[1-6]|a|b|i|font)\s(?:[^<>]{0,400}?\s)?(?:hidden(?=[\s/>=])|style\s?=\s?["'][^"'<>]{0,200}?\bdisplay\s?:\s?none)[^<>]*>|!--)/gi;
const NEVER_SHOWN: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "noscript", "template"].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])[^<>]*>`, "gi")]),
);
const COMMENT_END = /-->/g;
/** Starts and ends of elements. */
const ELEMENT = /<(\/?)([a-z][a-z\d]{0,9})(?=[\s/>])[^<>]*>/gi;

/** Removes comments, and elements that a browser doesn't show. Like in a browser, one without its end extends to the end. */
function withoutHiddenText(html: string): string {
  const shown: string[] = [];
  let from = 0;
  while (from < html.length) {
    const start = matchFrom(HIDDEN_START, html, from);
    if (start === null) break;
    // A comment may stand within a word: some pages put one between a value and the text beside it.
    shown.push(html.slice(from, start.index), start[0].startsWith("<!") ? "" : " ");
    from = endOfHidden(html, start);
  }
  shown.push(html.slice(from));
  return shown.length === 1 ? html : shown.join("");
}

function endOfHidden(html: string, { 0: tag, 1: name = "", 2: hiddenName, index }: RegExpExecArray): number {
  const contentStart = index + tag.length;
  if (tag.endsWith("/>")) return contentStart;
  if (hiddenName !== undefined) return endOfElement(html, contentStart, hiddenName.toLowerCase());
  const end = matchFrom(NEVER_SHOWN.get(name.toLowerCase()) ?? COMMENT_END, html, contentStart);
  return end === null ? html.length : end.index + end[0].length;
}

/** Returns the end of an element with the name, which may contain others of its name. A paragraph ends at the next one. */
function endOfElement(html: string, contentStart: number, name: string): number {
  let depth = 1;
  ELEMENT.lastIndex = contentStart;
  for (let tag = ELEMENT.exec(html); tag !== null; tag = ELEMENT.exec(html)) {
    if (tag[2]?.toLowerCase() !== name || tag[0].endsWith("/>")) continue;
    if (name === "p" && tag[1] === "") return tag.index;
    depth += tag[1] === "" ? 1 : -1;
    if (depth === 0) return tag.index + tag[0].length;
  }
  return html.length;
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const JSON_ESCAPE = /\\{1,3}(?:u([\da-fA-F]{4})|([nrt"/]))/g;

function resolveEscape(_: string, code: string | undefined, character: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (character === "n") return "\n";
  return character === "r" || character === "t" ? " " : (character ?? "");
}

/** Accepts repeated escapes: `&amp;lt;` is `&lt;` escaped again. */
const ENTITY = /&(?:amp;){0,3}(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}\d{0,2}));/g;

const BLOCKS =
  "p|div|h[1-6]|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|tr|caption|section|article|header|footer|main|hr|pre";
const INLINE =
  "a|abbr|b|big|cite|code|del|em|font|i|img|ins|mark|s|small|span|strike|strong|sub|sup|time|tt|u|wbr|center|blockquote";
const TAG = new RegExp(String.raw`<\/?(?:(${BLOCKS}|br|li|td|th)|${INLINE})(?=[\s/>])[^<>]*>`, "gi");

const CELL_SEPARATOR = " | ";

function textOfTag(tag: string, name: string | undefined): string {
  const isEnd = tag.startsWith("</");
  switch (name?.toLowerCase()) {
    case undefined:
      return "";
    case "br":
      return "\n";
    case "li":
      return isEnd ? "\n" : "\n• ";
    case "td":
    case "th":
      return isEnd ? CELL_SEPARATOR : "";
    default:
      return "\n\n";
  }
}

function decodeEntity(
  entity: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return NAMED_ENTITIES.get(name) ?? NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  return characterOf(code) ?? entity;
}

/** Codes 128 to 159 are read as Windows-1252, as browsers do. */
function characterOf(code: number): string | undefined {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80];
  if (code < 0x20 || code === 0x7f) return " ";
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(code);
}

const WINDOWS_1252 = Array.from("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ");

const NAMED_CHARACTERS = `amp & lt < gt > quot " apos ' lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « raquo »
  lsaquo ‹ rsaquo › prime ′ Prime ″ ndash – mdash — minus − hyphen ‐ hellip … bull • middot · sect § para ¶ copy © reg ®
  trade ™ deg ° plusmn ± times × divide ÷ frac12 ½ frac14 ¼ frac34 ¾ cent ¢ pound £ yen ¥ euro € lpar ( rpar ) lsqb [ rsqb ]
  colon : semi ; comma , period . sol / num # dollar $ percnt % ast * excl ! quest ? equals = plus + vert | agrave à aacute á
  acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë iacute í icirc î iuml ï ntilde ñ oacute ó
  ocirc ô ouml ö oslash ø oelig œ ugrave ù uacute ú ucirc û uuml ü szlig ß Agrave À Aacute Á Acirc Â Auml Ä Aring Å Ccedil Ç
  Egrave È Eacute É Ecirc Ê Iacute Í Icirc Î Ntilde Ñ Oacute Ó Ocirc Ô Ouml Ö Oslash Ø Uacute Ú Uuml Ü`;

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Array.from(
    NAMED_CHARACTERS.matchAll(/(\S+) (\S)/g),
    ([, name = "", character = ""]) => [name, character] as const,
  ),
  ["nbsp", "\u00a0"],
  ["ensp", " "],
  ["emsp", " "],
  ["thinsp", " "],
  ["shy", "\u00ad"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  ["Tab", "\t"],
  ["NewLine", "\n"],
]);
