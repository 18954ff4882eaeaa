import { foldText, isSameName, nameKey } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import {
  actsAsIssuer,
  isFullName,
  LINK,
  nameBefore,
  nameInAbout,
  nameInTitle,
  nameOfAnnouncingCompany,
  namesOfActors,
} from "./company-names.ts";
import { EXCHANGE_NAME } from "./exchange-names.ts";
import { isUnderlying } from "./fund-tokens.ts";
import type { Sentence } from "./sentences.ts";
import { namesSplit } from "./split-patterns.ts";
import { findMatches } from "./text-rule.ts";
import type { TickerMatch } from "./tickers.ts";

/** Heading or body of a release. */
export interface TextPart {
  readonly plain: string;
  readonly sentences: readonly Sentence[];
  readonly tickers: readonly TickerMatch[];
}

/** One naming of a company, or a tag without a name. */
export interface Reference {
  readonly sentence: Sentence;
  /**
   * `bracket`: before a tag or a short name in brackets. `subject`: before `announced` or the like. `owner`: its split is
   * another company's news. `about`: heading of the paragraph about it.
   */
  readonly form: "bracket" | "subject" | "owner" | "about";
  /** Null for a tag after words such as `the Company`, and for a tag without words. */
  readonly name: string | null;
  /** Whether words such as `the Company`, `common stock` or `Companies in this story` precede a tag without a name. */
  readonly isDefinedTerm: boolean;
  /** Short names in the brackets, folded. */
  readonly aliases: readonly string[];
  readonly tickers: readonly TickerMatch[];
  /** Whether the name begins its sentence. */
  readonly isSubject: boolean;
  /** Noun that the text after the name defines for it, as in `the "Company"`: `company`. */
  readonly definedAs: string | null;
  /** Whether the company announces or effects a split: `Acme (NASDAQ: ACME) today announced a reverse split`. */
  readonly announcesSplit: boolean;
  /** Whether words such as `its customer` precede the name. */
  readonly isRelated: boolean;
}

/** A company with everything that names it. */
export interface Company {
  readonly name: string;
  /** The sentence that introduces it. */
  readonly sentence: Sentence;
  readonly references: readonly Reference[];
  readonly tickers: ReadonlySet<Ticker>;
}

/** Length of the text beside a bracket that is read, in characters. */
const CONTEXT = 200;
const MAX_BRACKETS = 12;
/** Maximum number of references that are compared. A text with more is a list. */
const MAX_REFERENCES = 400;

