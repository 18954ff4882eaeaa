import { leadSentences, type Sentence } from "./sentences.ts";
import { matchesNounRule } from "./text-rule.ts";
import { HYPOTHETICAL, WITHDRAWAL_RULES } from "./withdrawal-rules.ts";

/** Stands in every name of what can be called off: most sentences are left at a glance. */
const NAMED = /revers|consolid|combin|roll|split|ratio/i;

export interface WithdrawalResult {
  readonly kind: "postponed" | "cancelled";
  readonly sentence: Sentence;
}

/** The sentence in which a release says that its own reverse split is put off, or off. */
export function findWithdrawal(sentences: readonly Sentence[]): WithdrawalResult | undefined {
  for (const sentence of leadSentences(sentences)) {
    if (!NAMED.test(sentence.plain) || HYPOTHETICAL.test(sentence.plain)) continue;
    const rule = WITHDRAWAL_RULES.find((one) => matchesNounRule(one, sentence.plain));
    if (rule) return { kind: rule.category, sentence };
  }
  return undefined;
}
