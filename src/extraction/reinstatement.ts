import { isNegated } from "./negation.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import type { TextRule } from "./text-rule.ts";
import { HYPOTHETICAL } from "./withdrawal-rules.ts";

const CALLING_OFF = "(?:cancell?ation|postponement|deferral|delay|suspension|abandonment|withdrawal|termination)";
const TO_CALL_OFF = "(?:cancel|postpone|delay|defer|suspend|abandon|not (?:to )?proceed)";
const UNDO =
  "(?:withdraw|withdraws|withdrew|withdrawn|withdrawing|rescind|rescinds|rescinded|rescinding|revoke|revokes|revoked|retract|retracts|retracted|reverse|reverses|reversed|void|voids|voided)";
const SPLIT = String.raw`\b(?:reverse|split|consolidation|combination|ratio)\b`;

/**
 * That a split is on again after it was called off. A wrong one lists a split that is off, so these ask for plain words.
 * `corrects`: it is said of the calling off itself, and outweighs every other sentence on that.
 */
export const REINSTATEMENT_RULES: readonly TextRule<"corrects" | "proceeds">[] = [
  {
    name: "takes the calling off back",
    category: "corrects",
    pattern: new RegExp(
      String.raw`\b${UNDO}(?: (?:its|the|that|this|our|prior|earlier|recent|previously|announced|announcement|notice|decision|of|to|not|company's|board's)){0,8} (?:${CALLING_OFF}|${TO_CALL_OFF})\b[^.;]{0,80}?${SPLIT}`,
      "i",
    ),
    example: "Harbor Mills has withdrawn the cancellation of its reverse stock split",
  },
  {
    name: "it was called off in error",
    category: "corrects",
    pattern: new RegExp(
      String.raw`\b${CALLING_OFF}\b[^.;]{0,80}?${SPLIT}(?:(?!, (?:and|but|the|its|an?|our|this) )[^.;]){0,120}? (?:in error|by mistake|erroneous|erroneously|inadvertently|(?:is|was|has been) (?:hereby )?(?:withdrawn|rescinded|retracted))\b`,
      "i",
    ),
    example: "the previously announced cancellation of the reverse split was issued in error",
  },
  {
    name: "reinstates the split",
    category: "corrects",
    pattern:
      /\breinstat(?:e|es|ed|ing)(?: (?:its|the|our|previously|announced|planned|proposed|cancell?ed|postponed|abandoned|withdrawn|suspended|\d[\d.,]*-for-\d[\d.,]*|one-for-[a-z-]+)){0,8} (?:reverse|share consolidation|consolidation)\b/i,
    example: "Harbor Mills reinstates its previously cancelled reverse stock split",
  },
  {
    name: "goes ahead as announced",
    category: "proceeds",
    pattern: new RegExp(
      String.raw`${SPLIT}[^.;]{0,40}? will (?:now |still )?(?:proceed|go ahead|go forward|move forward|take place|take effect|occur|be (?:effected|implemented)) (?:as|on the (?:date|schedule)) (?:originally |previously |initially |first )?(?:announced|scheduled|planned)\b`,
      "i",
    ),
    example: "the reverse stock split will proceed as originally announced",
  },
];

/** What somebody wants, refuses or denies has not been done; and what came after the calling off is said of something else. */
const NOT_DONE =
  /\b(?:plans?|intend(?:s|ed|ing)?|hopes?|propos(?:es?|ed|ing)|asks?|asked|seeks?|seeking|requests?|requested|demand(?:s|ed)?|considers?|considering|approval|refus(?:es?|ed)|declin(?:es?|ed)|fail(?:s|ed)|unlikely|den(?:y|ies|ied))\b[^.;,]{0,80}$|\b(?:following|after|despite|upon) (?:\S+ ){0,2}$/i;

/** How far before its words that may stand. */
const REACH = 160;

/** Whether a sentence says that a split which was called off is on again. */
export function isReinstatement(sentence: string): boolean {
  return readTakenBack(sentence.replace(/\s+/g, " ")) !== undefined;
}

interface ReinstatementResult {
  readonly category: "corrects" | "proceeds";
  readonly sentence: Sentence;
}

/** The sentence in which a release says that its split is on again: one on the calling off before one on the split. */
export function findReinstatement(sentences: readonly Sentence[]): ReinstatementResult | undefined {
  const found = leadSentences(sentences).flatMap((sentence): ReinstatementResult[] => {
    const says = readTakenBack(sentence.plain);
    return says === undefined ? [] : [{ category: says, sentence }];
  });
  return found.find(({ category: says }) => says === "corrects") ?? found[0];
}

function readTakenBack(plain: string): ReinstatementResult["category"] | undefined {
  if (HYPOTHETICAL.test(plain)) return undefined;
  return REINSTATEMENT_RULES.find(({ pattern }) => isSaid(plain, pattern.exec(plain)?.index))?.category;
}

function isSaid(plain: string, at: number | undefined): boolean {
  return at !== undefined && !isNegated(plain, at) && !NOT_DONE.test(plain.slice(Math.max(0, at - REACH), at));
}
