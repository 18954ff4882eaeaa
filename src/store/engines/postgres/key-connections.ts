import { SILENT_LOG } from "../../../ports/log.ts";
import type { KeyConnections } from "../../collections/api-keys.ts";
import { Migrations } from "../../migrations.ts";
import { PostgresDatabase } from "./database.ts";
import { MIGRATIONS, migrateDatabase } from "./open.ts";
import type { DatabaseAddress } from "./settings.ts";

export function keyConnections(address: DatabaseAddress): KeyConnections {
  const options = { log: SILENT_LOG, applicationName: "splitwatch keys", limits: { maxConnections: 1 } };
  return {
    connect: async () => new PostgresDatabase(address, options),
    async prepare() {
      const database = new PostgresDatabase(address, options);
      try {
        const { pending } = await new Migrations(database, MIGRATIONS).read();
        if (pending.length > 0) await migrateDatabase(address);
        return database;
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  };
}
