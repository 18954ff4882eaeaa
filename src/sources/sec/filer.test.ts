import { describe, expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readFiler } from "./filer.ts";

const read = (parts: object) =>
  readFiler(
    webAnswer(
      JSON.stringify({ name: "QUILLMERE THERAPEUTICS, INC. \\DE\\", ...parts }),
      "https://data.example/CIK.json",
    ),
  );

describe("a filer's share", () => {
  it.each<[readonly string[], readonly (string | null)[], object | null]>([
    [["QLMR"], ["Nasdaq"], { ticker: "QLMR", exchange: "NASDAQ" }],
    [["QLMR", "QLMRW", "QLMRU"], ["Nasdaq", "Nasdaq", "Nasdaq"], { ticker: "QLMR", exchange: "NASDAQ" }],
    [["QLMRW", "QLMR"], ["OTC", "Nasdaq"], { ticker: "QLMR", exchange: "NASDAQ" }],
    [["HRB-PA", "HRB-B"], ["NYSE", "NYSE"], { ticker: "HRB.B", exchange: "NYSE" }],
    [["QLMR", "QLMRF"], ["Nasdaq", "OTC"], { ticker: "QLMR", exchange: "NASDAQ" }],
    [["QLMR"], [null], { ticker: "QLMR", exchange: null }],
    [["QLMRL", "QLMR"], ["Nasdaq", "Nasdaq"], null],
    [["HRB-A", "HRB-B"], ["NYSE", "NYSE"], null],
    [[], [], null],
  ])("of %j on %j is %j", (tickers, exchanges, share) => {
    expect(read({ tickers, exchanges })).toEqual({ name: "QUILLMERE THERAPEUTICS, INC.", share });
  });
});
