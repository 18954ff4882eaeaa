import { expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { cardText } from "../../test/support/card-text.ts";
import { type SourceHealth, sourceLine, sourcesCards } from "./source-text.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");
const AT = { now: NOW, today: day("2026-03-02"), timezone: "America/New_York" };
const HOUR_MS = 3_600_000;

function aSource(parts: Partial<SourceHealth> = {}): SourceHealth {
  return {
    label: "PR Newswire",
    verdict: "up",
    condition: "ok",
    since: NOW - 5 * HOUR_MS,
    problem: null,
    unreadDocuments: null,
    lastOkAt: NOW,
    lastNewAt: NOW - 120_000,
    lastGapAt: null,
    gaps: 0,
    ...parts,
  };
}

const REFUSED = aSource({
  label: "ACCESS Newswire",
  verdict: "down",
  condition: "refusing",
  problem: "feed.example: answered with a challenge",
  lastOkAt: null,
  lastNewAt: null,
});

it("shows each source with its state and last new item", () => {
  const sources = [
    aSource(),
    REFUSED,
    aSource({ label: "Newsfile", lastGapAt: NOW - HOUR_MS, gaps: 2 }),
    aSource({ label: "GlobeNewswire", condition: "stale", lastNewAt: NOW - 26 * HOUR_MS }),
    aSource({ label: "Business Wire", verdict: "degraded", problem: "feed.example/b: 500" }),
    aSource({
      label: "Nasdaq",
      verdict: "degraded",
      unreadDocuments: "3 of 14 documents could not be read",
      problem: "notice ECA2026-901: 404",
    }),
    aSource({
      label: "Newswire with pages",
      verdict: "degraded",
      unreadDocuments: "12 of 14 pages refused or unreadable (86%); the feed's summaries are used instead",
    }),
    aSource({ label: "CSE bulletins", verdict: "degraded", condition: "unreachable", problem: "no connection" }),
    aSource({ label: "FINRA daily list", verdict: "waiting", condition: "waiting", lastOkAt: null, lastNewAt: null }),
  ];
  expect(sourcesCards(sources, AT).map(cardText)).toEqual([
    [
      "7 of 9 sources can be read",
      "- PR Newswire | OK · last new item 2 minutes ago",
      "- [DOWN] ACCESS Newswire | Requests refused since Mon 2 Mar 2026, 04:00 EST: feed.example: answered with a challenge; not read since startup",
      "- [GAP] Newsfile | 2 gaps since startup, the last Mon 2 Mar 2026, 08:00 EST: items may be missing · last new item 2 minutes ago",
      "- [NOTHING NEW] GlobeNewswire | Nothing new since Sun 1 Mar 2026, 07:00 EST, although it can be read",
      "- [PARTLY READ] Business Wire | A part can't be read: feed.example/b: 500 · last new item 2 minutes ago",
      "- [PARTLY READ] Nasdaq | A part can't be read: 3 of 14 documents could not be read: notice ECA2026-901: 404 · last new item 2 minutes ago",
      "- [PARTLY READ] Newswire with pages | A part can't be read: 12 of 14 pages refused or unreadable (86%); the feed's summaries are used instead · last new item 2 minutes ago",
      "- [UNREACHABLE] CSE bulletins | Unreachable since Mon 2 Mar 2026, 04:00 EST: no connection; last read Mon 2 Mar 2026, 09:00 EST · last new item 2 minutes ago",
      "- FINRA daily list | Not read yet",
    ].join("\n"),
  ]);
});

it.each([
  ["good", [aSource()]],
  ["warning", [aSource(), REFUSED]],
  ["bad", [REFUSED]],
])("shows the sources with the tone %s", (tone, sources) => {
  expect(sourcesCards(sources, AT)[0]?.tone).toBe(tone);
});

it("shows no card if no source is known", () => {
  expect(sourcesCards([], AT)).toEqual([]);
});

it("shows when an unreachable source was last read", () => {
  const source = aSource({
    verdict: "down",
    condition: "unreachable",
    problem: "no connection",
    lastOkAt: NOW - 6 * HOUR_MS,
  });
  expect(sourceLine(source, AT)).toEqual({
    name: "PR Newswire",
    word: "down",
    tone: "bad",
    lastNewAt: NOW - 120_000,
    problem: "Unreachable since Mon 2 Mar 2026, 04:00 EST: no connection; last read Mon 2 Mar 2026, 03:00 EST",
  });
});

it("shows a gap beside a part that can't be read", () => {
  const source = aSource({ verdict: "degraded", problem: "feed.example/b: 500", lastGapAt: NOW - HOUR_MS, gaps: 1 });
  expect(sourceLine(source, AT).problem).toBe(
    "A part can't be read: feed.example/b: 500; 1 gap since startup, the last Mon 2 Mar 2026, 08:00 EST: items may be missing",
  );
});

it("shows why a source has no new items, if known", () => {
  const source = aSource({ condition: "stale", problem: "feed.example: its list is empty" });
  expect(sourceLine(source, AT).problem).toBe("Nothing new: feed.example: its list is empty");
});

it("no longer shows a gap after a day", () => {
  expect(sourceLine(aSource({ lastGapAt: NOW - 25 * HOUR_MS, gaps: 1 }), AT)).toMatchObject({
    word: "OK",
    problem: null,
  });
});
