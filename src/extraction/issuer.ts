import { foldText, isSameName, nameKey, shortNameOf } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type Company, ISSUER_NOUNS, type Reference, type TextPart } from "./companies.ts";
import { isFundName } from "./funds.ts";
import { isSimilarSymbol } from "./mentions.ts";
import { isHeadline, leadSentences, type Sentence } from "./sentences.ts";
import { namesSplit } from "./split-patterns.ts";
import { findMatches } from "./text-rule.ts";

/** Parts that the companies of a text have in its news. */
export interface Roles {
  /** The company whose split, or else whose news, the text reports; null if there is none, or if two are possible. */
  readonly issuer: Company | null;
  /** Company that reports the news; null if unknown. */
  readonly speaker: string | null;
  readonly isContradictory: boolean;
  /** Other companies that announce a split of their own. */
  readonly otherIssuers: readonly Company[];
}

/** Weights of the signals that a company is the one whose split is announced. Each counts once. */
const WEIGHTS = {
  announcesInHeading: 6,
  namedInHeading: 3,
  taggedInHeading: 4,
  announcesSplit: 5,
  proposesSplit: 3,
  ownsSplit: 6,
  definedAsCompany: 4,
  inSymbolSentence: 3,
  symbolInStatement: 3,
  namedInStatement: 1,
  precedesStatement: 1,
  reportsPastSplit: 1,
  announces: 1,
  hasAboutSection: 1,
  isInDirectory: 1,
  isRelated: -4,
  reportsForOther: -12,
} as const;

type Signals = Readonly<Record<keyof typeof WEIGHTS, boolean>>;

/** Signals of which the issuer of a split has at least one. A company without them is only mentioned. */
const EVIDENCE: readonly (keyof Signals)[] = [
  "announcesInHeading",
  "namedInHeading",
  "taggedInHeading",
  "announcesSplit",
  "proposesSplit",
  "ownsSplit",
  "namedInStatement",
  "precedesStatement",
  "symbolInStatement",
  "definedAsCompany",
];

/** Score from which two companies with the same score are both possible. */
const MIN_CONTRADICTORY_SCORE = 3;

const PAST =
  /\b(?:completed|effected|implemented|executed|conducted|underwent|carried out|undertook|did|had|previously|consolidated (?:its|their|all)|split its|took effect|began trading|last (?:year|month)|in (?:19|20)\d\d)\b/i;
const UPCOMING =
  /\b(?:will|shall|to (?:effect|implement|begin|take)|today|effective|announc\w+|approv\w+|plans?|intends?|expects?|declar\w+|postpon\w+|cancel\w+)\b/i;

/** Term by which the issuer speaks of itself: `the Company`, `we`. News write `the company`. */
const SPEAKER = new RegExp(
  String.raw`\b(?:(?:[Tt]he|THE|[Oo]ur|OUR) (?<noun>(?=[A-Z])(?:${ISSUER_NOUNS.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}|${ISSUER_NOUNS.toUpperCase()}))|[Ww]e|[Oo]ur)\b`,
  "g",
);
const PROPOSAL = /\bpropos(?:e|es|ed|ing)\b/i;

interface Context {
  readonly companies: readonly Company[];
  /** Sentences that name a split. */
  readonly statements: readonly Sentence[];
  readonly lead: ReadonlySet<Sentence>;
  /** Statements in the body after the first one that ends with a full stop. */
  readonly followsProse: ReadonlySet<Sentence>;
  /** Companies whose sentence a statement about the split continues. */
  readonly continued: ReadonlySet<Company>;
  /** Nouns by which statements about the split name the speaker, as in `the Company`; undefined for `we`. Null without statements. */
  readonly speakers: ReadonlySet<string | undefined> | null;
  /** Folded. */
  readonly heading: string;
  readonly directory: SymbolDirectory | null;
  /** Symbols without their exchange in statements about the split, as in `ACME shares`. */
  readonly words: ReadonlySet<string>;
  /** Symbols of `under the symbol "ACME"`. */
  readonly symbols: readonly Ticker[];
}

