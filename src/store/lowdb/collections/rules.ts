import {
  type Destination,
  type DestinationKey,
  destinationKey,
  type Person,
} from "../../../domain/alert/destination.ts";
import { redactRule } from "../../../domain/alert/personal-data.ts";
import { isEquivalentRule, type Rule, type RuleDraft } from "../../../domain/settings/rule.ts";
import type { AddedRule, ReplacedRule, Rules } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";
import type { PurgedPeople } from "./people.ts";

export interface RulesFile {
  readonly rules: readonly Rule[];
  /** Last rule number of each destination, including removed rules. */
  readonly lastNumbers: Readonly<Record<DestinationKey, number>>;
}

export const NO_RULES: RulesFile = { rules: [], lastNumbers: {} };

export class LowdbRules implements Rules {
  readonly #file: StateFile<RulesFile>;
  readonly #purged: PurgedPeople;

  constructor(file: StateFile<RulesFile>, purged: PurgedPeople) {
    this.#file = file;
    this.#purged = purged;
  }

  async all(): Promise<readonly Rule[]> {
    return this.#file.state.rules;
  }

  async at(destination: Destination): Promise<readonly Rule[]> {
    return rulesAt(this.#file.state.rules, destination);
  }

  add(draft: RuleDraft, limit = Number.POSITIVE_INFINITY): Promise<AddedRule> {
    this.#purged.remove(destinationKey(draft.destination));
    return this.#file.change<AddedRule>((state) => {
      const existing = rulesAt(state.rules, draft.destination);
      const equivalent = existing.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return [state, { kind: "known", rule: equivalent }];
      if (existing.length >= limit) return [state, { kind: "full" }];
      const key = destinationKey(draft.destination);
      const number = (state.lastNumbers[key] ?? 0) + 1;
      const rule: Rule = { ...draft, number };
      const lastNumbers = { ...state.lastNumbers, [key]: number };
      return [
        { rules: [...state.rules, rule], lastNumbers },
        { kind: "added", rule },
      ];
    });
  }

  replace(number: number, draft: RuleDraft): Promise<ReplacedRule> {
    return this.#file.change<ReplacedRule>((state) => {
      const existing = rulesAt(state.rules, draft.destination);
      const before = existing.find((rule) => rule.number === number);
      if (!before) return [state, { kind: "gone" }];
      const equivalent = existing.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return [state, { kind: "known", rule: equivalent }];
      const rule: Rule = { ...draft, number };
      const rules = state.rules.map((current) => (current === before ? rule : current));
      return [
        { ...state, rules },
        { kind: "replaced", before, rule },
      ];
    });
  }

  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]> {
    return this.#file.change((state) => {
      const removed = rulesAt(state.rules, destination).filter((rule) => numbers.includes(rule.number));
      if (removed.length === 0) return [state, removed];
      return [{ ...state, rules: state.rules.filter((rule) => !removed.includes(rule)) }, removed];
    });
  }
}

/** Content without the person; the same object if nothing changes. Channels keep the rules that the person created. */
export function rulesWithout(state: RulesFile, person: Person): RulesFile {
  const key = destinationKey(person);
  const rules = state.rules.flatMap((rule) => redactRule(rule, person) ?? []);
  const { [key]: number, ...lastNumbers } = state.lastNumbers;
  const changed = rules.length !== state.rules.length || rules.some((rule, index) => rule !== state.rules[index]);
  return changed || number !== undefined ? { rules, lastNumbers } : state;
}

/** Sorted by number. */
function rulesAt(rules: readonly Rule[], destination: Destination): readonly Rule[] {
  const key = destinationKey(destination);
  return rules.filter((rule) => destinationKey(rule.destination) === key).toSorted((a, b) => a.number - b.number);
}
