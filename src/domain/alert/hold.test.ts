import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, someTerms } from "../../../test/support/builders.ts";
import { createScheduler } from "../../lib/scheduler.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "../settings/destination-settings.ts";
import type { SplitId } from "../split/split.ts";
import { HOUR_MS, MINUTE_MS } from "../time/day.ts";
import { type Event, type EventId, NO_EVIDENCE } from "./event.ts";
import { canHold, endedHold, type HoldMoment, holdForNewEvent, holdsAt } from "./hold.ts";

const scheduler = createScheduler(SILENT_LOG);
const NEW_YORK = "America/New_York";
const AUCKLAND = "Pacific/Auckland";
const NIGHT = { from: 22 * 60, to: 7 * 60 };

function momentAt(time: string | number): HoldMoment {
  return {
    now: new Date(time).getTime(),
    timezone: NEW_YORK,
    nextDigest: (zone, after) => scheduler.nextTick("0 8 * * 1-5", zone, after),
  };
}

function settings(parts: Partial<DestinationSettings>): DestinationSettings {
  return { ...DEFAULT_SETTINGS, ...parts };
}

/** A new split, by default with an ex date far ahead. */
function news(seenAt: string | number, exDate = "2030-01-15"): Event {
  const record = aRecord({ exDate });
  const base = { id: "e" as EventId, at: new Date(seenAt).getTime(), sample: false, splitId: "s" as SplitId, record };
  return { kind: "announced", ...base, ...NO_EVIDENCE, alreadyEffective: false };
}

/** Reasons and end: `muted quiet 2026-03-10T11:00Z`. */
function held(changes: Partial<DestinationSettings>, now: string, event: Event = news(now)): string | null {
  const hold = holdsAt(settings(changes), momentAt(now))(event);
  return hold && [...hold.reasons, new Date(hold.until).toISOString().replace(":00.000Z", "Z")].join(" ");
}

describe("an event that was detected with a clock that was ahead", () => {
  it("waits for no digest, because the next one after its time may be a year away", () => {
    const now = "2026-03-10T14:00:00Z";
    expect(held({ digest: true }, now, news("2026-03-10T14:59:00Z"))).toBe("digest 2026-03-11T12:00Z");
    expect(held({ digest: true }, now, news("2027-03-10T14:00:00Z"))).toBeNull();
    expect(held({ digest: true, quiet: { from: 0, to: 23 * 60 } }, now, news("2027-03-10T14:00:00Z"))).toMatch(
      /^quiet/,
    );
  });

  it("waits for the next digest and not for the one after it, if the clock was ahead by minutes", () => {
    const event = news("2026-03-10T12:20:00Z");
    expect(held({ digest: true }, "2026-03-10T11:30:00Z", event)).toBe("digest 2026-03-10T12:00Z");
    expect(held({ digest: true }, "2026-03-10T12:00:00Z", event)).toBeNull();
  });
});

describe("a destination with default settings", () => {
  it("receives events immediately", () => {
    expect(held({}, "2026-03-10T14:00:00Z")).toBeNull();
    expect(canHold(DEFAULT_SETTINGS)).toBe(false);
  });
});

describe("a muted destination", () => {
  it("receives events when the mute ends", () => {
    const mutedUntil = Date.parse("2026-03-10T16:00:00Z");
    expect(held({ mutedUntil }, "2026-03-10T14:00:00Z")).toBe("muted 2026-03-10T16:00Z");
    expect(held({ mutedUntil }, "2026-03-10T16:00:00Z")).toBeNull();
  });

  it("waits longer if quiet hours or a digest follow", () => {
    const mutedUntil = Date.parse("2026-03-11T03:00:00Z"); // 23:00 in New York
    expect(held({ mutedUntil, quiet: NIGHT }, "2026-03-10T14:00:00Z")).toBe("muted quiet 2026-03-11T11:00Z");
    expect(held({ mutedUntil, digest: true }, "2026-03-10T14:00:00Z")).toBe("muted digest 2026-03-11T12:00Z");
    expect(held({ mutedUntil, quiet: { from: 0, to: 9 * 60 }, digest: true }, "2026-03-10T14:00:00Z")).toBe(
      "muted digest quiet 2026-03-11T13:00Z",
    );
  });

  it("still receives test events", () => {
    const test: Event = { kind: "test", id: "t" as EventId, at: 0, sample: false, askedBy: "alice" };
    expect(
      held({ mutedUntil: Date.parse("2100-01-01"), quiet: NIGHT, digest: true }, "2026-03-10T14:00:00Z", test),
    ).toBe(null);
  });
});

