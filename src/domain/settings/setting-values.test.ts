import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/day.ts";
import {
  formatMuteDuration,
  formatQuietHours,
  MAX_MUTE_MS,
  MIN_MUTE_MS,
  parseMuteDuration,
  parseQuietHours,
} from "./setting-values.ts";

describe("mute durations", () => {
  it.each([
    ["2h", 2 * HOUR_MS],
    ["90m", 90 * MINUTE_MS],
    ["3d", 3 * DAY_MS],
    ["1w", 7 * DAY_MS],
    ["2 hours", 2 * HOUR_MS],
    ["1H30M", 90 * MINUTE_MS],
    ["1 day 12 hours", 36 * HOUR_MS],
    ["1.5h", 90 * MINUTE_MS],
    ["1m", MINUTE_MS],
    ["90d", 90 * DAY_MS],
  ])("%j is %i ms", (text, expected) => {
    expect(parseMuteDuration(text)).toBe(expected);
  });

  it.each([
    "",
    "2",
    "h",
    "forever",
    "0m",
    "30s",
    "91d",
    "-2h",
    "2h!",
    "2x",
    "2h or so",
    "1constructor",
    "9".repeat(50),
  ])("%j is invalid", (text) => {
    expect(parseMuteDuration(text)).toBeUndefined();
  });

  it("are formatted and parsed without loss, to the minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_MUTE_MS, max: MAX_MUTE_MS }), (ms) => {
        expect(parseMuteDuration(formatMuteDuration(ms))).toBe(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
      }),
    );
    expect(formatMuteDuration(25.5 * HOUR_MS)).toBe("1d1h30m");
  });
});

describe("quiet hours", () => {
  it.each([
    ["22:00-07:00", "22:00-07:00"],
    ["22:00 - 07:00", "22:00-07:00"],
    ["10pm-7am", "22:00-07:00"],
    ["10 PM to 7:30 AM", "22:00-07:30"],
    ["22-7", "22:00-07:00"],
    ["9 until 17", "09:00-17:00"],
    ["midnight-noon", "00:00-12:00"],
    ["12am-12pm", "00:00-12:00"],
    ["23.30-24:00", "23:30-00:00"],
  ])("%j are %s", (text, expected) => {
    const hours = parseQuietHours(text);
    expect(hours && formatQuietHours(hours)).toBe(expected);
  });

  it.each(["", "22:00", "22:00-22:00", "0-24", "25-7", "22:60-7", "13pm-2pm", "0am-3am", "a-b", "22-7-8", "at night"])(
    "%j are none",
    (text) => {
      expect(parseQuietHours(text)).toBeUndefined();
    },
  );

  it("are formatted and parsed without loss", () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(minute, minute, (from, to) => {
        fc.pre(from !== to);
        expect(parseQuietHours(formatQuietHours({ from, to }))).toEqual({ from, to });
      }),
    );
  });
});
