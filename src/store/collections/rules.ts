import { type RawBuilder, sql, type Transaction } from "kysely";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  type Person,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import type { MatchableEvent } from "../../domain/alert/event.ts";
import { matchKeysOfEvent, matchKeysOfFilter } from "../../domain/alert/match-keys.ts";
import { isEquivalentRule, type Rule, type RuleDraft } from "../../domain/settings/rule.ts";
import { inPages } from "../../lib/collections.ts";
import { type AddedRule, PAGE_SIZE, type ReplacedRule, type Rules } from "../../ports/store.ts";
import { type Database, isOneOf, json, pagesOf } from "../database.ts";
import type { Schema } from "../schema.ts";
import { changeCount, readCount } from "./counters.ts";
import { keyRange } from "./key-ranges.ts";
import type { PurgedPeople } from "./purged-people.ts";

/** For more keys, all rules are candidates: statements have a limited number of parameters. */
const MAX_KEYS = 10_000;

/** Rules of the configuration, by destination. */
export type ConfiguredRules = ReadonlyMap<DestinationKey, readonly Rule[]>;

interface RulesParts {
  readonly database: Database;
  readonly purged: PurgedPeople;
  readonly configuredRules: ConfiguredRules;
}

export class SqlRules implements Rules {
  readonly #database: Database;
  readonly #purged: PurgedPeople;
  readonly #configured: ConfiguredRules;

  constructor({ database, purged, configuredRules }: RulesParts) {
    this.#database = database;
    this.#purged = purged;
    this.#configured = configuredRules;
  }

  async *candidates(events: readonly MatchableEvent[]): AsyncGenerator<readonly Rule[]> {
    const keys = [...new Set(events.flatMap(matchKeysOfEvent))];
    const rows = this.#database.db
      .selectFrom("rules")
      .select("value")
      .where(keys.length > MAX_KEYS ? sql<boolean>`true` : hasOneOfKeys(keys))
      .orderBy("destination")
      .orderBy("number")
      .stream(PAGE_SIZE);
    for await (const page of pagesOf(rows, PAGE_SIZE)) yield page.map(({ value }) => value);
    yield* inPages([...this.#configured.values()].flat(), PAGE_SIZE);
  }

  async at(destination: Destination): Promise<readonly Rule[]> {
    const key = destinationKey(destination);
    return this.#configured.get(key) ?? rulesAt(this.#database.db, key);
  }

  async destinations(platform: string, idPrefix = ""): Promise<readonly Destination[]> {
    const rows = await this.#database.db
      .selectFrom("rules")
      .select("destination")
      .distinct()
      .where(keyRange("destination", platform, idPrefix))
      .execute();
    const configured = [...this.#configured.keys()].map(parseDestinationKey);
    return [
      ...rows.map((row) => parseDestinationKey(row.destination as DestinationKey)),
      ...configured.filter((one) => one.platform === platform && one.id.startsWith(idPrefix)),
    ];
  }

  async countCreatedBy(person: Person): Promise<number> {
    const rows = await this.#database.db
      .selectFrom("rules")
      .select("destination")
      .where("created_by", "=", destinationKey(person))
      .execute();
    return rows.filter((row) => !isPerson(parseDestinationKey(row.destination as DestinationKey))).length;
  }

  async count(): Promise<number> {
    const stored = await readCount(this.#database.db, "rules");
    return stored + [...this.#configured.values()].flat().length;
  }

  add(draft: RuleDraft, limit = Number.POSITIVE_INFINITY): Promise<AddedRule> {
    return this.#change<AddedRule>(draft.destination, async (transaction, key, last) => {
      if (isPerson(draft.destination)) await this.#purged.unmark(transaction, key);
      const rules = await rulesAt(transaction, key);
      const equivalent = rules.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return { kind: "known", rule: equivalent };
      if (rules.length >= limit) return { kind: "full" };
      const rule: Rule = { ...draft, number: last + 1 };
      await transaction
        .insertInto("rules")
        .values({ destination: key, number: rule.number, ...columnsOfRule(rule) })
        .execute();
      await addRuleKeys(transaction, rule);
      await transaction.updateTable("rule_numbers").set({ last: rule.number }).where("destination", "=", key).execute();
      await changeCount(transaction, "rules", 1);
      return { kind: "added", rule };
    });
  }

  replace(number: number, draft: RuleDraft): Promise<ReplacedRule> {
    return this.#change<ReplacedRule>(draft.destination, async (transaction, key) => {
      const rules = await rulesAt(transaction, key);
      const before = rules.find((rule) => rule.number === number);
      if (!before) return { kind: "gone" };
      const equivalent = rules.find((rule) => isEquivalentRule(rule, draft));
      if (equivalent) return { kind: "known", rule: equivalent };
      const rule: Rule = { ...draft, number };
      await transaction
        .updateTable("rules")
        .set(columnsOfRule(rule))
        .where("destination", "=", key)
        .where("number", "=", number)
        .execute();
      await transaction.deleteFrom("rule_keys").where("destination", "=", key).where("number", "=", number).execute();
      await addRuleKeys(transaction, rule);
      return { kind: "replaced", before, rule };
    });
  }

  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]> {
    return this.#change(destination, async (transaction, key) => {
      const rows = await transaction
        .deleteFrom("rules")
        .where("destination", "=", key)
        .where(isOneOf("number", numbers))
        .returning("value")
        .execute();
      await transaction
        .deleteFrom("rule_keys")
        .where("destination", "=", key)
        .where(isOneOf("number", numbers))
        .execute();
      await changeCount(transaction, "rules", -rows.length);
      return rows.map(({ value }) => value).toSorted((a, b) => a.number - b.number);
    });
  }

  /** Locks the rules of a destination. `step` gets the last number. */
  #change<R>(
    destination: Destination,
    step: (transaction: Transaction<Schema>, key: DestinationKey, last: number) => Promise<R>,
  ): Promise<R> {
    const key = destinationKey(destination);
    return this.#database.transaction(async (transaction) => step(transaction, key, await lockRules(transaction, key)));
  }
}

