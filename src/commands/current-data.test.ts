import { afterEach, expect, it } from "vitest";
import { aKnownArticle, aSplit, day, GENERAL, someTerms, ticker } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { indexArticles } from "../domain/article/evidence.ts";
import type { Split, SplitId } from "../domain/split/split.ts";
import { currentWarnings, exchangesIn, readSnapshotOf, splitsOf, unlistedSplitOf } from "./current-data.ts";

let bench: CommandBench;
afterEach(() => bench.close());

/** What the overview, the list, the status and the calendar show of ACME. */
async function readViews() {
  const { splits } = await bench.screens.overview(GENERAL);
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

it("a command on a ticker examines only the splits of that ticker", async () => {
  bench = await openCommandBench();
  let examined = 0;
  const counted = (n: number): Split => {
    const { record, ...split } = aSplit({ ticker: `T${n}` }, { id: `s${n}` as SplitId });
    return Object.defineProperty({ ...split, record }, "record", {
      get: () => {
        examined += 1;
        return record;
      },
    });
  };
  const articles = [1, 2, 3].map((n) =>
    aKnownArticle({ url: `https://wire.example/${n}`, terms: [someTerms({ ratio: "1:25" })] }),
  );
  await bench.seed({ splits: [aSplit()], articles });
  const saved = await bench.store.snapshot.read();
  const splits = new Map([
    ...saved.splits,
    ...Array.from({ length: 50 }, (_, n) => [`s${n}` as SplitId, counted(n)] as const),
  ]);
  const data = {
    snapshot: { ...saved, splits },
    articles: indexArticles(articles),
    list: "complete" as const,
    time: { now: bench.clock.now(), today: day("2026-03-02"), timezone: "UTC" },
  };
  const run = () => [splitsOf(data, ticker("ACME")).length, unlistedSplitOf(data, ticker("ACME")), exchangesIn(data)];
  run();
  examined = 0;
  expect(run()).toEqual([1, null, ["NASDAQ"]]);
  expect(examined).toBe(0);
});

it("warnings are computed once per snapshot", async () => {
  bench = await openCommandBench();
  const source = { id: "http://splits.example", sample: false };
  const read = async () => currentWarnings(await readSnapshotOf({ store: bench.store, source }));
  await bench.seed({ splits: [aSplit({ ratio: "3:40" })] });
  const first = await read();
  expect(await read()).toBe(first);
  await bench.seed({ splits: [aSplit({ ratio: "3:40" })] });
  expect(await read()).not.toBe(first);
});