/** A company with its signals. */
interface Candidate {
  readonly company: Company;
  readonly signals: Signals;
  readonly score: number;
}

/** Finds the issuer among the companies of a text. */
export function findRoles(
  companies: readonly Company[],
  parts: readonly TextPart[],
  directory: SymbolDirectory | null,
): Roles {
  const context = contextOf(companies, parts, directory);
  const candidates = companies.map((company): Candidate => {
    const signals = signalsOf(company, context);
    return { company, signals, score: scoreOf(signals) };
  });
  const isAnnounced = candidates.some(({ signals }) => signals.announcesSplit || signals.proposesSplit);
  const [best, second] = candidates
    .filter(({ company, signals, score }) => {
      const isBrand = isAnnounced && isOnlyInHeading(company);
      return !isBrand && score >= 0 && isEvident(signals, context);
    })
    .toSorted((a, b) => b.score - a.score);
  if (best === undefined)
    return { issuer: null, speaker: null, isContradictory: companies.length > 0, otherIssuers: [] };
  const reporter = candidates.find(({ signals }) => signals.reportsForOther);
  const isTied = best.score === second?.score && best.score >= MIN_CONTRADICTORY_SCORE;
  return {
    issuer: best.company,
    speaker: reporter?.company.name ?? (speaks(best.company) ? best.company.name : null),
    isContradictory: isTied,
    otherIssuers: candidates
      .filter((candidate) => candidate !== best && announcesOwnSplit(candidate))
      .map(({ company }) => company),
  };
}

/** Whether a company is the subject of a sentence, or a text defines a term for it. Of a split of Acme, anybody may report. */
function speaks({ references }: Company): boolean {
  return references.some((one) => one.isSubject || one.form === "about" || one.definedAs !== null);
}

function contextOf(
  companies: readonly Company[],
  parts: readonly TextPart[],
  directory: SymbolDirectory | null,
): Context {
  const sentences = parts.flatMap((part) => part.sentences);
  const statements = sentences.filter(({ plain }) => namesSplit(plain));
  const headings = sentences.filter(({ inHeading }) => inHeading);
  const tickers = parts.flatMap((part) => part.tickers);
  return {
    companies,
    directory,
    statements,
    lead: new Set(leadSentences(sentences)),
    followsProse: new Set(statementsAfterProse(statements)),
    speakers:
      statements.length === 0
        ? null
        : new Set(statements.flatMap(({ plain }) => findMatches(SPEAKER, plain).map(nounOf))),
    continued: companiesBeforeStatements(parts, companies),
    heading: foldText(headings.map(({ plain }) => plain).join("\n")),
    words: new Set(statements.filter(isStatement).flatMap(({ plain }) => plain.match(UNTAGGED_SYMBOL) ?? [])),
    symbols: tickers.flatMap(({ form, ticker }) => (form === "wording" ? ticker : [])),
  };
}

function statementsAfterProse(statements: readonly Sentence[]): readonly Sentence[] {
  const first = statements.findIndex((sentence) => !sentence.inHeading && !isHeadline(sentence));
  return first < 0 ? [] : statements.slice(first + 1);
}

/** A word in capitals that is in no tag. */
const UNTAGGED_SYMBOL = /(?<![\w.:(] ?)\b[A-Z]{2,5}\b(?![:)])/g;

/** Whether a company is more than mentioned in a text about a split. */
function isEvident(signals: Signals, { statements, heading }: Context): boolean {
  if (statements.length === 0 || EVIDENCE.some((key) => signals[key])) return true;
  if (signals.reportsPastSplit && statements.every(isRetelling)) return true;
  return signals.hasAboutSection && !signals.reportsPastSplit && heading.trim() === "";
}

