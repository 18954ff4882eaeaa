import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { findBareTicker, findListedTicker } from "./bare-tickers.ts";
import { type Company, findCompanies, namesSplit, type Reference, type TextPart } from "./companies.ts";
import { abbreviates } from "./company-names.ts";
import { type Evidence, quoteEvidence, type Security, type TaggedTicker } from "./facts.ts";
import { FUND_NAME, TRADED_FUND } from "./funds.ts";
import { assignSentences, findRoles } from "./issuer.ts";
import { isDerivedTicker, isSimilarSymbol, listMentions, resolveExchange, selectCommonShare } from "./mentions.ts";
import { findNoticeTitle, type NoticeTitle } from "./notice.ts";
import type { Sentence } from "./sentences.ts";
import type { TickerMatch } from "./tickers.ts";

/** The security of one announcement, with the sentences about it. */
export interface SecurityResult {
  readonly security: Security;
  /** The symbol with the exchange that its own sentence names. */
  readonly share: TickerMention | null;
  readonly sentences: readonly Sentence[];
  /** True if two symbols are possible, or if only a company other than the issuer has a symbol. */
  readonly contradictory: boolean;
  /** Symbols of further share classes that are split, as in `under the symbols "ACME.A" and "ACME.B", respectively`. */
  readonly otherClasses: readonly Ticker[];
  readonly evidence: Evidence;
}

/** The securities that a text is about. */
export interface SecuritiesResult {
  /** True if the text is an exchange's own notice. */
  readonly isNotice: boolean;
  /** Company that reports the news; null if unknown. */
  readonly subject: string | null;
  readonly mentions: readonly TaggedTicker[];
  /** Tickers of companies that are mentioned in another role, such as a customer or parent, and those of tags without a name. */
  readonly relatedTickers: ReadonlySet<Ticker>;
  readonly main: SecurityResult;
  /** True if two companies are equally probable. */
  readonly isContradictory: boolean;
  /** Securities of the other companies that announce a split of their own. */
  readonly others: readonly SecurityResult[];
}

/** Finds the securities that a release is about. `parts`: its heading and its body. */
export function findSecurities(
  parts: readonly [TextPart, TextPart],
  directory: SymbolDirectory | null,
): SecuritiesResult {
  const sentences = parts.flatMap((part) => part.sentences);
  const notice = findNoticeTitle(sentences);
  return notice ? securityOfNotice(notice, parts) : securitiesOfRelease(parts, directory);
}

function securityOfNotice(notice: NoticeTitle, parts: readonly TextPart[]): SecuritiesResult {
  const { ticker, exchange, company, sentence } = notice;
  const others = listMentions(parts.flatMap(({ tickers }) => tickers)).filter((mention) => mention.ticker !== ticker);
  return {
    isNotice: true,
    subject: null,
    mentions: [{ ticker, exchange, tagged: true }, ...others],
    relatedTickers: new Set(),
    main: {
      security: { ticker, exchange, company },
      share: { ticker, exchange },
      sentences: parts.flatMap((part) => part.sentences),
      contradictory: false,
      otherClasses: [],
      evidence: {
        ...quoteEvidence("ticker", sentence),
        ...quoteEvidence("exchange", sentence),
        ...quoteEvidence("company", sentence),
      },
    },
    isContradictory: false,
    others: [],
  };
}

interface Release {
  readonly parts: readonly [TextPart, TextPart];
  readonly sentences: readonly Sentence[];
  readonly matches: readonly TickerMatch[];
  readonly directory: SymbolDirectory | null;
  readonly companies: readonly Company[];
  /** Tags without a company's name. */
  readonly unnamed: readonly Reference[];
  /** The company that each sentence is about. */
  readonly assigned: ReadonlyMap<Sentence, Company>;
}

function securitiesOfRelease(
  parts: readonly [TextPart, TextPart],
  directory: SymbolDirectory | null,
): SecuritiesResult {
  const { companies, unnamed } = findCompanies(parts);
  const { issuer, speaker, isContradictory, otherIssuers } = findRoles(companies, parts, directory);
  const assigned = assignSentences(parts, companies, issuer);
  const sentences = parts.flatMap((part) => part.sentences);
  const matches = parts.flatMap((part) => part.tickers);
  const release = { parts, sentences, matches, directory, companies, unnamed, assigned };
  const main = securityOf(issuer, release);
  const others = otherIssuers.filter(({ tickers }) => tickers.size > 0).map((other) => securityOf(other, release));
  return {
    isNotice: false,
    subject: speaker,
    mentions: withShare(listMentions(matches), main.share),
    relatedTickers: new Set([...tickersOfRelated(companies, issuer), ...freeTickers(companies, unnamed)]),
    main,
    isContradictory,
    others,
  };
}

