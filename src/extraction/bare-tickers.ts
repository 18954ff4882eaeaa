import type { TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText, isSameName } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { canBeBareSymbol, isInCapitals } from "./capital-words.ts";
import { abbreviates, isLegalFormWord, nameBefore } from "./company-names.ts";
import type { Sentence } from "./sentences.ts";
import { namesSplit } from "./split-patterns.ts";
import { findMatches } from "./text-rule.ts";
import { withoutMarketCode } from "./tickers.ts";

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
    tickers.push(...symbolsIn(sentence, UNCONFIRMED));
    if (tickers.length >= MAX_UNCONFIRMED) break;
  }
  return tickers.slice(0, MAX_UNCONFIRMED);
}

/** The symbols in a sentence, each of which is the only named group of its match. */
function symbolsIn(sentence: Sentence, pattern: RegExp, limit?: number): readonly BareTicker[] {
  return findMatches(pattern, sentence.plain, limit).flatMap(({ groups = {} }) => {
    const ticker = toTicker(Object.values(groups).join(""));
    return ticker === undefined ? [] : { ticker, exchange: null, sentence };
  });
}

/** Returns the symbol that the sentences state, undefined if they state several. A sentence in capitals states none. */
function onlySymbolIn(sentences: readonly Sentence[], pattern: RegExp): BareTicker | undefined {
  const [first, ...others] = sentences.flatMap((sentence) =>
    isInCapitals(sentence.plain) ? [] : symbolsIn(sentence, pattern, MAX_PER_SENTENCE),
  );
  return others.every(({ ticker }) => ticker === first?.ticker) ? first : undefined;
}

function toTicker(text = ""): Ticker | undefined {
  const symbol = withoutMarketCode(text).replace(/[: ]US$/, "");
  return canBeBareSymbol(symbol) ? parseTicker(symbol) : undefined;
}

/** A symbol, also with the suffix of another service: `ACME.US`, `ACME:US`, `ACME.N`. */
const SYMBOL = String.raw`[A-Z]{1,6}(?:\.[A-Z]{1,2}|[: ]US)?`;
/** `(ACME)`, `[ACME]`, `- ACME -`, `(ACME, Fortune 500)`, `(ACME.US)`, or a word in capitals. */
const BESIDE_NAME = new RegExp(
  String.raw`(?: ?\(\(?| ?\[| - )(?<bracketed>${SYMBOL})(?:,? [-+−–]?[\d.]{1,8} ?% ?)?(?<qualifier>, [^()"]{1,60})?(?:[)\]]|(?= - ))|(?<=[\w.]) (?<word>(?=[A-Z]{2})${SYMBOL})(?=[ ,.:]|'s|$)`,
  "g",
);
/** Qualifier that follows symbols: `(ACME, Fortune 500)`. */
const LIST_QUALIFIER = /^, (?:Fortune|Global|Tech) ?\d+$/;
/** Text after an issuer: a verb such as ` announced`, or its shares, as in `'s stock`. */
const CONTINUATION =
  /^(?:'s)?(?:, [+-]?[\d.]{1,8}%)?,?(?: (?:has|have|is|are|today|also|now|hereby))* (?:announc|said\b|says\b|report|declar|will\b|plans?\b|to (?:effect|implement|conduct|carry|undertake|proceed|execute|complete)|approv|complet|implement|effect|(?:common )?shares\b|(?:common )?stock\b|(?:stock|share)holders\b|(?:fell|dropped|sank|plunged|slid|tumbled|slumped|jumped|soared|surged|rose|dipped|climbed|tanked|gained|lost|closed|traded)\b)/i;
/** Security before a symbol in brackets: `Acme stock (ACME)`. */
const SECURITY_BEFORE = /\b(?:stock|shares)$/;

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
      const use = useOf(match, sentence, company);
      if (use === undefined || isListedForOther(use.ticker, company, directory)) continue;
      if (isConfirmed(use, sentences, company)) return { ticker: use.ticker, exchange: null, sentence };
    }
  }
  return undefined;
}

/** A possible symbol beside the company's name. */
interface Use {
  readonly ticker: Ticker;
  readonly sentence: Sentence;
  readonly isBracketed: boolean;
  /** Text in the bracket after the symbol. */
  readonly qualifier: string;
  readonly before: string;
  readonly after: string;
}