/** Verb after a tag in the heading of another text: `Acme (NASDAQ: ACME) Announces Reverse Split`. */
const HEADING_VERB = /[)\]] (?:Announces?|Reports?|Completes?|Sets|Plans|To|Declares|Approves|Effects|Implements)\b/;

/** Whether a company announces a split in prose. */
function announcesOwnSplit({ company, signals, score }: Candidate): boolean {
  const isProse = company.references.some(
    ({ announcesSplit, sentence }) =>
      announcesSplit && !sentence.inHeading && !isHeadline(sentence) && !HEADING_VERB.test(sentence.plain),
  );
  return isProse && signals.announcesSplit && score > 0 && !isFundName(company.name);
}

/** A name that occurs only in the heading is a brand or a short form if a company announces the split in the body. */
function isOnlyInHeading({ references, tickers }: Company): boolean {
  return tickers.size === 0 && references.every(({ sentence }) => sentence.inHeading);
}

function scoreOf(signals: Signals): number {
  const keys = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  return keys.reduce((sum, key) => sum + (signals[key] ? WEIGHTS[key] : 0), 0);
}

function signalsOf(
  company: Company,
  { companies, lead, followsProse, speakers, continued, heading, directory, symbols, words }: Context,
): Signals {
  const { references, tickers } = company;
  const body = references.filter(
    ({ sentence }) => !sentence.inHeading && !(followsProse.has(sentence) && isHeadline(sentence)),
  );
  const inHeading = references.filter(({ sentence }) => sentence.inHeading);
  const statements = body.filter(({ announcesSplit, form }) => announcesSplit && form !== "owner");
  const isOwner = references.some((reference) => isOwnerOf(reference, company, companies));
  return {
    announcesInHeading: inHeading.some((reference) => isSubject(reference) && namesSplit(reference.sentence.plain)),
    namedInHeading: isNamedIn(company, heading, companies),
    taggedInHeading: inHeading.some((reference) => reference.tickers.length > 0),
    announcesSplit: statements.some(({ sentence }) => !isRetelling(sentence) && !PROPOSAL.test(sentence.plain)),
    proposesSplit: statements.some(({ sentence }) => PROPOSAL.test(sentence.plain)),
    ownsSplit: isOwner,
    definedAsCompany: references.some(({ definedAs }) => definedAs !== null && speaksAs(definedAs, speakers)),
    namedInStatement: body.some(({ form, sentence }) => form === "bracket" && isStatement(sentence)),
    precedesStatement: continued.has(company),
    inSymbolSentence: symbols.some((symbol) => [...tickers].some((ticker) => isSimilarSymbol(ticker, symbol))),
    symbolInStatement: [...tickers].some((ticker) => words.has(ticker)),
    reportsPastSplit: statements.some(({ sentence }) => isRetelling(sentence)),
    announces: references.some((reference) => isSubject(reference) && lead.has(reference.sentence)),
    hasAboutSection: references.some(({ form }) => form === "about"),
    isInDirectory: [...tickers].some((ticker) => isListedAs(directory, ticker, company.name)),
    isRelated: !isOwner && references.find(({ form }) => form === "bracket")?.isRelated === true,
    reportsForOther: !isOwner && references.some((reference) => reportsForOther(reference, company, companies)),
  };
}

function nounOf({ groups }: RegExpExecArray): string | undefined {
  return groups?.noun?.toLowerCase();
}

/** Whether the statements about the split may be those of a company that is defined by a noun. */
function speaksAs(noun: string, speakers: Context["speakers"]): boolean {
  return speakers === null || speakers.has(noun) || speakers.has(undefined);
}

function isSubject({ form, isSubject: beginsSentence }: Reference): boolean {
  return form === "subject" || (form === "bracket" && beginsSentence);
}

/** Whether a sentence only retells a split. */
function isRetelling({ plain }: Sentence): boolean {
  return PAST.test(plain) && !UPCOMING.test(plain);
}

