import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import type { CalendarEvent } from "../messages/calendar/calendar-events.ts";
import { writeCalendarFile } from "./ics.ts";

const CHANGED = Date.parse("2026-03-02T14:05:06Z");

function anEvent(parts: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    uid: "ACME-x-1@splitwatch",
    day: day("2026-03-10"),
    status: "confirmed",
    sequence: 3,
    changedAt: CHANGED,
    summary: "ACME 1-for-20 reverse split (NASDAQ)",
    description: "Company: Acme Robotics Inc.\nRatio: 1-for-20",
    ...parts,
  };
}

function write(...events: readonly CalendarEvent[]): string {
  return writeCalendarFile({ name: "Reverse splits; mine, all", description: "Ex dates,\nby day", events });
}

/** Parses the file with an independent parser. */
function read(file: string): { readonly calendar: ICAL.Component; readonly events: readonly ICAL.Component[] } {
  const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
  return { calendar, events: calendar.getAllSubcomponents("vevent") };
}

function eventIn(file: string): ICAL.Component {
  const [event, ...others] = read(file).events;
  if (!event || others.length > 0) throw new Error(`${others.length + 1} events, expected one`);
  return event;
}

function textOf(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name));
}

describe("a calendar file", () => {
  it("is read back unchanged by an independent parser", () => {
    const event = eventIn(write(anEvent()));
    expect(textOf(event, "uid")).toBe("ACME-x-1@splitwatch");
    expect(textOf(event, "summary")).toBe("ACME 1-for-20 reverse split (NASDAQ)");
    expect(textOf(event, "description")).toBe("Company: Acme Robotics Inc.\nRatio: 1-for-20");
    expect(textOf(event, "sequence")).toBe("3");
    expect(textOf(event, "status")).toBe("CONFIRMED");
    expect(textOf(event, "transp")).toBe("TRANSPARENT");
    expect(textOf(event, "dtstamp")).toBe("2026-03-02T14:05:06Z");
    expect(textOf(event, "last-modified")).toBe("2026-03-02T14:05:06Z");
  });

  it("has its name, description and refresh interval", () => {
    const { calendar } = read(write(anEvent()));
    for (const name of ["NAME", "X-WR-CALNAME"])
      expect(write(anEvent())).toContain(`\r\n${name}:Reverse splits\\; mine\\, all\r\n`);
    expect(textOf(calendar, "version")).toBe("2.0");
    expect(textOf(calendar, "prodid")).toBe("-//splitwatch//Reverse splits//EN");
    expect(textOf(calendar, "description")).toBe("Ex dates,\nby day");
    expect(textOf(calendar, "refresh-interval")).toBe("PT1H");
    expect(calendar.getFirstProperty("refresh-interval")?.type).toBe("duration");
    expect(textOf(calendar, "x-published-ttl")).toBe("PT1H");
    // No METHOD property: with one, DTSTAMP would be the time of each request.
    expect(calendar.getFirstProperty("method")).toBeNull();
  });

  it.each([
    ["2026-03-10", "2026-03-11"],
    ["2026-03-08", "2026-03-09"], // The night when New York's clocks go forward.
    ["2026-12-31", "2027-01-01"],
    ["2028-02-28", "2028-02-29"],
    ["2028-02-29", "2028-03-01"],
  ])("has an all-day event from %s to %s without a time zone", (first, after) => {
    const file = write(anEvent({ day: day(first) }));
    for (const [name, expected] of [
      ["dtstart", first],
      ["dtend", after],
    ] as const) {
      const property = eventIn(file).getFirstProperty(name);
      const time = property?.getFirstValue() as ICAL.Time;
      expect([property?.type, time.isDate, time.toString()]).toEqual(["date", true, expected]);
    }
    expect(file).toContain(`\r\nDTSTART;VALUE=DATE:${first.replaceAll("-", "")}\r\n`);
    expect(file).not.toContain("TZID");
  });

  it.each(["Pacific/Auckland", "Pacific/Honolulu", "UTC"])("is the same file on a machine in %s", (zone) => {
    const here = write(anEvent());
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      expect(write(anEvent())).toBe(here);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  it.each([
    ["confirmed", "CONFIRMED"],
    ["tentative", "TENTATIVE"],
    ["cancelled", "CANCELLED"],
  ] as const)("with a %s event has the status %s", (status, expected) => {
    expect(textOf(eventIn(write(anEvent({ status }))), "status")).toBe(expected);
  });

  it("escapes all special characters in texts", () => {
    const nasty = 'Back\\slash; semi, comma: colon "quote" \\n no line\nEND:VEVENT\nBEGIN:VALARM';
    const event = eventIn(write(anEvent({ description: nasty, summary: "a;b,c\\d" })));
    expect(textOf(event, "description")).toBe(nasty);
    expect(textOf(event, "summary")).toBe("a;b,c\\d");
    expect(event.getAllSubcomponents()).toEqual([]);
  });

  it("folds lines at 75 octets between characters and ends each with CR LF", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const description = text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "");
        const file = write(anEvent({ description, uid: `u-${"é".repeat(120)}` }));
        const lines = file.split("\r\n");
        expect(lines.at(-1)).toBe("");
        expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(file).not.toContain("\uFFFD");
        const written = eventIn(file).getFirstPropertyValue("description") ?? "";
        expect(written).toBe(description);
      }),
      { numRuns: 150 },
    );
  });

  it("is valid without events", () => {
    const { calendar, events } = read(write());
    expect(events).toEqual([]);
    expect(textOf(calendar, "name")).toContain("Reverse splits");
  });

  it("is byte-identical for the same content", async () => {
    const first = write(anEvent(), anEvent({ uid: "b" }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(write(anEvent(), anEvent({ uid: "b" }))).toBe(first);
  });
});