describe("quiet hours", () => {
  it.each([
    ["begin on the minute", NEW_YORK, "2026-03-11T02:00:00Z", "quiet 2026-03-11T11:00Z"],
    ["have not begun one second before", NEW_YORK, "2026-03-11T01:59:59Z", null],
    ["continue after midnight", NEW_YORK, "2026-03-11T05:00:00Z", "quiet 2026-03-11T11:00Z"],
    ["end on the minute", NEW_YORK, "2026-03-11T11:00:00Z", null],
    ["are an hour shorter when clocks go forward", NEW_YORK, "2026-03-08T03:00:00Z", "quiet 2026-03-08T11:00Z"],
    ["are an hour longer when clocks go back", NEW_YORK, "2026-11-01T02:00:00Z", "quiet 2026-11-01T12:00Z"],
    ["continue over New Year", NEW_YORK, "2027-01-01T04:59:00Z", "quiet 2027-01-01T12:00Z"],
    ["use the destination's time zone", AUCKLAND, "2026-03-10T09:00:00Z", "quiet 2026-03-10T18:00Z"],
    ["do not follow the hours of another time zone", AUCKLAND, "2026-03-11T02:00:00Z", null],
  ])("%s", (_, timezone, now, expected) => {
    expect(held({ timezone, quiet: NIGHT }, now)).toBe(expected);
  });

  it("can start and end on the same day", () => {
    const quiet = { from: 9 * 60, to: 17 * 60 };
    expect(held({ quiet }, "2026-03-10T13:00:00Z")).toBe("quiet 2026-03-10T21:00Z");
    expect(held({ quiet }, "2026-03-10T12:59:00Z")).toBeNull();
  });

  it("apply once to an hour that a clock change repeats", () => {
    const quiet = { from: 70, to: 100 };
    expect(held({ quiet }, "2026-11-01T05:15:00Z")).toBe("quiet 2026-11-01T05:40Z");
    expect(held({ quiet }, "2026-11-01T06:15:00Z")).toBeNull();
  });

  it("continue if a clock change skips the gap between them", () => {
    const quiet = { from: 3 * 60, to: 2 * 60 + 30 };
    expect(held({ quiet }, "2026-03-08T06:00:00Z")).toBe("quiet 2026-03-09T06:30Z");
  });
});

