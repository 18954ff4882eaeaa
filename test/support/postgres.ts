import { createHash, randomBytes } from "node:crypto";
import { DatabaseError, Pool } from "pg";
import { inject, onTestFinished } from "vitest";
import { errorMessage } from "../../src/lib/error-text.ts";
import { MIGRATIONS, migrateDatabase } from "../../src/store/engines/postgres/open.ts";
import { type DatabaseAddress, readDatabaseAddress } from "../../src/store/engines/postgres/settings.ts";
import { askSocket } from "./answering-socket.ts";
import { dropDatabases, runSql, withDatabase } from "./postgres-databases.ts";
import { PostgresServer } from "./postgres-server.ts";

/**
 * Returns the address of a new database with all migrations applied, on the server that all tests share. It is dropped at the end
 * of the test.
 */
export async function freshDatabase(): Promise<string> {
  template ??= createTemplate();
  return createDatabase(await template);
}

/** Returns the address of a new database without tables, on the server that all tests share. */
export function emptyDatabase(): Promise<string> {
  return createDatabase("template0");
}

/** Starts a server for one test, which may stop, kill and restart it. Its changes survive a crash if it is durable. */
export async function ownServer({ durable = true } = {}): Promise<PostgresServer> {
  const server = await PostgresServer.start({ durable });
  onTestFinished(() => server.dispose());
  return server;
}

/** The parsed form of a database's address. */
export function addressOf(url: string): DatabaseAddress {
  const result = readDatabaseAddress(url);
  if ("problem" in result) throw new Error(`invalid address: ${result.problem}`);
  return result.value;
}

let server: Promise<string> | null = null;
let template: Promise<string> | null = null;
/** Connection that creates and drops the databases of this worker's tests: connecting takes longer than either. */
let administration: Pool | null = null;

/** Address of the shared server; starts it if this is the first request of the run. */
function serverUrl(): Promise<string> {
  server ??= askForServer();
  return server;
}

async function askForServer(): Promise<string> {
  return askSocket(inject("postgres").socket).catch((error: unknown) => {
    throw new Error(`PostgreSQL: ${errorMessage(error)}`, { cause: error });
  });
}

async function createDatabase(from: string): Promise<string> {
  const url = await serverUrl();
  const name = inject("postgres").prefix + randomBytes(6).toString("hex");
  administration ??= new Pool({ connectionString: url, max: 1, allowExitOnIdle: true }).on("error", () => undefined);
  await administration.query(`create database ${name} template ${from} encoding 'UTF8' strategy file_copy`);
  atEndOfTest(async () => void (await administration?.query(`drop database ${name} with (force)`)));
  return withDatabase(url, name);
}

/** A database that is created before the first test of a file stays until the end of the run. */
function atEndOfTest(work: () => Promise<void>): void {
  try {
    onTestFinished(work);
  } catch (error) {
    if (!String(error).includes("inside a test")) throw error;
  }
}

/** SQLSTATE codes of a name that is taken: before, and at the same moment. */
const TAKEN = new Set(["42P04", "23505"]);

/** Creates the migrated database of which the others are copies, unless another worker did; returns its name. */
async function createTemplate(): Promise<string> {
  const url = await serverUrl();
  const version = createHash("sha256").update(JSON.stringify(MIGRATIONS)).digest("hex").slice(0, 8);
  const name = `${inject("postgres").prefix}template_${version}`;
  const building = `${name}_${randomBytes(4).toString("hex")}`;
  await runSql(url, `create database ${building} template template0 encoding 'UTF8'`);
  await migrateDatabase(addressOf(withDatabase(url, building)));
  // The worker that renames first wins.
  await runSql(url, `alter database ${building} rename to ${name}`).catch(async (error: unknown) => {
    await dropDatabases(url, building);
    if (!(error instanceof DatabaseError) || !TAKEN.has(error.code ?? "")) throw error;
  });
  return name;
}
