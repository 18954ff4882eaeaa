/** A wording that a rule recognizes. A test matches every rule against its own example. */
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
export const MAY_VERB = String.raw`(?<!(?:in|of|by|last|early|late|since|on|until|\d) )may(?! ?\d|,)`;

/** Length of the text beside a noun that its rule reads, in characters. */
const NOUN_CONTEXT = 240;
/** Nouns that are tested in one sentence. Real sentences name their subject a few times at most. */
const MAX_NOUNS = 6;

/**
 * Pattern that ignores case and accepts a hyphen or nothing for each space: `onehalf`, `one-half` and `one half`.
 * Releases lose spaces where their lines are joined.
 */
export function loose(source: string, flags = ""): RegExp {
  return new RegExp(source.replaceAll(" ", "[ -]?"), `i${flags}`);
}

/** Positions of the nouns whose surroundings match the rule. */
export function matchIndexes(rule: NounRule, plain: string): readonly number[] {
  const indexes: number[] = [];
  let left = MAX_NOUNS;
  for (const { 0: noun, index } of plain.matchAll(rule.noun)) {
    const end = index + noun.length;
    const before = plain.slice(Math.max(0, index - NOUN_CONTEXT), index);
    if (matchesContext(rule, before, plain.slice(end, end + NOUN_CONTEXT))) indexes.push(index);
    left -= 1;
    if (left === 0) break;
  }
  return indexes;
}

export function matchesNounRule(rule: NounRule, plain: string): boolean {
  return matchIndexes(rule, plain).length > 0;
}

export function matchesAny(rules: readonly NounRule[], plain: string): boolean {
  return rules.some((rule) => matchesNounRule(rule, plain));
}

function matchesContext(rule: NounRule, left: string, right: string): boolean {
  const { before, after, near, notNear, notBefore } = rule;
  if (notBefore?.test(left) || [left, right].some((side) => notNear?.test(side))) return false;
  if (before?.test(left) === false || after?.test(right) === false) return false;
  return near === undefined || [left, right].some((side) => near.test(side));
}
