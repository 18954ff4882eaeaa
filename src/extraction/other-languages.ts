import type { Fraction, ReleaseKind } from "../domain/article/article.ts";
import { isSameRatio, type Ratio, ratioOfIntegers } from "../domain/split/ratio.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { withListing } from "../domain/split/ticker.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import { MAX_PAST_DAYS } from "./date-candidates.ts";
import { type ArticleFacts, quoteEvidence } from "./facts.ts";
import { findDateline, findExDate } from "./languages/days.ts";
import { LANGUAGES } from "./languages/index.ts";
import { findCompany, findSymbols, securityOf } from "./languages/issuer.ts";
import type { Language } from "./languages/language.ts";
import { MAX_LEAD, type Release, type Statement, statementsOf, type Text } from "./languages/statements.ts";
import { decodeMarkup } from "./markup.ts";
import type { Sentence } from "./sentences.ts";
import { DEFINITE_RATIO, REVERSE_SPLIT } from "./split-patterns.ts";
import { contains, findMatches } from "./text-rule.ts";

/** Maximum number of matches of one pattern in a sentence. */
const MAX_RATIOS = 4;
const ENGLISH_WORDS = /(?<!\p{L})(?:the|of|and|to|will|shares|is|for|with|on|by|its|that)(?!\p{L})/giu;
/** Minimum number of function words of a language, which excludes an English text with a foreign name. */
const MIN_WORDS = 3;
/** Length of the text in which the language is found, in characters. */
const LANGUAGE_SAMPLE = 4_000;

/** Finds the language of a text about a reverse split that is neither English nor mostly English; undefined if there is none. */
export function findLanguage(text: string): Language | undefined {
  const sample = text.slice(0, LANGUAGE_SAMPLE);
  const possible = LANGUAGES.filter(({ split }) => split.test(sample));
  if (possible.length === 0) return undefined;
  const [best] = possible
    .map((language) => ({ language, words: wordsIn(sample, language.words) }))
    .toSorted((a, b) => b.words - a.words);
  return best !== undefined && best.words >= MIN_WORDS && best.words > wordsIn(sample, ENGLISH_WORDS)
    ? best.language
    : undefined;
}

/** Between paragraphs. Only a long line is a paragraph of its own, because short ones may be hard-wrapped. */
const PARAGRAPH_END = /\n[^\S\n]*\n|(?<=[^\n]{200})\n/;

/** Returns the English paragraphs of a text that is mostly in another language, if they state a reverse split with its ratio. */
export function findEnglishPart(content: string, language: Language): string | undefined {
  const english = decodeMarkup(content)
    .split(PARAGRAPH_END)
    .filter((paragraph) => wordsIn(paragraph, ENGLISH_WORDS) > Math.max(MIN_WORDS, wordsIn(paragraph, language.words)));
  const announces = english.some((plain) => contains(REVERSE_SPLIT, plain) && DEFINITE_RATIO.test(plain));
  return announces ? english.join("\n\n") : undefined;
}

function wordsIn(text: string, words: RegExp): number {
  return findMatches(words, text).length;
}

/** Facts of a release in another language than English. What it doesn't state clearly is null. */
export function extractForeignFacts(text: Text, language: Language, directory: SymbolDirectory | null): ArticleFacts {
  const statements = statementsOf(text, language);
  const announced = findDateline(statements, language);
  const release: Release = {
    language,
    statements,
    aboutSplit: statements.filter(({ sentence }) => language.split.test(sentence.plain)),
    published: text.published ?? announced,
  };
  const company = findCompany(release);
  const symbols = findSymbols(release, company.name);
  const security = securityOf(company.name, symbols, directory);
  const [ratio, exDate] = [findRatio(release), findExDate(release)];
  const { kind, sentence } = findKind(release, ratio, exDate.day);
  const facts = {
    kind,
    mentions: symbols.mentions.map(withListing),
    security: withListing(security),
    subject: company.name,
    fraction: null,
    announced,
    splits: [],
    contradictions: [],
    evidence: {
      ...quoteEvidence("kind", sentence),
      ...quoteEvidence("company", company.sentence),
      ...(security.ticker !== null && quoteEvidence("ticker", symbols.sentence)),
    },
  };
  if (!ANNOUNCEMENTS.includes(kind)) return facts;
  const fraction = findFraction(release);
  const hasOtherClass = security.ticker !== null && symbols.otherClass !== undefined;
  const classes = hasOtherClass ? [security.ticker, symbols.otherClass] : [security.ticker];
  const terms = { ratio: ratio.ratio, exDate: exDate.day, exDateBasis: exDate.basis, newCusip: null };
  return {
    ...facts,
    fraction,
    splits: classes.map((ticker) => withListing({ ...security, ...terms, ticker, evidence: {} })),
    contradictions: exDate.contradictory ? ["exDate"] : [],
    evidence: {
      ...facts.evidence,
      ...quoteEvidence("ratio", ratio.sentence),
      ...(exDate.day !== null && quoteEvidence("exDate", exDate.sentence)),
      ...(fraction && { fraction: fraction.sentence }),
    },
  };
}

