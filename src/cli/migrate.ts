import { readConfig } from "../config/index.ts";
import { createRedactor } from "../lib/redact.ts";
import { formatCount } from "../messages/format.ts";
import { StoreError } from "../ports/store.ts";
import type { MigrationAccess } from "../store/store-definition.ts";
import { EXIT, exitCodeOfFailure, type Invocation } from "./invocation.ts";

/** Applies the pending migrations of the configured database and prints them. */
export function migrate(invocation: Invocation): Promise<number> {
  return withMigrations(invocation, async (migrations) => {
    const applied = await migrations.apply();
    for (const name of applied) invocation.out(`applied  ${name}`);
    invocation.out(`The database is up to date: ${formatCount(applied.length, "migration")} applied.`);
  });
}

/** Prints the applied and the pending migrations. Changes nothing. */
export function printMigrations(invocation: Invocation): Promise<number> {
  return withMigrations(invocation, async (migrations) => {
    const { applied, pending } = await migrations.read();
    for (const name of applied) invocation.out(`applied  ${name}`);
    for (const name of pending) invocation.out(`pending  ${name}`);
    invocation.out(pending.length === 0 ? "The database is up to date." : PENDING);
  });
}

const PENDING = "Run `splitwatch migrate`, or start splitwatch, to apply the pending migrations.";

async function withMigrations(
  invocation: Invocation,
  work: (migrations: MigrationAccess) => Promise<void>,
): Promise<number> {
  const { store, secrets, credentialPatterns } = readConfig(invocation);
  if (store.migrations === undefined) {
    invocation.out("No database is configured (DATABASE_URL): there is nothing to migrate.");
    return EXIT.ok;
  }
  try {
    await work(store.migrations);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    invocation.err(`splitwatch: ${createRedactor(secrets, credentialPatterns)(error.message)}`);
    return exitCodeOfFailure(error);
  }
}
