import { expect, it } from "vitest";
import { loadSample, sampleAt } from "../data-service/server/sample.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { EXAMPLE_TICKER, SECOND_EXAMPLE_TICKER } from "./example-tickers.ts";

it.each([0, 30, 60])("the sample data lists the example tickers %i minutes after its start", async (minutes) => {
  const sample = await loadSample(new URL("../../config/sample/", import.meta.url).pathname);
  const start = Date.parse("2026-03-02T14:00:00Z");
  const { splits } = sampleAt(sample, start, start + minutes * MINUTE_MS);
  expect(splits.map(({ ticker }) => ticker)).toEqual(expect.arrayContaining([EXAMPLE_TICKER, SECOND_EXAMPLE_TICKER]));
});
