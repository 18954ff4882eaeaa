import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratioCode } from "../domain/split/ratio.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { parseFieldDay, parseFieldTime, parseSplitRatio, parseTimeOfDay } from "./notations.ts";

function anyNotationOf(value: number): fc.Arbitrary<string> {
  return fc.constantFrom(String(value), value.toLocaleString("en-US"), `${value}.0`, `${value}.000`);
}

describe("the ratio in a field", () => {
  it.each([
    ["1:100", "1:100"],
    [" 1 : 20 ", "1:20"],
    ["1:2.5", "2:5"],
    ["1.0:25.0", "1:25"],
    ["1.0000:12.5000", "2:25"],
    ["1:1,000", "1:1000"],
    ["1,000 : 25,000", "1:25"],
    ["2:40", "1:20"],
    ["3:10", "3:10"],
    ["1-25", "1:25"],
    ["1 - 5", "1:5"],
    ["1\u00a0\u2013\u00a05", "1:5"],
    ["1\u20145", "1:5"],
    ["1\u22121,500", "1:1500"],
    ["(1-5)", "1:5"],
    ["1/20", "1:20"],
    ["1 / 20", "1:20"],
    ["1-for-20", "1:20"],
    ["1 - for - 20", "1:20"],
    ["1 for 20", "1:20"],
    ["1 FOR 20", "1:20"],
    ["1for20", "1:20"],
    ["1-to-20", "1:20"],
    ["1 to 20", "1:20"],
    ["one-for-twenty", "1:20"],
    ["One for Twenty Five", "1:25"],
    ["one\u2010for\u2010one hundred", "1:100"],
    ["one (1) for twenty (20)", "1:20"],
    ["one-for-twenty-five (1-25)", "1:25"],
    ["1 for 2 1/2", "2:5"],
    ["1\u200b:\u200b20", "1:20"],
    ["1\u223620", "1:20"],
    ["1\uff1a20", "1:20"],
  ])("%j is %s", (text, code) => {
    const ratio = parseSplitRatio(text);
    expect(ratio && ratioCode(ratio)).toBe(code);
  });

  it.each([
    ["20:1", "a forward split"],
    ["5-for-1", "a forward split in words"],
    ["1:1", "equal numbers"],
    ["1:1.0", "equal numbers in two notations"],
    ["0:20", "a zero"],
    ["1:0", "a zero on the other side"],
    ["", "nothing"],
    ["N/A", "no numbers"],
    ["20", "one number"],
    ["5%", "a stock dividend"],
    ["1:2:3", "three numbers"],
    ["1-5-20", "three numbers with hyphens"],
    ["1/20/2026", "a date"],
    ["1:2,40", "a comma that groups no thousands"],
    ["1:-20", "a negative number"],
    ["1:20-1:40", "a range"],
    ["1-for-20 to 1-for-40", "a range in words"],
    ["one-for-twenty (1-25)", "words and figures that differ"],
    ["one-for-twenty (20-1)", "figures in the other order"],
    ["1:20 approx.", "other words"],
    ["1:99999999999999999999", "a number too large to be exact"],
    [`1:${"9".repeat(200)}`, "a long text"],
  ])("%j is null: %s", (text) => {
    expect(parseSplitRatio(text)).toBeNull();
  });

  it("is the same in every notation", () => {
    const separator = fc.constantFrom(":", " : ", "-", " - ", "\u2013", "/", " / ", "-for-", " for ", " FOR ", "-to-");
    const pair = fc
      .record({ newShares: fc.integer({ min: 1, max: 50 }), more: fc.integer({ min: 1, max: 20_000 }) })
      .map(({ newShares, more }) => ({ newShares, oldShares: newShares + more }));
    const written = pair.chain((ratio) =>
      fc
        .tuple(anyNotationOf(ratio.newShares), separator, anyNotationOf(ratio.oldShares))
        .map((parts) => ({ ...ratio, text: parts.join("") })),
    );
    fc.assert(
      fc.property(written, ({ newShares, oldShares, text }) => {
        const ratio = parseSplitRatio(text);
        expect(ratio && ratio.oldShares * newShares).toBe(ratio && oldShares * ratio.newShares);
        expect(ratio).not.toBeNull();
        const swapped = text
          .split(/(?<=[\d])(?=[^\d,.])|(?<=[^\d,.])(?=\d)/)
          .toReversed()
          .join("");
        expect(parseSplitRatio(swapped)).toBeNull();
      }),
    );
  });

  it("is null or a ratio below one for any text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), (text) => {
        const ratio = parseSplitRatio(text);
        expect(ratio === null || ratio.newShares < ratio.oldShares).toBe(true);
      }),
    );
  });
});

