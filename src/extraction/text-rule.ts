/** One wording that the extractor knows. A test holds every rule to its own example. */
export interface TextRule<T> {
  /** What the rule reads, in a word or two. */
  readonly name: string;
  readonly category: T;
  readonly pattern: RegExp;
  /** A text that the pattern finds. */
  readonly example: string;
}

/**
 * A wording round a noun. The noun is found first, then each part is asked for in the stretch of text beside it: so the
 * time stays in step with the length of the text, however the words repeat.
 */
export interface NounRule<T> {
  readonly name: string;
  readonly category: T;
  /** With the flag `g`. */
  readonly noun: RegExp;
  readonly before?: RegExp;
  readonly after?: RegExp;
  /** On either side. */
  readonly near?: RegExp;
  /** Must stand on neither side. */
  readonly notNear?: RegExp;
  /** Must not stand before it. */
  readonly notBefore?: RegExp;
  readonly example: string;
}

/** The verb, not the month: `it may be`, but not `on May 4`. For patterns that ignore case. */
export const MAY_VERB = String.raw`(?<!(?:in|of|by|last|early|late|since|on|until|\d) )may(?! ?\d|,)`;

/** How far a word may stand from the noun that it belongs to, in characters. */
const REACH = 240;
/** A sentence names its noun a few times; one that does so more often says nothing new. */
const MOST_NOUNS = 6;

/**
 * A pattern in which every blank may be missing or a hyphen, whatever the case: `onehalf`, `one-half` and `one half`
 * are one wording, and releases lose blanks where their lines were joined.
 */
export function loose(source: string, flags = ""): RegExp {
  return new RegExp(source.replaceAll(" ", "[ -]?"), `i${flags}`);
}

/** Where the noun of a rule stands with its wording round it. */
export function matchIndexes(rule: NounRule<unknown>, plain: string): readonly number[] {
  const places: number[] = [];
  let left = MOST_NOUNS;
  for (const { 0: noun, index } of plain.matchAll(rule.noun)) {
    const end = index + noun.length;
    if (holds(rule, plain.slice(Math.max(0, index - REACH), index), plain.slice(end, end + REACH))) places.push(index);
    left -= 1;
    if (left === 0) break;
  }
  return places;
}

export function matchesNounRule(rule: NounRule<unknown>, plain: string): boolean {
  return matchIndexes(rule, plain).length > 0;
}

function holds(rule: NounRule<unknown>, left: string, right: string): boolean {
  const { before, after, near, notNear: unless, notBefore: unlessBefore } = rule;
  if (unlessBefore?.test(left) || [left, right].some((side) => unless?.test(side))) return false;
  if (before?.test(left) === false || after?.test(right) === false) return false;
  return near === undefined || [left, right].some((side) => near.test(side));
}
