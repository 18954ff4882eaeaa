import { describe, expect, it } from "vitest";
import { recordedLog } from "../../test/support/recorded-log.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import {
  describeProblem,
  initialStatus,
  logStatus,
  logUnreached,
  nextStatus,
  type SourcePollResult,
} from "./source-status.ts";
import { FetchError } from "./web/fetch-error.ts";

const at = (iso: string): number => Date.parse(iso);
const FRIDAY_EVENING = at("2026-03-06T22:00:00Z");

function aPollResult(changes: Partial<SourcePollResult> = {}): SourcePollResult {
  return { items: ["an item"], failures: [], ...changes };
}

/** Status of a daily source whose last new item was found at that time. */
function statusSince(lastNew: number): SourceStatus {
  return nextStatus(initialStatus("prnewswire", lastNew), aPollResult({ newItemCount: 20 }), lastNew, true);
}

function problemOf(status: SourceStatus, now: number): string | null {
  return describeProblem(status, now, "PR Newswire");
}

function unreached(name: string, reason: string): SourceStatus {
  return nextStatus(initialStatus(name, 0), { items: [], failures: [new FetchError("unreachable", reason)] }, 1);
}

describe("the startup log", () => {
  const failed = [
    unreached("finra", "api.example: no connection"),
    unreached("newsfile", "feed.example: no connection"),
  ];

  it("has one line if no source is reachable, with the number of sources and the first problem", () => {
    const log = recordedLog();
    logUnreached(failed, log);

    const fields = { sources: 2, problem: "finra: api.example: no connection" };
    expect(log.lines).toEqual([{ level: "warn", event: "no source reachable", fields }]);
  });

  it("lists the unreachable sources if others are reachable", () => {
    const log = recordedLog();
    logUnreached([...failed, statusSince(FRIDAY_EVENING), initialStatus("accesswire", 0)], log);

    const sources = [
      "finra: api.example: no connection",
      "newsfile: feed.example: no connection",
      "accesswire: no answer yet",
    ];
    expect(log.lines).toEqual([{ level: "warn", event: "sources not reachable", fields: { sources } }]);
  });

  it("distinguishes a source that has nothing new from a failure", () => {
    const log = recordedLog();
    const status = statusSince(FRIDAY_EVENING);
    logStatus(status, nextStatus(status, aPollResult(), at("2026-03-09T21:01:00Z"), true), log);

    const fields = { source: "prnewswire", since: "2026-03-06 22:00 UTC" };
    expect(log.lines).toEqual([{ level: "warn", event: "source has nothing new", fields }]);
  });

  it("is empty if all sources can be read", () => {
    const log = recordedLog();
    logUnreached([statusSince(FRIDAY_EVENING)], log);

    expect(log.lines).toEqual([]);
  });
});

describe("the status of a source", () => {
  it("counts items, gaps and faults since startup", () => {
    const first = nextStatus(initialStatus("newsfile", 0), aPollResult({ newItemCount: 10 }), 1, true);
    const failures = [new FetchError("refused", "feed.example: 403"), new FetchError("refused", "feed.example: 403")];
    const second = nextStatus(first, aPollResult({ newItemCount: 3, gaps: 1, failures }), 2, true);

    expect(second).toMatchObject({ condition: "ok", newItemCount: 13, gaps: 1, lastGapAt: 2, faults: { refused: 2 } });
  });

  it.each([
    ["2026-03-07T23:00:00Z", "on Saturday", "ok"],
    ["2026-03-09T13:00:00Z", "on Monday morning", "ok"],
    ["2026-03-09T20:59:00Z", "after 24 hours of weekdays less a minute", "ok"],
    ["2026-03-09T21:01:00Z", "after 24 hours of weekdays", "stale"],
  ])("of a wire without a new item since Friday evening is at %s, %s, %s", (now, _, condition) => {
    const status = nextStatus(statusSince(FRIDAY_EVENING), aPollResult(), at(now), true);

    expect(status.condition).toBe(condition);
  });

  it("does not become stale on a holiday of the exchanges", () => {
    // Thanksgiving is on 2026-11-26.
    const status = nextStatus(statusSince(at("2026-11-25T22:00:00Z")), aPollResult(), at("2026-11-27T13:00:00Z"), true);

    expect(status.condition).toBe("ok");
  });

  it("is stale after the first read of a feed that ended long ago", () => {
    const now = at("2026-03-12T15:00:00Z");
    const result = aPollResult({ newItemCount: 20, newestAt: at("2026-02-02T15:00:00Z") });
    const status = nextStatus(initialStatus("prnewswire", now), result, now, true);

    expect(problemOf(status, now)).toBe("PR Newswire: nothing new since 2026-02-02 15:00 UTC, although it can be read");
    expect(nextStatus(initialStatus("issuer", now), result, now).condition).toBe("ok");
  });

  it("reports a gap for a day", () => {
    const status = nextStatus(
      statusSince(FRIDAY_EVENING),
      aPollResult({ newItemCount: 20, gaps: 1 }),
      FRIDAY_EVENING,
      true,
    );

    expect(problemOf(status, FRIDAY_EVENING)).toMatch(/^PR Newswire: 1 gap since startup, the last at /);
    expect(problemOf(status, FRIDAY_EVENING + 25 * 3_600_000)).toBeNull();
  });
});