describe("the day in a field", () => {
  it.each([
    "2026-10-06",
    "2026-10-06 00:00:00.0",
    "2026-10-06T00:00:00",
    "2026-10-06T09:30:00-04:00",
    "2026/10/06",
    "10/06/2026",
    "10/6/2026",
    "10/6/26",
    "10/6/2026 12:00:00 AM",
    "Oct 6, 2026",
    "Oct. 6, 2026",
    "OCT 06, 2026",
    "oct 6, 2026",
    "October 6, 2026",
    "October\u00a06,\u00a02026",
    "October 6 2026",
    "October 6th, 2026",
    "Tuesday, October 6, 2026",
    "Tue, 06 Oct 2026 09:30:00 GMT",
    "6 October 2026",
    "06-OCT-2026",
    "20261006",
    "20261006T093000",
  ])("%j is 2026-10-06", (text) => {
    expect(parseFieldDay(text)).toBe("2026-10-06");
  });

  it.each([
    ["", "nothing"],
    ["TBA", "a word"],
    ["2026-13-06", "a month that doesn't exist"],
    ["13/06/2026", "a month that doesn't exist, with slashes"],
    ["February 30, 2026", "a day that doesn't exist"],
    ["October 6", "no year"],
    ["Monday, October 6, 2026", "the weekday of another day"],
    ["10/06/2026 - 10/08/2026", "two days"],
    [`${" ".repeat(10)}effective ${"x".repeat(100)} 2026-10-06`, "a long text"],
  ])("%j is null: %s", (text) => {
    expect(parseFieldDay(text)).toBeNull();
  });
});

describe("the time in a field", () => {
  it.each([
    ["2026-10-05T14:11:20-04:00", "2026-10-05T18:11:20Z"],
    ["2026-10-05T14:11:20.123-0400", "2026-10-05T18:11:20.123Z"],
    ["2026-10-05T14:11:20Z", "2026-10-05T14:11:20Z"],
    ["2026-10-05 14:11:20.0", "2026-10-05T18:11:20Z"],
    ["2026-10-05 14:11:20.123456", "2026-10-05T18:11:20.123Z"],
    ["2026-12-05T14:11:20", "2026-12-05T19:11:20Z"],
    ["10/05/2026 14:11", "2026-10-05T18:11:00Z"],
    ["10/5/2026 2:11:20 PM", "2026-10-05T18:11:20Z"],
    ["10/5/2026 12:00:00 AM", "2026-10-05T04:00:00Z"],
    ["Oct 5, 2026, 12:30 p.m. ET", "2026-10-05T16:30:00Z"],
    ["Oct 5, 2026 09:30 EDT", "2026-10-05T13:30:00Z"],
    ["October 5, 2026 9:30 AM Eastern", "2026-10-05T13:30:00Z"],
    ["Mon, 05 Oct 2026 14:11:20 GMT", "2026-10-05T14:11:20Z"],
    ["09:30 Oct 5, 2026", "2026-10-05T13:30:00Z"],
    ["20261005141120", "2026-10-05T18:11:20Z"],
    ["20261005T141120", "2026-10-05T18:11:20Z"],
  ])("%j is %s", (text, at) => {
    expect(parseFieldTime(text)).toBe(Date.parse(at));
  });

  it.each(["", "2026-10-05", "14:11:20", "2026-10-05 24:11", "10/5/2026 13:00 PM", "Oct 5, 2026 09:30 PST", "soon"])(
    "%j is null",
    (text) => {
      expect(parseFieldTime(text)).toBeNull();
    },
  );

  it("is on the day that is written beside it", () => {
    const minute = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(minute, (date) => {
        const text = date.toISOString().slice(0, 19).replace("T", " ");
        const at = parseFieldTime(text);
        expect(at).not.toBeNull();
        expect(dayInZone(at ?? 0, MARKET_ZONE)).toBe(parseFieldDay(text));
      }),
    );
  });

  it.each([
    ["19:50:00", 71_400_000],
    ["19:50:00.000", 71_400_000],
    ["19:50", 71_400_000],
    ["7:50 PM", 71_400_000],
    ["7:50:00 p.m.", 71_400_000],
    ["00:00", 0],
    ["12:00 AM", 0],
    ["", null],
    ["25:00", null],
    ["19:60", null],
    ["1:100", null],
  ])("%j is %s ms after midnight", (text, sinceMidnightMs) => {
    expect(parseTimeOfDay(text)).toBe(sinceMidnightMs);
  });
});
