import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isSameDestination,
  type Person,
} from "../../../domain/alert/destination.ts";
import type { MatchableEvent } from "../../../domain/alert/event.ts";
import { redactRule } from "../../../domain/alert/personal-data.ts";
import { isEquivalentRule, type Rule, type RuleDraft } from "../../../domain/settings/rule.ts";
import { groupBy, inPages } from "../../../lib/collections.ts";
import { forEachInSlices, type TimeSlice } from "../../../lib/slices.ts";
import { type AddedRule, PAGE_SIZE, type ReplacedRule, type Rules } from "../../../ports/store.ts";
import { RuleIndex } from "../indexes/rule-index.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";
import type { Transaction } from "../rows/transaction.ts";
import type { PurgedPeople } from "./people.ts";

/** All rules of one destination. */
export interface RulesRow {
  /** Sorted by number. */
  readonly rules: readonly Rule[];
  /** Last number, including removed rules. */
  readonly last: number;
}

const NO_RULES: RulesRow = { rules: [], last: 0 };

export class LowdbRules implements Rules {
  readonly #log: ChangeLog;
  readonly #table: Table<RulesRow>;
  readonly #purged: PurgedPeople;
  readonly #index = new RuleIndex();

  constructor(log: ChangeLog, purged: PurgedPeople) {
    this.#log = log;
    this.#table = log.tables.rules;
    this.#purged = purged;
    this.#table.addIndex(this.#index);
  }

  async *candidates(events: readonly MatchableEvent[]): AsyncGenerator<readonly Rule[]> {
    yield* inPages(this.#rulesIn(await this.#index.rowsFor(events)), PAGE_SIZE);
  }

  /** `rows`: indexes in ascending order. */
  *#rulesIn(rows: Int32Array): Generator<Rule> {
    for (const [place, index] of rows.entries())
      if (index !== rows[place - 1]) yield* this.#table.rowAt(index)?.value.rules ?? [];
  }

  async destinations(platform: string, idPrefix = ""): Promise<readonly Destination[]> {
    const found: Destination[] = [];
    await forEachInSlices(this.#table.values(), ({ rules: [first] }) => {
      if (first?.destination.platform === platform && first.destination.id.startsWith(idPrefix))
        found.push(first.destination);
    });
    return found;
  }

  async countCreatedBy(person: Person): Promise<number> {
    const isCreated = ({ createdBy, destination }: Rule): boolean =>
      createdBy.id === person.id && destination.kind === "channel" && isSameDestination(createdBy, person);
    return [...this.#table.values()].reduce((count, { rules }) => count + rules.filter(isCreated).length, 0);
  }

  async count(): Promise<number> {
    return this.#index.ruleCount;
  }

  async at(destination: Destination): Promise<readonly Rule[]> {
    return (this.#table.get(destinationKey(destination)) ?? NO_RULES).rules;
  }

  async add(draft: RuleDraft, limit = Number.POSITIVE_INFINITY): Promise<AddedRule> {
    this.#purged.remove(destinationKey(draft.destination));
    return this.#change<AddedRule>(draft.destination, (row, save) => {
      const equivalent = row.rules.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return { kind: "known", rule: equivalent };
      if (row.rules.length >= limit) return { kind: "full" };
      const last = row.last + 1;
      const rule: Rule = { ...draft, number: last };
      save({ rules: [...row.rules, rule], last });
      return { kind: "added", rule };
    });
  }

  async replace(number: number, draft: RuleDraft): Promise<ReplacedRule> {
    return this.#change<ReplacedRule>(draft.destination, (row, save) => {
      const before = row.rules.find((rule) => rule.number === number);
      if (!before) return { kind: "gone" };
      const equivalent = row.rules.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return { kind: "known", rule: equivalent };
      const rule: Rule = { ...draft, number };
      save({ ...row, rules: row.rules.map((current) => (current === before ? rule : current)) });
      return { kind: "replaced", before, rule };
    });
  }

  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]> {
    return this.#change(destination, (row, save) => {
      const removed = row.rules.filter((rule) => numbers.includes(rule.number));
      if (removed.length > 0) save({ ...row, rules: row.rules.filter((rule) => !removed.includes(rule)) });
      return removed;
    });
  }

  #change<R>(destination: Destination, step: (row: RulesRow, save: (next: RulesRow) => void) => R): Promise<R> {
    const key = destinationKey(destination);
    return this.#log.change((transaction) =>
      step(transaction.get(this.#table, key) ?? NO_RULES, (next) => transaction.put(this.#table, key, next)),
    );
  }
}

/** Removes the person's rules. Channels keep the rules that the person created. */
export async function purgeRules(
  table: Table<RulesRow>,
  person: Person,
  transaction: Transaction,
  slice: TimeSlice,
): Promise<void> {
  transaction.remove(table, destinationKey(person));
  for (const [key, row] of transaction.rows(table)) {
    await slice.next();
    const rules = row.rules.flatMap((rule) => redactRule(rule, person) ?? []);
    if (rules.some((rule, index) => rule !== row.rules[index])) transaction.put(table, key, { ...row, rules });
  }
}

/** Adds rules and last numbers that are stored separately. */
export function fillRules(
  table: Table<RulesRow>,
  rules: readonly Rule[],
  lastNumbers: Readonly<Record<DestinationKey, number>>,
): void {
  const byDestination = groupBy(rules, (rule) => destinationKey(rule.destination));
  for (const key of new Set([...byDestination.keys(), ...(Object.keys(lastNumbers) as DestinationKey[])])) {
    const sorted = (byDestination.get(key) ?? []).toSorted((a, b) => a.number - b.number);
    table.put(key, { rules: sorted, last: Math.max(lastNumbers[key] ?? 0, sorted.at(-1)?.number ?? 0) });
  }
}
