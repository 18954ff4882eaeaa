import type { StateKind, StateRecord } from "../../../ports/state-records.ts";
import type { StoreDefinition } from "../../store-definition.ts";
import { ADDRESS_EXPECTED, type DatabaseAddress, passwordsOf, readDatabaseAddress } from "./settings.ts";

const VARIABLE = "DATABASE_URL";

/** Store in a PostgreSQL database, for any number of processes. */
export const postgres: StoreDefinition = {
  name: "postgres",
  variables: [
    {
      name: VARIABLE,
      isSecret: true,
      secretParts: passwordsOf,
      comment:
        "PostgreSQL address, for several processes that share the work. Add ?sslmode=verify-full if the connection leaves this machine. Secret.",
      example: "postgres://user:password@127.0.0.1:5432/splitwatch",
    },
  ],
  select({ env }) {
    const address = env.read(VARIABLE, ADDRESS_EXPECTED, readDatabaseAddress);
    if (address === undefined) return null;
    return {
      location: `${address.server}, ${address.database}`,
      isShared: true,
      open: async (options) => (await import("./open.ts")).openPostgresStore({ address, ...options }),
      readState: (kinds) => readState(address, kinds),
      restore: async (records) => (await import("./state.ts")).restoreDatabase(address, records),
      apiKeys: async () => (await import("./api-keys.ts")).apiKeysIn(address),
      check: async () => (await import("./check.ts")).checkDatabase(address),
      migrations: {
        read: async () => (await import("./open.ts")).readDatabaseMigrations(address),
        apply: async () => (await import("./open.ts")).migrateDatabase(address),
      },
    };
  },
};

async function* readState(address: DatabaseAddress, kinds?: readonly StateKind[]): AsyncGenerator<StateRecord> {
  yield* (await import("./state.ts")).readDatabaseState(address, kinds);
}
