import type { Sentence } from "./sentences.ts";
import { FORWARD_SPLIT } from "./split-patterns.ts";

const REVERSE = /\brevers/i;
/** A longer line, or one with a full stop, is no heading of a part. */
const LONGEST_HEADING = 80;
const STOP = /[.:;]$/;

/**
 * Without the sentences that speak of forward splits alone, of a release that tells of both: those that name them and
 * no reverse split, and what stands under a heading that does. Nothing in them tells of the reverse splits.
 */
export function withoutForwardPart(sentences: readonly Sentence[]): readonly Sentence[] {
  let inForwardPart = false;
  return sentences.filter((sentence) => {
    const isForward = namesForward(sentence);
    if (REVERSE.test(sentence.plain)) inForwardPart = false;
    else if (isForward && isHeadingOfPart(sentence)) inForwardPart = true;
    return !(isForward || inForwardPart);
  });
}

function namesForward({ plain }: Sentence): boolean {
  return plain.search(FORWARD_SPLIT) >= 0 && !REVERSE.test(plain);
}

function isHeadingOfPart({ plain, inHeading }: Sentence): boolean {
  return !inHeading && plain.length < LONGEST_HEADING && !STOP.test(plain);
}
