import type { ApiKeys } from "../../../ports/api-keys.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { SqlApiKeys } from "../../collections/api-keys.ts";
import { PostgresDatabase } from "./database.ts";
import { migrateDatabase, postgresMigrations } from "./open.ts";
import type { DatabaseAddress } from "./settings.ts";

export function apiKeysIn(address: DatabaseAddress): ApiKeys {
  const options = { log: SILENT_LOG, applicationName: "splitwatch keys", limits: { maxConnections: 1 } };
  return new SqlApiKeys({
    connect: async () => new PostgresDatabase(address, options),
    async prepare() {
      const database = new PostgresDatabase(address, options);
      try {
        const { pending } = await postgresMigrations(database).read();
        if (pending.length > 0) await migrateDatabase(address);
        return database;
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  });
}
