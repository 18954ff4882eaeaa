import { describe, expect, it } from "vitest";
import { attacksOn } from "../support/patterns/attacks.ts";
import { MainThread } from "../support/patterns/main-thread.ts";
import { findSlowSearch } from "../support/patterns/measure.ts";
import { findPatterns } from "../support/patterns/patterns.ts";
import { recheck } from "../support/patterns/recheck.ts";

const thread = new MainThread();
const { patterns, unknown } = findPatterns(thread);

/** Patterns of more than constants, with the reason why they take linear time. */
const COMPOSED: Readonly<Record<string, string>> = {
  "src/lib/redact.ts": "alternatives of literal texts, the configured secrets",
  "src/domain/alert/personal-data.ts": "alternatives of two literal ids",
  "src/config/dot-env.ts": "the name of a variable between runs of spaces, which it separates",
};

/** Wall clock time after which the search for a proof ends. */
const PROOF_TIMEOUT_MS = 300;

/** What takes superlinear time, as `recheck` describes it; undefined: linear time is proven, or unknown. */
async function superlinearTime(pattern: RegExp, timeout = PROOF_TIMEOUT_MS): Promise<string | undefined> {
  const result = await recheck(pattern, { checker: "automaton", timeout });
  return result.status === "vulnerable" ? result.complexity.summary : undefined;
}

const SLOW_PATTERNS = [
  { name: "of exponential time", pattern: /^(?:[a-z]+)+$/ },
  { name: "of cubic time", pattern: /next[ \t]*:?[ \t]*$/ },
  { name: "of quadratic time at one start", pattern: /^Bearer +(.*\S) *$/ },
  { name: "of quadratic time over all starts", pattern: /[?!.]+$/ },
];

describe("the code of the main thread", () => {
  it.each([
    ["src/http/server.ts", "listen"],
    ["src/commands/parser/words.ts", "readCommandLine"],
    ["src/data-service/client/records.ts", "readSplitList"],
    ["src/store/engines/postgres/open.ts", "openPostgresStore"],
  ])("contains what %s exports as %s", (path, name) => {
    expect(thread.reaches(path, name)).toBe(true);
  });

  it.each([
    ["src/extraction/extract.ts", "extractFacts"],
    ["src/sources/web/read-feed.ts", "readFeed"],
    ["src/sources/nasdaq/read-notice.ts", "readNotice"],
    ["src/cli/extract.ts", "extract"],
  ])("doesn't contain what %s exports as %s", (path, name) => {
    expect(thread.reaches(path, name)).toBe(false);
  });
});

describe("the regular expressions of the main thread", () => {
  it("consist of constants, except those whose time is known for another reason", () => {
    const composed = unknown.filter((creation) => COMPOSED[creation.slice(0, creation.indexOf(":"))] === undefined);
    expect(composed).toEqual([]);
    expect(unknown).toHaveLength(Object.keys(COMPOSED).length);
  });

  it("have no provable superlinear time", async () => {
    const found: string[] = [];
    for (const { path, pattern } of patterns) {
      const time = await superlinearTime(pattern);
      if (time !== undefined) found.push(`${path}: ${String(pattern)}: ${time}`);
    }
    expect(found).toEqual([]);
  });

  it("search hostile texts of 4,096 characters in milliseconds", () => {
    const slow = patterns.flatMap(({ path, pattern }) => {
      const search = findSlowSearch(pattern, attacksOn(pattern));
      return search === null ? [] : [`${path}: ${String(pattern)}: ${JSON.stringify(search)}`];
    });
    expect(slow).toEqual([]);
  });
});

describe("the checks of regular expressions", () => {
  it.each(SLOW_PATTERNS)("recognize a pattern $name", async ({ pattern }) => {
    expect(await superlinearTime(pattern, 60_000)).toBeDefined();
    expect(findSlowSearch(pattern, attacksOn(pattern))).not.toBeNull();
  });

  it("recognize by its time a pattern that is too large for a proof", () => {
    const pattern = /<!DOCTYPE\b[^<>[]*(?:\[[^\]]{0,2000}\])?[^<>]*>/i;
    expect(findSlowSearch(pattern, attacksOn(pattern))).not.toBeNull();
  });
});
