/** Legal forms, and suffixes that lists of securities append to a name. */
const ENDINGS: ReadonlySet<string> = new Set(
  `inc incorporated corp corporation co company ltd limited llc lp plc sa ag nv se ab asa spa oyj bhd pte pty
  common stock ordinary class a b c share shares ads adr american depositary receipts the new`.split(/\s+/),
);

const LEGAL_FORMS: readonly string[] =
  "inc incorporated corp corporation co company ltd limited llc lp plc sa ag nv se ab asa".split(" ");

/** True for a word that `foldName` removes from the end of a name. */
export function isNameEnding(word: string): boolean {
  return ENDINGS.has(foldText(word).trim());
}

/** True for a legal form, such as `Inc.` */
export function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.includes(foldText(word).trim());
}

/** Normalizes text to lower-case words between single spaces: `Acme Robotics, Inc.` becomes ` acme robotics inc `. */
export function foldText(text: string): string {
  const plain = /[^a-z0-9 ]/i.test(text) ? withoutMarks(text) : text;
  return ` ${plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

function withoutMarks(text: string): string {
  return (
    text
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll("&", " and ")
      // The possessive becomes a separate word, so that `the Trust's agent` contains `trust`.
      .replace(/['’]s(?![\p{L}\p{N}])/gu, " s")
      .replace(/[\p{M}.'’®™]+/gu, "")
  );
}

/** Normalized words of a company name without its legal form: the same for `Acme Robotics` and `Acme Robotics Inc.`. */
export function foldName(company: string): readonly string[] {
  const words = foldText(company).trim().split(" ");
  if (words[0] === "the" && words.length > 1) words.shift();
  while (words.length > 1 && ENDINGS.has(words.at(-1) ?? "")) words.pop();
  return words;
}

/** True if two names are the same but for case, punctuation and legal form. False if one is empty. */
export function hasSameName(a: string, b: string): boolean {
  const name = foldName(a).join(" ");
  return name !== "" && name === foldName(b).join(" ");
}

/**
 * True if a text normalized by `foldText` names the company. A single word (`Target`, `Block`) is ambiguous and counts only
 * before a legal form.
 */
export function containsName(name: readonly string[], foldedText: string): boolean {
  const words = name.join(" ");
  if (words.length < 2) return false;
  if (name.length > 1) return foldedText.includes(` ${words} `);
  return LEGAL_FORMS.some((form) => foldedText.includes(` ${words} ${form} `));
}