function useOf(match: RegExpExecArray, sentence: Sentence, company: string): Use | undefined {
  const { plain } = sentence;
  const { bracketed, qualifier = "", word } = match.groups ?? {};
  const ticker = toTicker(bracketed ?? word);
  if (ticker === undefined) return undefined;
  const before = plain.slice(0, match.index);
  const left = before.slice(-NAME_CONTEXT);
  // In a text in capitals, any word may follow the name.
  if (word !== undefined && (isInCapitals(plain) || !canPrecedeWord(left, word, company))) return undefined;
  const name = nameBefore(left);
  if (name === undefined || !isSameName(name, company)) return undefined;
  if (!isAbbreviation(ticker, company) && abbreviatesEnd(ticker, left)) return undefined;
  const isBracketed = bracketed !== undefined;
  return { ticker, sentence, isBracketed, qualifier, before, after: plain.slice(match.index + match[0].length) };
}

/** Whether a directory lists a symbol, but not for the company. */
export function isListedForOther(ticker: Ticker, company: string, directory: SymbolDirectory | null): boolean {
  const entries = directory?.find(ticker) ?? [];
  return entries.length > 0 && !entries.some((entry) => isSameName(entry.company, company));
}

/** Whether a symbol without brackets may follow a text: it ends as a name does, or the symbol abbreviates the name. */
function canPrecedeWord(left: string, word: string, company: string): boolean {
  const last = left.slice(left.lastIndexOf(" ") + 1);
  return isLegalFormWord(last) || /^(?:Fund|ETF|ETN|Trust)$/.test(last) || abbreviates(word, company);
}

/** Whether the last words of a text have these initials: `a reverse stock split (RSS)`. */
function abbreviatesEnd(ticker: Ticker, left: string): boolean {
  const words = left
    .trim()
    .split(/[\s-]+/)
    .slice(-ticker.length);
  return words.map((word) => word[0]?.toUpperCase()).join("") === ticker;
}

/**
 * Whether a word is used as a symbol. Initials in brackets that occur elsewhere without them are an abbreviation; without brackets
 * no abbreviation is introduced.
 */
function isConfirmed(use: Use, sentences: readonly Sentence[], company: string): boolean {
  const { qualifier, after } = use;
  const isContinued = qualifier === "" && CONTINUATION.test(after);
  if (!use.isBracketed) return isContinued || occursElsewhere(use, sentences);
  return isConfirmedBracket(use, company, isContinued, sentences);
}

function isConfirmedBracket(use: Use, company: string, isContinued: boolean, sentences: readonly Sentence[]): boolean {
  const { ticker, qualifier, before, after } = use;
  if (SECURITY_BEFORE.test(before) || after.startsWith(")")) return true;
  if (ticker.length > 1 && isAbbreviation(ticker, company))
    return isContinued && (isUnderlyingOfOptions(ticker, sentences) || !occursElsewhere(use, sentences, "(", ")"));
  if (qualifier === "") return ticker.length > 1 || isContinued;
  return (LIST_QUALIFIER.test(qualifier) && startsAs(ticker, company)) || occursElsewhere(use, sentences);
}

/** Finds the symbol beside the company's name that a memo about options names as that of their underlying share. */
export function findUnderlying(sentences: readonly Sentence[], company: string): BareTicker | undefined {
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
    for (const match of findMatches(BESIDE_NAME, sentence.plain, MAX_PER_SENTENCE)) {
      const use = useOf(match, sentence, company);
      if (use?.isBracketed && isUnderlyingOfOptions(use.ticker, sentences))
        return { ticker: use.ticker, exchange: null, sentence };
    }
  }
  return undefined;
}

/** Whether a memo uses a word as the symbol of options: `OPTION SYMBOL: ACME`, `options on ACME`, `ACME changes to ACME1`. */
function isUnderlyingOfOptions(ticker: Ticker, sentences: readonly Sentence[]): boolean {
  const symbol = RegExp.escape(ticker);
  const use = new RegExp(
    String.raw`\b(?:option|futures) symbols?: ${symbol}\b|\boptions on ${symbol}\b|\b${symbol} option class\b|\b${symbol} (?:will )?(?:changes?|becomes?) (?:to )?${symbol}\d\b`,
    "i",
  );
  return sentences.some(({ plain }) => use.test(plain));
}

function occursElsewhere(use: Use, sentences: readonly Sentence[], notAfter = "", notBefore = ""): boolean {
  const { ticker, sentence, before, after } = use;
  const symbol = RegExp.escape(ticker);
  const occurrence = new RegExp(String.raw`(?<![\w$.${notAfter}])${symbol}(?![\w${notBefore}])`);
  return sentences.some((other) => occurrence.test(other === sentence ? `${before} ${after}` : other.plain));
}

/** Whether a symbol abbreviates the name, or is its first letter. */
function startsAs(ticker: Ticker, company: string): boolean {
  return ticker.length === 1 ? company.toUpperCase().startsWith(ticker) : abbreviates(ticker, company);
}

