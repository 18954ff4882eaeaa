/** Maximum distance between a negation and the word that it negates, in characters. */
const NEGATION_REACH = 160;

/** Start of a clause with its own subject, which an earlier negation does not affect. */
const NEW_CLAUSE = /;| but | instead | whereas | and (?!no |not |nor |neither |without )/gi;

/** `not evenly divisible`, `no later than` and `not less than` negate nothing here. */
const NEGATOR =
  /\b(?:no|not|nobody|nor|neither|never|none|without|cannot|won't)\b(?! (?:be )?(?:evenly|equally|exactly|wholly|divisible|an? (?:whole|exact|integral|even|multiple)|hold|own|later|earlier|less|more|fewer|greater|limited|only|longer|interest|action|any (?:further )?action|regard|charge|taking|giving|required|need|have to)\b)/gi;

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
  const clause = afterLast(NEW_CLAUSE, plain.slice(Math.max(0, at - NEGATION_REACH), at));
  const negator = [...clause.matchAll(NEGATOR)].at(-1);
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
  const last = [...text.matchAll(separator)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}
