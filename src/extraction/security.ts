import type { TickerMention } from "../domain/article/article.ts";
import { isSameName, shortNameOf } from "../domain/article/company-name.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import {
  type BareTicker,
  findAbbreviatedName,
  findBareTicker,
  findHeadingLabel,
  findListedTicker,
  findSplitSymbol,
  findUnderlying,
} from "./bare-tickers.ts";
import { type Company, findCompanies, type Reference, type TextPart } from "./companies.ts";
import { abbreviates } from "./company-names.ts";
import { type Evidence, quoteEvidence, type Security, type TaggedTicker } from "./facts.ts";
import { FUND_NAME, TRADED_FUND } from "./funds.ts";
import { assignSentences, findRoles } from "./issuer.ts";
import { isDerivedTicker, isSimilarSymbol, listMentions, resolveExchange, selectCommonShare } from "./mentions.ts";
import { findNoticeTitle, type NoticeTitle } from "./notice.ts";
import { isHeadline, type Sentence } from "./sentences.ts";
import { namesSplit } from "./split-patterns.ts";
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
  const isOfOther = (part: TextPart, line: Sentence): boolean =>
    isHeadline(line) &&
    part.tickers.some((tag) => tag.ticker !== ticker && line.start <= tag.start && tag.start < line.end);
  const others = listMentions(parts.flatMap(({ tickers }) => tickers)).filter((mention) => mention.ticker !== ticker);
  return {
    isNotice: true,
    subject: null,
    mentions: [{ ticker, exchange, tagged: true }, ...others],
    relatedTickers: new Set(),
    main: {
      security: { ticker, exchange, company },
      share: { ticker, exchange },
      sentences: parts.flatMap((part) => part.sentences.filter((one) => !isOfOther(part, one) || one === sentence)),
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
  const others = otherIssuers.map((other) => securityOf(other, release)).filter(({ share }) => share !== null);
  return {
    isNotice: false,
    subject: speaker,
    mentions: withShare(listMentions(matches), main.share),
    relatedTickers: new Set([
      ...tickersOfRelated(companies, issuer),
      ...freeTickers(companies, unnamed),
      ...(issuer !== null && splitsProducts(issuer, main.sentences) ? issuer.tickers : []),
    ]),
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
  const tags = tagsOf(company, sentences, release);
  const share = tags.length > 0 || company === null ? undefined : findUnderlying(release.sentences, company.name);
  if (share) return { share, sentence: share.sentence, isAmbiguous: false, otherClasses: [] };
  return findStatedSymbol(company, sentences, release, tags);
}

function findStatedSymbol(
  company: Company | null,
  sentences: readonly Sentence[],
  release: Release,
  tags: readonly TickerMatch[],
): SymbolResult {
  const wordings = wordingsIn(company, sentences, release);
  const stated = wordings.length > 1 && areSplitClasses(sentences) ? [...tags, ...wordings] : tags;
  const found = [stated, wordings, headingTags(release)].find((matches) => matches.length > 0);
  if (found !== undefined) return selectShare(found, sentences);
  const sponsors = company !== null && isSponsor(company, sentences);
  const untagged = sponsors ? undefined : findUntagged(company, sentences, release.directory);
  const share = untagged ?? findSplitSymbol(sentences, release.directory);
  if (share) return { share, sentence: share.sentence, isAmbiguous: false, otherClasses: [] };
  if (sponsors) return { share: null, isAmbiguous: false, otherClasses: [] };
  const free = release.unnamed.flatMap(({ tickers }) => tickers);
  const confirmed = free.filter(({ ticker }) => company !== null && abbreviates(ticker, company.name));
  if (confirmed.length === 0) confirmed.push(...labelsOf(company, release));
  const cells = release.matches.filter(({ form }) => form === "cell");
  return selectShare(confirmed.length > 0 ? confirmed : cells, sentences);
}

/** Line of a form with nothing but a symbol: `Ticker: ACME`. */
const SYMBOL_LINE = /^(?:(?:stock|trading) )?(?:ticker|symbol)(?: symbol)?: ?"?[A-Z0-9./-]{1,10}"?$/i;
/** Maximum distance from the line that names the only company of a form to that of its symbol, in lines. */
const MAX_LABEL_DISTANCE = 3;

/** Symbols in the lines of a form about one company, near that of its name. */
function labelsOf(company: Company | null, { companies, unnamed, sentences }: Release): readonly TickerMatch[] {
  if (company === null || companies.length > 1) return [];
  const named = company.references.map(({ sentence }) => sentences.indexOf(sentence));
  const labels = unnamed.filter(({ sentence }) => SYMBOL_LINE.test(sentence.plain));
  return labels
    .filter(({ sentence }) => named.some((at) => Math.abs(sentences.indexOf(sentence) - at) <= MAX_LABEL_DISTANCE))
    .flatMap(({ tickers }) => tickers);
}

/** Symbol without its exchange: one that the directory lists for the company, else one beside its name. */
function findUntagged(
  company: Company | null,
  sentences: readonly Sentence[],
  directory: SymbolDirectory | null,
): BareTicker | undefined {
  return (
    (directory && findListedTicker(sentences, directory, company?.name)) ??
    (company === null
      ? undefined
      : (findBareTicker(sentences, company.name, directory) ??
        findHeadingLabel(sentences, company.name, directory) ??
        findAbbreviatedName(sentences, company.name, directory)))
  );
}

/** Symbols in the tags of a company and of its shares. A bank's own symbol is never that of its notes. */
function tagsOf(company: Company | null, sentences: readonly Sentence[], release: Release): readonly TickerMatch[] {
  const own = new Set(sentences);
  const named = company === null || splitsProducts(company, sentences) ? [] : company.references;
  const ofShares = release.unnamed.filter(({ isDefinedTerm, sentence }) => isDefinedTerm && own.has(sentence));
  return withShares(
    [...named, ...ofShares].flatMap(({ tickers }) => tickers),
    release,
  );
}

/** Symbols with those of the shares from which they are derived: `ACMED` with `ACME`. */
function withShares(tags: readonly TickerMatch[], { matches }: Release): readonly TickerMatch[] {
  const shares = matches.filter(
    (match) => !tags.includes(match) && tags.some(({ ticker }) => isDerivedTicker(ticker, match.ticker)),
  );
  return [...tags, ...shares];
}

/** Split of a sponsor's products: `the reverse split of its Copper 3x ETNs`, `of two series of exchange traded notes`. */
const SPLIT_OF_PRODUCTS =
  /\bsplits? (?:of|on|for|in) (?:all |the |certain of )?(?:its|their|our|two|three|four|five|six|seven|eight|nine|ten|\d+|several|certain)\b[^.;:]{0,120}?\b(?:ETFs?|ETNs?|ETPs?|exchange[- ]traded|notes|funds)\b/i;

/** Whether a company announces splits of funds, so that neither its own symbol nor one beside its name is that of a split. */
function isSponsor(company: Company, sentences: readonly Sentence[]): boolean {
  const isAboutFunds = sentences.some(({ inHeading, plain }) => inHeading && TRADED_FUND.test(plain));
  return (isAboutFunds && !FUND_NAME.test(company.name)) || splitsProducts(company, sentences);
}

function splitsProducts({ name }: Company, sentences: readonly Sentence[]): boolean {
  return !FUND_NAME.test(name) && sentences.some(({ plain }) => SPLIT_OF_PRODUCTS.test(plain));
}

/** Symbols of `under the symbol "ACME"` in the sentences, without those of another company. */
function wordingsIn(
  company: Company | null,
  sentences: readonly Sentence[],
  { parts, companies }: Release,
): readonly TickerMatch[] {
  const own = new Set(sentences);
  const foreign = new Set(companies.flatMap((other) => (other === company ? [] : [...other.tickers])));
  const wordings = parts.flatMap((part) =>
    part.tickers.flatMap((match) => {
      const sentence = part.sentences.find(({ start, end }) => start <= match.start && match.start < end);
      return match.form === "wording" && sentence !== undefined ? [{ match, sentence }] : [];
    }),
  );
  for (const { match, sentence } of wordings) if (isSymbolOfOther(sentence, company)) foreign.add(match.ticker);
  return wordings.flatMap(({ match, sentence }) =>
    own.has(sentence) && (company === null || !foreign.has(match.ticker)) ? match : [],
  );
}

/** Subject of a symbol sentence: `Acme's common shares trade`, `Acme Corp. is listed`. */
const SYMBOL_SUBJECT =
  /^(?<name>(?:[A-Z][\w.&-]*,? ){1,6}?)(?:(?:common|ordinary) )?(?:(?:shares|stock|units) )?(?:also |currently |now )?(?:trades?|is|are|was|has|have|had|will|lists?|began|begins?|continues?)\b/;
const GENERIC_SUBJECT =
  /^(?:the|its|our|these|those|common|ordinary|class|shares|stock|units|company|corporation|ads|adss|ads?|american depositary|trading|following|nasdaq|nyse|both|new|post|reverse|consolidated|subordinate|after|upon|on|it|they|we)\b/i;

/** Whether the sentence of a symbol has another company as its subject. */
function isSymbolOfOther({ plain }: Sentence, company: Company | null): boolean {
  const name = SYMBOL_SUBJECT.exec(plain.replace(/'s?(?= )/g, ""))?.groups?.name?.trim();
  if (company === null || name === undefined || GENERIC_SUBJECT.test(name)) return false;
  const names = company.references.flatMap((reference) => [reference.name ?? "", ...reference.aliases]);
  const known = [...names, ...[...company.tickers].map(String)].filter((one) => one !== "");
  return !known.some((one) => isSameName(one, name) || shortNameOf(one) === shortNameOf(name));
}

function headingTags({ unnamed }: Release): readonly TickerMatch[] {
  return unnamed.filter(({ sentence }) => sentence.inHeading).flatMap(({ tickers }) => tickers);
}

/** Split of another security than the common share: `a reverse split of its Series B Preferred Stock`. */
const SPLIT_OF_OTHER = /\bsplits? of (?:its|the|our|all)(?: [\w-]+){0,6}? (?:preferred|preference)\b/i;
const SPLIT_OF_COMMON = /\bsplits? of (?:its|the|our|all)(?: [\w-]+){0,6}? (?:common|ordinary|class [a-z])\b/i;

function splitsOtherSecurity(sentences: readonly Sentence[]): boolean {
  const states = (pattern: RegExp): boolean => sentences.some(({ plain }) => pattern.test(plain));
  return states(SPLIT_OF_OTHER) && !states(SPLIT_OF_COMMON);
}

/** Selects the common share among the symbols of one company. Two shares on one exchange are ambiguous. */
function selectShare(matches: readonly TickerMatch[], sentences: readonly Sentence[]): SymbolResult {
  const isOther = splitsOtherSecurity(sentences);
  const shares = matches.filter(({ isOtherSecurity }) => isOtherSecurity === isOther);
  const share = selectCommonShare(listMentions(shares));
  if (share === null) return { share, isAmbiguous: matches.length > 0, otherClasses: [] };
  const others = new Set(shares.filter((other) => isOtherShare(other, share)).map(({ ticker }) => ticker));
  if (others.size === 0) return { share, isAmbiguous: false, otherClasses: [] };
  return areSplitClasses(sentences) || [share.ticker, ...others].every((ticker) => isSplitClass(ticker, sentences))
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

/** Whether a statement about the split names the class of a symbol: `ACME.A` and `Class A shares`. */
function isSplitClass(ticker: Ticker, sentences: readonly Sentence[]): boolean {
  const [, letter] = /\.([A-Z])$/.exec(ticker) ?? [];
  const named = new RegExp(`\\bclass ${letter}\\b`, "i");
  return letter !== undefined && sentences.some(({ plain }) => namesSplit(plain) && named.test(plain));
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