/** Symbol before the name in a heading: `ABOT: Acme Boats announces a reverse split`. */
const HEADING_LABEL = /^(?!(?:ALERT|BRIEF|FLASH|NEWS|PRESS|UPDATE|WATCH)\b)(?<symbol>[A-Z]{2,6})(?:: | - )(?=[A-Z])/;

/** Minimum length of a label that stands before something else than the name, in characters. */
const MIN_LABEL_LENGTH = 4;

/**
 * Finds the label of a heading that abbreviates the company's name. A short one counts only before the name. The first word of the name in capitals is a label of
 * news, and may be another company's symbol.
 */
export function findHeadingLabel(
  sentences: readonly Sentence[],
  company: string,
  directory: SymbolDirectory | null,
): BareTicker | undefined {
  const [first = ""] = company.split(" ");
  for (const sentence of sentences.filter(({ inHeading, plain }) => inHeading && !isInCapitals(plain))) {
    const { 0: label, groups } = HEADING_LABEL.exec(sentence.plain) ?? { 0: "" };
    const ticker = toTicker(groups?.symbol);
    if (ticker === undefined || ticker === first.toUpperCase() || !abbreviates(ticker, company)) continue;
    const isSymbol = ticker.length >= MIN_LABEL_LENGTH || sentence.plain.startsWith(first, label.length);
    if (isSymbol && !isListedForOther(ticker, company, directory)) return { ticker, exchange: null, sentence };
  }
  return undefined;
}

/** `ACME shares`, `shares of ACME`. */
const USED_SYMBOL =
  /(?<![\w.$-])(?<owner>[A-Z]{3,5})(?:'s)? (?:shares|stock|units)\b|\b(?:shares|stock|units) of (?<owned>[A-Z]{3,5})\b/g;

/** Finds the only symbol that is used as one and abbreviates the company's name, but isn't its initials. */
export function findAbbreviatedName(
  sentences: readonly Sentence[],
  company: string,
  directory: SymbolDirectory | null,
): BareTicker | undefined {
  const used = onlySymbolIn(sentences.slice(0, MAX_SENTENCES), USED_SYMBOL);
  if (used === undefined) return undefined;
  const isSymbol = abbreviates(used.ticker, company) && !isAbbreviation(used.ticker, company);
  return isSymbol && !isListedForOther(used.ticker, company, directory) ? used : undefined;
}

/**
 * A symbol in place of a name: `a reverse split, effective on May 4, for ACME`, `ACME will undergo a reverse split`,
 * `ACME 1-for-20 reverse split`, `$ACME announces`.
 */
const SPLIT_OF_SYMBOL =
  /(?<![\w.$-])\$(?<cashtag>[A-Z]{2,5}) (?:to|announce[sd]?|sets|declare[sd]|approve[sd]|will)\b|(?<![\w.$-])(?<owner>[A-Z]{3,5})(?:'s)? (?:\d{1,4}-for-\d{1,5} )?reverse (?:stock |share )?split|\bsplits?\b[^.;:()"]{0,80}? (?:of|for|in|on) (?<object>[A-Z]{3,5})(?= (?:shares|stock|units|effective|on|at|to|will|is)\b|[.,;:]|$)|(?<![\w.$-])(?<subject>[A-Z]{3,5}) (?:stock |shares |units )?(?:will|to|is to|is set to|is about to) (?:undergo|reverse|split|execute|effect|implement|have|carry)\b/g;

/** Finds the only symbol of which sentences state a split, if they use it as that of a security, as in `ACME shares`. */
export function findSplitSymbol(
  sentences: readonly Sentence[],
  directory: SymbolDirectory | null,
): BareTicker | undefined {
  const statements = sentences.filter(({ plain }) => namesSplit(plain));
  const found = onlySymbolIn(statements, SPLIT_OF_SYMBOL);
  if (found === undefined) return undefined;
  const security = new RegExp(
    String.raw`(?<![\w.$])${found.ticker}(?:'s)? (?:shares?|stock|units|price|trading|closed|fell|rose|traded)\b|\b(?:shares|units) of ${found.ticker}\b|\$${found.ticker}\b`,
  );
  const isUsed = sentences.some(({ plain }) => security.test(plain));
  return isUsed || directory?.find(found.ticker).length ? found : undefined;
}

function isAbbreviation(ticker: Ticker, company: string): boolean {
  const initials = company.split(/[\s-]+/).map((word) => word[0]?.toUpperCase() ?? "");
  return initials.join("").startsWith(ticker);
}
