import { describe, expect, it } from "vitest";
import { ANONYMOUS_ID } from "../../domain/alert/personal-data.ts";
import { parseName } from "./page/name.ts";
import { partialLine, stripPrefix } from "./page/protocol.ts";
import { releaseAddress, routeOf, splitAddress } from "./page/route.ts";
import { localTime, nextWeekdays, shortDay, timeAgo, timeUntil, weekdayName } from "./page/time.ts";

describe("a name", () => {
  it.each([
    ["alice", "alice"],
    [" Alice ", "alice"],
    ["#General", "general"],
    ["@bob", "bob"],
    ["a.b-c_d.9", "a.b-c_d.9"],
    ["x".repeat(32), "x".repeat(32)],
  ])("typed as %j is normalized to %j", (typed, name) => {
    expect(parseName(typed)).toBe(name);
  });

  it.each([
    "",
    " ",
    "#",
    "##x",
    "a b",
    "ä",
    "名前",
    "a/b",
    "<b>",
    "a\nb",
    "x".repeat(33),
    "web:person:x",
    ANONYMOUS_ID,
  ])("cannot be %j", (typed) => {
    expect(parseName(typed)).toBeUndefined();
  });
});

describe("the fragment of the address", () => {
  it.each([
    ["", { kind: "chat" }],
    ["#/", { kind: "chat" }],
    ["#/splits/", { kind: "chat" }],
    ["#/splits/%E0%A4%A", { kind: "chat" }],
    ["#message-a%20b", { kind: "message", messageId: "a b" }],
    ["#/splits/ACME", { kind: "split", ticker: "ACME" }],
  ])("%j names %j", (hash, route) => {
    expect(routeOf(hash)).toEqual(route);
  });

  it("names any ticker and any address of a release", () => {
    expect(routeOf(splitAddress("BRK/B"))).toEqual({ kind: "split", ticker: "BRK/B" });
    const url = "https://wire.example/a b?c=d&e=%20#f";
    expect(routeOf(releaseAddress(url))).toEqual({ kind: "release", url });
  });
});

describe("the coming weekdays", () => {
  it.each([
    ["2026-03-06", ["Fri", "Mon", "Tue", "Wed", "Thu", "Fri", "Mon", "Tue", "Wed", "Thu"]],
    ["2026-03-07", ["Mon", "Tue", "Wed", "Thu", "Fri", "Mon", "Tue", "Wed", "Thu", "Fri"]],
  ])("of two weeks from %s are %j", (today, names) => {
    const days = nextWeekdays(today, 14);
    expect(days.map(weekdayName)).toEqual(names);
    expect(days.filter((day) => day < today)).toEqual([]);
  });
});

describe("a command line", () => {
  it.each([
    ["/splits list", "list"],
    ["  /SPLITS   show ACME  ", "show ACME"],
    ["splits list", "list"],
    ["list", "list"],
    ["/splits", ""],
    ["/splits ", ""],
    ["", ""],
    ["/splitslist", "/splitslist"],
    ["show splits", "show splits"],
  ])("typed as %j is the command %j", (typed, line) => {
    expect(stripPrefix(typed)).toBe(line);
  });

  it.each([
    ["/", ""],
    ["/spl", ""],
    ["/splits", ""],
    ["/splits l", "l"],
    ["/splits show ", "show "],
    ["s", "s"],
  ])("typed up to %j is completed from %j", (typed, start) => {
    expect(partialLine(typed)).toBe(start);
  });
});

describe("a time", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");

  it.each([
    [-5_000, "just now"],
    [9_999, "just now"],
    [10_000, "10 s ago"],
    [59_999, "50 s ago"],
    [60_000, "1 min ago"],
    [3_599_999, "59 min ago"],
    [3_600_000, "1 h ago"],
    [86_399_999, "23 h ago"],
    [86_400_000, "1 day ago"],
    [200_000_000, "2 days ago"],
  ])("%i ms ago is formatted as %s", (passed, words) => {
    expect(timeAgo(now - passed, now)).toBe(words);
  });

  it.each([
    [-1, "now"],
    [1, "in 1 s"],
    [60_000, "in 1 min"],
    [90_000, "in 2 min"],
    [7_200_000, "in 2 h"],
    [86_400_001, "in 2 days"],
  ])("%i ms from now is formatted as %s", (left, words) => {
    expect(timeUntil(now + left, now)).toBe(words);
  });

  it("is shown in full in the time zone of the reader", () => {
    expect(localTime(new Date(2026, 2, 5, 9, 7, 3).getTime())).toBe("2026-03-05 09:07:03");
  });

  it.each([
    ["2026-03-09", "9 Mar"],
    ["2025-12-31", "31 Dec 2025"],
    ["2026-13-01", "2026-13-01"],
    ["soon", "soon"],
  ])("on the day %s is formatted as %s", (day, words) => {
    expect(shortDay(day, now)).toBe(words);
  });
});
