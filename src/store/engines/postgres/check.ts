import { sql } from "kysely";
import { type CheckResult, fail, pass, warn } from "../../../lib/check-result.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { Clock } from "../../../ports/clock.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import { checkApiKeys } from "../../check-api-keys.ts";
import { apiKeysIn } from "./api-keys.ts";
import { PostgresDatabase } from "./database.ts";
import { describeServer, poolingProblem, postgresMigrations, type ServerDescription, serverProblem } from "./open.ts";
import type { DatabaseAddress } from "./settings.ts";
import { forbiddenTables } from "./state.ts";

/** Difference of the clocks from which on reminders and expiry would differ noticeably between processes. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/** Checks the server, the rights and the schema. Changes nothing. */
export async function checkDatabase(
  address: DatabaseAddress,
  clock: Clock = systemClock,
): Promise<readonly CheckResult[]> {
  const database = new PostgresDatabase(address, {
    log: SILENT_LOG,
    applicationName: "splitwatch doctor",
    limits: { maxConnections: 2, reconnectMs: 0 },
  });
  try {
    // Connecting may take longer than the clocks differ.
    await describeServer(database);
    const askedAt = clock.now();
    const server = await describeServer(database);
    const differenceMs = Math.round(server.now - (askedAt + clock.now()) / 2);
    const problem = serverProblem(server) ?? (await poolingProblem(database));
    return [
      checkServer(address, server, problem),
      ...checkEncryption(address),
      ...(await checkOtherUsers(database)),
      await checkSchema(database, server),
      checkClock(differenceMs),
      await checkApiKeys(apiKeysIn(address)),
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [fail(error.message)];
  } finally {
    await database.close();
  }
}

/** `problem`: why splitwatch can't use the server. */
function checkServer(
  { server, database }: DatabaseAddress,
  { version }: ServerDescription,
  problem: string | null,
): CheckResult {
  if (problem !== null) return fail(`DATABASE_URL: ${problem}`);
  return pass(`database: OK (PostgreSQL ${Math.floor(version / 10_000)} at ${server}, ${database})`);
}

function checkEncryption({ encryption, isLocal, server }: DatabaseAddress): readonly CheckResult[] {
  if (isLocal || encryption === "verified") return [];
  const risk = encryption === "none" ? "isn't encrypted" : "is encrypted, but the server isn't verified";
  return [warn(`database: the connection to ${server} ${risk}; add ?sslmode=verify-full to DATABASE_URL`)];
}

/** A user who may connect can read nothing, but can use up the connections and delay migrations, whose lock every user may take. */
async function checkOtherUsers({ db, address }: PostgresDatabase): Promise<readonly CheckResult[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select rolname as name from pg_roles
    where rolcanlogin and not rolsuper and rolname <> current_user
      and has_database_privilege('public', current_database(), 'connect')
    order by rolname limit 1
  `.execute(db);
  return rows.map(({ name }) =>
    warn(
      `database: every user of the server may connect to ${address.database}, such as ${name}; run: revoke connect on database "${address.database}" from public`,
    ),
  );
}

async function checkSchema(database: PostgresDatabase, { canCreate, user }: ServerDescription): Promise<CheckResult> {
  try {
    const { applied, pending } = await postgresMigrations(database).read();
    if (pending.length === 0) return checkRights(await forbiddenTables(database), user, `${applied.at(-1)}`);
    const { database: name } = database.address;
    if (!canCreate)
      return fail(`schema: user ${user} may not create tables in ${name}; make the user the owner of the database`);
    if (applied.length === 0) return pass("schema: the database is empty; the first start creates the tables");
    return warn(
      `schema: ${pending.length} pending (${pending.join(", ")}); the next start or splitwatch migrate applies them`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail(`schema: ${error.message}`);
  }
}

function checkRights([forbidden]: readonly string[], user: string, version: string): CheckResult {
  if (forbidden === undefined) return pass(`schema: OK (${version})`);
  return fail(
    `schema: user ${user} may not read and change table ${forbidden}; grant SELECT, INSERT, UPDATE, DELETE on all tables of the schema`,
  );
}

function checkClock(differenceMs: number): CheckResult {
  const text = `clock: ${Math.abs(differenceMs)} ms ${differenceMs < 0 ? "ahead of" : "behind"} the database's`;
  return Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS
    ? pass(text)
    : warn(`${text}; synchronize the clocks of both machines (NTP)`);
}
