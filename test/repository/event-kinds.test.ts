import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind } from "../../src/domain/alert/event.ts";
import { DEFAULT_CHANNEL_EVENTS, SPLIT_AND_RELEASE_EVENTS, WATCHLIST_EVENTS } from "../../src/domain/settings/rule.ts";
import { compilerErrors, copySources, replaceIn } from "../support/changed-sources.ts";

const root = join(import.meta.dirname, "../..");

const REGISTRY = "src/domain/alert/event.ts";

/** The only files to change for a new kind, besides the code that detects it: its definition, its card, and its words. */
const FILES_PER_KIND = [REGISTRY, "src/messages/alerts/event-card.ts", "src/messages/event-text.ts"];

/** Code that handles single kinds names few of them; a file that names this many enumerates them. */
const MIN_ENUMERATED = 7;

function kindsNamedIn(text: string): number {
  return EVENT_KINDS.filter((kind) => new RegExp(`"${kind}"|^\\s*${kind}:`, "m").test(text)).length;
}

function kindsWith(trait: (kind: EventKind) => boolean): readonly EventKind[] {
  return EVENT_KINDS.filter(trait);
}

/** The end of the registry, where the kinds are added. */
const REGISTRY_END = "} as const satisfies Readonly<Record<string, KindTraits>>;";

/** Copies the sources, adds kinds to the registry, and returns the files that the compiler then rejects. */
function filesRejectedWith(kinds: readonly string[]): readonly string[] {
  const folder = copySources();
  replaceIn(folder, REGISTRY, REGISTRY_END, [...kinds, REGISTRY_END].join(",\n"));
  const errors = compilerErrors(folder);
  return [...new Set(errors.map((line) => line.replace(/\(.*/, "")))].toSorted();
}

/** A further kind about a split, a release and the data. */
const FURTHER_KINDS = [
  `halted: { ...SPLIT_ALERT, schema: splitEventSchema.extend({ kind: z.literal("halted") }) }`,
  `amended: { ...SPLIT_ALERT, subject: "release", schema: z.object({ ...releaseFields, kind: z.literal("amended") }) }`,
  `closed: { ...SPLIT_ALERT, subject: "data", schema: z.object({ ...eventFields, kind: z.literal("closed") }) }`,
];

it("needs changes in three files for further event kinds", () => {
  expect([REGISTRY, ...filesRejectedWith(FURTHER_KINDS)]).toEqual(FILES_PER_KIND);
});

it("enumerates the event kinds in three files", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`);
  const enumerating = sources.filter((name) => kindsNamedIn(readFileSync(join(root, name), "utf8")) >= MIN_ENUMERATED);

  expect(enumerating.toSorted()).toEqual(FILES_PER_KIND);
});

it("derives rule defaults, watchlists and events:all from the registry", () => {
  expect(DEFAULT_CHANNEL_EVENTS).toEqual(kindsWith((kind) => EVENT_KIND_TRAITS[kind].inDefaultRule));
  expect(WATCHLIST_EVENTS).toEqual(kindsWith((kind) => EVENT_KIND_TRAITS[kind].inWatchlists));
  expect(SPLIT_AND_RELEASE_EVENTS).toEqual(kindsWith((kind) => EVENT_KIND_TRAITS[kind].subject !== "data"));
  expect(kindsWith((kind) => !DEFAULT_CHANNEL_EVENTS.includes(kind))).toEqual([
    "reminder",
    "article",
    "early",
    "stale",
  ]);
  expect(kindsWith((kind) => !WATCHLIST_EVENTS.includes(kind))).toEqual(["early", "stale"]);
});
