/** Rule that recognizes a wording. A test matches every rule against its example. */
export interface TextRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** A text that the pattern matches. */
  readonly example: string;
}

/**
 * A noun with the wording around it. The noun is found first, then each pattern is tested on a bounded stretch of text
 * beside it, so matching time is linear in the length of the text, however often its words repeat.
 */
export interface NounRule {
  readonly name: string;
  /** Has the flag `g`. */
  readonly noun: RegExp;
  readonly before?: RegExp;
  readonly after?: RegExp;
  /** Must match on at least one side. */
  readonly near?: RegExp;
  /** Must not match on either side. */
  readonly notNear?: RegExp;
  readonly notBefore?: RegExp;
  readonly example: string;
}

/** A rule with the category that a match of it implies. */
export type Classified<Rule, Category> = Rule & { readonly category: Category };

/** The verb `may`, not the month: `it may be`, but not `on May 4`. For patterns that ignore case. */
export const MAY_VERB = String.raw`(?=may)(?<!(?:in|of|by|last|early|late|since|on|until|\d) |-)may(?! ?\d|,|-)`;

/** Name of a month, abbreviated or not; not the start of another word, as in `declares 20-for-1`. */
export const MONTH = String.raw`(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)(?![a-z])\.?`;

/** Length of the text beside a noun that its rule reads, in characters. */
const NOUN_CONTEXT = 240;
/** Maximum number of nouns tested in one sentence. Real sentences name their subject a few times at most. */
const MAX_NOUNS = 6;

/**
 * Creates a pattern that ignores case and accepts a hyphen or nothing for each space: `onehalf`, `one-half`, `one half`.
 * Releases lack spaces where their lines were joined.
 */
export function loosePattern(source: string, flags = ""): RegExp {
  return new RegExp(source.replaceAll(" ", "[ -]?"), `i${flags}`);
}

/**
 * Source of a pattern that is tried only where one of `words` begins: its alternatives must begin with these words. Without it,
 * an alternative that looks behind is tried at every character.
 */
export function startingWith(words: string, source: string): string {
  return `(?=${words})(?:${source})`;
}

/** Finds at most `limit` matches of a pattern with the flag `g`. Unlike `matchAll`, it doesn't copy the pattern. */
export function findMatches(pattern: RegExp, text: string, limit = Number.POSITIVE_INFINITY): RegExpExecArray[] {
  if (!pattern.global) throw new TypeError(`findMatches: got ${String(pattern)}, expected a pattern with the flag g`);
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  while (matches.length < limit) {
    const match = pattern.exec(text);
    if (match === null) break;
    if (match[0] === "") pattern.lastIndex += 1;
    matches.push(match);
  }
  pattern.lastIndex = 0;
  return matches;
}

/** Whether a pattern matches anywhere in a text. Unlike `test`, it ignores the position of a pattern with the flag `g`. */
export function contains(pattern: RegExp, plain: string): boolean {
  return plain.search(pattern) >= 0;
}

/** A noun in a text, with the text beside it. */
interface NounMatch {
  readonly index: number;
  readonly before: string;
  readonly after: string;
}

function findNouns(noun: RegExp, plain: string): readonly NounMatch[] {
  return findMatches(noun, plain, MAX_NOUNS).map(({ 0: { length }, index }) => ({
    index,
    before: plain.slice(Math.max(0, index - NOUN_CONTEXT), index),
    after: plain.slice(index + length, index + length + NOUN_CONTEXT),
  }));
}

/** Returns the positions of the nouns whose context matches the rule. */
export function matchIndexes(rule: NounRule, plain: string): readonly number[] {
  return findNouns(rule.noun, plain)
    .filter((noun) => matchesContext(rule, noun))
    .map(({ index }) => index);
}

export function matchesNounRule(rule: NounRule, plain: string): boolean {
  return findNouns(rule.noun, plain).some((noun) => matchesContext(rule, noun));
}

/** Returns the first rule that a text matches. Finds a noun once for all rules that share it. */
export function findMatchingRule<Rule extends NounRule>(rules: readonly Rule[], plain: string): Rule | undefined {
  const nouns = new Map<RegExp, readonly NounMatch[]>();
  return rules.find((rule) => {
    const found = nouns.get(rule.noun) ?? findNouns(rule.noun, plain);
    nouns.set(rule.noun, found);
    return found.some((noun) => matchesContext(rule, noun));
  });
}

export function matchesAny(rules: readonly NounRule[], plain: string): boolean {
  return findMatchingRule(rules, plain) !== undefined;
}

function matchesContext({ before, after, near, notNear, notBefore }: NounRule, noun: NounMatch): boolean {
  if (before?.test(noun.before) === false || after?.test(noun.after) === false) return false;
  if (notBefore?.test(noun.before) || (notNear && isBeside(notNear, noun))) return false;
  return near === undefined || isBeside(near, noun);
}

function isBeside(pattern: RegExp, { before, after }: NounMatch): boolean {
  return pattern.test(before) || pattern.test(after);
}

/** Maximum distance between a negation and the word that it negates, in characters. */
const MAX_NEGATION_DISTANCE = 160;

/** Start of a clause with its own subject, which an earlier negation does not affect. */
const NEW_CLAUSE =
  /;| but |, which | instead | whereas |\bother than |\bexcept (?=for |as |that )| and (?!no |not |nor |neither |without )/gi;

/** Negations, except in `not evenly divisible`, `no later than`, `not less than` and the like. */
const NEGATOR =
  /\b(?:no|not|nobody|nor|neither|never|none|without|cannot|won't)\b(?!,)(?! (?:be )?(?:evenly|equally|exactly|wholly|divisible|an? (?:whole|exact|integral|even|multiple)|hold|own|later|earlier|less|more|fewer|greater|limited|only|longer|interest|action|any (?:further )?action|regard|charge|taking|giving|required|need|have to)\b)/gi;

/** A verb that the negation already applies to: `No fractional shares will be issued, …`. */
const NEGATED_VERB = /\b(?:issu(?:ed?|es|ing|able)|distributed|created|delivered|outstanding)\b/i;

const PAST_PARTICIPLE_BEFORE =
  /\b(?:was|were|been|received)(?: (?:then|each|all|automatically|subsequently|paid|settled|redeemed|a|an|in|for|with))* ?$/i;

const PAST =
  /\b(?:was|were|had|received|effected|completed|(?:company|we|fund|trust|agent) (?:paid|issued|rounded|redeemed|settled))\b/i;
const NOT_PAST =
  /\b(?:will|shall|would|is|are|be|being|may|must|can|entitled|entitles|receives?|rounds?|pays?|issues?)\b/i;

/** Whether a `no` or `not` negates the word that begins at `at`. */
export function isNegated(plain: string, at: number): boolean {
  const clause = afterLast(NEW_CLAUSE, plain.slice(Math.max(0, at - MAX_NEGATION_DISTANCE), at));
  const negator = findMatches(NEGATOR, clause).at(-1);
  return negator !== undefined && !NEGATED_VERB.test(clause.slice(negator.index));
}

/** Whether the word at `at` is in the past tense: `were rounded`, `have been rounded`, `were paid in cash`. */
export function isPastTense(plain: string, at: number): boolean {
  return PAST_PARTICIPLE_BEFORE.test(plain.slice(Math.max(0, at - 50), at));
}

/** Whether a sentence describes only the past: `Holders received cash for fractions.` */
export function isPastOnly(plain: string): boolean {
  return PAST.test(plain) && !NOT_PAST.test(plain);
}

function afterLast(separator: RegExp, text: string): string {
  const last = findMatches(separator, text).at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}
