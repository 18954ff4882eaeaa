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

/** First word of a name, or its first two words if the first one is common. */
export function shortNameOf(company: string): string {
  const words = foldName(company);
  return words.slice(0, isIdentifyingWord(words[0]) ? 1 : 2).join(" ");
}

/** Normalized words of a company name without its legal form: the same for `Acme Robotics` and `Acme Robotics Inc.`. */
export function foldName(company: string): readonly string[] {
  const words = foldText(company).trim().split(" ");
  if (words[0] === "the" && words.length > 1) words.shift();
  while (words.length > 1 && ENDINGS.has(words.at(-1) ?? "")) words.pop();
  return words;
}

/** The same for names that differ only in case, punctuation and legal form; empty for an empty name. */
export function nameKey(company: string): string {
  return foldName(company).join(" ");
}

/** True if two names are the same but for case, punctuation and legal form. False if one is empty. */
export function hasSameName(a: string, b: string): boolean {
  const name = nameKey(a);
  return name !== "" && name === nameKey(b);
}

/** Words that a name may lack in one source and have in another. */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `holding holdings hldg hldgs group grp international intl global technologies technology tech trust fund funds etf etfs
  industries enterprises`.split(/\s+/),
);

const FUND_WORDS: ReadonlySet<string> = new Set("fund funds etf etfs etn etns daily bull bear 2x 3x".split(" "));

/** Words after the first one in the name of a sponsor of funds. */
const SPONSOR_WORDS: ReadonlySet<string> = new Set(
  `advisor advisors adviser advisers asset assets capital financial investment investments investors management partners
  securities shares`.split(/\s+/),
);

/** First words of many names, which identify no company alone. */
const COMMON_FIRST_WORDS: ReadonlySet<string> = new Set(
  "first new american global national united international general us usa china canada canadian north south pacific".split(
    " ",
  ),
);

/**
 * True if both names are of one company, or of a fund and its sponsor, who share their first word: `Acme Funds`,
 * `Acme Daily Bull 2X ETF`, `Acme Asset Management`.
 */
export function isSameCompany(a: string, b: string): boolean {
  if (isSameName(a, b)) return true;
  const [x, y] = [foldName(a), foldName(b)];
  return x[0] === y[0] && isIdentifyingWord(x[0]) && (isFundOf(x, y) || isFundOf(y, x));
}

/**
 * True if both names are of one company: the same words, abbreviated in either (`Acme Robotics Hldgs`), or one name is the start of
 * the other. The first word must be equal, and a single word is a name's start only without a legal form (`Acme`) or before generic
 * words (`Acme Holdings`). In doubt false: `Acme Capital` and `Acme Robotics` are two companies.
 */
export function isSameName(a: string, b: string): boolean {
  const [x, y] = [foldName(a), foldName(b)];
  if (x.join("") === y.join("")) return x.join("") !== "";
  if (x[0] !== y[0]) return false;
  const [[shorter, short], [longer]] = x.length <= y.length ? [[x, a], [y]] : [[y, b], [x]];
  if (!shorter.every((word, n) => isSameWord(word, longer[n] ?? ""))) return false;
  if (shorter.length > 1) return shorter.some((word) => !COMMON_FIRST_WORDS.has(word));
  const isShortForm = foldText(short).trim() === shorter[0];
  return isIdentifyingWord(shorter[0]) && (isShortForm || longer.slice(1).every((word) => GENERIC_WORDS.has(word)));
}

function isFund(words: readonly string[]): boolean {
  return words.some((word) => FUND_WORDS.has(word));
}

function isFundOf(fund: readonly string[], sponsor: readonly string[]): boolean {
  const isSponsor = sponsor.slice(1).every((word) => SPONSOR_WORDS.has(word) || GENERIC_WORDS.has(word));
  return isFund(fund) && (isSponsor || isFund(sponsor));
}

/** True if the first word of a name can stand for the name: at least three letters, and not the first of many names. */
function isIdentifyingWord(word: string | undefined): boolean {
  return word !== undefined && word.length > 2 && !COMMON_FIRST_WORDS.has(word);
}

/** Minimum length of a word that is cut off at its end. */
const MIN_CUT_LENGTH = 4;

/**
 * True for equal words, and for a word and its abbreviation, which is its start (`pharma` of `pharmaceuticals`), or its start with some
 * of the consonants after it (`hldgs` of `holdings`, `commns` of `communications`). `media` abbreviates no `medical`.
 */
function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short === long) return true;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  if (start === short.length) return short.length >= MIN_CUT_LENGTH || isConsonants(short.slice(1));
  return start > 0 && isConsonants(short.slice(start)) && containsInOrder(long.slice(start), short.slice(start));
}

function isConsonants(letters: string): boolean {
  return letters !== "" && !/[aeiou]/.test(letters);
}

/** True if a text contains all letters in their order. */
export function containsInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

/** Text between a company's present name and its former one: `Nova, Inc. (NASDAQ: NOVA) (formerly known as Acme, Inc.)`. */
const FORMERLY =
  /^,? {0,2}(?:[A-Za-z.]{1,12},? )?(?:\([^()]{0,80}\),? ?)?[([]?(?:formerly|previously|f\/k\/a|fka)(?: known as| named| called| operating as)?,?(?= )/i;

/** Characters after a name in which its former name is searched. */
const MAX_FORMER_NAME_DISTANCE = 200;

/** True if the sentence states that `company` formerly had the other name. */
export function isRenamedIn(sentence: string, company: string, formerName: string): boolean {
  const former = formerNameIn(sentence, company);
  return former !== undefined && foldText(former).startsWith(` ${foldName(formerName).join(" ")} `);
}

/** Returns the text that begins with the former name of `company`; undefined if the sentence states none. */
export function formerNameIn(sentence: string, company: string): string | undefined {
  const at = sentence.indexOf(company);
  if (at < 0 || company === "") return undefined;
  const after = sentence.slice(at + company.length, at + company.length + MAX_FORMER_NAME_DISTANCE);
  const match = FORMERLY.exec(after);
  return match === null ? undefined : after.slice(match[0].length);
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
