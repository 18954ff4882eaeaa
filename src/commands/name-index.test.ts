import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ticker } from "../../test/support/builders.ts";
import { foldName } from "../domain/article/company-name.ts";
import { indexNames, MAX_MATCHES, type NamedTicker } from "./name-index.ts";

const ZORVANE = { ticker: ticker("ZRVNK"), company: "Zorvane Robotics, Inc." };
const APPLE = { ticker: ticker("AAPL"), company: "Apple Inc. - Common Stock" };
const APPLE_HOTELS = { ticker: ticker("APLE"), company: "Apple Hospitality REIT, Inc." };
const MUELLER = { ticker: ticker("MLI"), company: "Müller & Sons' Mills plc" };
const ALL = [ZORVANE, APPLE_HOTELS, APPLE, MUELLER];

it.each([
  ["zorvane", false, ["ZRVNK start"]],
  ["Zorvane Robotics Inc", false, ["ZRVNK whole"]],
  ["robotics", false, ["ZRVNK inside"]],
  ["zorv", false, []],
  ["zorv", true, ["ZRVNK start"]],
  ["zorvane ro", true, ["ZRVNK start"]],
  ["apple", false, ["AAPL whole", "APLE start"]],
  ["the apple", false, ["AAPL whole", "APLE start"]],
  ["muller and sons", false, ["MLI start"]],
  ["z", true, []],
  ["???", true, []],
  ["", true, []],
  ["zorvane mills", true, []],
  [`zorvane ${"x".repeat(200)}`, true, []],
])("%j (incomplete: %j) names %j", async (text, isPartial, expected) => {
  const found = (await indexNames(ALL)).find(text, isPartial);
  expect(found.map((one) => `${one.ticker} ${one.match}`)).toEqual(expected);
});

it("names a ticker once and limits the number of matches", async () => {
  const twice = await indexNames([ZORVANE, ZORVANE]);
  expect(twice.find("zorvane")).toHaveLength(1);
  const many = Array.from({ length: 100 }, (_, index) => ({ ticker: ticker(`T${index}`), company: "Acme Mills" }));
  expect((await indexNames(many)).find("acme")).toHaveLength(MAX_MATCHES);
});

it("finds each of many names with one beginning, and the same 20 for the beginning", async () => {
  const many = Array.from({ length: 19_900 }, (_, index) => ({
    ticker: ticker(`T${index}`),
    company: `Acme Mills ${String.fromCharCode(65 + (index % 26))}${index} Holdings`,
  }));
  const index = await indexNames(many);
  for (const { ticker: own, company } of [many[0], many[10_000], many[19_899]].flatMap((one) => one ?? []))
    expect(index.find(company)).toEqual([{ ticker: own, company, match: "whole" }]);
  expect(index.find("acme mills")).toEqual(index.find("acme mill", true));
});

it("finds each company by its whole name", async () => {
  const anyCompany = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(anyCompany, { minLength: 1, maxLength: 10 }), async (companies) => {
      const named = companies.map((company, index): NamedTicker => ({ ticker: ticker(`T${index}`), company }));
      const index = await indexNames(named);
      for (const { ticker: own, company } of named) {
        const isSearchable = foldName(company).join(" ").length >= 2;
        expect(index.find(company).some((one) => one.ticker === own)).toBe(isSearchable);
      }
    }),
  );
});
