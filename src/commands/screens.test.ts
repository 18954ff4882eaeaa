import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aKnownArticle, aSplit, BOB, day, GENERAL, ticker } from "../../test/support/builders.ts";
import { announcedEvent, type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { Split } from "../domain/split/split.ts";
import type { DataSourceInfo } from "./context.ts";

const FRACTION = { treatment: "round_up", level: null, sentence: "Fractions are rounded up." } as const;
const TEXTS: Readonly<Record<string, string>> = { "https://wire.example/acme-1": `Acme. ${FRACTION.sentence}` };

const source: DataSourceInfo = {
  id: "http://splits.example",
  name: "splits.example",
  sample: false,
  notes: () => [],
  problem: () => null,
  releaseText: (url) => TEXTS[url] ?? null,
  live: null,
};

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench({ source });
});
afterEach(() => bench.close());

describe("the overview", () => {
  it("says whether the conversation's channel is subscribed", async () => {
    expect((await bench.screens.overview(GENERAL)).isSubscribed).toBe(false);
    await bench.run("subscribe");
    expect((await bench.screens.overview(GENERAL)).isSubscribed).toBe(true);
    expect((await bench.screens.overview(BOB)).isSubscribed).toBe(false);
  });

  it("contains the day at the exchanges and the weekdays on which they are closed", async () => {
    bench.clock.setTo("2026-11-24T03:00:00Z");
    expect(await bench.screens.overview(GENERAL)).toMatchObject({ today: "2026-11-23", closedDays: ["2026-11-26"] });
  });

  it("marks a split that a release withdraws, and names the treatment of fractions", async () => {
    const split = aSplit();
    const withdrawn: Split = { ...split, withdrawal: { kind: "postponed", exDate: split.record.exDate } };
    await bench.seed({ splits: [withdrawn], articles: [aKnownArticle({ fraction: FRACTION })] });
    const { splits } = await bench.screens.overview(GENERAL);
    expect(splits).toMatchObject([{ ticker: "ACME", badges: ["POSTPONED"], treatment: "round_up" }]);
  });
});

describe("the view of a split", () => {
  it("has the cards of show, and a timeline of each split", async () => {
    const splits = [aSplit(), { ...aSplit({ exDate: "2026-05-10" }), id: "second" as Split["id"] }];
    await bench.seed({ splits, articles: [aKnownArticle()] });
    await bench.commit([announcedEvent(splits[0] as Split)]);
    const view = await bench.screens.splitView(ticker("ACME"), ALICE);
    const cards = [...view.sections.flatMap((section) => section.cards), ...view.cards];
    expect(cards).toEqual((await bench.run("show ACME")).cards);
    expect(view).toMatchObject({ ticker: "ACME", company: "Acme Robotics Inc.", isSample: false });
    expect(view.sections.map(({ steps }) => steps.at(-1)?.day)).toEqual(["2026-03-10", "2026-05-10"]);
  });

  it("offers to watch or to stop watching, by the person's watchlist", async () => {
    await bench.seed({ splits: [aSplit()] });
    await bench.run("watch ACME");
    const buttonsFor = async (person: typeof ALICE) =>
      (await bench.screens.splitView(ticker("ACME"), person)).sections[0]?.cards[0]?.buttons.map(({ label }) => label);
    expect([await buttonsFor(ALICE), await buttonsFor(BOB)]).toEqual([["Unwatch ACME"], ["Watch ACME"]]);
  });

  it("says that a ticker has no known split", async () => {
    await bench.seed({ splits: [aSplit()] });
    const view = await bench.screens.splitView(ticker("ZZZZ"), ALICE);
    expect([view.sections, view.cards.map(({ title }) => title)]).toEqual([[], ["No reverse split of ZZZZ is known"]]);
  });
});

describe("the view of a release", () => {
  it("has the stored text with the quoted sentence marked", async () => {
    await bench.seed({
      splits: [aSplit()],
      articles: [aKnownArticle({ fraction: FRACTION, published: day("2026-03-02") })],
    });
    expect(await bench.screens.releaseView("https://wire.example/acme-1")).toMatchObject({
      byline: "GlobeNewswire, Mon 2 Mar 2026",
      paragraphs: [
        [
          { text: "Acme. ", isQuoted: false },
          { text: FRACTION.sentence, isQuoted: true },
        ],
      ],
    });
  });

  it("exists only for releases that are known", async () => {
    await bench.seed({ articles: [aKnownArticle({ url: "https://wire.example/2" })] });
    expect((await bench.screens.releaseView("https://wire.example/2"))?.paragraphs).toBeNull();
    expect(await bench.screens.releaseView("https://wire.example/acme-1")).toBeNull();
  });
});
