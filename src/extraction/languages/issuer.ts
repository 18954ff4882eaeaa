import type { SymbolDirectory } from "../../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { isListedForOther } from "../bare-tickers.ts";
import { abbreviates, isLegalFormWord } from "../company-names.ts";
import type { Security, TaggedTicker } from "../facts.ts";
import { listMentions, selectCommonShare } from "../mentions.ts";
import type { Sentence } from "../sentences.ts";
import { findMatches } from "../text-rule.ts";
import { findTickers, type TickerMatch } from "../tickers.ts";
import { MAX_LEAD, type Release, type Statement } from "./statements.ts";

interface CompanyResult {
  readonly name: string | null;
  readonly sentence: Sentence | null;
}

const NO_COMPANY: CompanyResult = { name: null, sentence: null };

const WORD = String.raw`\p{Lu}[\p{L}\d&.'/-]*`;
/** A name in mixed case, with words such as `de` between its words. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d])${WORD}(?: (?:(?:i|de|del|della|du|di|da|do|dos|das|de la|of|&|och|og|y|e|et) )?${WORD}){0,6}(?:,? (?:inc\.|ltée)|, (?:S\.A\.|S\.L\.|N\.V\.|Inc\.|Ltd\.?|LLC))?`,
  "gu",
);
/** Companies that carry out a split for its issuer, and exchanges. */
const AGENT =
  /\b(?:clearstream|euroclear|bank(?:ing)?|trust|computershare|odyssey|securities|services|b[öo]rse|exchange|nasdaq|borsa|euronext|vp|advis[eo]r|certified|news|wire|transfer|uptevia|soci[ée]t[ée] g[ée]n[ée]rale)\b|証券|銀行|取引所|信託/iu;