describe("a digest", () => {
  it.each([
    ["holds an event right after it until the next digest", "2026-03-10T12:00:01Z", "digest 2026-03-11T12:00Z"],
    ["holds an event right before it until its time", "2026-03-10T11:59:00Z", "digest 2026-03-10T12:00Z"],
    ["holds an event before the weekend until Monday", "2026-03-06T14:00:00Z", "digest 2026-03-09T12:00Z"],
  ])("%s", (_, now, expected) => {
    expect(held({ digest: true }, now)).toBe(expected);
  });

  it("releases only events from before its time", () => {
    const now = "2026-03-10T12:05:00Z";
    expect(held({ digest: true }, now, news("2026-03-10T11:00:00Z"))).toBeNull();
    expect(held({ digest: true }, now, news("2026-03-10T12:01:00Z"))).toBe("digest 2026-03-11T12:00Z");
  });

  it("follows the destination's time zone", () => {
    const now = "2026-03-10T14:00:00Z";
    expect(held({ digest: true, timezone: AUCKLAND }, now)).toBe("digest 2026-03-10T19:00Z");
    expect(held({ digest: true, timezone: "Pacific/Honolulu" }, now)).toBe("digest 2026-03-10T18:00Z");
  });

  it.each([
    ["tomorrow", "2026-03-11", null],
    ["today", "2026-03-10", null],
    ["the day after tomorrow", "2026-03-12", "digest 2026-03-11T12:00Z"],
    ["past", "2026-03-09", "digest 2026-03-11T12:00Z"],
  ])("does not hold an event whose ex date comes before it: %s", (_, exDate, expected) => {
    const now = "2026-03-10T14:00:00Z";
    expect(held({ digest: true }, now, news(now, exDate))).toBe(expected);
  });

  it("does not hold a change of an ex date that comes before it, or a release that states one", () => {
    const now = "2026-03-10T14:00:00Z";
    const at = Date.parse(now);
    const moved = { ...news(now, "2026-04-10"), kind: "changed", was: aRecord({ exDate: "2026-03-11" }) } as Event;
    expect(held({ digest: true }, now, moved)).toBeNull();
    const base = { id: "a" as EventId, at, sample: false, splits: [] };
    const stated = aKnownArticle({ terms: [someTerms({ exDate: "2026-03-11" })] });
    expect(held({ digest: true }, now, { kind: "article", ...base, article: stated })).toBeNull();
    expect(held({ digest: true }, now, { kind: "article", ...base, article: aKnownArticle() })).toMatch(/^digest/);
  });

  it("holds nothing if no digest time is configured", () => {
    const moment = { ...momentAt("2026-03-10T14:00:00Z"), nextDigest: () => null };
    expect(holdsAt(settings({ digest: true }), moment)(news("2026-03-10T14:00:00Z"))).toBeNull();
  });
});

describe("a hold", () => {
  const someSettings = fc.record({
    timezone: fc.constantFrom(null, AUCKLAND, "Pacific/Honolulu", "Europe/London", "Australia/Lord_Howe"),
    reminders: fc.boolean(),
    digest: fc.boolean(),
    quiet: fc.option(
      fc
        .record({ from: fc.integer({ min: 0, max: 1_439 }), to: fc.integer({ min: 0, max: 1_439 }) })
        .filter(({ from, to }) => from !== to),
    ),
    mutedUntil: fc.option(fc.integer({ min: -10_000, max: 10_000 }).map((minutes) => BASE + minutes * MINUTE_MS)),
  });
  /** In the week of New York's clock change. */
  const BASE = Date.parse("2026-03-08T00:00:00Z");
  const someTime = fc.integer({ min: -5_000, max: 40_000 }).map((minutes) => BASE + minutes * MINUTE_MS);

  it("is constant until it ends", () => {
    fc.assert(
      fc.property(someSettings, someTime, fc.integer({ min: 0, max: 3_000 }), (changes, seenAt, later) => {
        const event = news(seenAt, "2026-03-20");
        const now = seenAt + later * MINUTE_MS;
        const hold = holdsAt(changes, momentAt(now))(event);
        if (hold === null) return;
        expect(hold.until).toBeGreaterThan(now);
        expect(holdsAt(changes, momentAt(hold.until))(event)).toBeNull();
        for (const share of [0.3, 0.9]) {
          const between = Math.floor(now + (hold.until - now) * share);
          expect(holdsAt(changes, momentAt(between))(event)?.until).toBe(hold.until);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("for a new event equals the hold on an event that is not urgent", () => {
    fc.assert(
      fc.property(someSettings, someTime, (changes, now) => {
        expect(holdForNewEvent(changes, momentAt(now))).toEqual(holdsAt(changes, momentAt(now))(news(now)));
      }),
      { numRuns: 200 },
    );
  });

  it("can be derived after it has ended, with its reasons", () => {
    const seen = Date.parse("2026-03-10T14:00:00Z");
    const muted = settings({ mutedUntil: seen + HOUR_MS });
    const why = (minutes: number, changes = muted): readonly string[] | undefined =>
      endedHold(news(seen), changes, momentAt(seen + minutes * MINUTE_MS))?.reasons;
    expect([why(59), why(60), why(6_000)]).toEqual([undefined, ["muted"], ["muted"]]);
    expect(why(60, DEFAULT_SETTINGS)).toBeUndefined();
    expect(why(6_000, settings({ digest: true }))).toEqual(["digest"]);
  });
});