/** Whether a sentence names a split that isn't past. */
function isStatement(sentence: Sentence): boolean {
  return namesSplit(sentence.plain) && !isRetelling(sentence);
}

/** Whether a sentence with another subject reports the split of this company. */
function isOwnerOf(reference: Reference, company: Company, companies: readonly Company[]): boolean {
  const { form, sentence, announcesSplit } = reference;
  if (form === "owner") return true;
  if (form !== "bracket" || reference.isSubject || reference.isRelated || !announcesSplit) return false;
  return companies.some((other) => other !== company && isSubjectOf(other, sentence));
}

/** A split of a company that belongs to the subject: `said that its subsidiary Acme will effect a reverse split`. */
const SPLIT_OF_RELATED =
  /\b(?:its|their|our) (?:[\w-]+ ){0,3}(?:subsidiary|affiliate|associate|investee|portfolio company|spin-?off|licensee|partner|customer),? [A-Z][\w&.-]*(?: [A-Z][\w&.-]*){0,4}(?: \([^()]{0,60}\))? (?:will|would|has|is|to|plans|intends|expects|announced|approved|effected|completed|implemented)\b[^.;]{0,80}\b(?:splits?|consolidat)/;

function reportsForOther(reference: Reference, company: Company, companies: readonly Company[]): boolean {
  if (!isSubject(reference)) return false;
  if (SPLIT_OF_RELATED.test(reference.sentence.plain)) return true;
  return companies.some(
    (other) =>
      other !== company &&
      other.references.some((one) => one.sentence === reference.sentence && isOwnerOf(one, other, companies)),
  );
}

function isSubjectOf({ references }: Company, sentence: Sentence): boolean {
  return references.some((reference) => reference.sentence === sentence && isSubject(reference));
}

/** Whether the heading has the name, a short form, the symbol, or the first word of the name, if no other company shares it. */
function isNamedIn({ name, references, tickers }: Company, heading: string, companies: readonly Company[]): boolean {
  if (heading.trim() === "") return false;
  const short = shortNameOf(name);
  const isUnique = short.length > 3 && companies.filter((other) => shortNameOf(other.name) === short).length === 1;
  const names = references.flatMap((reference) => (reference.name === null ? [] : nameKey(reference.name)));
  const tickerKeys = [...tickers].map((ticker) => ticker.toLowerCase());
  const keys = [...names, ...references.flatMap(({ aliases }) => aliases), ...tickerKeys, ...(isUnique ? [short] : [])];
  return keys.some((key) => key.length > 1 && heading.includes(` ${key} `));
}

/** Whether a directory lists a ticker under the name. */
function isListedAs(directory: SymbolDirectory | null, ticker: Ticker, name: string): boolean {
  return directory?.find(ticker).some((entry) => isSameName(entry.company, name)) === true;
}

/** Words that stand for the issuer. */
const DEFINED_TERM = /\b(?:the company|the corporation|the issuer|we|our)\b/i;
/** Company that carries out a split for its issuer. */
const AGENT = /\b(?:agent|depositary|registrar|clearing|trustee)\b/i;

/**
 * Finds the company that each sentence is about: its subject, else that of the sentence before it in the paragraph. A heading
 * `About Acme` applies to the paragraph below it. A sentence without a company is about the issuer.
 */
export function assignSentences(
  parts: readonly TextPart[],
  companies: readonly Company[],
  issuer: Company | null,
): ReadonlyMap<Sentence, Company> {
  const topics = topicsOf(companies);
  return new Map(
    parts.flatMap((part) =>
      topicsInOrder(part, topics, issuer).flatMap(([sentence, topic]) => {
        const company = topic !== undefined && isForeign(topic, sentence, issuer) ? topic : issuer;
        return company === null ? [] : [[sentence, company] as const];
      }),
    ),
  );
}

