import type { Transaction } from "kysely";
import { errorMessage } from "../../lib/error-text.ts";
import { repeat } from "../../lib/repeat.ts";
import { type ApiKeys, type FollowedKeys, KEY_CHECK_MS } from "../../ports/api-keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ApiKey } from "../../ports/state-records.ts";
import { type Database, json, lockName, type OwnDatabase } from "../database.ts";
import type { Schema } from "../schema.ts";

/** Connects to the database: the keys are also used without an open store. */
export interface KeyConnections {
  /** Connects for reading. Null if there is no database yet. */
  connect(): Promise<OwnDatabase | null>;
  /** Connects for a change; creates the database and applies pending migrations. */
  prepare(): Promise<OwnDatabase>;
}

/** API keys in a database. */
export class SqlApiKeys implements ApiKeys {
  readonly #connections: KeyConnections;

  constructor(connections: KeyConnections) {
    this.#connections = connections;
  }

  async read(): Promise<readonly ApiKey[]> {
    const reader = new KeyReader(this.#connections);
    try {
      return await reader.read();
    } finally {
      await reader.close();
    }
  }

  async change(change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
    const database = await this.#connections.prepare();
    try {
      await database.transaction(async (transaction) => {
        await lockName(transaction, "api keys");
        const keys = change(await readKeys(transaction));
        await transaction.deleteFrom("api_keys").execute();
        await insertKeys(transaction, keys);
      });
    } finally {
      await database.close();
    }
  }

  async follow({ clock, log }: { readonly clock: Clock; readonly log: Log }): Promise<FollowedKeys> {
    const reader = new KeyReader(this.#connections);
    try {
      return followKeys(reader, await reader.read(), { clock, log });
    } catch (error) {
      await reader.close();
      throw error;
    }
  }
}

/** Reads the keys, of which there are none before the database and its tables exist. */
class KeyReader {
  readonly #connections: KeyConnections;
  #database: OwnDatabase | null = null;
  #hasTable = false;

  constructor(connections: KeyConnections) {
    this.#connections = connections;
  }

  async read(): Promise<readonly ApiKey[]> {
    this.#database ??= await this.#connections.connect();
    if (this.#database === null) return [];
    this.#hasTable ||= await this.#database.hasTable("api_keys");
    return this.#hasTable ? readKeys(this.#database.db) : [];
  }

  async close(): Promise<void> {
    await this.#database?.close();
  }
}

/** Reads the keys at an interval until it is closed. */
function followKeys(
  reader: KeyReader,
  initial: readonly ApiKey[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): FollowedKeys {
  let keys = initial;
  const refresh = async (): Promise<void> => {
    const current = await reader.read();
    if (JSON.stringify(current) !== JSON.stringify(keys)) keys = current;
  };
  const onFailure = (error: unknown): void => {
    const keysInUse = keys.filter(({ revoked }) => revoked === null).length;
    log.error("keys unreadable", { error: errorMessage(error), keysInUse });
  };
  const end = repeat(refresh, { everyMs: KEY_CHECK_MS, clock, onFailure });
  return {
    current: () => keys,
    async close() {
      await end();
      await reader.close();
    },
  };
}

export async function insertKeys(transaction: Transaction<Schema>, keys: readonly ApiKey[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map((key, position) => ({ position, value: json(key) }));
  await transaction.insertInto("api_keys").values(rows).execute();
}

async function readKeys(db: Database["db"]): Promise<readonly ApiKey[]> {
  const rows = await db.selectFrom("api_keys").select("value").orderBy("position").execute();
  return rows.map(({ value }) => value);
}