const refused = new FetchError("refused", "www.example: 403");
const noConnection = new FetchError("unreachable", "www.example: no connection");
const LIST_FAILS = aPollResult({ items: [], failures: [noConnection] });
const OTHER_NOTICE = new FetchError("unreadable", "notice 1: expected notice 1, got no notice");
const documents = (read: number, unreadable: number, repeated = 0): SourcePollResult =>
  aPollResult({
    failures: unreadable === 0 ? [] : [OTHER_NOTICE],
    documents: { read, unreadable, repeated },
  });
const summarized = (unreadable: number, read = 0): SourcePollResult =>
  aPollResult({ documents: { read, unreadable, areSummarized: true } });

/** Status after these reads, a minute apart, of a source whose list was read once. */
function statusAfter(...results: readonly SourcePollResult[]): SourceStatus {
  let status = nextStatus(initialStatus("nasdaq", 0), aPollResult(), 0);
  for (const [index, result] of results.entries()) status = nextStatus(status, result, (index + 1) * 60_000);
  return status;
}

describe("a source", () => {
  it.each<[string, readonly SourcePollResult[], Partial<SourceStatus>]>([
    ["is up after a read", [], { verdict: "up", condition: "ok" }],
    ["is degraded after one failed list", [LIST_FAILS], { verdict: "degraded", condition: "unreachable" }],
    ["is down after two failed lists", [LIST_FAILS, LIST_FAILS], { verdict: "down", condition: "unreachable" }],
    ["recovers with the next list", [LIST_FAILS, LIST_FAILS, aPollResult()], { verdict: "up", condition: "ok" }],
    ["is up with an empty list", [aPollResult({ items: [] })], { verdict: "up", condition: "ok" }],
    ["is degraded if a part of its list fails", [aPollResult({ failures: [refused] })], { verdict: "degraded" }],
    ["is down if 14 of 14 documents can't be read", [documents(0, 14)], { verdict: "down", condition: "unreadable" }],
    [
      "is degraded if 3 of 14 documents can't be read",
      [documents(11, 3)],
      { verdict: "degraded", condition: "ok", unreadDocuments: "3 of 14 documents could not be read" },
    ],
    ["is degraded after one unreadable document", [documents(0, 1)], { verdict: "degraded" }],
    ["is down if no document of two reads can be read", [documents(0, 1), documents(0, 1)], { verdict: "down" }],
    [
      "stays down while no document is requested",
      [documents(0, 3), aPollResult(), aPollResult()],
      { verdict: "down", condition: "unreadable" },
    ],
    ["recovers with the next document", [documents(0, 3), documents(1, 0)], { verdict: "up", unreadDocuments: null }],
    [
      "is degraded while a new page isn't available for hours and others can be read",
      [documents(2, 1), documents(0, 1, 1), documents(0, 1, 1), documents(0, 1, 1), documents(0, 1, 1)],
      { verdict: "degraded", condition: "ok", unreadDocuments: "1 of 3 documents could not be read" },
    ],
    ["is down if its only page can't be read twice", [documents(0, 1), documents(0, 1, 1)], { verdict: "down" }],
    [
      "is degraded if no page can be read, but its feed summarizes them",
      [summarized(2), summarized(2), summarized(1)],
      {
        verdict: "degraded",
        condition: "ok",
        unreadDocuments: "5 of 5 pages refused or unreadable (100%); the feed's summaries are used instead",
      },
    ],
  ])("%s", (_, results, expected) => {
    expect(statusAfter(...results)).toMatchObject(expected);
  });

  it("is down after the first failed list since startup", () => {
    const status = nextStatus(initialStatus("nasdaq", 0), LIST_FAILS, 1);
    expect(status).toMatchObject({ verdict: "down", lastOkAt: null });
  });

  it("was last read when its documents could be read", () => {
    expect(statusAfter(documents(1, 0), documents(0, 3), documents(0, 1))).toMatchObject({ lastOkAt: 60_000 });
  });

  it("shows the share of the last 20 documents", () => {
    const unread = statusAfter(documents(0, 2), ...Array.from({ length: 19 }, () => documents(1, 0)), documents(3, 1));
    expect(unread.unreadDocuments).toBe("1 of 20 documents could not be read");
  });

  it("names the share of a wire's refused pages, and what is used instead of them", () => {
    expect(problemOf(statusAfter(summarized(12, 2)), 60_000)).toBe(
      "PR Newswire: a part can't be read (12 of 14 pages refused or unreadable (86%); the feed's summaries are used instead)",
    );
  });

  it("logs once that it is down, with the share of its documents, and once that it can be read", () => {
    const log = recordedLog();
    const unresolved = aPollResult({ unresolved: [OTHER_NOTICE] });
    const states = [statusAfter(), statusAfter(documents(0, 14)), statusAfter(documents(0, 14), unresolved)];
    for (const [index, status] of [...states, statusAfter()].entries())
      logStatus(states[index - 1] ?? initialStatus("nasdaq", 0), status, log);
    expect(log.lines).toEqual([
      { level: "info", event: "source read", fields: { source: "nasdaq", items: 1 } },
      {
        level: "warn",
        event: "source down",
        fields: {
          source: "nasdaq",
          condition: "unreadable",
          problem: "14 of 14 documents could not be read: notice 1: expected notice 1, got no notice",
        },
      },
      { level: "info", event: "source read", fields: { source: "nasdaq", items: 1 } },
    ]);
  });
});