/** The sentences of a part, each with the company that it or a sentence before it in the paragraph names. */
function topicsInOrder(
  { plain, sentences }: TextPart,
  topics: ReadonlyMap<Sentence, Topic>,
  issuer: Company | null,
): readonly (readonly [Sentence, Company | undefined])[] {
  let current: Company | undefined;
  let about: Company | undefined;
  let end = 0;
  return sentences.map((sentence) => {
    if (plain.slice(end, sentence.start).includes("\n")) [current, about] = [about, undefined];
    end = sentence.end;
    const topic = topics.get(sentence);
    if (topic?.form === "about") about = topic.company;
    current = topic?.company ?? (returnsToIssuer(sentence, current, issuer) ? undefined : current);
    return [sentence, current];
  });
}

/** Whether `the Company` in a sentence is the issuer, not the company of the sentence before it. */
function returnsToIssuer({ plain }: Sentence, current: Company | undefined, issuer: Company | null): boolean {
  return issuer !== null && DEFINED_TERM.test(plain) && isDefined(issuer) && !isDefined(current);
}

/** First word of a sentence that continues the one before it. */
const CONTINUATION =
  /^(?:the|its|it|their|this|these|stockholders|shareholders|holders|each|every|no|as|following|upon|under|we|our|all)\b/i;

function companiesBeforeStatements(parts: readonly TextPart[], companies: readonly Company[]): ReadonlySet<Company> {
  const topics = topicsOf(companies);
  const inherited = parts.flatMap((part) =>
    topicsInOrder(part, topics, null).flatMap(([sentence, company]) =>
      company && !topics.has(sentence) && isStatement(sentence) && continues(sentence, company) ? company : [],
    ),
  );
  return new Set(inherited);
}

/** Whether a sentence continues that of a company. `our` stands for a company only if it speaks. */
function continues({ plain }: Sentence, company: Company): boolean {
  return CONTINUATION.test(plain) && (isDefined(company) || !/\b(?:we|our)\b/i.test(plain));
}

function isDefined(company: Company | undefined): boolean {
  return company?.references.some(({ definedAs }) => definedAs !== null) === true;
}

interface Topic {
  readonly company: Company;
  readonly form: Reference["form"];
}

/** The form of a reference decides which company a sentence with several is about; the last one of these. */
const TOPIC_FORMS: readonly Reference["form"][] = ["about", "subject", "bracket", "owner"];

function topicsOf(companies: readonly Company[]): ReadonlyMap<Sentence, Topic> {
  const topics = companies.flatMap((company) =>
    company.references
      .filter((reference) => reference.isSubject || reference.form === "owner" || actsInSentence(reference))
      .map(({ form, sentence }) => ({ company, form, sentence })),
  );
  const inOrder = topics.toSorted((a, b) => TOPIC_FORMS.indexOf(a.form) - TOPIC_FORMS.indexOf(b.form));
  return new Map(inOrder.map(({ sentence, ...topic }) => [sentence, topic]));
}

/** Whether a company is the subject of its clause, as in a list of headings: `More news Acme (NASDAQ: ACME) announces a split`. */
function actsInSentence({ form, announcesSplit, isRelated }: Reference): boolean {
  return form === "bracket" && announcesSplit && !isRelated;
}

/** Whether a company's sentences state no facts about the issuer: it has a symbol or a split of its own. */
function isForeign(company: Company, sentence: Sentence, issuer: Company | null): boolean {
  if (company === issuer || AGENT.test(sentence.plain)) return false;
  const isAbout = company.references.some(({ form }) => form === "about");
  // Without an issuer, any of the companies may be the one that splits.
  if (issuer === null && namesSplit(sentence.plain)) return isAbout && isRetelling(sentence);
  if (isFundName(company.name)) return false;
  return company.tickers.size > 0 || isAbout || company.references.some(({ announcesSplit }) => announcesSplit);
}
