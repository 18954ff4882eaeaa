import type { TickerMention } from "../domain/article/article.ts";
import { foldName } from "../domain/article/company-name.ts";
import { EXCHANGE_NAME } from "./exchange-names.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** Name of the issuer, with the sentence that introduces it. */
export interface IssuerResult {
  readonly company: string | null;
  readonly sentence: Sentence | null;
}

/** Number of body sentences in which a release may introduce its issuer. */
const MAX_OPENING_SENTENCES = 60;
/** Length of the text before and after a bracket that is read, in characters. */
const BRACKET_CONTEXT = 200;
const MAX_BRACKETS = 12;
const MAX_NAME_LENGTH = 100;

const LEGAL_FORM =
  /^(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|l\.l\.c|lp|l\.p|plc|p\.l\.c|nv|n\.v|sa|s\.a|se|ag|a\/s|asa|ab|s\.p\.a|spa|oyj|bv|b\.v|ltée|ltee|gmbh|kgaa|s\.a\.b|trust|pbc|p\.b\.c)[.,']?(?:,|'s)?$/i;
/** Legal forms in lower case. */
const LOWER_CASE_FORM = /^(?:plc|oyj|asa|spa),?$/;
const CONNECTOR = /^(?:of|and|the|for|de|du|la|le|les|y|e|und|von|van|&|\+)$/;
const NAME_WORD = /^["'(]?(?:[\p{Lu}0-9]|[a-z]{1,4}[A-Z])/u;
const YEAR = /^(?:19|20)\d\d[.,]?$/;
/** Last word of a sentence, of five letters or more. Abbreviations in names are shorter: `Bros.`. */
const SENTENCE_END = /.{5}\.$/;
/** Part of a time of day: `11:00AM`, `9:30 a.m. ET`. */
const TIME_OF_DAY = /^(?:\d{1,2}[:.]\d\d(?:[ap]\.?m\.?)?|[AaPp]\.?[Mm]\.?|[ECMP][SD]?T)$/i;
/** Words that cannot start a name. */
const NOT_FIRST_WORD = [CONNECTOR, YEAR, TIME_OF_DAY];

/** Characters that end the search for the start of a name: dashes of a dateline, brackets, quotes, colons. */
const BOUNDARY = /-{2,}|(?:^|\s)-+\s?|-\s|\/\s|[:;]\s|[)\]"|*\u2022]\s?|\s\/(?=\S)/g;

const SHORT_NAME =
  /\b(?:the|our)?\s?"(?:the )?(?:company|corporation|issuer|fund|trust|partnership|bank|group)"|\bthe company\b/i;
/** Label of a ticker in a bracket without an exchange: `(Symbol: ACME)`. */
const TAG_LABEL = /^\s*(?:stock )?(?:ticker|symbol)s?(?: symbol)?\s*:/i;

/** Words before a name that denote a part of the company: `the Board of Directors of Acme`, `shares of Acme`. */
const COMPANY_PART_BEFORE =
  /^(?:the )?(?:board|directors|management|shareholders|stockholders|holders|shares|stock|common stock|units|ceo|cfo|chairman|president|subsidiary|parent)\b.* (?:of|at) (?=[A-Z])/i;
const NOT_A_NAME =
  /^(?:the )?(?:company|corporation|issuer|fund|funds|trust|group|ratio|ratio change|adrs?|common (?:stock|shares)|ordinary shares|shares|ads|adss|reverse (?:stock )?split|consolidation|share consolidation|nasdaq.*|nyse.*|exchange|effective date|board)$/i;

