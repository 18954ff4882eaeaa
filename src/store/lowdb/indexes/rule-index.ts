import type { MatchableEvent } from "../../../domain/alert/event.ts";
import { mismatchesWith } from "../../../domain/alert/match.ts";
import { matchKeysOfEvent, matchKeysOfFilter } from "../../../domain/alert/match-keys.ts";
import { RULE_FIELDS, type Rule, type RuleFilter } from "../../../domain/settings/rule.ts";
import { forEachInSlices, TimeSlice } from "../../../lib/slices.ts";
import type { RulesRow } from "../collections/rules.ts";
import type { Row, RowIndex } from "../rows/table.ts";

/** Rows with the same filter, so that an event is compared once with all of them. */
interface FilterClass {
  readonly filter: RuleFilter;
  /** Indexes of the rows. */
  readonly rows: number[];
}

/** Index of the rules by their filters. */
export class RuleIndex implements RowIndex<RulesRow> {
  readonly #classes = new Map<string, FilterClass>();
  readonly #byMatchKey = new Map<string, Set<FilterClass>>();
  #ruleCount = 0;

  get ruleCount(): number {
    return this.#ruleCount;
  }

  changed({ index }: Row<RulesRow>, before: RulesRow | undefined, after: RulesRow | undefined): void {
    this.#ruleCount += (after?.rules.length ?? 0) - (before?.rules.length ?? 0);
    const [had, has] = [filtersIn(before), filtersIn(after)];
    for (const name of had.keys()) if (!has.has(name)) this.#remove(name, index);
    for (const [name, rule] of has) if (!had.has(name)) this.#add(name, rule, index);
  }

  /** Indexes of the rows with a rule that matches one of the events, in ascending order; a row can occur several times. */
  async rowsFor(events: readonly MatchableEvent[]): Promise<Int32Array> {
    const matching = new Set<FilterClass>();
    const slice = new TimeSlice();
    for (const event of events) {
      const mismatch = mismatchesWith(event);
      const compare = (candidate: FilterClass): void => {
        if (!matching.has(candidate) && mismatch(candidate.filter) === null) matching.add(candidate);
      };
      await forEachInSlices(this.#candidates(event), compare, slice);
    }
    return Int32Array.from([...matching].flatMap(({ rows }) => rows)).toSorted();
  }

  *#candidates(event: MatchableEvent): Generator<FilterClass> {
    for (const key of matchKeysOfEvent(event)) yield* this.#byMatchKey.get(key) ?? [];
  }

  #add(name: string, rule: Rule, index: number): void {
    const known = this.#classes.get(name);
    const filterClass = known ?? { filter: filterOf(rule), rows: [] };
    filterClass.rows.push(index);
    if (known) return;
    this.#classes.set(name, filterClass);
    for (const key of matchKeysOfFilter(filterClass.filter))
      this.#byMatchKey.set(key, (this.#byMatchKey.get(key) ?? new Set()).add(filterClass));
  }

  #remove(name: string, index: number): void {
    const filterClass = this.#classes.get(name);
    if (!filterClass) return;
    removeFrom(filterClass.rows, index);
    if (filterClass.rows.length > 0) return;
    this.#classes.delete(name);
    for (const key of matchKeysOfFilter(filterClass.filter)) {
      const classes = this.#byMatchKey.get(key);
      classes?.delete(filterClass);
      if (classes?.size === 0) this.#byMatchKey.delete(key);
    }
  }
}

/** One rule for each different filter, by the content of the filter. */
function filtersIn(row: RulesRow | undefined): ReadonlyMap<string, Rule> {
  return new Map(row?.rules.map((rule) => [JSON.stringify(RULE_FIELDS.map((field) => rule[field])), rule]));
}

/** The filter without the other fields of the rule, which can be about a person. */
function filterOf(rule: Rule): RuleFilter {
  return Object.fromEntries(RULE_FIELDS.map((field) => [field, rule[field]])) as unknown as RuleFilter;
}

/** Moves the last number to the place of the removed one. */
function removeFrom(numbers: number[], number: number): void {
  const at = numbers.indexOf(number);
  const last = numbers.pop();
  if (last !== undefined && at >= 0 && at < numbers.length) numbers[at] = last;
}