interface RatioResult {
  readonly ratio: Ratio | null;
  readonly sentence: Sentence | null;
}

const NO_RATIO: RatioResult = { ratio: null, sentence: null };

/** Finds the only ratio in the sentences that name a split, and in those after them. A year counts only if it is the only number. */
function findRatio({ language, statements, aboutSplit }: Release): RatioResult {
  const named = new Set(aboutSplit);
  const relevant = statements.filter((one, index) => named.has(one) || named.has(statements[index - 1] ?? one));
  const found = relevant.flatMap(({ sentence, digits }) =>
    language.ratios
      .flatMap((pattern) => findMatches(pattern, digits, MAX_RATIOS))
      .flatMap(({ groups }) => {
        const ratio = ratioOfIntegers(1, Number(groups?.old));
        return ratio !== undefined && ratio.oldShares > 1 ? [{ ratio, sentence }] : [];
      }),
  );
  const others = found.filter(({ ratio: { oldShares } }) => oldShares < 1990 || oldShares > 2060);
  const ratios = others.length > 0 ? others : found;
  const [first] = ratios;
  if (first === undefined) return NO_RATIO;
  return ratios.every(({ ratio }) => isSameRatio(ratio, first.ratio)) ? first : NO_RATIO;
}

interface KindResult {
  readonly kind: ReleaseKind;
  readonly sentence: Sentence | null;
}

const ANNOUNCEMENTS: readonly ReleaseKind[] = ["reverse_split", "ads_ratio_change"];
const OTHER: KindResult = { kind: "other", sentence: null };
const ADS = /\bADSs?\b|存托|預託|ADR/u;

function findKind(release: Release, ratio: RatioResult, exDate: Day | null): KindResult {
  const { language, statements, aboutSplit } = release;
  const lead = statements.slice(0, MAX_LEAD).filter((statement) => aboutSplit.includes(statement));
  const sentence = (lead.find((one) => !one.sentence.inHeading) ?? lead[0])?.sentence;
  if (sentence === undefined || isOther(release, ratio, exDate)) return OTHER;
  if (states(statements, language.pending) && !states(statements, language.decided))
    return { kind: "approval_only", sentence };
  if (ratio.ratio === null || (exDate === null && !states(lead, language.announces))) return OTHER;
  if (isPast(exDate, release)) return { kind: "completed_past", sentence };
  return { kind: states(lead, ADS) ? "ads_ratio_change" : "reverse_split", sentence };
}

function states(statements: readonly Statement[], pattern: RegExp): boolean {
  return statements.some(({ sentence }) => pattern.test(sentence.plain));
}

function isPast(exDate: Day | null, { published }: Release): boolean {
  return exDate !== null && published !== null && daysBetween(exDate, published) > MAX_PAST_DAYS;
}

/** Whether a text is about a forward split, a split that is called off, or splits in general. */
function isOther({ language, statements }: Release, { sentence }: RatioResult, exDate: Day | null): boolean {
  const { forwardSplit, split, withdrawn, general } = language;
  const isReverse = sentence !== null && split.test(sentence.plain) && !sentence.inHeading;
  const isForward = statements
    .slice(0, 2)
    .some((one) => forwardSplit.test(one.sentence.plain) && !split.test(one.sentence.plain));
  return (isForward && !isReverse) || states(statements, withdrawn) || (exDate === null && states(statements, general));
}

/** Treatments in their order of precedence; undefined if a text states rounding up and cash. */
function treatmentOf(up: unknown, cash: unknown): Fraction["treatment"] | undefined {
  if (up !== undefined && cash !== undefined) return undefined;
  if (up !== undefined) return "round_up";
  return cash === undefined ? "round_down" : "cash_in_lieu";
}

/** The only treatment of fractions that the sentences about them state. */
function findFraction({ language, statements }: Release): Fraction | null {
  const { fraction, cash, roundUp, roundDown } = language;
  const about = statements.filter(
    ({ sentence }, index) =>
      fraction.test(sentence.plain) || (index > 0 && states(statements.slice(index - 1, index), fraction)),
  );
  const [up, paid, down] = [roundUp, cash, roundDown].map((pattern) =>
    about.find(({ sentence }) => pattern.test(sentence.plain)),
  );
  const treatment = treatmentOf(up, paid);
  const found = up ?? paid ?? down;
  if (found === undefined || treatment === undefined) return null;
  return { treatment, level: null, sentence: found.sentence.verbatim };
}
