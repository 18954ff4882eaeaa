import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase, freshDatabase } from "../../../../test/support/postgres.ts";
import { runSql, withDatabase } from "../../../../test/support/postgres-databases.ts";
import type { CheckResult } from "../../../lib/check-result.ts";
import { checkDatabase } from "./check.ts";
import { MIGRATIONS, migrateDatabase, serverProblem } from "./open.ts";

const LAST = MIGRATIONS.at(-1)?.name;

async function linesOf(url: string, clock?: ManualClock): Promise<readonly string[]> {
  return (await checkDatabase(addressOf(url), clock)).map(({ status, text }: CheckResult) => `${status} ${text}`);
}

/** Adds a user for a test and changes its rights. Returns its address of the database. */
async function addGuest(
  url: string,
  rights: (role: string) => string,
): Promise<{ readonly url: string; readonly role: string }> {
  const role = `guest_${url.slice(-8)}`;
  await runSql(url, `create role ${role} login password 'guest'`, rights(role));
  onTestFinished(async () => {
    await runSql(url, `drop owned by ${role}`, `drop role ${role}`);
  });
  return { url: Object.assign(new URL(url), { username: role, password: "guest" }).href, role };
}

it("reports the server, the schema and the clock", async () => {
  const url = await freshDatabase();
  const { host, pathname } = new URL(url);
  await runSql(url, `revoke connect on database ${pathname.slice(1)} from public`);
  expect(await linesOf(url)).toEqual([
    expect.stringMatching(`^pass database: OK \\(PostgreSQL \\d+ at ${host}, ${pathname.slice(1)}\\)$`),
    `pass schema: OK (${LAST})`,
    expect.stringMatching(/^pass clock: \d+ ms (?:ahead of|behind) the database's$/),
    "pass API keys: 0 active",
  ]);
});

it("reports an empty database and pending migrations", async () => {
  const url = await emptyDatabase();
  expect(await linesOf(url)).toContain("pass schema: the database is empty; the first start creates the tables");
  await migrateDatabase(addressOf(url));
  await runSql(url, `delete from migrations where name like '${LAST}@%'`);
  expect(await linesOf(url)).toContainEqual(
    expect.stringMatching(/^(?:warn schema: 1 pending|pass schema: the database is empty)/),
  );
});

it("reports a missing right to create the tables", async () => {
  const { url, role } = await addGuest(await emptyDatabase(), () => "revoke create on schema public from public");
  expect(await linesOf(url)).toContainEqual(
    expect.stringMatching(`^fail schema: user ${role} may not create tables in .*; make the user the owner`),
  );
});

it("reports a user that may only read", async () => {
  const { url, role } = await addGuest(
    await freshDatabase(),
    (name) => `grant select on all tables in schema public to ${name}`,
  );
  expect(await linesOf(url)).toContain(
    `fail schema: user ${role} may not read and change table snapshot; grant SELECT, INSERT, UPDATE, DELETE on all tables of the schema`,
  );
});

it("accepts a user with the documented rights", async () => {
  const { url } = await addGuest(
    await freshDatabase(),
    (name) => `grant select, insert, update, delete on all tables in schema public to ${name}`,
  );
  expect(await linesOf(url)).toContain(`pass schema: OK (${LAST})`);
});

it("reports that other users may connect, until the right is revoked", async () => {
  const url = await freshDatabase();
  await addGuest(url, () => "select");
  const name = new URL(url).pathname.slice(1);
  const warning = `warn database: every user of the server may connect to ${name}, such as `;
  const [line] = (await linesOf(url)).filter((text) => text.startsWith(warning));
  const [, command = ""] = line?.split("; run: ") ?? [];
  await runSql(url, command);
  expect((await linesOf(url)).filter((text) => text.startsWith(warning))).toEqual([]);
});

it("reports a search path without a schema, also at the start", async () => {
  const { url, role } = await addGuest(
    await freshDatabase(),
    (name) => `alter role ${name} set search_path = elsewhere`,
  );
  const problem = `DATABASE_URL: user ${role} can use no schema of the search path (elsewhere); grant USAGE on the schema, or correct the user's search_path`;
  expect(await linesOf(url)).toContain(`fail ${problem}`);
  await expect(migrateDatabase(addressOf(url))).rejects.toThrow(problem);
});

it("reports a clock that differs from the database's", async () => {
  const url = await freshDatabase();
  const clock = new ManualClock("2020-01-01T00:00:00Z");
  expect(await linesOf(url, clock)).toContainEqual(
    expect.stringMatching(/^warn clock: \d{9,} ms behind the database's; synchronize the clocks of both machines/),
  );
});

it("reports an encoding that can't store all texts", async () => {
  const url = await emptyDatabase();
  const name = `${new URL(url).pathname.slice(1)}_latin`;
  await runSql(url, `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
  onTestFinished(async () => {
    await runSql(url, `drop database ${name} with (force)`);
  });
  expect((await linesOf(withDatabase(url, name)))[0]).toBe(
    "fail DATABASE_URL: the database has the encoding LATIN1; create it with the encoding UTF8",
  );
});

it("reports an unreachable server", async () => {
  const url = Object.assign(new URL(await freshDatabase()), { port: "1" }).href;
  expect(await linesOf(url)).toEqual([expect.stringMatching(/^fail database: no connection to 127\.0\.0\.1:1 /)]);
});

it("accepts servers from PostgreSQL 15", () => {
  const parts = { user: "u", schema: "public", searchPath: "public" };
  const server = { ...parts, encoding: "UTF8", isReadOnly: false, canCreate: true, now: 0 };
  expect(serverProblem({ ...server, version: 150_000 })).toBeNull();
  expect(serverProblem({ ...server, version: 149_999 })).toBe(
    "PostgreSQL 14 is too old; update the server to 15 or newer",
  );
  expect(serverProblem({ ...server, version: 150_000, isReadOnly: true })).toContain("read-only");
});
