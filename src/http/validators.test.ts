import { expect, it } from "vitest";
import { validatorsOf } from "./validators.ts";

const answer = (headers: Readonly<Record<string, string>>) => ({ header: (name: string) => headers[name] ?? null });

it("returns the headers of the next conditional request", () => {
  const headers = { etag: 'W/"7"', "last-modified": "Mon, 02 Mar 2026 13:30:00 GMT" };
  expect(validatorsOf(answer(headers))).toEqual({
    "if-none-match": 'W/"7"',
    "if-modified-since": "Mon, 02 Mar 2026 13:30:00 GMT",
  });
  expect(validatorsOf(answer({}))).toEqual({});
});

it.each(["\u00e9tag", "line\nbreak", "x".repeat(301), ""])("omits %j, which is invalid in a request", (etag) => {
  expect(validatorsOf(answer({ etag }))).toEqual({});
});
