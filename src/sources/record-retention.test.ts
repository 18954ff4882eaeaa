import { afterEach, describe, expect, it } from "vitest";
import { aRecord, day } from "../../test/support/builders.ts";
import type { FollowedLiveSources } from "../../test/support/follow-sources.ts";
import {
  aStatement,
  type FollowedSources,
  followScripted,
  ScriptedSource,
} from "../../test/support/scripted-source.ts";
import { DAY_MS, HOUR_MS } from "../domain/time/day.ts";
import type { Statement } from "./official/statement.ts";

const STARTED_AT = Date.parse("2026-03-02T14:00:00Z");

const opened: FollowedLiveSources[] = [];

afterEach(async () => {
  for (const live of opened.splice(0)) await live.stop();
});

async function follow(...given: Parameters<typeof followScripted>): Promise<FollowedSources> {
  const followed = await followScripted(...given);
  opened.push(followed.live);
  return followed;
}

/** Restarts after the given number of days and waits until old records are purged. */
async function restart({ live, clock, store }: FollowedSources, source: ScriptedSource, days: number) {
  await live.stop();
  clock.skip(days * DAY_MS);
  const next = await follow([source], { clock, store });
  await clock.advance(2 * DAY_MS);
  return next;
}

function recorded({ store }: FollowedSources): readonly (readonly [string, string])[] {
  return [...store.observations.stored.values()].map(({ id, kind }) => [id, kind] as const);
}

function aSource(...statements: readonly Statement[]): ScriptedSource {
  const source = new ScriptedSource("bulletin", 12 * HOUR_MS);
  source.result = { statements };
  return source;
}

describe("an old notice", () => {
  it.each<[string, Partial<Statement>]>([
    ["a time of publication and an ex date", { publishedAt: STARTED_AT - DAY_MS }],
    ["an ex date only", { publishedAt: null }],
    ["a time of publication only", { publishedAt: STARTED_AT - DAY_MS, exDate: null }],
  ])("with %s is purged two years later, and not recorded again while its source shows it", async (_, parts) => {
    const source = aSource(aStatement("ACME", parts), aStatement("CURR", { exDate: day("2027-12-01") }));
    const first = await follow([source]);
    expect(recorded(first)).toHaveLength(2);
    const second = await restart(first, source, 830);
    expect(recorded(second)).toEqual([["notice CURR", "announced"]]);
    const third = await restart(second, source, 1);
    expect(third.store.observations.written.map(({ id }) => id)).toEqual(["notice ACME", "notice CURR"]);
  });

  it("without any time is kept, so that it never becomes news", async () => {
    const source = aSource(aStatement("ACME", { exDate: null }));
    const second = await restart(await follow([source]), source, 1_500);
    await restart(second, source, 1);
    expect(second.store.observations.written).toHaveLength(1);
    expect(recorded(second)).toHaveLength(1);
  });

  it("keeps its first revision, which dates its split, as long as its last revision", async () => {
    const notice = aStatement("ACME", { publishedAt: STARTED_AT - DAY_MS, exDate: day("2028-02-01") });
    const source = aSource(notice);
    const first = await follow([source]);
    await first.clock.advance(700 * DAY_MS);
    source.result = { statements: [{ ...notice, exDate: day("2028-03-01") }] };
    await first.clock.advance(DAY_MS);
    const second = await restart(first, source, 20);
    expect(recorded(second)).toHaveLength(2);
    expect(second.live.splitOf(aRecord({ exDate: "2028-03-01" }))?.announced).toBe("2026-03-01");
    expect(recorded(await restart(second, source, 800))).toEqual([]);
  });
});
