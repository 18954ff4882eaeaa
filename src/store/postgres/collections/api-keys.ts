import type { Transaction } from "kysely";
import { errorMessage } from "../../../lib/error-text.ts";
import type { ApiKeys, FollowedKeys } from "../../../ports/api-keys.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type Log, SILENT_LOG } from "../../../ports/log.ts";
import type { ApiKey } from "../../../ports/state-records.ts";
import { Database, json, lockName } from "../database.ts";
import { isUnknownTable } from "../errors.ts";
import { readMigrations } from "../migrate.ts";
import { migrateDatabase } from "../open.ts";
import type { Schema } from "../schema.ts";
import type { DatabaseAddress } from "../settings.ts";

/** Interval at which changes by other processes are read. */
const CHECK_MS = 500;

/** API keys in a database, on a connection of their own: they are also used without an open store. */
export class PostgresApiKeys implements ApiKeys {
  readonly #address: DatabaseAddress;

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  read(): Promise<readonly ApiKey[]> {
    return this.#connected(({ db }) => readKeys(db));
  }

  async change(change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
    await this.#connected(async (database) => {
      if ((await readMigrations(database)).pending.length > 0) await migrateDatabase(this.#address);
      await database.transaction(async (transaction) => {
        await lockName(transaction, "api keys");
        const keys = change(await readKeys(transaction));
        await transaction.deleteFrom("api_keys").execute();
        await insertKeys(transaction, keys);
      });
    });
  }

  async follow({ clock, log }: { readonly clock: Clock; readonly log: Log }): Promise<FollowedKeys> {
    const database = this.#connect();
    try {
      return followKeys(database, await readKeys(database.db), { clock, log });
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  #connect(): Database {
    return new Database(this.#address, {
      log: SILENT_LOG,
      applicationName: "splitwatch keys",
      limits: { maxConnections: 1 },
    });
  }

  async #connected<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = this.#connect();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
}

/** Reads the keys at an interval until it is closed. */
function followKeys(
  database: Database,
  initial: readonly ApiKey[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): FollowedKeys {
  const stopping = new AbortController();
  let keys = initial;
  let isFailing = false;

  async function refresh(): Promise<void> {
    try {
      const current = await readKeys(database.db);
      if (JSON.stringify(current) !== JSON.stringify(keys)) keys = current;
      isFailing = false;
    } catch (error) {
      const keysInUse = keys.filter(({ revoked }) => revoked === null).length;
      if (!isFailing) log.error("keys unreadable", { error: errorMessage(error), keysInUse });
      isFailing = true;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      await clock.sleep(CHECK_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      await refresh();
    }
  }

  const ended = run();
  return {
    current: () => keys,
    async close() {
      stopping.abort();
      await ended;
      await database.close();
    },
  };
}

export async function insertKeys(transaction: Transaction<Schema>, keys: readonly ApiKey[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map((key, position) => ({ position, value: json(key) }));
  await transaction.insertInto("api_keys").values(rows).execute();
}

/** A database without tables contains no keys. */
async function readKeys(db: Database["db"]): Promise<readonly ApiKey[]> {
  try {
    const rows = await db.selectFrom("api_keys").select("value").orderBy("position").execute();
    return rows.map(({ value }) => value);
  } catch (error) {
    if (isUnknownTable(error)) return [];
    throw error;
  }
}
