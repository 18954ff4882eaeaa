import { leadOf, type Sentence } from "./sentences.ts";
import { matchesNounRule } from "./text-rule.ts";
import { CALLED_OFF, NOT_A_FACT } from "./withdrawal-rules.ts";

/** Stands in every name of what can be called off: most sentences are left at a glance. */
const NAMED = /revers|consolid|combin|roll|split|ratio/i;

export interface CalledOffFound {
  readonly kind: "postponed" | "cancelled";
  readonly sentence: Sentence;
}

/** The sentence in which a release says that its own reverse split is put off, or off. */
export function findCalledOff(sentences: readonly Sentence[]): CalledOffFound | undefined {
  for (const sentence of leadOf(sentences)) {
    if (!NAMED.test(sentence.plain) || NOT_A_FACT.test(sentence.plain)) continue;
    const rule = CALLED_OFF.find((one) => matchesNounRule(one, sentence.plain));
    if (rule) return { kind: rule.says, sentence };
  }
  return undefined;
}
