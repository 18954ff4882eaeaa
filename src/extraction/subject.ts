import { isSameName, nameOfAnnouncingCompany } from "./issuer.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** Terms by which a release calls the company that issues it. */
const DEFINED_TERM = /\b(?:the company|the corporation|the issuer|the fund|the trust|we|our)\b/i;

/**
 * Finds the company that speaks in a release about a split: the subject of the sentence that shows its kind, else of the first
 * sentence with one. Null if no sentence has a subject.
 */
export function findSubject(
  kindSentence: Sentence | null,
  sentences: readonly Sentence[],
  issuer: string | null,
): string | null {
  const statements = [...(kindSentence ? [kindSentence] : []), ...leadSentences(sentences)];
  for (const { plain } of statements) {
    const name = nameOfAnnouncingCompany(plain);
    if (name !== undefined) return issuer !== null && isSameName(name, issuer) ? issuer : name;
    if (DEFINED_TERM.test(plain)) return issuer;
  }
  return issuer;
}