/** Locks the rules of a destination. Returns the last number. */
export async function lockRules(transaction: Transaction<Schema>, key: DestinationKey): Promise<number> {
  const { last } = await transaction
    .insertInto("rule_numbers")
    .values({ destination: key, last: 0 })
    .onConflict((conflict) => conflict.column("destination").doUpdateSet({ destination: key }))
    .returning("last")
    .executeTakeFirstOrThrow();
  return last;
}

async function rulesAt(db: Database["db"], key: DestinationKey): Promise<readonly Rule[]> {
  const rows = await db.selectFrom("rules").select("value").where("destination", "=", key).orderBy("number").execute();
  return rows.map(({ value }) => value);
}

function hasOneOfKeys(keys: readonly string[]): RawBuilder<boolean> {
  return sql`(destination, number) in (select destination, number from rule_keys where ${isOneOf("key", keys)})`;
}

async function addRuleKeys(transaction: Transaction<Schema>, rule: Rule): Promise<void> {
  for (const page of inPages(rowsOfRuleKeys(rule), PAGE_SIZE))
    await transaction.insertInto("rule_keys").values(page).execute();
}

export function rowsOfRuleKeys(rule: Rule): readonly Schema["rule_keys"][] {
  const destination = destinationKey(rule.destination);
  const keys = new Set(matchKeysOfFilter(rule));
  return [...keys].map((key) => ({ key, destination, number: rule.number }));
}

type RuleColumns = Pick<Schema["rules"], "created_by"> & { readonly value: RawBuilder<Rule> };

export function columnsOfRule(rule: Rule): RuleColumns {
  return { created_by: destinationKey(rule.createdBy), value: json(rule) };
}
