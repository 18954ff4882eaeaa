import { toPlainText } from "../../src/extraction/plain-text.ts";
import { type Sentence, splitSentences } from "../../src/extraction/sentences.ts";

/** Sentences of a release. */
export function sentencesOf({
  heading = "",
  content = "",
}: {
  readonly heading?: string;
  readonly content?: string;
}): readonly Sentence[] {
  return [...sentencesIn(heading, true), ...sentencesIn(content, false)];
}

function sentencesIn(text: string, inHeading: boolean): readonly Sentence[] {
  return splitSentences(toPlainText(text), inHeading);
}
