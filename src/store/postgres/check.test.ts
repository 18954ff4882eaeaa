import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase, freshDatabase } from "../../../test/support/postgres.ts";
import { runSql, withDatabase } from "../../../test/support/postgres-databases.ts";
import type { CheckResult } from "../../lib/check-result.ts";
import { checkDatabase } from "./check.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { migrateDatabase, serverProblem } from "./open.ts";

const LAST = MIGRATIONS.at(-1)?.name;

async function linesOf(url: string, clock?: ManualClock): Promise<readonly string[]> {
  return (await checkDatabase(addressOf(url), clock)).map(({ status, text }: CheckResult) => `${status} ${text}`);
}

it("reports the server, the schema and the clock", async () => {
  const url = await freshDatabase();
  const { host, pathname } = new URL(url);
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
  const url = await emptyDatabase();
  const role = `guest_${url.slice(-8)}`;
  await runSql(url, `create role ${role} login password 'guest'`, "revoke create on schema public from public");
  onTestFinished(async () => {
    await runSql(url, `drop role ${role}`);
  });
  const guest = Object.assign(new URL(url), { username: role, password: "guest" }).href;
  expect(await linesOf(guest)).toContainEqual(
    expect.stringMatching(`^fail schema: user ${role} may not create tables in .*; make the user the owner`),
  );
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
  const server = { encoding: "UTF8", isReadOnly: false, canCreate: true, now: 0 };
  expect(serverProblem({ ...server, version: 150_000 })).toBeNull();
  expect(serverProblem({ ...server, version: 149_999 })).toBe(
    "PostgreSQL 14 is too old; update the server to 15 or newer",
  );
  expect(serverProblem({ ...server, version: 150_000, isReadOnly: true })).toContain("read-only");
});