function tickersOfRelated(companies: readonly Company[], issuer: Company | null): readonly Ticker[] {
  const related = companies.filter((company) => company !== issuer && isRelated(company));
  return related.flatMap(({ tickers }) => [...tickers]);
}

/** Symbols of the tags in the body that stand alone, as in a list of related stocks. */
function freeTickers(companies: readonly Company[], unnamed: readonly Reference[]): readonly Ticker[] {
  const free = unnamed.filter(({ isDefinedTerm, sentence }) => !isDefinedTerm && !sentence.inHeading);
  return free
    .flatMap(({ tickers }) => tickers.map(({ ticker }) => ticker))
    .filter((ticker) => !companies.some(({ tickers }) => tickers.has(ticker)));
}

function isRelated({ references }: Company): boolean {
  return references.find(({ form }) => form === "bracket")?.isRelated === true;
}

function withShare(mentions: readonly TaggedTicker[], share: TickerMention | null): readonly TaggedTicker[] {
  if (!share || mentions.some(({ ticker }) => ticker === share.ticker)) return mentions;
  return [...mentions, { ticker: share.ticker, exchange: share.exchange, tagged: false }];
}

/** The security of a company; of the text itself if no company is named. */
function securityOf(company: Company | null, release: Release): SecurityResult {
  const sentences = release.sentences.filter((sentence) => isAbout(company, sentence, release));
  const { share, sentence, isAmbiguous, otherClasses } = findSymbol(company, sentences, release);
  const exchange = share && resolveExchange(share, sentences.map(({ plain }) => plain).join("\n"));
  const hasOtherSymbol = release.matches.some(({ form }) => form === "tag" || form === "cashtag");
  return {
    security: {
      ticker: share?.ticker ?? null,
      exchange: exchange ?? resolveExchange(null, sentences.map(({ plain }) => plain).join("\n")),
      company: company?.name ?? null,
    },
    share,
    sentences,
    contradictory: isAmbiguous || (share === null && hasOtherSymbol),
    otherClasses,
    evidence: {
      ...(share && evidenceOfShare(share, exchange, sentence, release)),
      ...quoteEvidence("company", company?.sentence),
    },
  };
}

/** Headings are about every company, other sentences about the one they are assigned to. */
function isAbout(company: Company | null, sentence: Sentence, { assigned }: Release): boolean {
  return sentence.inHeading || (assigned.get(sentence) ?? null) === company;
}

interface SymbolResult {
  readonly share: TickerMention | null;
  /** States the symbol, if it isn't a tag. */
  readonly sentence?: Sentence;
  readonly isAmbiguous: boolean;
  readonly otherClasses: readonly Ticker[];
}

/**
 * Finds the symbol that is attached to a company's name: in its tag, else in its symbol sentence (`under the symbol "ACME"`), in
 * the heading, or beside its name. A tag elsewhere counts only if it abbreviates the name.
 */
function findSymbol(company: Company | null, sentences: readonly Sentence[], release: Release): SymbolResult {
  const own = new Set(sentences);
  const tags = [
    ...(company?.references ?? []),
    ...release.unnamed.filter(({ isDefinedTerm, sentence }) => isDefinedTerm && own.has(sentence)),
  ].flatMap(({ tickers }) => tickers);
  const found = [withShares(tags, release), wordingsIn(sentences, release), headingTags(release)].find(
    (matches) => matches.length > 0,
  );
  if (found !== undefined) return selectShare(found, sentences);
  if (company !== null && isSponsor(company, sentences)) return { share: null, isAmbiguous: false, otherClasses: [] };
  const untagged =
    (release.directory && findListedTicker(sentences, release.directory, company?.name)) ??
    (company === null ? undefined : findBareTicker(sentences, company.name, release.directory));
  if (untagged) return { share: untagged, sentence: untagged.sentence, isAmbiguous: false, otherClasses: [] };
  const free = release.unnamed.flatMap(({ tickers }) => tickers);
  const confirmed = free.filter(({ ticker }) => company !== null && abbreviates(ticker, company.name));
  const cells = release.matches.filter(({ form }) => form === "cell");
  return selectShare(confirmed.length > 0 ? confirmed : cells, sentences);
}

