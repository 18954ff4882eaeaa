import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compilerErrors, copySources, EVENT_KIND_FILES, replaceIn } from "../support/changed-sources.ts";
import { readDocument } from "../support/documentation.ts";
import { freshDatabase } from "../support/postgres.ts";

const EXAMPLE = /^## A new kind of state, step by step\n(.*?)^## /ms.exec(readDocument("CONTRIBUTING.md"))?.[1] ?? "";

/** The steps of the example: the file of each, and its blocks of code. */
const STEPS = EXAMPLE.split(/^\d\. /m)
  .slice(1)
  .map((step) => ({
    file: /^`([^`]+)`/.exec(step)?.[1] ?? "",
    blocks: [...step.matchAll(/```\w+\n(.*?)```/gs)].map(([, code = ""]) => code),
  }));

/** Lines before which the blocks are inserted, by file. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "src/ports/state-records.ts": [
    "} as const satisfies Readonly<Record<string, z.ZodType>>;\n",
    "} as const satisfies { readonly [K in StateKind]?: KeyedKindDefinition<StateValues[K]> };\n",
  ],
  "src/ports/store.ts": ["  readonly calendars: Calendars;\n"],
  "src/store/open-collections.ts": ["    calendars: new SqlCalendars(database),\n"],
};

/** The end of the registry of event kinds, where they are added. */
const REGISTRY_END = "} as const satisfies Readonly<Record<string, KindTraits>>;";

/** A further event kind about a split, a release and the data. */
const FURTHER_EVENT_KINDS = [
  `halted: { ...SPLIT_ALERT, schema: splitEventSchema.extend({ kind: z.literal("halted") }) }`,
  `amended: { ...SPLIT_ALERT, subject: "release", schema: z.object({ ...releaseFields, kind: z.literal("amended") }) }`,
  `closed: { ...SPLIT_ALERT, subject: "data", schema: z.object({ ...eventFields, kind: z.literal("closed") }) }`,
];

/** Uses the new kind in both engines. `process.argv`: two folders and the address of a database. */
const STORY = `
import assert from "node:assert/strict";
import { personSchema } from "./domain/alert/destination.ts";
import type { Ticker } from "./domain/split/ticker.ts";
import { systemClock } from "./lib/clock.ts";
import { SILENT_LOG } from "./ports/log.ts";
import { openPostgresStore } from "./store/engines/postgres/open.ts";
import { restoreDatabase } from "./store/engines/postgres/state.ts";
import { readDatabaseAddress } from "./store/engines/postgres/settings.ts";
import { openSqliteStore } from "./store/engines/sqlite/open.ts";
import { readFolder } from "./store/engines/sqlite/state.ts";

const [, , dir = "", url = ""] = process.argv;
const options = { clock: systemClock, log: SILENT_LOG };
const [alice, bob] = ["alice", "bob"].map((id) => personSchema.parse({ platform: "web", kind: "person", id }));
const read = readDatabaseAddress(url);
if (!("value" in read) || !alice || !bob) throw new Error("invalid address");
const notes = [alice, bob].map((person) => ({ person, ticker: "ACME" as Ticker, text: \`of \${person.id}\` }));

const embedded = await openSqliteStore({ dir, ...options });
for (const note of notes) await embedded.notes.put(note);
await embedded.close();
await restoreDatabase(read.value, readFolder(dir));
const database = await openPostgresStore({ address: read.value, ...options });
const reopened = await openSqliteStore({ dir, ...options });
for (const store of [reopened, database]) {
  assert.deepEqual(await store.notes.all(), notes);
  await store.purgePerson(alice);
  assert.deepEqual(await store.notes.all(), notes.slice(1));
  await store.close();
}
console.log("purged");
`;

/** Adds a kind of state as the example does. */
function addStateKind(folder: string): void {
  expect(STEPS.map(({ file, blocks }) => [file, blocks.length])).toEqual(
    Object.entries(PLACES).map(([file, places]) => [file, places.length]),
  );
  for (const { file, blocks } of STEPS)
    for (const [index, place] of (PLACES[file] ?? []).entries())
      replaceIn(folder, file, place, `${blocks[index]}${place}`);
}

// The kinds share a compilation, which takes most of the time.
it("needs the files of the example for a further kind of state, and three files for further event kinds", async () => {
  const folder = copySources();
  const [registry, ...incomplete] = EVENT_KIND_FILES;
  addStateKind(folder);
  replaceIn(folder, registry, REGISTRY_END, [...FURTHER_EVENT_KINDS, REGISTRY_END].join(",\n"));
  const story = join(folder, "src/story.ts");
  writeFileSync(story, STORY);

  // The kind of state is complete; the event kinds lack their cards and words.
  const rejected = compilerErrors(folder).map((line) => line.replace(/\(.*/, ""));
  expect([...new Set(rejected)].toSorted()).toEqual(incomplete);
  const output = execFileSync(process.execPath, [story, join(folder, "data"), await freshDatabase()], {
    encoding: "utf8",
  });
  expect(output).toBe("purged\n");
});
