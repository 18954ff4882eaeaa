import { withDigits } from "./number-words.ts";
import type { Sentence } from "./sentences.ts";
import { FORWARD_SPLIT, REVERSE_SPLIT } from "./split-patterns.ts";
import { contains, findMatches } from "./text-rule.ts";

const REVERSE_THEN_FORWARD =
  /\brevers[^.;]{0,240}\b(?:(?:immediately |promptly |directly )?followed(?: immediately| promptly| at once)?,? by|and then|immediately (?:after|thereafter))\b[^.;]{0,120}\bforward\b|\breverse ?(?:\/|-|and) ?forward\b/i;
/** One plan with both splits, not the splits of two funds: `a 1-for-200 reverse split and a 200-for-1 forward split`. */
const REVERSE_AND_FORWARD = /\breverse (?:stock |share )?split,? and (?:an? )?(?:[\w-]+ ){0,6}forward\b/i;
const IN_SEQUENCE = /\b(?:follow(?:ed|s)|immediately|then|afterwards?|thereafter|later|subsequent(?:ly)?)\b/i;
const PAIR = /(?<![\d.,])(\d{1,9}) ?-?(?:for|:|to)-? ?(?:each |every )?(\d{1,9})(?![\d.,]?\d)/gi;
const MANY_FOR_EACH = /(?<![\d.,])(\d{1,9}) [^.;\d]{0,60}?\bfor (?:each|every) (?:1\b|share)/gi;
/** Distance between the sentences about the two splits, in sentences. */
const WINDOW = 3;
const MAX_PAIRS = 20;

/** Whether a text is about a reverse split that a forward split undoes immediately, which cashes out small holders and changes no price. */
export function isNetNeutral(sentences: readonly Sentence[]): boolean {
  return sentences.some((sentence, index) => {
    if (!contains(REVERSE_SPLIT, sentence.plain)) return false;
    if (REVERSE_THEN_FORWARD.test(sentence.plain)) return true;
    if (REVERSE_AND_FORWARD.test(sentence.plain) && hasInverseRatios([sentence])) return true;
    const near = sentences.slice(index, index + WINDOW);
    const isForward = near.some(({ plain }) => contains(FORWARD_SPLIT, plain));
    return isForward && near.some(({ plain }) => IN_SEQUENCE.test(plain)) && hasInverseRatios(near);
  });
}

function hasInverseRatios(sentences: readonly Sentence[]): boolean {
  const text = sentences.map(withDigits).join(" ");
  const pairs = findMatches(PAIR, text, MAX_PAIRS).map(([, left, right]) => [Number(left), Number(right)] as const);
  const forward = new Set([
    ...pairs.filter(([left, right]) => right === 1 && left > 1).map(([left]) => left),
    ...findMatches(MANY_FOR_EACH, text, MAX_PAIRS).map(([, count]) => Number(count)),
  ]);
  return pairs.some(([left, right]) => left === 1 && right > 1 && forward.has(right));
}

const REVERSE = /\brevers/i;
/** A longer line, or one with closing punctuation, is not the heading of a section. */
const MAX_SECTION_HEADING_LENGTH = 80;
const CLOSING_PUNCTUATION = /[.:;]$/;

/** Removes sentences that name only forward splits, and sections with such a heading. */
export function withoutForwardPart(sentences: readonly Sentence[]): readonly Sentence[] {
  let inForwardSection = false;
  return sentences.filter((sentence) => {
    const isForward = contains(FORWARD_SPLIT, sentence.plain) && !REVERSE.test(sentence.plain);
    if (REVERSE.test(sentence.plain)) inForwardSection = false;
    else if (isForward && isSectionHeading(sentence)) inForwardSection = true;
    return !(isForward || inForwardSection);
  });
}

function isSectionHeading({ plain, inHeading }: Sentence): boolean {
  return !inHeading && plain.length < MAX_SECTION_HEADING_LENGTH && !CLOSING_PUNCTUATION.test(plain);
}