const LINK = /\[([^\]\n]{1,100})\]\([^)\s]{0,400}\)/g;
const ABOUT = /^about ([A-Z0-9][^.:|]{1,80}?(?:[.,] ?(?:inc|corp|ltd|co|llc|s\.a|n\.v|plc)\.?)?):?$/i;
/** Words before the company in `On May 4, 2026, Acme announced`, `The board of directors of Acme approved`. */
const LEAD_IN =
  /^(?:(?:on [A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|today|further to [^.;]{0,100}\d{4}),? )?(?:(?:the )?(?:board(?: of directors)?|shareholders|stockholders|shares|management) (?:of|in|at) )?(?=\S)/i;
/** Text after the name of an issuer in its own release: `today announced`, `, a maker of boats, will implement`. */
const ISSUER_ACTION =
  /^(?:,? (?:an?|the|one of|whose|which|(?:[a-z-]+ )?(?:makers?|developers?|providers?|producers?|operators?|owners?|manufacturers?) of)\b[^"]{0,200}?,)?,?(?: (?:has|have|is|are|today|also|now|recently|hereby|pleased to|proud to))* (?:said\b|says\b|plan(?:s|ned)?\b|(?:announc|report|declar|receiv|approv|postpon|delay|propos|intend|expect|complet|implement|effect|consolidat|provid|confirm)(?:e|es|s|ed|ing)?\b|(?:will|to) (?:effect|implement|carry|conduct|undertake|consolidate|complete|proceed|change|split|reverse|reduce|combine))/i;
/** Text after the name of an issuer in `Acme's board`, `Acme's shares`. */
const ISSUER_POSSESSION =
  /^(?:'s?|s') (?:[a-z-]+ ){0,2}(?:board|shares|stock|units|shareholders|stockholders|adss?)\b/i;
/** Words that start a sentence, not a name. */
const SENTENCE_START =
  /^(?:the|an?|this|that|these|those|it|its|we|our|in|if|as|at|no|all|each|any|for|there|upon|following|after|before|when|while|both|such|under|trading|shareholders|stockholders|holders|fractional|new|pursuant|anticipated|expected|current|currently|he|she|they|management)\b/i;

/** Heading of the paragraph about the issuer, joined with its first line: `About Acme Acme, Inc.`. */
const ABOUT_LINE = /^About (.{2,60}) (?=\1)/;
/** Former or other name between a name and its bracket: `, formerly Mills Inc.`. */
const OTHER_NAME =
  /,? (?:formerly|f\/k\/a|d\/b\/a|a\/k\/a|dba|(?:now |also )?(?:known|doing business|operating) as)\b[^()]*$/i;
/** Description between a name and its bracket: `, a maker of boats`. */
const DESCRIPTION = /, (?:an?|the|one of) [^():;"]{3,160}$/;
const IN_BRACKETS = / ?(?:\([^()]{0,160}\)|\[[^\][]{0,160}\])/g;
/** Capitalized word before a name that is not part of it: `Today`, `Oregon-based`. */
const LEADING_WORD = /^(?:today|separately|additionally|meanwhile|\S+-(?:listed|based|traded|stage|focused))$/i;

/** Adjacent brackets after a name. */
const BRACKETS = /[([][^()[\]]{0,200}[)\]](?:,? ?[([][^()[\]]{0,200}[)\]]){0,4}/y;
const SPLIT = /\b(?:reverse|split|consolidat|combin|roll-?back|ratio)/i;
/** Text before the name of a company that is not the issuer. */
const RELATED_BEFORE =
  /\b(?:(?:customers?|clients?|suppliers?|vendors?|partners?|subsidiar(?:y|ies)|parent|affiliates?|licensees?|licensors?|competitors?|rivals?|distributors?|lenders?|investors?|owners?|underwriters?)(?: company)?,?(?: of)?|(?:with|from|against|unlike|including|such as|acquired by|owned by|spin-?off of))(?: (?:the|an?|its|our|company|fellow|called|named|now|formerly))* ?$/i;

/** First words of many names, which do not identify a company. */
const COMMON_FIRST_WORDS: ReadonlySet<string> = new Set(
  "the first new american global national united international general us usa china canada canadian north south pacific".split(
    " ",
  ),
);

const NO_ISSUER: IssuerResult = { company: null, sentence: null };

/**
 * Finds the issuer: the name before the first bracket with a ticker or `the "Company"`, in the body, else in the heading.
 * Without such a bracket: the name in the heading `About Acme Inc.`, else the first company in `Acme announced`.
 */
export function findIssuer(sentences: readonly Sentence[], mentions: readonly TickerMention[]): IssuerResult {
  const body = sentences.filter(({ inHeading }) => !inHeading);
  const headings = sentences.filter(({ inHeading }) => inHeading);
  const opening = [...body.slice(0, MAX_OPENING_SENTENCES), ...headings];
  const bracketIssuer = findFirstName(opening, (plain) => nameAtBracket(plain, mentions));
  return (
    bracketIssuer ?? findFirstName(body, nameInAbout) ?? findFirstName(opening, nameOfAnnouncingCompany) ?? NO_ISSUER
  );
}

/** Role of the company named before a bracket, according to the words around the bracket. */
export interface CompanyContext {
  readonly company: string;
  /** Whether the text after the name defines it as `the "Company"`. */
  readonly isDefinedAsCompany: boolean;
  /** Whether the company announces or effects a split: `Acme (NASDAQ: ACME) today announced a reverse split`. */
  readonly announcesSplit: boolean;
  /** Whether words such as `its customer` precede the name. */
  readonly isRelatedCompany: boolean;
}

/** Finds the company before the bracket that contains the position. */
export function findCompanyContext(plain: string, at: number): CompanyContext | undefined {
  const start = Math.max(0, at - BRACKET_CONTEXT);
  const before = plain.slice(start, at);
  const bracketIndex = Math.max(before.lastIndexOf("("), before.lastIndexOf("["));
  if (bracketIndex <= Math.max(before.lastIndexOf(")"), before.lastIndexOf("]"))) return undefined;
  const bracketStart = start + bracketIndex;
  const left = plain.slice(Math.max(0, bracketStart - BRACKET_CONTEXT), bracketStart);
  const company = nameBefore(left);
  if (company === undefined) return undefined;
  const nameIndex = left.lastIndexOf(company);
  BRACKETS.lastIndex = bracketStart;
  const end = BRACKETS.test(plain) ? BRACKETS.lastIndex : at;
  const after = plain.slice(end, end + 2 * BRACKET_CONTEXT);
  return {
    company,
    isDefinedAsCompany: SHORT_NAME.test(left.slice(nameIndex + company.length) + plain.slice(bracketStart, end)),
    announcesSplit: ISSUER_ACTION.test(after) && SPLIT.test(after),
    isRelatedCompany: RELATED_BEFORE.test(left.slice(0, Math.max(0, nameIndex))),
  };
}

/** Companies in `Acme announced` or `Acme's board`, in the heading and the first sentences. */
export function findAnnouncingCompanies(sentences: readonly Sentence[]): readonly string[] {
  return leadSentences(sentences).flatMap(({ plain }) => nameOfAnnouncingCompany(plain) ?? []);
}

/** Names in the headings of paragraphs such as `About Acme Inc.`. */
export function namesInAbout(sentences: readonly Sentence[]): readonly string[] {
  return sentences.flatMap(({ plain }) => nameInAbout(plain) ?? []);
}

/** Whether two names may belong to one company: `Acme` and `Acme Boats, Inc.`. */
export function isSameName(a: string, b: string): boolean {
  return shortNameOf(a) === shortNameOf(b);
}

/** First word of a name, or its first two words if the first one is common. */
export function shortNameOf(company: string): string {
  const words = foldName(company);
  const isCommon = COMMON_FIRST_WORDS.has(words[0] ?? "") || (words[0]?.length ?? 0) < 3;
  return words.slice(0, isCommon ? 2 : 1).join(" ");
}

interface NamedIssuer extends IssuerResult {
  readonly company: string;
}

function findFirstName(
  sentences: readonly Sentence[],
  findName: (plain: string) => string | undefined,
): NamedIssuer | undefined {
  for (const sentence of sentences) {
    const company = findName(sentence.plain.replace(LINK, "$1"));
    if (company !== undefined) return { company, sentence };
  }
  return undefined;
}

function nameAtBracket(plain: string, mentions: readonly TickerMention[]): string | undefined {
  let at = plain.indexOf("(");
  for (let remaining = MAX_BRACKETS; at >= 0 && remaining > 0; remaining -= 1) {
    if (presentsIssuer(plain.slice(at + 1, at + BRACKET_CONTEXT), mentions)) {
      const name = nameBefore(plain.slice(Math.max(0, at - BRACKET_CONTEXT), at));
      if (name !== undefined) return name;
    }
    at = plain.indexOf("(", at + 1);
  }
  return undefined;
}

/** Whether a bracket contains the issuer's ticker or its short name. */
function presentsIssuer(after: string, mentions: readonly TickerMention[]): boolean {
  const inside = after.slice(0, after.includes(")") ? after.indexOf(")") : BRACKET_CONTEXT);
  if (SHORT_NAME.test(inside) || TAG_LABEL.test(inside)) return true;
  const symbols: readonly string[] = inside.toUpperCase().match(/[A-Z0-9.]+/g) ?? [];
  return inside.search(EXCHANGE_NAME) >= 0 && mentions.some(({ ticker }) => symbols.includes(ticker));
}

/** Returns the name at the end of `left`. */
function nameBefore(left: string): string | undefined {
  const text = withoutBrackets(left)
    .replace(/[\s,]+$/, "")
    .replace(OTHER_NAME, "")
    .replace(/[\s,]+$/, "");
  return nameAtEnd(text) ?? (DESCRIPTION.test(text) ? nameAtEnd(text.replace(DESCRIPTION, "")) : undefined);
}

function nameAtEnd(text: string): string | undefined {
  const start = endOfLast(BOUNDARY, text);
  const words = text.slice(start).trim().split(" ");
  let first = words.length;
  while (first > 0 && belongsToName(words, first - 1)) first -= 1;
  // A name in lower case: `tidelabs SE`.
  if (first === words.length - 1 && first > 0 && LEGAL_FORM.test(words[first] ?? "")) first -= 1;
  return cleanName(words.slice(first));
}

/** Removes brackets after a name: `Acme Inc. (formerly Mills Inc.) (Nasdaq: ACME)`. */
function withoutBrackets(text: string): string {
  let result = text.trimEnd();
  while (result.endsWith(")") || result.endsWith("),")) {
    const bracketStart = result.lastIndexOf("(");
    if (bracketStart < 0) break;
    result = result.slice(0, bracketStart).trimEnd();
  }
  return result;
}

/** Whether the word at `index` belongs to the name that the next words form. */
function belongsToName(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  const next = words[index + 1];
  if (next !== undefined && SENTENCE_END.test(word) && !LEGAL_FORM.test(word)) return false;
  if (word.endsWith(",") && next !== undefined && !LEGAL_FORM.test(next)) return false;
  return NAME_WORD.test(word) || (CONNECTOR.test(word) && next !== undefined) || LOWER_CASE_FORM.test(word);
}

function cleanName(words: readonly string[]): string | undefined {
  const nameWords = [...words];
  while (nameWords.length > 0 && NOT_FIRST_WORD.some((pattern) => pattern.test(nameWords[0] ?? ""))) nameWords.shift();
  nameWords.splice(0, nameWords.findLastIndex((word) => LEADING_WORD.test(word)) + 1);
  const name = nameWords
    .join(" ")
    .replace(/^(?:19|20)\d\d-+/, "")
    .replace(ABOUT_LINE, "")
    .replace(/^["'(]+|["',]+$|'s$/g, "")
    .replace(COMPANY_PART_BEFORE, "");
  const isName = /\p{L}/u.test(name) && name.length > 1 && name.length <= MAX_NAME_LENGTH && !NOT_A_NAME.test(name);
  return isName ? name : undefined;
}

function nameInAbout(plain: string): string | undefined {
  const name = ABOUT.exec(plain)?.[1];
  return name === undefined || /^(?:the )?(?:reverse|forward|company|us)\b/i.test(name) ? undefined : name;
}

/** Finds the company in `Acme, a maker of boats, today announced` or `Acme's board`, at the start or after a dateline. */
export function nameOfAnnouncingCompany(plain: string): string | undefined {
  const opening = plain
    .slice(0, 3 * BRACKET_CONTEXT)
    .replaceAll(IN_BRACKETS, "")
    .replaceAll(" ,", ",");
  const clauseStarts = findMatches(BOUNDARY, opening.slice(0, BRACKET_CONTEXT)).map(
    ({ 0: boundary, index }) => index + boundary.length,
  );
  for (const start of [0, ...clauseStarts.slice(0, MAX_BRACKETS)]) {
    const name = nameAtStart(opening.slice(start).trimStart().replace(LEAD_IN, ""));
    if (name !== undefined) return name;
  }
  return undefined;
}

function nameAtStart(clause: string): string | undefined {
  const words = clause.slice(0, MAX_NAME_LENGTH).split(" ");
  let count = 0;
  while (count < words.length && continuesName(words, count)) count += 1;
  const name = words
    .slice(0, count)
    .join(" ")
    .replace(/(?:'s?|,)$/, "");
  const textAfter = clause.slice(name.length);
  const isName = !SENTENCE_START.test(name) || LEGAL_FORM.test(name.slice(name.lastIndexOf(" ") + 1));
  return isName && (ISSUER_ACTION.test(textAfter) || ISSUER_POSSESSION.test(textAfter))
    ? cleanName(name.split(" "))
    : undefined;
}

/** Whether the word at `index` belongs to the name that the previous words form. */
function continuesName(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (index === 0) return NAME_WORD.test(word);
  // In a heading the verb is capitalized too.
  if (endsName(words[index - 1] ?? "", word) || ISSUER_ACTION.test(` ${word}`)) return false;
  return NAME_WORD.test(word) || LOWER_CASE_FORM.test(word) || CONNECTOR.test(word);
}

function endsName(word: string, next: string): boolean {
  return /'s?$/.test(word) || (word.endsWith(",") && !LEGAL_FORM.test(next));
}

function endOfLast(pattern: RegExp, text: string): number {
  const last = findMatches(pattern, text).at(-1);
  return last ? last.index + last[0].length : 0;
}
