import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRecords } from "./csv.ts";

function read(text: string, delimiter?: string): readonly (readonly [number, readonly string[]])[] {
  return [...csvRecords(text, delimiter)].map(({ line, fields }) => [line, fields] as const);
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe("csvRecords", () => {
  it.each<[string, string, readonly (readonly [number, readonly string[]])[]]>([
    [
      "fields",
      "a,b\n1,2\n",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]],
      ],
    ],
    [
      "CRLF, a byte order mark and empty lines",
      "\uFEFFa,b\r\n\r\n1,2\r\n",
      [
        [1, ["a", "b"]],
        [3, ["1", "2"]],
      ],
    ],
    ["quoted fields", '"a, b","c ""d"""', [[1, ["a, b", 'c "d"']]]],
    [
      "line breaks in quotes",
      '"a\nb",c\nd,e',
      [
        [1, ["a\nb", "c"]],
        [3, ["d", "e"]],
      ],
    ],
    ["empty fields", ",a,\n", [[1, ["", "a", ""]]]],
    ["quotes within text", 'a 5" pipe,b', [[1, ['a 5" pipe', "b"]]]],
    [
      "an open quote",
      '"a,b\nc,d',
      [
        [1, ['"a', "b"]],
        [2, ["c", "d"]],
      ],
    ],
    ["nothing", "", []],
  ])("yields %s", (_, text, records) => {
    expect(read(text)).toEqual(records);
  });

  it.each([";", "\t", "|"])("parts fields at %j", (delimiter) => {
    expect(read(`a${delimiter}b,c`, delimiter)).toEqual([[1, ["a", "b,c"]]]);
  });

  it("cuts a long record, and yields the next one", () => {
    expect(read(`a,${"b".repeat(200_000)},c\nd,e`)).toEqual([
      [1, ["a", "b".repeat(99_998)]],
      [2, ["d", "e"]],
    ]);
  });

  it("yields the first record of a text with millions of lines without reading the others", () => {
    const before = process.memoryUsage().heapUsed;
    const text = "a\n".repeat(8_000_000);
    expect(csvRecords(text).next().value).toEqual({ line: 1, fields: ["a"] });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64_000_000);
  });

  it("yields what was written", () => {
    const field = fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, "").trim());
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map((row) => row.map(quoted).join(",")).join("\n");
        expect(read(text).map(([, fields]) => fields)).toEqual(rows);
      }),
    );
  });
});
