import type { TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { findActors, findPresentation, isSameName, namesInAbout, type Presentation, shortNameOf } from "./issuer.ts";
import { isDerivedTicker, isSimilarSymbol, listMentions, selectCommonShare } from "./mentions.ts";
import type { Sentence } from "./sentences.ts";
import type { TickerMatch } from "./tickers.ts";

/** The share that a release is about. */
export interface ShareResult {
  readonly share: TickerMention | null;
  /** All tickers of its company. */
  readonly tickers: ReadonlySet<Ticker>;
  /** Tickers of companies that are mentioned as a customer, a parent or the like. */
  readonly relatedTickers: ReadonlySet<Ticker>;
  /** Two companies are named equally well, or only another company has a ticker: `share` is null. */
  readonly contradictory: boolean;
}

/** Heading or body, with its tickers. */
export interface TextWithTickers {
  readonly plain: string;
  readonly tickers: readonly TickerMatch[];
}

export interface ReleaseWithTickers {
  readonly heading: TextWithTickers;
  readonly body: TextWithTickers;
  readonly sentences: readonly Sentence[];
  readonly directory: SymbolDirectory | null;
}

/** Weights of what a release says of the company beside a tag. Each counts once per company. */
const WEIGHTS = {
  taggedInHeading: 4,
  namedInHeading: 3,
  inSymbolSentence: 4,
  definedAsCompany: 3,
  announcesSplit: 2,
  hasAboutSection: 1,
  isInDirectory: 1,
  isRelatedCompany: -4,
} as const;

/** Score of a symbol that only a symbol sentence names: it outranks only a company that nothing presents as the issuer. */
const UNTAGGED_SYMBOL_SCORE = 1;

/** A company with all of its tickers in the release. */
interface Candidate {
  readonly company: string | undefined;
  readonly isRelated: boolean;
  readonly tickers: ReadonlySet<Ticker>;
  readonly score: number;
}

/** One tag, with the name before it. */
interface Occurrence extends Partial<Presentation> {
  readonly ticker: Ticker;
  readonly inHeading: boolean;
}

/** Maximum number of tags that are compared. A release with more is a list. */
const MAX_OCCURRENCES = 60;

/**
 * Selects the share that a release is about. The symbol sentence (`under the symbol "ACME"`), the heading and the company's
 * name take precedence over the first tag, which may be that of a customer or a parent.
 */
export function selectShare(release: ReleaseWithTickers): ShareResult {
  const matches = [...release.heading.tickers, ...release.body.tickers];
  const candidates = findCandidates(release);
  const best = candidates.toSorted((a, b) => b.score - a.score)[0];
  const relatedTickers = new Set(candidates.filter((one) => one.isRelated).flatMap((one) => [...one.tickers]));
  if (!best) {
    const tickers = new Set(matches.map(({ ticker }) => ticker));
    return { share: selectCommonShare(listMentions(matches)), tickers, relatedTickers, contradictory: false };
  }
  const isForeign = best.score <= 0 && isOtherCompany(best.company, release.sentences);
  const isTied = candidates.some((one) => one !== best && one.score === best.score);
  if (isForeign || (isTied && best.score >= WEIGHTS.namedInHeading)) {
    return { share: null, tickers: new Set(), relatedTickers, contradictory: true };
  }
  const own = matches.filter(({ ticker }) => best.tickers.has(ticker));
  return { share: selectCommonShare(listMentions(own)), tickers: best.tickers, relatedTickers, contradictory: false };
}

/** Candidates in text order; none if no ticker is tagged. Tags without a name form one candidate. */
function findCandidates(release: ReleaseWithTickers): readonly Candidate[] {
  const occurrences = findOccurrences(release);
  if (occurrences.length === 0) return [];
  const symbols = findSymbolSentences(release);
  const others = symbols.filter((symbol) => !occurrences.some(({ ticker }) => isSimilarSymbol(ticker, symbol)));
  const tagged = groupByCompany(occurrences).map((group) => candidateOf(group, symbols, release));
  if (others.length === 0) return tagged;
  return [...tagged, { company: undefined, isRelated: false, tickers: new Set(others), score: UNTAGGED_SYMBOL_SCORE }];
}

function findOccurrences({ heading, body }: ReleaseWithTickers): readonly Occurrence[] {
  return [heading, body]
    .flatMap((text) =>
      text.tickers
        .filter(({ form }) => form === "tag" || form === "cashtag")
        .map(({ ticker, start }): Occurrence => {
          return { ticker, inHeading: text === heading, ...findPresentation(text.plain, start) };
        }),
    )
    .slice(0, MAX_OCCURRENCES);
}

/** Symbols of `under the symbol "ACME"`. A new symbol is not used yet. */
function findSymbolSentences({ body }: ReleaseWithTickers): readonly Ticker[] {
  return body.tickers.filter(({ form }) => form === "wording").map(({ ticker }) => ticker);
}

function groupByCompany(occurrences: readonly Occurrence[]): readonly (readonly Occurrence[])[] {
  const groups: Occurrence[][] = [];
  // Names first: a tag without a name belongs to the company that has its ticker.
  for (const one of occurrences.toSorted((a, b) => Number(!a.company) - Number(!b.company))) {
    const group = groups.find((others) => others.some((other) => isSameCompany(one, other)));
    if (group) group.push(one);
    else groups.push([one]);
  }
  const order = (group: readonly Occurrence[]): number => Math.min(...group.map((one) => occurrences.indexOf(one)));
  return groups.toSorted((a, b) => order(a) - order(b));
}

function isSameCompany(one: Occurrence, other: Occurrence): boolean {
  if (one.ticker === other.ticker) return true;
  if (one.company !== undefined && other.company !== undefined) return isSameName(one.company, other.company);
  if (isDerivedTicker(one.ticker, other.ticker) || isDerivedTicker(other.ticker, one.ticker)) return true;
  return one.company === other.company;
}

function candidateOf(
  group: readonly Occurrence[],
  symbols: readonly Ticker[],
  { heading, sentences, directory }: ReleaseWithTickers,
): Candidate {
  const company = group.find((one) => one.company !== undefined)?.company;
  const tickers = new Set(group.map(({ ticker }) => ticker));
  const applies: Readonly<Record<keyof typeof WEIGHTS, boolean>> = {
    taggedInHeading: group.some(({ inHeading }) => inHeading),
    namedInHeading: company !== undefined && isNamedIn(company, heading.plain),
    inSymbolSentence: symbols.some((symbol) => [...tickers].some((ticker) => isSimilarSymbol(ticker, symbol))),
    definedAsCompany: group.some((one) => one.isDefinedAsCompany === true),
    announcesSplit: group.some((one) => one.announcesSplit === true),
    hasAboutSection: company !== undefined && namesInAbout(sentences).some((name) => isSameName(name, company)),
    isInDirectory: [...tickers].some((ticker) => isListedAs(directory, ticker, company)),
    isRelatedCompany: group.find((one) => one.company !== undefined)?.isRelatedCompany === true,
  };
  const keys = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const isRelated = applies.isRelatedCompany;
  return { company, isRelated, tickers, score: keys.reduce((sum, key) => sum + (applies[key] ? WEIGHTS[key] : 0), 0) };
}

function isListedAs(directory: SymbolDirectory | null, ticker: Ticker, company: string | undefined): boolean {
  if (directory === null || company === undefined) return false;
  return directory.find(ticker).some((entry) => isSameName(entry.company, company));
}

/** Whether the release is about another company: one acts in it, and it is not this one. */
function isOtherCompany(company: string | undefined, sentences: readonly Sentence[]): boolean {
  const actors = findActors(sentences);
  return company !== undefined && actors.length > 0 && actors.every((actor) => !isSameName(actor, company));
}

function isNamedIn(company: string, text: string): boolean {
  const folded = foldText(text);
  return containsName(foldName(company), folded) || folded.includes(` ${shortNameOf(company)} `);
}
