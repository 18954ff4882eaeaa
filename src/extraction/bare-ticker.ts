import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** A ticker that stands without its exchange behind the issuer's name, where a text names no other. */
export interface BareTicker {
  readonly ticker: Ticker;
  readonly company: string;
  readonly sentence: Sentence;
  /** Its place in the sentence's text. */
  readonly start: number;
  readonly end: number;
}

/** Words in capitals that stand behind names as well. */
const NO_TICKER: ReadonlySet<string> = new Set(
  `NASDAQ NYSE AMEX OTC OTCQB TSX TSXV CSE ASX LSE HKEX SEC FDA EMA EPA FTC IRS FINRA DTC DTCC CEO CFO COO CTO CMO IR PR
  HR US USA UK EU UAE USD CAD AUD ADS ADSS ADR ADRS GDR ETF ETFS ETN ETNS IPO SPAC AGM EGM BOD MOU LOI NAV LLC INC LTD
  PLC CORP AI IT TV ESG R D`.split(/\s+/),
);

const NAME_WORD = String.raw`[\p{Lu}\d][\p{L}\d.,&'-]*`;
/** A name and nothing else, as a release begins with it. */
const NAME = new RegExp(`^${NAME_WORD}(?: (?:${NAME_WORD}|&|of|and|the|de)){0,7}$`, "u");
const LEGAL_FORM = /(?:^| )(?:Inc|Incorporated|Corp|Corporation|Co|Ltd|Limited|plc|PLC|N\.V|S\.A|SA|SE|AG|LLC)\.?$/;
const REGULATOR = /\b(?:Commission|Administration|Authority|Agency|Department|Exchange|Committee|Board|Service)\b/;
const NO_ISSUER = /^(?:The|Holders|Shareholders|Stockholders|Investors|Board|Directors|Management|Shares|Units)\b/;
const IN_BRACKETS = /\(([A-Z]{2,5})\)/;
const BARE = / ([A-Z]{2,5})(?= )/;
/** Where a dateline, or the mark of a list, ends. */
const BEGINS = / -{1,2} |^[-*\u2022] /g;
/** What an issuer does, or what is its own. */
const ACTS =
  /^(?:'s)?(?: (?:has|have|is|are|today|also|now|hereby))* (?:announc|said\b|says\b|report|declar|will\b|plans?\b|to (?:effect|implement|conduct|carry|undertake|proceed|execute|complete)|approv|complet|implement|effect|shares\b|stock\b)/i;

/** A sentence that says who acts has its name at the beginning. */
const LONGEST_NAME = 100;
const LONGEST_DATELINE = 160;

/**
 * `Acme Boats (ACME) announced`, and `Acme Boats Ltd. ACME announced` where the legal form ends the name. Not what only
 * stands for a longer name: that is used as a word further down.
 */
export function findBareTicker(sentences: readonly Sentence[]): BareTicker | undefined {
  for (const sentence of leadSentences(sentences)) {
    const found = readBare(sentence);
    if (found && !isUsedAsWord(found, sentences)) return found;
  }
  return undefined;
}

function readBare(sentence: Sentence): BareTicker | undefined {
  const opening = sentence.plain.slice(0, LONGEST_DATELINE + LONGEST_NAME);
  const start = beginningOf(opening);
  const clause = opening.slice(start);
  for (const pattern of [IN_BRACKETS, BARE]) {
    const found = pattern.exec(clause);
    const symbol = found?.[1] ?? "";
    const company = clause.slice(0, found?.index).trim();
    const ticker = NO_TICKER.has(symbol) ? undefined : parseTicker(symbol);
    if (!found || !ticker || !isIssuer(company, pattern === BARE)) continue;
    if (!ACTS.test(clause.slice(found.index + found[0].length))) continue;
    const at = start + found.index + found[0].indexOf(symbol);
    return { ticker, company, sentence, start: at, end: at + symbol.length };
  }
  return undefined;
}

function beginningOf(opening: string): number {
  const last = [...opening.slice(0, LONGEST_DATELINE).matchAll(BEGINS)].at(-1);
  return last ? last.index + last[0].length : 0;
}

function isIssuer(name: string, needsForm: boolean): boolean {
  if (name.length > LONGEST_NAME || !NAME.test(name) || REGULATOR.test(name) || NO_ISSUER.test(name)) return false;
  return !needsForm || LEGAL_FORM.test(name);
}

/** Behind the name without brackets only a symbol can stand; one in brackets may be short for the name. */
function isUsedAsWord({ ticker, company, sentence, start }: BareTicker, sentences: readonly Sentence[]): boolean {
  if (sentence.plain[start - 1] !== "(") return false;
  const word = new RegExp(String.raw`(?<![\w($])${ticker.replaceAll(".", String.raw`\.`)}(?![\w)])`);
  return sentences.some(({ plain }) => word.test(plain.replaceAll(company, " ")));
}
