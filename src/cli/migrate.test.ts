import { expect, it } from "vitest";
import { emptyDatabase } from "../../test/support/postgres.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { MIGRATIONS } from "../store/engines/postgres/open.ts";
import { EXIT } from "./invocation.ts";
import { run } from "./run.ts";

const NAMES = MIGRATIONS.map(({ name }) => name);

async function runWith(url: string | undefined, ...words: readonly string[]) {
  const invocation = anInvocation("/proc/no-such-folder", url === undefined ? {} : { DATABASE_URL: url });
  return { code: await run(words, invocation), printed: invocation.printed, problems: invocation.problems };
}

it("lists pending migrations, applies them once, and lists them as applied", async () => {
  const url = await emptyDatabase();
  expect(await runWith(url, "migrate", "status")).toEqual({
    code: EXIT.ok,
    printed: [
      ...NAMES.map((name) => `pending  ${name}`),
      "Run `splitwatch migrate`, or start splitwatch, to apply the pending migrations.",
    ],
    problems: [],
  });
  const applied = NAMES.map((name) => `applied  ${name}`);
  const count = NAMES.length === 1 ? "1 migration" : `${NAMES.length} migrations`;
  expect((await runWith(url, "migrate")).printed).toEqual([
    ...applied,
    `The database is up to date: ${count} applied.`,
  ]);
  expect((await runWith(url, "migrate")).printed).toEqual(["The database is up to date: 0 migrations applied."]);
  expect((await runWith(url, "migrate", "status")).printed).toEqual([...applied, "The database is up to date."]);
});

it("has nothing to do without a database", async () => {
  expect(await runWith(undefined, "migrate")).toEqual({
    code: EXIT.ok,
    printed: ["No database is configured (DATABASE_URL): there is nothing to migrate."],
    problems: [],
  });
});

it("names what is wrong with the address, without its password", async () => {
  const url = Object.assign(new URL(await emptyDatabase()), { pathname: "/nowhere", password: "hush-hush" });
  const { code, problems } = await runWith(url.href, "migrate", "status");
  expect(code).toBe(EXIT.usage);
  expect(problems).toEqual([expect.stringMatching(/^splitwatch: DATABASE_URL: 127\.0\.0\.1:\d+ (?:has no|refused)/)]);
  expect(problems.join()).not.toContain("hush");
});
