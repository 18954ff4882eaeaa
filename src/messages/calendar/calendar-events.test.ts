import { describe, expect, it } from "vitest";
import { aKnownArticle, aSplit, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import type { KnownArticle } from "../../domain/article/article.ts";
import { indexArticles } from "../../domain/article/evidence.ts";
import { calendarEntries } from "../../domain/split/calendar-entries.ts";
import type { Split } from "../../domain/split/split.ts";
import { type CalendarEvent, calendarText } from "./calendar-events.ts";

const NOON = Date.parse("2026-03-02T17:00:00Z");

function eventOf(split: Split, articles: readonly KnownArticle[] = [], sample = false): CalendarEvent {
  const entries = calendarEntries([split], indexArticles(articles), day("2026-03-02"));
  const [event] = calendarText(entries, { selection: "all", sample }).events;
  if (!event) throw new Error("no event");
  return event;
}

const ROUNDS_UP = aKnownArticle({
  fraction: { treatment: "round_up", level: "holder", sentence: "Fractions are rounded up." },
});

describe("a split in a calendar", () => {
  it("has a one-line summary and a description with its release", () => {
    const event = eventOf(aSplit(), [ROUNDS_UP]);
    expect(event.summary).toBe("ACME 1-for-20 reverse split (NASDAQ)");
    expect(event.description.split("\n")).toEqual([
      "Company: Acme Robotics Inc.",
      "Exchange: Nasdaq",
      "Ratio: 1-for-20 (1:20): 20 old shares become 1 new",
      "Ex date: Tue 10 Mar 2026, the first trading day on the split-adjusted basis",
      "Last trading day before: Mon 9 Mar 2026",
      "Fractional shares: rounded up to a whole share, per holder",
      "Release: Acme Robotics Announces Reverse Stock Split (GlobeNewswire, Mon 2 Mar 2026)",
      "https://wire.example/acme-1",
    ]);
    expect(event).toMatchObject({ uid: "split-ACME@splitwatch", day: "2026-03-10", status: "confirmed", sequence: 1 });
  });

  it("names the previous trading day across a weekend and a holiday", () => {
    expect(eventOf(aSplit({ exDate: "2026-07-06" })).description).toContain("Last trading day before: Thu 2 Jul 2026");
  });

  it("marks missing and inconsistent terms", () => {
    const { description } = eventOf(aSplit({ company: "", ratio: "one for many", exDate: "2026-03-14" }), [
      aKnownArticle({ terms: [someTerms({ exDate: "2026-03-16" })] }),
    ]);
    expect(description).toContain("Company: not stated");
    expect(description).toContain("Fractional shares: not stated");
    expect(description).toContain(`CHECK: The ratio "one for many" couldn't be read.`);
    expect(description).toContain("CHECK: The exchange is closed on the ex date");
    expect(description).toContain("CHECK: The release says ex date Mon 16 Mar 2026; the list says Sat 14 Mar 2026.");
  });

  it.each([
    [
      { withdrawal: { kind: "cancelled", exDate: day("2026-03-10") } },
      "Cancelled: ACME",
      "cancelled",
      "Cancelled, according to",
    ],
    [{ withdrawal: { kind: "postponed", exDate: day("2026-03-10") } }, "Postponed: ACME", "cancelled", "not stated"],
    [{ status: "missing", removedAt: NOON }, "No longer listed: ACME", "tentative", "no longer lists this split"],
  ] as const)("is marked if it was withdrawn or is missing: %o", (parts, summary, status, words) => {
    const event = eventOf(aSplit({}, parts));
    expect(event.summary).toContain(summary);
    expect(event.status).toBe(status);
    expect(event.description).toContain(words);
  });

  it("is tentative on the stated day if it is postponed to that day", () => {
    const split = aSplit({}, { withdrawal: { kind: "postponed", exDate: day("2026-03-10") } });
    const event = eventOf(split, [aKnownArticle({ kind: "postponed", terms: [someTerms({ exDate: "2026-03-24" })] })]);
    expect(event).toMatchObject({ day: "2026-03-24", status: "tentative" });
    expect(event.description).toContain("postpones it from Tue 10 Mar 2026 to this day");
    expect(event.description).toContain("Last trading day before: Mon 23 Mar 2026");
  });

  it("keeps its id and increases its sequence number when its terms change", () => {
    const before = eventOf(aSplit());
    const after = eventOf(aSplit({ exDate: "2026-04-01", ratio: "1:30" }, { revision: 4, transitionTimes: [NOON] }));
    expect(after.uid).toBe(before.uid);
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(after.changedAt).toBeGreaterThan(before.changedAt);
  });

  it("is marked SAMPLE in every text if it is sample data", () => {
    const entries = calendarEntries([aSplit()], new Map(), day("2026-03-02"));
    const text = calendarText(entries, { selection: "watchlist", sample: true });
    expect(text.name).toBe("SAMPLE Reverse splits: my watchlist");
    for (const part of [text.description, text.events[0]?.summary, text.events[0]?.description])
      expect(part).toMatch(/^SAMPLE/);
  });

  it("has no line breaks from source text and a limited length", () => {
    const event = eventOf(
      aSplit({ ticker: "EVIL", company: `Evil\r\nEND:VEVENT\u0000\u2028${"x".repeat(5_000)}`, exchange: "OTC" }),
      [
        aKnownArticle({
          heading: `A\nB ${"y".repeat(5_000)}`,
          concerns: [{ ticker: ticker("EVIL"), exchange: exchange("OTC") }],
        }),
      ],
    );
    expect(event.description.split("\n")).toHaveLength(8);
    expect(event.description).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(event.description.length).toBeLessThan(1_500);
  });

  it("does not depend on the current day", () => {
    const texts = ["2026-03-02", "2026-03-09", "2026-03-20"].map((today) =>
      calendarText(calendarEntries([aSplit()], new Map(), day(today)), { selection: "all", sample: false }),
    );
    expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1);
  });
});
