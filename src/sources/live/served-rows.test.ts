import { describe, expect, it } from "vitest";
import { aRecord } from "../../../test/support/builders.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { buildCatalog } from "../../catalog/catalog.ts";
import { earlyReportOf, splitOfRow } from "./served-rows.ts";

function upperCase(source: string): string {
  return source.toUpperCase();
}

describe("an early report", () => {
  const url = "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/qlmr-8k.htm";
  const early = { url, source: "sec", facts: { kind: "approval_only" as const } };

  it("is a filing's approval, under the name of its source", () => {
    expect(earlyReportOf(aRelease(early), upperCase)).toMatchObject({ url, source: "SEC", published: "2026-03-02" });
  });

  it.each([
    ["another kind", { ...early, facts: { kind: "reverse_split" as const } }],
    ["a wire's release, which is an article", { ...early, source: "businesswire" }],
    ["a configured feed", { ...early, url: "https://feed.example/1" }],
    ["a filing without a text", { ...early, text: "" }],
  ])("is not %s", (_, parts) => {
    expect(earlyReportOf(aRelease(parts), upperCase)).toBeNull();
  });
});

it("finds the split of a row by its ex date, also after the split moved", () => {
  const notice = anObservation({ exDate: "2026-03-10" });
  const moved = anObservation({ exDate: "2026-03-17", observedAt: notice.observedAt + 60_000 });
  const other = anObservation({
    id: "2026-102",
    url: "https://exchange.example/alerts/2026-102",
    exDate: "2026-11-10",
  });
  const splits = buildCatalog({ releases: [], observations: [notice, moved, other] });
  const found = ["2026-03-10", "2026-03-17", "2026-11-10", "2026-07-01"].map(
    (exDate) => splitOfRow(splits, aRecord({ exDate }))?.exDate ?? null,
  );
  expect(found).toEqual(["2026-03-17", "2026-03-17", "2026-11-10", null]);
  expect(splitOfRow(splits, aRecord({ ticker: "OTHR" }))).toBeNull();
});
