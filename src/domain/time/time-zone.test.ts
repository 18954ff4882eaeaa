import { describe, expect, it } from "vitest";
import { cityOf, parseTimeZone, suggestTimeZone, timeZones } from "./time-zone.ts";

describe("a time zone", () => {
  it.each([
    ["Pacific/Auckland", "Pacific/Auckland"],
    ["pacific/auckland", "Pacific/Auckland"],
    ["AMERICA/NEW_YORK", "America/New_York"],
    ["america/new york", "America/New_York"],
    ["New York", "America/New_York"],
    ["honolulu", "Pacific/Honolulu"],
    [" Ho Chi Minh ", "Asia/Ho_Chi_Minh"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["kyiv", "Europe/Kyiv"],
    ["America/Port-au-Prince", "America/Port-au-Prince"],
    ["Buenos Aires", "America/Argentina/Buenos_Aires"],
    ["US/Eastern", "America/New_York"],
    ["utc", "UTC"],
  ])("%j names %s", (text, zone) => {
    expect(parseTimeZone(text)).toBe(zone);
  });

  it.each([
    "",
    "EST",
    "pst",
    "CET",
    "GMT",
    "+12:00",
    "-5",
    "UTC+2",
    "GMT+5",
    "Mars/Phobos",
    "12",
    "default",
    "a/b/c/d",
  ])("%j is rejected", (text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });

  it("is accepted by Intl, for every listed name", () => {
    const zones = timeZones();
    expect(zones.length).toBeGreaterThan(300);
    expect(zones).toEqual(zones.toSorted());
    for (const zone of zones) {
      expect(parseTimeZone(zone)).toBe(zone);
      expect(() => new Intl.DateTimeFormat("en-US", { timeZone: zone })).not.toThrow();
    }
  });

  it.each([
    ["EST", "America/New_York"],
    ["Pacific", "America/Los_Angeles"],
    ["nzdt", "Pacific/Auckland"],
    ["GMT", "UTC"],
    ["Aukland", "Pacific/Auckland"],
    ["Europe/Berln", "Europe/Berlin"],
    ["Londn", "Europe/London"],
    ["+12:00", undefined],
    ["xx", undefined],
    ["constructor", undefined],
    ["nowhere at all", undefined],
  ])("suggested for %j is %s", (text, zone) => {
    expect(suggestTimeZone(text)).toBe(zone);
  });

  it("has a city", () => {
    expect(["America/Argentina/Buenos_Aires", "UTC"].map(cityOf)).toEqual(["Buenos Aires", "UTC"]);
  });
});
