import type { TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import {
  type CompanyContext,
  findAnnouncingCompanies,
  findCompanyContext,
  isSameName,
  namesInAbout,
  shortNameOf,
} from "./issuer.ts";
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
  /** Two companies have the same score, or only another company has a ticker; `share` is null then. */
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

/** Weights of the signals that the company before a tag, such as `(NASDAQ: ACME)`, is the issuer. Each counts once. */
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

/** Score of a symbol that has no tag, only a sentence such as `under the symbol "ACME"`. A company without signals has 0. */
const UNTAGGED_SYMBOL_SCORE = 1;

/** A company with all of its tickers in the release. */
interface Candidate {
  readonly company: string | undefined;
  readonly isRelated: boolean;
  readonly tickers: ReadonlySet<Ticker>;
  readonly score: number;
}

/** One tag with the name before it. */
interface Occurrence extends Partial<CompanyContext> {
  readonly shortName: string | undefined;
  readonly ticker: Ticker;
  readonly inHeading: boolean;
}

/** Maximum number of tags that are compared. A release with more is a list. */
const MAX_OCCURRENCES = 60;

/**
 * Selects the share that a release is about. The symbol sentence (`under the symbol "ACME"`), the heading and the company's
 * name take precedence over the first tag, which may belong to a customer or a parent.
 */
export function selectShare(release: ReleaseWithTickers): ShareResult {
  const matches = [...release.heading.tickers, ...release.body.tickers];
  const candidates = findCandidates(release);
  const best = candidates.toSorted((a, b) => b.score - a.score)[0];
  const relatedTickers = new Set(
    candidates.filter((candidate) => candidate.isRelated).flatMap((candidate) => [...candidate.tickers]),
  );
  if (!best) {
    const tickers = new Set(matches.map(({ ticker }) => ticker));
    return { share: selectCommonShare(listMentions(matches)), tickers, relatedTickers, contradictory: false };
  }
  const isOtherIssuer = best.score <= 0 && isAnnouncedByOthers(best.company, release.sentences);
  const isTied = candidates.some((candidate) => candidate !== best && candidate.score === best.score);
  if (isOtherIssuer || (isTied && best.score >= WEIGHTS.namedInHeading)) {
    return { share: null, tickers: new Set(), relatedTickers, contradictory: true };
  }
  const companyMatches = matches.filter(({ ticker }) => best.tickers.has(ticker));
  return {
    share: selectCommonShare(listMentions(companyMatches)),
    tickers: best.tickers,
    relatedTickers,
    contradictory: false,
  };
}

/** Returns the candidates in text order, or none if no ticker is tagged. Tags without a name form one candidate. */
function findCandidates(release: ReleaseWithTickers): readonly Candidate[] {
  const occurrences = findOccurrences(release);
  if (occurrences.length === 0) return [];
  const symbols = findSentenceSymbols(release);
  const untaggedSymbols = symbols.filter(
    (symbol) => !occurrences.some(({ ticker }) => isSimilarSymbol(ticker, symbol)),
  );
  const aboutNames = new Set(namesInAbout(release.sentences).map(shortNameOf));
  const taggedCandidates = groupByCompany(occurrences).map((group) =>
    candidateOf(group, { ...release, symbols, aboutNames }),
  );
  if (untaggedSymbols.length === 0) return taggedCandidates;
  return [
    ...taggedCandidates,
    { company: undefined, isRelated: false, tickers: new Set(untaggedSymbols), score: UNTAGGED_SYMBOL_SCORE },
  ];
}

function findOccurrences({ heading, body }: ReleaseWithTickers): readonly Occurrence[] {
  return [heading, body]
    .flatMap((text) =>
      text.tickers
        .filter(({ form }) => form === "tag" || form === "cashtag")
        .map(({ ticker, start }) => ({ text, ticker, start })),
    )
    .slice(0, MAX_OCCURRENCES)
    .map(({ text, ticker, start }) => {
      const context = findCompanyContext(text.plain, start);
      return { ticker, inHeading: text === heading, ...context, shortName: context && shortNameOf(context.company) };
    });
}

/** Returns the symbols of `under the symbol "ACME"`, except new ones, which are not used yet. */
function findSentenceSymbols({ body }: ReleaseWithTickers): readonly Ticker[] {
  return body.tickers.filter(({ form }) => form === "wording").map(({ ticker }) => ticker);
}

function groupByCompany(occurrences: readonly Occurrence[]): readonly (readonly Occurrence[])[] {
  const groups: Occurrence[][] = [];
  // Names first: a tag without a name belongs to the company that has its ticker.
  for (const occurrence of occurrences.toSorted((a, b) => Number(!a.company) - Number(!b.company))) {
    const group = groups.find((members) => members.some((member) => isSameCompany(occurrence, member)));
    if (group) group.push(occurrence);
    else groups.push([occurrence]);
  }
  const firstIndexOf = (group: readonly Occurrence[]): number =>
    Math.min(...group.map((occurrence) => occurrences.indexOf(occurrence)));
  return groups.toSorted((a, b) => firstIndexOf(a) - firstIndexOf(b));
}

function isSameCompany(a: Occurrence, b: Occurrence): boolean {
  if (a.ticker === b.ticker) return true;
  if (a.shortName !== undefined && b.shortName !== undefined) return a.shortName === b.shortName;
  if (isDerivedTicker(a.ticker, b.ticker) || isDerivedTicker(b.ticker, a.ticker)) return true;
  return a.shortName === b.shortName;
}

interface CandidateContext extends ReleaseWithTickers {
  /** Symbols of `under the symbol "ACME"`. */
  readonly symbols: readonly Ticker[];
  /** Short names of the companies in headings such as `About Acme Inc.`. */
  readonly aboutNames: ReadonlySet<string>;
}

function candidateOf(
  group: readonly Occurrence[],
  { heading, directory, symbols, aboutNames }: CandidateContext,
): Candidate {
  const company = group.find((occurrence) => occurrence.company !== undefined)?.company;
  const tickers = new Set(group.map(({ ticker }) => ticker));
  const signals: Readonly<Record<keyof typeof WEIGHTS, boolean>> = {
    taggedInHeading: group.some(({ inHeading }) => inHeading),
    namedInHeading: company !== undefined && isNamedIn(company, heading.plain),
    inSymbolSentence: symbols.some((symbol) => [...tickers].some((ticker) => isSimilarSymbol(ticker, symbol))),
    definedAsCompany: group.some((occurrence) => occurrence.isDefinedAsCompany === true),
    announcesSplit: group.some((occurrence) => occurrence.announcesSplit === true),
    hasAboutSection: company !== undefined && aboutNames.has(shortNameOf(company)),
    isInDirectory: [...tickers].some((ticker) => isListedAs(directory, ticker, company)),
    isRelatedCompany: group.find((occurrence) => occurrence.company !== undefined)?.isRelatedCompany === true,
  };
  const keys = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const isRelated = signals.isRelatedCompany;
  return { company, isRelated, tickers, score: keys.reduce((sum, key) => sum + (signals[key] ? WEIGHTS[key] : 0), 0) };
}

function isListedAs(directory: SymbolDirectory | null, ticker: Ticker, company: string | undefined): boolean {
  if (directory === null || company === undefined) return false;
  return directory.find(ticker).some((entry) => isSameName(entry.company, company));
}

/** Whether the release contains `Acme announced` or the like, but only with other companies than this one. */
function isAnnouncedByOthers(company: string | undefined, sentences: readonly Sentence[]): boolean {
  const announcingCompanies = findAnnouncingCompanies(sentences);
  return (
    company !== undefined &&
    announcingCompanies.length > 0 &&
    announcingCompanies.every((name) => !isSameName(name, company))
  );
}

function isNamedIn(company: string, text: string): boolean {
  const foldedText = foldText(text);
  return containsName(foldName(company), foldedText) || foldedText.includes(` ${shortNameOf(company)} `);
}
