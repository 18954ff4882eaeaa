import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind } from "../../src/domain/alert/event.ts";
import { DEFAULT_CHANNEL_EVENTS, SPLIT_AND_RELEASE_EVENTS, WATCHLIST_EVENTS } from "../../src/domain/settings/rule.ts";
import { EVENT_KIND_FILES } from "../support/changed-sources.ts";

const root = join(import.meta.dirname, "../..");

/** Code that handles single kinds names few of them; a file that names this many enumerates them. */
const MIN_ENUMERATED = 7;

function kindsNamedIn(text: string): number {
  return EVENT_KINDS.filter((kind) => new RegExp(`"${kind}"|^\\s*${kind}:`, "m").test(text)).length;
}

function kindsWith(trait: (kind: EventKind) => boolean): readonly EventKind[] {
  return EVENT_KINDS.filter(trait);
}

it("enumerates the event kinds in three files", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`);
  const enumerating = sources.filter((name) => kindsNamedIn(readFileSync(join(root, name), "utf8")) >= MIN_ENUMERATED);

  expect(enumerating.toSorted()).toEqual(EVENT_KIND_FILES);
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
