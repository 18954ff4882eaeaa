import { afterEach, expect, it } from "vitest";
import { aKnownArticle, aSplit, someTerms } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { currentWarnings, readSnapshotOf } from "./current-data.ts";

let bench: CommandBench;
afterEach(() => bench.close());

/** What the overview, the list, the status and the calendar show of ACME. */
async function readViews() {
  const { splits } = await bench.screens.overview();
  const texts = await Promise.all(["list", "status", "calendar"].map((line) => bench.runAsText(line)));
  return { split: splits[0], text: texts.join("\n") };
}

it("views of the same snapshot follow the day", async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit({ exDate: "2026-03-10" })] });
  const before = await readViews();
  bench.clock.setTo("2026-03-10T14:00:00Z");
  const after = await readViews();
  expect([before.split?.effectiveText, after.split?.effectiveText]).toEqual([
    expect.stringMatching(/days/),
    "in effect",
  ]);
  bench.clock.setTo("2026-03-11T14:00:00Z");
  expect((await readViews()).text).not.toBe(after.text);
});

it("views follow a release that contradicts the list", async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit()] });
  const before = await readViews();
  await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ terms: [someTerms({ ratio: "1:25" })] })] });
  const after = await readViews();
  expect([before.split?.warnings, after.split?.warnings]).toEqual([[], [expect.stringContaining("25")]]);
  expect(after.text).not.toBe(before.text);
});

it("warnings are computed once per snapshot", async () => {
  bench = await openCommandBench();
  const source = { id: "http://splits.example" };
  const read = async () => currentWarnings(await readSnapshotOf({ store: bench.store, source }));
  await bench.seed({ splits: [aSplit({ ratio: "3:40" })] });
  const first = await read();
  expect(await read()).toBe(first);
  await bench.seed({ splits: [aSplit({ ratio: "3:40" })] });
  expect(await read()).not.toBe(first);
});