/** Parts of a company before its name: `Styrelsen i Acme AB`. */
const PART_OF = /^(?:\p{Lu}[\p{L}'-]* (?:i|de|del|della|du|di|da|do|of) )(?=\p{Lu})/u;
const PART =
  /^(?:Styrelse|Bolag|Aktie|Årsstämma|Conseil|Assemblée|Actions?|Actionnaires|Regroupement|Junta|Consejo|Acciones|Agrupación|Consiglio|Assemblea|Azioni|Raggruppamento|Conselho|Assembleia|Ações|Grupamento|Raad|Styret|Bestyrelse)/u;

/** Finds the issuer: a name with its legal form, else the name at the beginning of the heading that the text repeats. */
export function findCompany(release: Release): CompanyResult {
  const { language, statements } = release;
  if (language.company !== undefined) return companyOfPattern(language.company, statements);
  const lead = statements.slice(0, MAX_LEAD);
  const full = lead.flatMap(({ sentence }) =>
    namesIn(sentence.plain).flatMap((name) =>
      hasLegalForm(name) && !AGENT.test(name) ? [{ name: withoutPart(name), sentence }] : [],
    ),
  );
  if (full.length === 0) return language.capitalizesNouns ? NO_COMPANY : companyOfHeading(statements);
  const preferred =
    full.find(({ sentence }) => sentence.inHeading) ??
    full.find(({ sentence }) => language.split.test(sentence.plain)) ??
    full[0];
  // A name after capitalized words: `ISIN i Acme AB`.
  const shortest = full
    .filter(({ name }) => preferred?.name.endsWith(name))
    .toSorted((a, b) => a.name.length - b.name.length);
  return shortest[0] ?? NO_COMPANY;
}

/** Names in a sentence; one with a legal form ends with it. */
function namesIn(plain: string): readonly string[] {
  return findMatches(NAME, plain, 20).map(([name]) => {
    const words = name.split(" ");
    const last = words.findIndex((word, index) => index > 0 && isLegalForm(word));
    if (last > 0)
      return words
        .slice(0, last + 1)
        .join(" ")
        .replace(/,$/, "");
    return name.replace(/[,'-]+$|(?<=[^.\p{Lu}]\p{L})\.$/gu, "");
  });
}

function isLegalForm(word: string): boolean {
  return (
    isLegalFormWord(word) ||
    /^(?:A\/S|AS|ASA|AB|Abp|Oyj|AG|SE|KGaA|N\.V\.|NV|S\.A\.|SA|S\.p\.A\.|SpA|SpA\.|inc\.|ltée|Ltda\.?|S\.L\.)(?::s)?,?$/u.test(
      word,
    )
  );
}

function hasLegalForm(name: string): boolean {
  const words = name.split(" ");
  return words.length > 1 && isLegalForm(words.at(-1) ?? "");
}

function withoutPart(name: string): string {
  return (PART.test(name) ? name.replace(PART_OF, "") : name).replace(/(?<=\p{L}):s$/u, "");
}

/** Minimum length of a name without a legal form, in characters. */
const MIN_NAME_LENGTH = 3;

/** Positions of a name in a sentence, in any case. */
function placesOf(name: string, plain: string): readonly number[] {
  const [wanted, text] = [name.toLowerCase(), plain.toLowerCase()];
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function companyOfHeading(statements: readonly Statement[]): CompanyResult {
  const heading = statements.find(({ sentence }) => sentence.inHeading)?.sentence;
  if (heading === undefined) return NO_COMPANY;
  const body = statements.filter(({ sentence }) => !sentence.inHeading).map(({ sentence }) => sentence);
  const text = body.map(({ plain }) => plain).join("\n");
  for (const name of namesIn(heading.plain)) {
    const isWord = text.includes(name.toLowerCase()) || heading.plain.includes(name.toLowerCase());
    const found = body.flatMap(({ plain }) => placesOf(name, plain).map((at) => plain.slice(at, at + name.length)));
    const written = found.find((one) => /^\p{Lu}\p{Ll}/u.test(one)) ?? found[0];
    const sentence = body.find(({ plain }) => written !== undefined && plain.includes(written));
    if (
      name.length >= MIN_NAME_LENGTH &&
      !isWord &&
      written !== undefined &&
      sentence !== undefined &&
      !AGENT.test(name)
    )
      return { name: written, sentence };
  }
  return NO_COMPANY;
}

/** Words before a name in scripts without spaces: `上市公司`. */
const NOT_IN_NAME = /^.*(?:公司|[获獲]悉)(?=.{2})/u;

function companyOfPattern(pattern: RegExp, statements: readonly Statement[]): CompanyResult {
  for (const { sentence } of statements.slice(0, MAX_LEAD)) {
    for (const { groups } of findMatches(pattern, sentence.plain, 6)) {
      const name = (groups?.name ?? "").replace(NOT_IN_NAME, "");
      if (!AGENT.test(name)) return { name, sentence };
    }
  }
  return NO_COMPANY;
}

interface SymbolsResult {
  readonly mentions: readonly TaggedTicker[];
  readonly symbol: Ticker | null;
  /** Symbol of another class of the share that is split too. */
  readonly otherClass?: Ticker | undefined;
  readonly sentence: Sentence | null;
}

/** Symbol in a bracket after a name, perhaps after its exchange: `(EPA:ACME)`, `(ACME3)`, `(ACME3 e ACME4)`. */
const IN_BRACKETS =
  /^(?:'?s|:s)?(?: (?:akti(?:e|er|en)|aksjer?|aksjen|aandel|aandelen|osake))? ?\((?:\p{Lu}[\p{L}\d .-]{1,30}: ?)?(?<symbol>[A-Z][A-Z0-9]{1,5}(?:[ .][AB])?)(?: ?(?:[,;/]|e|y) ?(?<other>[A-Z]{4}\d{1,2}))?\)/u;
/** Noun for the issuer before its symbol: `da companhia (ACME3)`. */
const ISSUER_NOUN = /(?<!\p{L})(?:[Cc]ompanhia|[Ee]mpresa|[Cc]ompañía|[Ss]ociedad|[Ss]ociété|[Ss]ocietà)(?= ?\()/gu;
/** The classes of shares of an issuer with two symbols. */
const CLASSES = [
  /(?<!\p{L})ordin[áa]ri[ao]s?(?!\p{L})/iu,
  /(?<!\p{L})prefer(?:encia(?:l|is|les)|entes?|idas)(?!\p{L})/iu,
];

/** Symbol after the company's name, or after a noun for a company whose name is unknown. */
function symbolBeside(company: string | null, plain: string): Partial<Record<string, string>> | undefined {
  const ends =
    company === null
      ? findMatches(ISSUER_NOUN, plain).map(({ 0: noun, index }) => index + noun.length)
      : placesOf(company, plain).map((at) => at + company.length);
  const texts = ends.map((at) => plain.slice(at, at + 60));
  return texts.map((text) => IN_BRACKETS.exec(text)?.groups).find((groups) => groups !== undefined);
}

/** Finds the symbols in the tags of supported exchanges, else the one beside the name or after a label, of any exchange. */
export function findSymbols(release: Release, company: string | null): SymbolsResult {
  const lead = release.statements.slice(0, MAX_LEAD);
  const tagged = lead.map(({ sentence }) => ({
    sentence,
    matches: findTickers(sentence.plain).filter(
      (match) => (match.form === "tag" || match.form === "cashtag") && isTagOf(company, sentence.plain, match),
    ),
  }));
  const mentions = listMentions(tagged.flatMap(({ matches }) => matches));
  const share = selectCommonShare(mentions);
  if (share !== null)
    return {
      mentions,
      symbol: share.ticker,
      sentence: tagged.find(({ matches }) => matches.some(({ ticker }) => ticker === share.ticker))?.sentence ?? null,
    };
  return { mentions, ...findUntagged(release, company) };
}

/** Text between a company's name and its tag: `, inc. (the "Company") (TSXV: `. */
const UP_TO_TAG = /^(?:'?s)?(?:,? \p{Ll}[\p{L}.]*){0,3},? ?[([][^;]{0,60}$/u;

/** Whether a tag is that of the company: after its name, or an abbreviation of it. One of an unknown company counts. */
function isTagOf(company: string | null, plain: string, { ticker, start }: TickerMatch): boolean {
  if (company === null || abbreviates(ticker, company)) return true;
  return placesOf(company, plain).some((at) => UP_TO_TAG.test(plain.slice(at + company.length, start)));
}

function findUntagged(
  { language, statements }: Release,
  company: string | null,
): Pick<SymbolsResult, "symbol" | "otherClass" | "sentence"> {
  const areSplitTogether = CLASSES.every((name) => statements.some(({ sentence }) => name.test(sentence.plain)));
  for (const { sentence } of statements) {
    const isOfUnknown = company === null && !language.split.test(sentence.plain);
    const beside = isOfUnknown ? undefined : symbolBeside(company, sentence.plain);
    const [ticker, otherClass] = symbolsOf(beside ?? language.symbol.exec(sentence.plain)?.groups);
    const isStated = otherClass === undefined || (areSplitTogether && isOtherClass(ticker, otherClass));
    if (ticker !== undefined && isStated) return { symbol: ticker, otherClass, sentence };
  }
  return { symbol: null, sentence: null };
}

function symbolsOf({ symbol, code, other }: Partial<Record<string, string>> = {}): readonly (Ticker | undefined)[] {
  return [(symbol ?? code ?? "").replace(" ", "."), other ?? ""].map((text) => parseTicker(text));
}

/** Whether symbols are those of two classes of one share, which differ only in their number: `ACME3` and `ACME4`. */
function isOtherClass(ticker: Ticker | undefined, other: Ticker): boolean {
  const [root, otherRoot] = [ticker, other].map((one) => /^([A-Z]{4})\d{1,2}$/.exec(one ?? "")?.[1]);
  return root !== undefined && root === otherRoot && ticker !== other;
}

/** A symbol that the directory lists only for other companies is that of a share on another exchange. */
export function securityOf(
  company: string | null,
  { mentions, symbol }: SymbolsResult,
  directory: SymbolDirectory | null,
): Security {
  const share = mentions.find(({ ticker }) => ticker === symbol);
  const isForeign =
    share === undefined && symbol !== null && company !== null && isListedForOther(symbol, company, directory);
  return { ticker: isForeign ? null : symbol, exchange: share?.exchange ?? null, company };
}