/** Symbols with those of the shares from which they are derived: `ACMED` with `ACME`. */
function withShares(tags: readonly TickerMatch[], { matches }: Release): readonly TickerMatch[] {
  const shares = matches.filter(
    (match) => !tags.includes(match) && tags.some(({ ticker }) => isDerivedTicker(ticker, match.ticker)),
  );
  return [...tags, ...shares];
}

/** Whether a company announces splits of funds, so that a symbol beside its name isn't that of a split. */
function isSponsor({ name }: Company, sentences: readonly Sentence[]): boolean {
  return !FUND_NAME.test(name) && sentences.some(({ inHeading, plain }) => inHeading && TRADED_FUND.test(plain));
}

/** Symbols of `under the symbol "ACME"` in the sentences. */
function wordingsIn(sentences: readonly Sentence[], { parts }: Release): readonly TickerMatch[] {
  const own = new Set(sentences);
  return parts.flatMap((part) =>
    part.tickers.filter((match) => {
      if (match.form !== "wording") return false;
      const sentence = part.sentences.find(({ start, end }) => start <= match.start && match.start < end);
      return sentence !== undefined && own.has(sentence);
    }),
  );
}

function headingTags({ unnamed }: Release): readonly TickerMatch[] {
  return unnamed.filter(({ sentence }) => sentence.inHeading).flatMap(({ tickers }) => tickers);
}

/** Selects the common share among the symbols of one company. Two shares on one exchange are ambiguous. */
function selectShare(matches: readonly TickerMatch[], sentences: readonly Sentence[]): SymbolResult {
  const shares = matches.filter(({ isOtherSecurity }) => !isOtherSecurity);
  const share = selectCommonShare(listMentions(shares));
  if (share === null) return { share, isAmbiguous: matches.length > 0, otherClasses: [] };
  const others = new Set(shares.filter((other) => isOtherShare(other, share)).map(({ ticker }) => ticker));
  if (others.size === 0) return { share, isAmbiguous: false, otherClasses: [] };
  return areSplitClasses(sentences)
    ? { share, isAmbiguous: false, otherClasses: [...others] }
    : { share: null, isAmbiguous: true, otherClasses: [] };
}

function isOtherShare({ ticker, exchange }: TickerMention, share: TickerMention): boolean {
  if (ticker !== share.ticker && classOf(ticker) !== "" && classOf(share.ticker) !== "") return true;
  const isOnOtherExchange = exchange !== null && share.exchange !== null && exchange !== share.exchange;
  return !isOnOtherExchange && !isDerivedTicker(ticker, share.ticker) && !isSimilarSymbol(ticker, share.ticker);
}

/** Class or other suffix of a symbol, empty for most. */
function classOf(ticker: Ticker): string {
  return ticker.replace(/^[^./-]*/, "");
}

/** Two share classes: `Class A shares and Class B shares`. */
const CLASSES =
  /\bclass [a-z]\b[^.;]{0,80}\band\b[^.;]{0,40}\bclass [a-z]\b|\bvoting (?:shares|stock)\b[^.;]{0,40}\band\b[^.;]{0,40}\bvoting (?:shares|stock)\b/i;

/** Whether the split applies to two share classes whose symbols are stated in the same order. */
function areSplitClasses(sentences: readonly Sentence[]): boolean {
  const named = sentences.filter(({ plain }) => CLASSES.test(plain));
  return named.some(({ plain }) => namesSplit(plain)) && named.some(({ plain }) => /\brespectively\b/i.test(plain));
}

function evidenceOfShare(
  { ticker }: TickerMention,
  exchange: Exchange | null,
  stated: Sentence | undefined,
  { parts }: Release,
): Evidence {
  if (stated) return quoteEvidence("ticker", stated);
  for (const part of parts) {
    const match = part.tickers.find((candidate) => candidate.ticker === ticker);
    const sentence = part.sentences.find(({ start, end }) => match && start <= match.start && match.start < end);
    if (sentence)
      return {
        ...quoteEvidence("ticker", sentence),
        ...(match?.exchange === exchange && quoteEvidence("exchange", sentence)),
      };
  }
  return {};
}
