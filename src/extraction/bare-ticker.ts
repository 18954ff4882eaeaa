import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** A ticker without an exchange after the issuer's name. */
export interface BareTicker {
  readonly ticker: Ticker;
  readonly company: string;
  readonly sentence: Sentence;
  /** Position in the plain text of the sentence. */
  readonly start: number;
  readonly end: number;
}

/** Other words in capitals that follow names. */
const NOT_TICKERS: ReadonlySet<string> = new Set(
  `NASDAQ NYSE AMEX OTC OTCQB TSX TSXV CSE ASX LSE HKEX SEC FDA EMA EPA FTC IRS FINRA DTC DTCC CEO CFO COO CTO CMO IR PR
  HR US USA UK EU UAE USD CAD AUD ADS ADSS ADR ADRS GDR ETF ETFS ETN ETNS IPO SPAC AGM EGM BOD MOU LOI NAV LLC INC LTD
  PLC CORP AI IT TV ESG R D`.split(/\s+/),
);

const NAME_WORD = String.raw`[\p{Lu}\d][\p{L}\d.,&'-]*`;
/** A name without other words. */
const NAME = new RegExp(`^${NAME_WORD}(?: (?:${NAME_WORD}|&|of|and|the|de)){0,7}$`, "u");
const LEGAL_FORM = /(?:^| )(?:Inc|Incorporated|Corp|Corporation|Co|Ltd|Limited|plc|PLC|N\.V|S\.A|SA|SE|AG|LLC)\.?$/;
const REGULATOR = /\b(?:Commission|Administration|Authority|Agency|Department|Exchange|Committee|Board|Service)\b/;
const NOT_ISSUER = /^(?:The|Holders|Shareholders|Stockholders|Investors|Board|Directors|Management|Shares|Units)\b/;
const IN_BRACKETS = /\(([A-Z]{2,5})\)/;
const WITHOUT_BRACKETS = / ([A-Z]{2,5})(?= )/;
/** End of a dateline, or a list marker. */
const CLAUSE_START = / -{1,2} |^[-*\u2022] /g;
/** Verbs and possessions of an issuer. */
const ACTS =
  /^(?:'s)?(?: (?:has|have|is|are|today|also|now|hereby))* (?:announc|said\b|says\b|report|declar|will\b|plans?\b|to (?:effect|implement|conduct|carry|undertake|proceed|execute|complete)|approv|complet|implement|effect|shares\b|stock\b)/i;

const MAX_NAME_LENGTH = 100;
const MAX_DATELINE_LENGTH = 160;

/**
 * Finds the ticker of `Acme Boats (ACME) announced`, or of `Acme Boats Ltd. ACME announced`, where a legal form ends the
 * name. Abbreviations of the name, which the text uses as words, are excluded.
 */
export function findBareTicker(sentences: readonly Sentence[]): BareTicker | undefined {
  for (const sentence of leadSentences(sentences)) {
    const found = parseSentence(sentence);
    if (found && !isAbbreviation(found, sentences)) return found;
  }
  return undefined;
}

function parseSentence(sentence: Sentence): BareTicker | undefined {
  const opening = sentence.plain.slice(0, MAX_DATELINE_LENGTH + MAX_NAME_LENGTH);
  const start = startOfClause(opening);
  const clause = opening.slice(start);
  for (const pattern of [IN_BRACKETS, WITHOUT_BRACKETS]) {
    const found = pattern.exec(clause);
    const symbol = found?.[1] ?? "";
    const company = clause.slice(0, found?.index).trim();
    const ticker = NOT_TICKERS.has(symbol) ? undefined : parseTicker(symbol);
    if (!found || !ticker || !isIssuer(company, pattern === WITHOUT_BRACKETS)) continue;
    if (!ACTS.test(clause.slice(found.index + found[0].length))) continue;
    const at = start + found.index + found[0].indexOf(symbol);
    return { ticker, company, sentence, start: at, end: at + symbol.length };
  }
  return undefined;
}

function startOfClause(opening: string): number {
  const last = [...opening.slice(0, MAX_DATELINE_LENGTH).matchAll(CLAUSE_START)].at(-1);
  return last ? last.index + last[0].length : 0;
}

function isIssuer(name: string, needsForm: boolean): boolean {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || REGULATOR.test(name) || NOT_ISSUER.test(name)) return false;
  return !needsForm || LEGAL_FORM.test(name);
}

/** Whether a word in brackets is an abbreviation of the name. Without brackets it is always a symbol. */
function isAbbreviation({ ticker, company, sentence, start }: BareTicker, sentences: readonly Sentence[]): boolean {
  if (sentence.plain[start - 1] !== "(") return false;
  const word = new RegExp(String.raw`(?<![\w($])${ticker.replaceAll(".", String.raw`\.`)}(?![\w)])`);
  return sentences.some(({ plain }) => word.test(plain.replaceAll(company, " ")));
}
