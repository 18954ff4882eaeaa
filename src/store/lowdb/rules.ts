import { type Destination, destinationKey } from "../../core/destination.ts";
import { type Rule, type RuleDraft, saysTheSame } from "../../core/rule.ts";
import type { AddedRule, Rules } from "../../ports/store.ts";
import type { StateFile } from "./json-file.ts";

export class LowdbRules implements Rules {
  readonly #file: StateFile<readonly Rule[]>;

  constructor(file: StateFile<readonly Rule[]>) {
    this.#file = file;
  }

  async all(): Promise<readonly Rule[]> {
    return this.#file.state;
  }

  async at(destination: Destination): Promise<readonly Rule[]> {
    return rulesAt(this.#file.state, destination);
  }

  add(draft: RuleDraft, most = Number.POSITIVE_INFINITY): Promise<AddedRule> {
    return this.#file.change<AddedRule>((rules) => {
      const standing = rulesAt(rules, draft.destination);
      const known = standing.find((rule) => saysTheSame(rule, draft));
      if (known) return [rules, { kind: "known", rule: known }];
      if (standing.length >= most) return [rules, { kind: "full" }];
      const rule: Rule = { ...draft, number: smallestFree(standing) };
      return [[...rules, rule], { kind: "added", rule }];
    });
  }

  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]> {
    return this.#file.change((rules) => {
      const gone = rulesAt(rules, destination).filter((rule) => numbers.includes(rule.number));
      return [gone.length === 0 ? rules : rules.filter((rule) => !gone.includes(rule)), gone];
    });
  }
}

/** In the order of their numbers. */
function rulesAt(rules: readonly Rule[], destination: Destination): readonly Rule[] {
  const key = destinationKey(destination);
  return rules.filter((rule) => destinationKey(rule.destination) === key).toSorted((a, b) => a.number - b.number);
}

function smallestFree(inOrder: readonly Rule[]): number {
  const gap = inOrder.findIndex((rule, index) => rule.number !== index + 1);
  return (gap < 0 ? inOrder.length : gap) + 1;
}