/** Nouns that stand for the issuer: `the Company`. */
export const ISSUER_NOUNS = "company|corporation|issuer|fund|trust|partnership|bank|group";
const SHORT_NAME = new RegExp(
  String.raw`\b(?:the|our)?\s?["'](?:the )?(?<quoted>${ISSUER_NOUNS})["']|\bthe (?<plain>company)\b`,
  "i",
);
/** Label of the name on the cover of a filing, beside it or on the next line. */
const REGISTRANT = /\(\s?(?:exact )?(?:name of (?:the )?registrant|registrant's (?:exact )?name)\b/i;
const GENERIC_ALIAS = new RegExp(`^(?:the )?(?:${ISSUER_NOUNS}|exchange|we|us|our)$`, "i");
const ALIAS = /"([^"]{1,60})"|\(([A-Z]{2,6})\)/g;
/** Label of a ticker in a bracket without an exchange: `(Symbol: ACME)`. */
const TAG_LABEL = /^\s*(?:stock )?(?:ticker|symbol)s?(?: symbol)?\s*:/i;
/** Adjacent brackets after a name. */
const BRACKETS = /(?:\((?!https?:)|\[(?![^\]\n]{1,100}\]\())[^()[\]]{0,200}[)\]](?:,? ?[([][^()[\]]{0,200}[)\]]){0,4}/g;
/** Start of a bracket that contains the bracket after it. */
const OPEN_BRACKET = /\s?[([][^()[\]]{0,40}$/;
/** Label between a name and its tag: `Acme Inc. Ticker: NASDAQ: ACME`. */
const LABEL = /\s?\b(?:(?:stock|trading) )?(?:ticker|symbol)s?(?: symbol)?:? ?$/i;
/** Generic term for the issuer or its security before a tag: `the Company (NASDAQ: ACME)`. */
const DEFINED_TERM_BEFORE =
  /\b(?:company|corporation|issuer|fund|trust|partnership|shares?|stock|units?|receipts?|securities|notes|ADSs?|ADRs?|ETNs?|ETFs?|ETPs?|listed|traded|quoted)"?\)?,? ?$/i;
/** Label of the symbols of every company in a story of a news agency. */
const STORY_TAGS_BEFORE = /\bcompan(?:y|ies) (?:mentioned )?in this (?:story|article|report):? ?$/i;
const TERM_BEFORE = [DEFINED_TERM_BEFORE, STORY_TAGS_BEFORE];
/** Text before the name of a company that is not the issuer. */
const RELATED_BEFORE =
  /\b(?:(?:customers?|clients?|suppliers?|vendors?|partners?|subsidiar(?:y|ies)|parent|affiliates?|licensees?|licensors?|competitors?|rivals?|distributors?|lenders?|investors?|owners?|underwriters?)(?: company)?,?(?: of)?|(?:with|from|against|unlike|including|such as|acquired by|owned by|spin-?off of))(?: (?:the|an?|its|our|company|fellow|called|named|now|formerly))* ?$/i;
/** Start of an aside that mentions another company, up to its name: `Acme, spun off from `, `Acme, whose customer `. */
const ASIDE_BEFORE =
  /, (?:whose|which|who|(?:just |much )?like|unlike|as did|along(?:side)?(?: with)?|together with|part of|(?:recently |newly |formerly )?(?:spun|split|separated|carved) (?:off|out)|(?:majority-|wholly[ -])?(?:owned|controlled|backed|held) by|(?:an?|the) (?:[\w-]+ ){0,2}(?:subsidiary|unit|affiliate|spin-?off|customer|client|supplier|partner|rival|competitor|licensee))\b[^,;]{0,120}$/i;
/** End of an aside after a name: `, announced`, ` last year, announced`. */
const ASIDE_AFTER = /^(?: (?:last|this|earlier|in|since)\b[^,;]{0,40})?,(?! (?:an?|the|which|who|whose)\b)/i;
/** A split of the company that speaks, after the name of another one: `Acme holds 40% of our shares and supports our split`. */
const OUR_SPLIT = /\bour\b[^.;]{0,80}\b(?:splits?|consolidation)\b/i;
/** Text after the name of a company that acts for the issuer: `, as depositary`. */
const AGENT_AFTER =
  /^,? (?:as|acting as|in its capacity as|which (?:acts|serves) as)(?: the| its| our| an?)?(?: [a-z]+){0,2}? (?:depositary|agent|registrar|trustee|advis[eo]r|underwriter|custodian|counsel)\b/i;
/** What a company that is mentioned did: `the example of Acme, which completed a split`. */
const RELATIVE_CLAUSE = /^,? (?:which|who) /;
/** Text of a sentence before its subject: a dateline, a bullet or an adverb. */
const SUBJECT_START =
  /(?:^|[-–—•:*/>] ?|\d{4},? )(?:(?:today|separately|meanwhile|also|elsewhere|in (?:other|separate|related|unrelated|company) news|effective [\w ,.]{4,30}|(?:shares|stock|units) (?:of|in)),? )*$/i;

/** Finds the companies that the parts of a release name, in text order, and the tags that have no company's name. */
export function findCompanies(parts: readonly TextPart[]): {
  readonly companies: readonly Company[];
  readonly unnamed: readonly Reference[];
} {
  const references = parts.flatMap(referencesOf).slice(0, MAX_REFERENCES);
  const own = references.filter((reference): reference is NamedReference => reference.name !== null);
  const named = separateJoined([...own, ...actorsOf(parts, own)], parts).slice(0, MAX_REFERENCES);
  const companies = groupByCompany(named);
  const sentences = companies.length < 2 ? [] : parts.flatMap((part) => part.sentences);
  const owners = sentences.flatMap((sentence) => ownersOf(sentence, companies));
  return {
    companies: companies.map((company) =>
      toCompany([...company, ...owners.flatMap(({ of, reference }) => (of === company ? reference : []))]),
    ),
    unnamed: references.filter(({ name }) => name === null),
  };
}

type NamedReference = Reference & { readonly name: string };

/** `Orlock Motors and Harlan Corp. (NYSE: HARL)` names two companies if the text also names the first one alone. */
function separateJoined(references: readonly NamedReference[], parts: readonly TextPart[]): readonly NamedReference[] {
  return references.flatMap((reference) => {
    const [first = "", ...others] = reference.name.split(" and ");
    const isJoined =
      others.length > 0 &&
      reference.tickers.length > 0 &&
      first.includes(" ") &&
      parts.some(({ plain }) => plain.replaceAll(`${first} and `, "").includes(first));
    if (!isJoined) return [reference];
    const second = { ...reference, name: others.join(" and "), isSubject: false, announcesSplit: false };
    return [{ ...reference, name: first, tickers: [], aliases: [] }, second];
  });
}

function referencesOf({ plain, sentences, tickers }: TextPart): readonly Reference[] {
  let next = 0;
  return sentences.flatMap((sentence, index) => {
    const own: TickerMatch[] = [];
    for (; next < tickers.length && (tickers[next] as TickerMatch).start < sentence.end; next += 1) {
      const ticker = tickers[next] as TickerMatch;
      if (ticker.form === "tag" || ticker.form === "cashtag") own.push(ticker);
    }
    return [...taggedIn(sentence, plain, own), ...namedIn(sentence), ...registrantIn(sentence, sentences[index - 1])];
  });
}

/** Name on the line above `(Exact name of registrant as specified in its charter)`. */
function registrantIn({ plain }: Sentence, above: Sentence | undefined): readonly Reference[] {
  if (above === undefined || plain.search(REGISTRANT) !== 0) return [];
  const name = nameBefore(above.plain);
  return name === undefined
    ? []
    : [{ ...UNBRACKETED, sentence: above, form: "bracket", name, definedAs: "company", announcesSplit: false }];
}

/** Names before brackets and tags. */
function taggedIn(sentence: Sentence, plain: string, tickers: readonly TickerMatch[]): readonly Reference[] {
  const groups = findMatches(BRACKETS, sentence.plain, MAX_BRACKETS).map(({ 0: text, index }) => ({
    start: sentence.start + index,
    end: sentence.start + index + text.length,
    text,
  }));
  const inBrackets = groups.flatMap((group) => {
    const own = tickers.filter(({ start }) => group.start <= start && start < group.end);
    const isPresented =
      own.length > 0 ||
      SHORT_NAME.test(group.text) ||
      REGISTRANT.test(group.text) ||
      TAG_LABEL.test(group.text.slice(1));
    return isPresented || aliasesIn(group.text).length > 0 ? [referenceAt(sentence, plain, group, own)] : [];
  });
  const others = tickers.filter(({ start }) => !groups.some((group) => group.start <= start && start < group.end));
  const bare = others.map((ticker) => {
    const before = plain.slice(Math.max(sentence.start, ticker.start - CONTEXT), ticker.start);
    const exchange = findMatches(EXCHANGE_NAME, before.slice(-60)).at(-1);
    const length = exchange ? before.slice(-60).length - exchange.index : 0;
    return referenceAt(sentence, plain, { start: ticker.start - length, end: ticker.end, text: "" }, [ticker]);
  });
  return [...inBrackets, ...bare].filter(({ name, tickers: { length } }) => name !== null || length > 0);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function referenceAt(
  sentence: Sentence,
  plain: string,
  { start, end, text }: Span,
  tickers: readonly TickerMatch[],
): Reference {
  const left = plain
    .slice(Math.max(sentence.start, start - CONTEXT), start)
    .replaceAll(LINK, "$1")
    .replace(OPEN_BRACKET, "")
    .replace(LABEL, "");
  const isAfterOtherTag = text === "" && /[)\]]\s*$/.test(left);
  const name = (isAfterOtherTag ? undefined : nameBefore(left)) ?? null;
  const at = name === null ? left.length : left.lastIndexOf(name);
  const after = plain.slice(end, Math.min(sentence.end, end + 2 * CONTEXT));
  const before = left.slice(0, Math.max(0, at));
  const isSubject = name !== null && SUBJECT_START.test(before);
  const isAside = isInAside(before, after);
  return {
    sentence,
    form: "bracket",
    name,
    isDefinedTerm: name === null && TERM_BEFORE.some((pattern) => pattern.test(left)),
    aliases: aliasesIn(text),
    tickers: isUnderlying(left, after) ? [] : tickers,
    isSubject,
    definedAs: nounDefinedIn(left.slice(at + (name ?? "").length) + text),
    announcesSplit: !isAside && announcesSplit(after, isSubject),
    isRelated: isAside || isRelatedToIssuer(before, after),
  };
}

function isInAside(before: string, after: string): boolean {
  return ASIDE_BEFORE.test(before) && ASIDE_AFTER.test(after);
}

function isRelatedToIssuer(before: string, after: string): boolean {
  return RELATED_BEFORE.test(before) || AGENT_AFTER.test(after) || speaksOfOurSplit(after);
}

function nounDefinedIn(text: string): string | null {
  const { quoted, plain } = SHORT_NAME.exec(text)?.groups ?? {};
  return (quoted ?? plain)?.toLowerCase() ?? (REGISTRANT.test(text) ? "company" : null);
}

/** Whether the text after a name states that the company announces or effects a split. */
function announcesSplit(after: string, isSubject: boolean): boolean {
  const acts = isSubject || (actsAsIssuer(after) && !RELATIVE_CLAUSE.test(after));
  return acts && namesSplit(after) && !speaksOfOurSplit(after) && !AGENT_AFTER.test(after) && !quotesOther(after);
}

/** Whether a statement about another company follows a colon: ` informs its clients: Acme will effect a reverse split`. */
function quotesOther(after: string): boolean {
  const quoted = /^[^.;:]{1,100}: (?<text>[A-Z].*)/s.exec(after)?.groups?.text;
  return quoted !== undefined && nameOfAnnouncingCompany(quoted) !== undefined;
}

function speaksOfOurSplit(after: string): boolean {
  return OUR_SPLIT.test(after) && !actsAsIssuer(after);
}

function aliasesIn(brackets: string): readonly string[] {
  return findMatches(ALIAS, brackets, MAX_BRACKETS)
    .map(([, quoted, capitals = ""]) => quoted ?? capitals)
    .filter((alias) => !GENERIC_ALIAS.test(alias))
    .map(nameKey);
}

/** Subject of a sentence, and the heading of a paragraph about a company. */
function namedIn(sentence: Sentence): readonly Reference[] {
  const plain = sentence.plain.replaceAll(LINK, "$1");
  const about = nameInAbout(plain);
  const labeled = about === undefined ? nameInTitle(plain) : undefined;
  const subject = about === undefined ? (nameOfAnnouncingCompany(plain) ?? labeled) : undefined;
  const name = about ?? subject;
  if (name === undefined) return [];
  const reference = { ...UNBRACKETED, sentence, name, isSubject: true };
  if (about !== undefined) return [{ ...reference, form: "about", announcesSplit: false }];
  return [{ ...reference, form: "subject", announcesSplit: subject === labeled || namesSplit(plain) }];
}

const UNBRACKETED = {
  isDefinedTerm: false,
  aliases: [],
  tickers: [],
  isSubject: false,
  definedAs: null,
  isRelated: false,
} as const;

function groupByCompany(references: readonly NamedReference[]): readonly (readonly NamedReference[])[] {
  const groups: NamedReference[][] = [];
  // The longest name first: `Acme` belongs to the company `Acme Boats`.
  for (const reference of references.toSorted((a, b) => b.name.length - a.name.length)) {
    const possible = groups.filter((members) => members.some((member) => belongTogether(reference, member)));
    const group = possible.find((members) => members.some((member) => isSameNameOrAlias(reference, member)));
    if (group !== undefined || possible.length === 1) (group ?? possible[0])?.push(reference);
    // A short form of several names belongs to none of them.
    else if (possible.length === 0) groups.push([reference]);
  }
  const firstOf = (group: readonly NamedReference[]): number =>
    Math.min(...group.map((one) => references.indexOf(one)));
  return groups.toSorted((a, b) => firstOf(a) - firstOf(b));
}

function isSameNameOrAlias(a: NamedReference, b: NamedReference): boolean {
  const [key, other] = [nameKey(a.name), nameKey(b.name)];
  return key === other || a.aliases.includes(other) || b.aliases.includes(key);
}

function belongTogether(a: NamedReference, b: NamedReference): boolean {
  const [key, other] = [nameKey(a.name), nameKey(b.name)];
  if (isSameNameOrAlias(a, b) || (isSameName(a.name, b.name) && !areDistinguished(a, b))) return true;
  if (isTickerOf(a, other) || isTickerOf(b, key) || isPreceded(a, b) || isPreceded(b, a)) return true;
  if (isPartOfName(a, b) || isPartOfName(b, a)) return true;
  return a.tickers.some(({ ticker }) => b.tickers.some((one) => one.ticker === ticker));
}

/** Whether a sentence names two companies in full: `Acme Holdings, which owns Acme Inc.`. */
function areDistinguished(a: NamedReference, b: NamedReference): boolean {
  return a.sentence === b.sentence && isFullName(a.name) && isFullName(b.name);
}

/** Whether a name is that of a company with words of a page before it: `Descending Acme Corporation`. */
function isPreceded(glued: NamedReference, { name, tickers, definedAs }: NamedReference): boolean {
  const isPresented = tickers.length > 0 || definedAs !== null;
  const [key, end] = [nameKey(glued.name), ` ${nameKey(name)}`];
  return isPresented && glued.tickers.length === 0 && key.endsWith(end) && !key.endsWith(` and${end}`);
}

/** Minimum length of a name that may stand for a longer one with other words before it. */
const MIN_PART_LENGTH = 5;

/** Whether a name without a legal form consists of words of a full or tagged name: `Copperline` of `U.S. Copperline Corp. (NYSE: USCL)`. */
function isPartOfName(part: NamedReference, { name, tickers }: NamedReference): boolean {
  if (tickers.length === 0 && !isFullName(name)) return false;
  if (part.tickers.length > 0 || part.definedAs !== null || isFullName(part.name)) return false;
  if (part.name.length < MIN_PART_LENGTH) return false;
  const [words, all] = [part.name, name].map((text) => text.toLowerCase().split(/[^\p{L}\d]+/u)) as [
    string[],
    string[],
  ];
  return words.every((word) => all.includes(word)) && words.some((word) => word.length >= MIN_PART_LENGTH);
}

/** Whether a company is called by its symbol. */
function isTickerOf({ tickers }: Reference, key: string): boolean {
  return tickers.some(({ ticker }) => ticker.toLowerCase() === key);
}

/** Order of the forms that introduce a company with its full name. */
const INTRODUCTIONS: readonly ((reference: Reference) => boolean)[] = [
  (reference) => presentsCompany(reference) && !reference.sentence.inHeading,
  presentsCompany,
  ({ form }) => form === "about",
  ({ sentence }) => !sentence.inHeading,
  () => true,
];

function presentsCompany({ form, tickers, definedAs }: Reference): boolean {
  return form === "bracket" && (tickers.length > 0 || definedAs !== null);
}

function toCompany(references: readonly NamedReference[]): Company {
  const introduced = INTRODUCTIONS.map((isIntroduction) => references.toSorted(inTextOrder).find(isIntroduction));
  const { name, sentence } = introduced.find((reference) => reference !== undefined) as NamedReference;
  const tickers = new Set(references.flatMap((reference) => reference.tickers.map(({ ticker }) => ticker)));
  return { name, sentence, references, tickers };
}

function inTextOrder({ sentence: a }: Reference, { sentence: b }: Reference): number {
  return Number(b.inHeading) - Number(a.inHeading) || a.start - b.start;
}

/** Adjectives and nouns between a split and its owner: `the consolidation of the issued common shares of Acme`. */
const SPLIT_OBJECT =
  "(?:(?!after|before|following|when|because|with|from|by|and (?:the|its)|to|at the|announced|ahead)[\\w-]+ ){0,10}?";
/** Owner of a split: `the reverse split of Acme`, `the consolidation of the common shares of Acme`. */
const OWNER = new RegExp(
  String.raw`\b(?:splits?|consolidation|combination|ratio change) ${SPLIT_OBJECT}(?:of|by|at|for) (?:the )?"?(?=[A-Z0-9])`,
  "g",
);
/** Start of a clause about another company: `announced that its subsidiary Acme will effect`. */
const REPORTED = /\b(?:that|as|after)(?: [a-z][\w-]*){0,6},? (?=[A-Z0-9])/g;
const MAX_OWNER_LENGTH = 120;
/** A split of the company before it: `Acme's 1-for-30 reverse split`, `the rating of Acme after it announced a split`. */
const OWNED_BEFORE =
  /'s? (?=(?:[\w:-]+ ){0,5}(?:splits?|consolidation)\b)| (?=(?:after|when|because|since|before) (?:it|the company)\b[^.;]{0,120}\b(?:splits?|consolidat))/g;
/** Words before a name that is compared or joined with the subject. */
const JOINED = /\b(?:with|like|alongside|and|than|versus|against|unlike)$/i;

/** Company of which a sentence with another subject reports a split. */
interface Owner {
  readonly of: readonly NamedReference[];
  readonly reference: NamedReference;
}

function ownersOf(sentence: Sentence, companies: readonly (readonly NamedReference[])[]): readonly Owner[] {
  const { plain } = sentence;
  if (!namesSplit(plain)) return [];
  const owned = findMatches(OWNER, plain, MAX_BRACKETS).map((match) => companyAt(plain, endOf(match), companies));
  const reported = findMatches(REPORTED, plain, MAX_BRACKETS).map((match) => {
    const clause = plain.slice(endOf(match));
    return nameOfAnnouncingCompany(clause) !== undefined && namesSplit(clause)
      ? companyAt(plain, endOf(match), companies)
      : undefined;
  });
  return [...owned, ...reported].flatMap((of) => {
    const name = of?.[0]?.name;
    return of === undefined || name === undefined ? [] : [{ of, reference: ownerReference(sentence, name) }];
  });
}

function ownerReference(sentence: Sentence, name: string): NamedReference {
  return { ...UNBRACKETED, sentence, name, form: "owner", announcesSplit: true };
}

/** Companies that announce or own a split within a sentence, after its beginning. */
function actorsOf(parts: readonly TextPart[], named: readonly NamedReference[]): readonly NamedReference[] {
  const sentences = parts.flatMap((part) => part.sentences);
  const heading = foldText(sentences.flatMap(({ inHeading, plain }) => (inHeading ? plain : [])).join(" "));
  const isRepeated = (name: string): boolean =>
    name.includes(" ") &&
    !/\b(?:shares|stock|units|securities)$/i.test(name) &&
    sentences.filter(({ plain }) => plain.includes(name)).length > 1;
  const isKnown = (name: string): boolean => {
    const key = nameKey(name);
    if (isFullName(name) || isRepeated(name) || (key.length > 3 && heading.includes(` ${key} `))) return true;
    return named.some((reference) => isSameName(reference.name, name) || reference.aliases.includes(key));
  };
  return sentences.flatMap((sentence) => {
    if (sentence.inHeading || !namesSplit(sentence.plain)) return [];
    const subject = named.find((one) => one.sentence === sentence && one.isSubject);
    const names = [...ownersBefore(sentence.plain), ...namesOfActors(sentence.plain)].filter(isKnown);
    return names.flatMap((name): NamedReference[] => {
      if (subject === undefined) return [{ ...ownerReference(sentence, name), form: "subject", isSubject: true }];
      return isSameName(subject.name, name) && !(isFullName(name) && isFullName(subject.name))
        ? []
        : [ownerReference(sentence, name)];
    });
  });
}

function ownersBefore(plain: string): readonly string[] {
  return findMatches(OWNED_BEFORE, plain, MAX_BRACKETS).flatMap(({ index }) => {
    const left = plain.slice(Math.max(0, index - CONTEXT), index);
    const name = left.endsWith(",") ? undefined : nameBefore(left);
    return name === undefined || JOINED.test(left.slice(0, left.lastIndexOf(name)).trimEnd()) ? [] : name;
  });
}

/** The company whose name begins at a position. */
function companyAt(
  plain: string,
  at: number,
  companies: readonly (readonly NamedReference[])[],
): readonly NamedReference[] | undefined {
  const text = foldText(plain.slice(at, at + MAX_OWNER_LENGTH)).trimStart();
  return companies.find((company) =>
    company.some(({ name, aliases }) => [nameKey(name), ...aliases].some((key) => text.startsWith(`${key} `))),
  );
}

function endOf({ 0: text, index }: RegExpExecArray): number {
  return index + text.length;
}
