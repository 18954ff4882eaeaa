import { readConfig } from "../config/index.ts";
import { formatCount } from "../messages/format.ts";
import type { MigrationAccess } from "../store/store-definition.ts";
import { EXIT, type Invocation, reportStoreError } from "./invocation.ts";

const PENDING = "Run `splitwatch migrate`, or start splitwatch, to apply the pending migrations.";

/** Applies the pending migrations of the configured database and prints them; without `apply`, only prints all migrations. */
export async function migrate({ apply }: { readonly apply: boolean }, invocation: Invocation): Promise<number> {
  const config = readConfig(invocation);
  const { store } = config;
  if (store.migrations === undefined) {
    invocation.out("No database is configured (DATABASE_URL): there is nothing to migrate.");
    return EXIT.ok;
  }
  try {
    const lines = await (apply ? applyPending(store.migrations) : describe(store.migrations));
    for (const line of lines) invocation.out(line);
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

async function applyPending(migrations: MigrationAccess): Promise<readonly string[]> {
  const applied = await migrations.apply();
  const summary = `The database is up to date: ${formatCount(applied.length, "migration")} applied.`;
  return [...applied.map((name) => `applied  ${name}`), summary];
}

async function describe(migrations: MigrationAccess): Promise<readonly string[]> {
  const { applied, pending } = await migrations.read();
  return [
    ...applied.map((name) => `applied  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
    pending.length === 0 ? "The database is up to date." : PENDING,
  ];
}
