/** Legal forms, and what lists of securities append to a name. */
const ENDINGS: ReadonlySet<string> = new Set(
  `inc incorporated corp corporation co company ltd limited llc lp plc sa ag nv se ab asa spa oyj bhd pte pty
  common stock ordinary class a b c share shares ads adr american depositary receipts the new`.split(/\s+/),
);

const LEGAL_FORMS: readonly string[] =
  "inc incorporated corp corporation co company ltd limited llc lp plc sa ag nv se ab asa".split(" ");

/** `Acme Robotics, Inc.` and `ACME ROBOTICS INC` are both ` acme robotics inc `: words between single blanks. */
export function foldText(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    // `the Trust's agent` names the Trust: the ending is a word of its own, here and in `Macy's`.
    .replace(/['’]s(?![\p{L}\p{N}])/gu, " s")
    .replace(/[\p{M}.'’®™]+/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
  return ` ${words.trim()} `;
}

/** The words of a company's name without its legal form, so that `Acme Robotics` is `Acme Robotics Inc.` */
export function foldName(company: string): readonly string[] {
  const words = foldText(company).trim().split(" ");
  if (words[0] === "the" && words.length > 1) words.shift();
  while (words.length > 1 && ENDINGS.has(words.at(-1) ?? "")) words.pop();
  return words;
}

/**
 * Whether a folded text names the company. One word alone (`Target`, `Block`) is any word: it counts only with a legal
 * form behind it.
 */
export function findName(name: readonly string[], foldedText: string): boolean {
  const words = name.join(" ");
  if (words.length < 2) return false;
  if (name.length > 1) return foldedText.includes(` ${words} `);
  return LEGAL_FORMS.some((form) => foldedText.includes(` ${words} ${form} `));
}
