import type { TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText, isSameName } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { canBeBareSymbol } from "./capital-words.ts";
import { abbreviates, isLegalFormWord, nameBefore } from "./company-names.ts";
import type { Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** A ticker that has no exchange tag, with the sentence that states it. */
export interface BareTicker extends TickerMention {
  readonly sentence: Sentence;
}

/** Symbols that only a directory can confirm: `(ACME)`, `shares of ACME`, `ACME shares`. */
const UNCONFIRMED =
  /\((?<bracketed>[A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?:, [^()]{1,60})?\)|\b(?:shares|stock|units) of (?<owned>[A-Z]{2,6})\b|(?<![\w.])(?<owner>[A-Z]{2,6})(?:'s)? (?:common |ordinary )?(?:shares|stock|units)\b/g;
const MAX_UNCONFIRMED = 50;
/** Number of sentences in which a symbol may follow its company's name. */
const MAX_SENTENCES = 60;
const MAX_PER_SENTENCE = 12;
/** Length of the text before a symbol in which the name is searched, in characters. */
const NAME_CONTEXT = 200;

/** Finds the first symbol that the directory lists for the company; for one named in the text if the company is unknown. */
export function findListedTicker(
  sentences: readonly Sentence[],
  directory: SymbolDirectory,
  company: string | undefined,
): BareTicker | undefined {
  const listed = findUnconfirmed(sentences).flatMap(({ ticker, sentence }) =>
    directory.find(ticker).map((entry) => ({ ticker, exchange: entry.exchange, sentence, name: entry.company })),
  );
  if (listed.length === 0) return undefined;
  const foldedText = foldText(sentences.map(({ plain }) => plain).join("\n"));
  return listed.find(({ name }) =>
    company === undefined ? containsName(foldName(name), foldedText) : isSameName(name, company),
  );
}

function findUnconfirmed(sentences: readonly Sentence[]): readonly BareTicker[] {
  const tickers: BareTicker[] = [];
  for (const sentence of sentences) {
    for (const { groups: { bracketed, owned, owner } = {} } of findMatches(UNCONFIRMED, sentence.plain)) {
      const ticker = toTicker(bracketed ?? owned ?? owner);
      if (ticker) tickers.push({ ticker, exchange: null, sentence });
      if (tickers.length === MAX_UNCONFIRMED) return tickers;
    }
  }
  return tickers;
}

function toTicker(text = ""): Ticker | undefined {
  return canBeBareSymbol(text) ? parseTicker(text) : undefined;
}

/** `(ACME)`, `(ACME, Fortune 500)`, or a word in capitals. */
const BESIDE_NAME =
  / ?\((?<bracketed>[A-Z]{2,5}|[A-Z](?=, ))(?:, [^()"]{1,60})?\)|(?<=[\w.]) (?<word>[A-Z]{2,5})(?=[ ,.]|'s|$)/g;
/** Text after an issuer: a verb such as ` announced`, or its shares, as in `'s stock`. */
const CONTINUATION =
  /^(?:'s)?,?(?: (?:has|have|is|are|today|also|now|hereby))* (?:announc|said\b|says\b|report|declar|will\b|plans?\b|to (?:effect|implement|conduct|carry|undertake|proceed|execute|complete)|approv|complet|implement|effect|(?:common )?shares\b|(?:common )?stock\b|(?:stock|share)holders\b)/i;

/**
 * Finds the ticker directly after the company's name: `Acme Boats (ACME) announced`, `Acme Boats Ltd. ACME announced`. A ticker
 * without brackets or a verb after it must occur elsewhere. A symbol that the directory lists only for others doesn't count.
 */
export function findBareTicker(
  sentences: readonly Sentence[],
  company: string,
  directory: SymbolDirectory | null,
): BareTicker | undefined {
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
    for (const match of findMatches(BESIDE_NAME, sentence.plain, MAX_PER_SENTENCE)) {
      const ticker = tickerOf(match, sentence, company);
      if (ticker === undefined || isListedForOther(ticker, company, directory)) continue;
      if (isConfirmed(ticker, match, { sentence, sentences, company })) return { ticker, exchange: null, sentence };
    }
  }
  return undefined;
}

function tickerOf(match: RegExpExecArray, { plain }: Sentence, company: string): Ticker | undefined {
  const { bracketed, word } = match.groups ?? {};
  const ticker = toTicker(bracketed ?? word);
  if (ticker === undefined) return undefined;
  const left = plain.slice(Math.max(0, match.index - NAME_CONTEXT), match.index);
  // In a text in capitals, any word may follow the name.
  if (word !== undefined && (plain === plain.toUpperCase() || !canPrecedeWord(left, word, company))) return undefined;
  const name = nameBefore(left);
  if (name === undefined || !isSameName(name, company)) return undefined;
  return isAbbreviation(ticker, company) || !abbreviatesEnd(ticker, left) ? ticker : undefined;
}

function isListedForOther(ticker: Ticker, company: string, directory: SymbolDirectory | null): boolean {
  const entries = directory?.find(ticker) ?? [];
  return entries.length > 0 && !entries.some((entry) => isSameName(entry.company, company));
}

/** Whether a symbol without brackets may follow a text: it ends with a legal form, or the symbol abbreviates the name. */
function canPrecedeWord(left: string, word: string, company: string): boolean {
  return isLegalFormWord(left.slice(left.lastIndexOf(" ") + 1)) || abbreviates(word, company);
}

/** Whether the last words of a text have these initials: `a reverse stock split (RSS)`. */
function abbreviatesEnd(ticker: Ticker, left: string): boolean {
  const words = left
    .trim()
    .split(/[\s-]+/)
    .slice(-ticker.length);
  return words.map((word) => word[0]?.toUpperCase()).join("") === ticker;
}

interface Use {
  readonly sentence: Sentence;
  readonly sentences: readonly Sentence[];
  readonly company: string;
}

/** Whether a word is used as a symbol. The initials of the name that occur elsewhere without brackets are its abbreviation. */
function isConfirmed(ticker: Ticker, match: RegExpExecArray, { sentence, sentences, company }: Use): boolean {
  const before = sentence.plain.slice(0, match.index);
  if (match.groups?.bracketed !== undefined && SECURITY_BEFORE.test(before)) return true;
  const isInitials = isAbbreviation(ticker, company);
  const [start, end] = isInitials ? ["(", ")"] : ["", ""];
  const occurrences = new RegExp(
    String.raw`(?<![\w$.${start}])${ticker.replaceAll(".", String.raw`\.`)}(?![\w${end}])`,
  );
  const others = sentences.filter((other) =>
    occurrences.test(other === sentence ? `${before} ${textAfter(match, sentence)}` : other.plain),
  );
  if (isInitials) return others.length === 0 && isContinued(match, sentence);
  return (
    (match.groups?.bracketed !== undefined && !match[0].includes(",")) ||
    others.length > 0 ||
    isContinued(match, sentence)
  );
}

/** Security before a symbol in brackets: `Acme stock (ACME)`. */
const SECURITY_BEFORE = /\b(?:stock|shares)$/;

function textAfter({ 0: text, index }: RegExpExecArray, { plain }: Sentence): string {
  return plain.slice(index + text.length);
}

function isContinued(match: RegExpExecArray, sentence: Sentence): boolean {
  return !match[0].includes(",") && CONTINUATION.test(textAfter(match, sentence));
}

function isAbbreviation(ticker: Ticker, company: string): boolean {
  const initials = company.split(/[\s-]+/).map((word) => word[0]?.toUpperCase() ?? "");
  return initials.join("").startsWith(ticker);
}
