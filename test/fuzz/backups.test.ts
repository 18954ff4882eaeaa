import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backup } from "../../src/cli/backup/backup.ts";
import { BackupSummary } from "../../src/cli/backup/backup-format.ts";
import { restore } from "../../src/cli/backup/restore.ts";
import { type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { fillStore } from "../support/full-state.ts";
import { anInvocation } from "../support/recorded-invocation.ts";
import { repetitions } from "../support/soak.ts";
import { openIn } from "../support/store-folder.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

/** A value at any depth of a record. */
interface Place {
  readonly record: number;
  readonly path: readonly string[];
  readonly value: unknown;
}

const TEXTS = [
  "",
  "__proto__",
  "constructor",
  "x".repeat(1_000_000),
  "a\u0000\u001b[2J\u202Eb\r\nc",
  "a:b:c",
  "person",
  "web",
  "0000-01-01",
  "0000-01-03",
  "9999-12-31",
  "\ud800",
];
const NUMBERS = [-1, 0, 0.5, 1e308, Number.MAX_SAFE_INTEGER, -8.64e15, 8.64e15, 8.65e15];

/** Values in place of one of the same type. */
function hostileValues(value: unknown): readonly unknown[] {
  if (typeof value === "string") return TEXTS;
  if (typeof value === "number") return NUMBERS;
  if (typeof value === "boolean") return [!value, null];
  if (value === null) return ["", 0, {}, []];
  return Array.isArray(value) ? [[], [...(value as unknown[]), ...(value as unknown[])], null] : [null, {}, []];
}

function* placesIn(record: number, value: unknown, path: readonly string[] = []): Generator<Place> {
  yield { record, path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* placesIn(record, part, [...path, key]);
}

/** A copy in which the value at the path is another one. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((part: unknown, n) => (String(n) === key ? replaced(part, rest, by) : part));
  const entries = Object.entries(value as object);
  return Object.fromEntries(entries.map(([name, part]) => [name, name === key ? replaced(part, rest, by) : part]));
}

let folder: Folder;
let head: string;
let records: readonly unknown[];

beforeEach(async () => {
  folder = await temporaryFolder();
  const store = await openIn(join(folder.path, "data"));
  await fillStore(store);
  await store.close();
  await backup("backup.jsonl", anInvocation(folder.path, { DATA_DIR: join(folder.path, "data") }));
  const [first = "", ...lines] = (await readFile(join(folder.path, "backup.jsonl"), "utf8")).trimEnd().split("\n");
  head = first;
  records = lines.slice(0, -1).map((line) => JSON.parse(line) as unknown);
});

afterEach(() => folder.remove());

/** Writes a backup of these records with valid counts and a valid checksum. */
async function write(file: string, changed: readonly unknown[]): Promise<void> {
  const summary = new BackupSummary();
  summary.add(head);
  const lines = changed.map((record) => JSON.stringify(record));
  for (const [index, line] of lines.entries()) summary.add(line, (changed[index] as { kind: string }).kind);
  await writeFile(join(folder.path, file), [head, ...lines, JSON.stringify(summary.tail), ""].join("\n"));
}

const LINES = ["status", "list when:all", "show BETA", "calc ACME shares:45", "why ACME", "subscriptions", "watchlist"];
const MORE_LINES = ["settings", "settings scope:channel", "calendar", "export", "articles", "watch ACME", "test"];
const PATHS = ["/api/overview", "/api/messages?name=alice", "/api/messages", "/metrics", "/calendar/all.ics"];

/** Everything that the app can't do with its state. */
async function problemsOf(app: RunningApp): Promise<readonly unknown[]> {
  const failed: unknown[] = [];
  for (const line of [...LINES, ...MORE_LINES]) {
    const cards = await app.run("alice", line, { channel: "general" });
    if (cards.some(({ title }) => /something went wrong/.test(title))) failed.push(line);
  }
  for (const path of PATHS) if ((await app.get(path)).status >= 500) failed.push(path);
  return [...failed, ...app.log.lines.filter(({ level }) => level === "error")];
}

const ONE_LINE = /^[^\p{Cc}\p{Bidi_Control}]{20,5000}$/u;

/** What is wrong after a restore of the changed backup; empty if it is rejected in one line, or if the app works with it. */
async function problemsAfter({
  place,
  by,
}: {
  readonly place: Place;
  readonly by: unknown;
}): Promise<readonly unknown[]> {
  await write(
    "changed.jsonl",
    records.map((record, n) => (n === place.record ? replaced(record, ["value", ...place.path], by) : record)),
  );
  const dataDir = await mkdtemp(join(folder.path, "restored-"));
  const { problems, ...invocation } = anInvocation(folder.path, { DATA_DIR: dataDir });
  if ((await restore("changed.jsonl", invocation)) !== 0)
    return problems.length === 1 && ONE_LINE.test(problems[0] ?? "") ? [] : problems;
  // The state is of a data service that doesn't answer, so that no poll replaces it.
  const env = { SPLITS_API_URL: "http://127.0.0.1:1", SPLITS_API_KEY: "key" };
  const app = await startApp({ dataDir, env, sourceLimits: { retries: 0 }, held: Number.NaN });
  try {
    return await problemsOf(app);
  } finally {
    await app.stop();
  }
}

it("a backup with any changed value and a valid checksum is rejected in one line, or the app works with it", async () => {
  const places = records.flatMap((record, index) => [...placesIn(index, (record as { value: unknown }).value)]);
  const changes = fc
    .constantFrom(...places)
    .chain((place) => fc.record({ place: fc.constant(place), by: fc.constantFrom(...hostileValues(place.value)) }));
  const property = fc.asyncProperty(changes, async (change) => {
    expect(await problemsAfter(change)).toEqual([]);
  });
  await fc.assert(property, { numRuns: repetitions({ short: 5, full: 1_500 }) });
});
