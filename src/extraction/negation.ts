/** How far before a word its `no` may stand. */
const REACH = 160;

/** A new clause with a subject of its own: what was denied before it does not reach across. */
const NEW_CLAUSE = /;| but | instead | whereas | and (?!no |not |nor |neither |without )/gi;

/** `not evenly divisible`, `no later than`, `not less than` deny nothing here. */
const NEGATOR =
  /\b(?:no|not|nobody|nor|neither|never|none|without|cannot|won't)\b(?! (?:be )?(?:evenly|equally|exactly|wholly|divisible|an? (?:whole|exact|integral|even|multiple)|hold|own|later|earlier|less|more|fewer|greater|limited|only|longer|interest|action|any (?:further )?action|regard|charge|taking|giving|required|need|have to)\b)/gi;

/** `No fractional shares will be issued, …`: the `no` has done its work. */
const SPENT = /\b(?:issu(?:ed?|es|ing|able)|distributed|created|delivered|outstanding)\b/i;

/** Whether a `no` or `not` before `at` denies the word that begins there. */
export function isNegated(plain: string, at: number): boolean {
  const clause = afterLast(NEW_CLAUSE, plain.slice(Math.max(0, at - REACH), at));
  const denied = [...clause.matchAll(NEGATOR)].at(-1);
  return denied !== undefined && !SPENT.test(clause.slice(denied.index));
}

/** Whether the word at `at` tells what was done: `were rounded`, `have been rounded`, `received cash`, `were paid in cash`. */
export function isPastTense(plain: string, at: number): boolean {
  return DONE.test(plain.slice(Math.max(0, at - 50), at));
}

const DONE =
  /\b(?:was|were|been|received)(?: (?:then|each|all|automatically|subsequently|paid|settled|redeemed|a|an|in|for|with))* ?$/i;

const PAST =
  /\b(?:was|were|had|received|effected|completed|(?:company|we|fund|trust|agent) (?:paid|issued|rounded|redeemed|settled))\b/i;
const NOT_PAST =
  /\b(?:will|shall|would|is|are|be|being|may|must|can|entitled|entitles|receives?|rounds?|pays?|issues?)\b/i;

/** Whether a sentence speaks only of what is over: `Holders received cash for fractions.` */
export function isPastOnly(plain: string): boolean {
  return PAST.test(plain) && !NOT_PAST.test(plain);
}

function afterLast(separator: RegExp, text: string): string {
  const last = [...text.matchAll(separator)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}
