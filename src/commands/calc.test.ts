import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, aSplit, day, ticker } from "../../test/support/builders.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../../test/support/command-bench.ts";
import type { Fraction, StatedTerms } from "../domain/article/article.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Card } from "../messages/message.ts";

const ROUNDED_UP: Fraction = { treatment: "round_up", level: "holder", sentence: "Fractions are rounded up." };

const RATIO_25: Ratio = { newShares: 1, oldShares: 25 };

/** Terms of ACME as stated in a release. */
function statedTerms(parts: Partial<StatedTerms>): StatedTerms {
  return { ticker: ticker("ACME"), exchange: null, company: null, ratio: null, exDate: null, newCusip: null, ...parts };
}

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

async function cardsFor(line: string): Promise<readonly Card[]> {
  return (await bench.run(line)).cards;
}

async function titlesFor(line: string): Promise<readonly string[]> {
  return (await cardsFor(line)).map(({ title }) => title);
}

describe("calc", () => {
  it("calculates a holding after a listed split and marks the treatment that its release states", async () => {
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ fraction: ROUNDED_UP })] });
    expect(await bench.runAsText("calc ACME 150")).toBe(
      [
        "150 ACME shares at 1-for-20: 8 new shares, 7.5 rounded up",
        "ACME: 1-for-20 on Nasdaq, ex date Tue 10 Mar 2026 (in 6 trading days).",
        "Ratio: 1-for-20: 20 old shares become 1 new",
        "Old shares: 150",
        "New shares, exactly: 7.5",
        "Whole new shares: 7",
        "Fraction: 0.5 of a new share, from 10 old shares",
        "Fractional shares: rounded up to a whole share, per holder",
        "- [STATED] Rounded up to a whole share | 8 whole new shares <https://wire.example/acme-1>",
        "- Rounded to the nearest whole share | 8 whole new shares: exactly half rounds up",
        "- Rounded down to a whole share | 7 whole new shares, and nothing for the fraction",
        "- Paid out in cash (cash in lieu) | 7 whole new shares, and cash for 0.5 of a share",
        '"Fractions are rounded up." GlobeNewswire <https://wire.example/acme-1>',
        "(Details: show ACME)",
      ].join("\n"),
    );
  });

  it("calculates a holding for a ratio and notes that the release determines the treatment", async () => {
    expect(await bench.runAsText("calc 1-for-7.7 150")).toBe(
      [
        "150 shares at 1-for-7.7: 19 or 20 new shares, depending on the treatment of fractions",
        "Ratio: 1-for-7.7: 77 old shares become 10 new",
        "Old shares: 150",
        "New shares, exactly: 19 37/77 (about 19.4805)",
        "Whole new shares: 19",
        "Fraction: 37/77 (about 0.4805) of a new share, from 3.7 old shares",
        "- Rounded up to a whole share | 20 whole new shares",
        "- Rounded to the nearest whole share | 19 whole new shares, and nothing for the fraction",
        "- Rounded down to a whole share | 19 whole new shares, and nothing for the fraction",
        "- Paid out in cash (cash in lieu) | 19 whole new shares, and cash for 37/77 (about 0.4805) of a share",
        "_The company's press release says which treatment applies._",
      ].join("\n"),
    );
  });

  it.each([
    "calc ACME 150",
    "calc 150 ACME",
    "calc $acme, 150",
    "calc shares:150 ticker:ACME",
    "calc ticker:ACME shares:150",
    "calc shares 150 ACME",
    "calc ACME 150 shares",
    "calc 150 shares of ACME",
    "calc 150.00 (NASDAQ: ACME)",
    "calc 150 ACME 20:1",
    'calc shares:"150 shares" ticker:"ACME"',
    "/splits CALC acme 150.",
  ])("understands %s", async (line) => {
    await bench.seed({ splits: [aSplit()] });
    expect(await titlesFor(line)).toEqual([
      "150 ACME shares at 1-for-20: 7 or 8 new shares, the treatment of fractions isn't stated",
    ]);
  });

  it.each([
    ["calc 1:20 150", "150 shares at 1-for-20: 7 or 8 new shares, depending on the treatment of fractions"],
    ["calc 150 20:1", "150 shares at 1-for-20: 7 or 8 new shares, depending on the treatment of fractions"],
    ["calc 150 1 for 20", "150 shares at 1-for-20: 7 or 8 new shares, depending on the treatment of fractions"],
    ["calc ratio:20 shares:150", "150 shares at 1-for-20: 7 or 8 new shares, depending on the treatment of fractions"],
    ["calc 140 1:20", "140 shares at 1-for-20: 7 new shares, no fraction"],
    [
      "calc 1:2,400 1,234,567.5",
      "1,234,567.5 shares at 1-for-2,400: 514 or 515 new shares, depending on the treatment of fractions",
    ],
    ["calc 1 1:20", "1 share at 1-for-20: 0 or 1 new share, depending on the treatment of fractions"],
    [
      "calc 999999999999999 1:2",
      "999,999,999,999,999 shares at 1-for-2: 499,999,999,999,999 or 500,000,000,000,000 new shares, depending on the treatment of fractions",
    ],
    ["calc 30 3-for-10", "30 shares at 3-for-10: 9 new shares, no fraction"],
  ])("%s: %s", async (line, title) => {
    expect(await titlesFor(line)).toEqual([title]);
  });

  it("states the result for a holding below one new share", async () => {
    expect(await bench.runAsText("calc 10 1:25")).toContain(
      "This is less than one new share. Rounded up it becomes 1 share; cash in lieu leaves 0 shares and cash for 0.4 of a share.",
    );
  });

  it("shows one result for all treatments if there is no fraction", async () => {
    const [answer] = await cardsFor("calc 140 1:20");
    expect(answer?.rows.map(({ detail }) => detail)).toEqual(Array(4).fill("7 whole new shares"));
  });

  it.each<[Fraction["treatment"], string]>([
    ["round_up", "8 new shares, 7.5 rounded up"],
    ["round_nearest", "8 new shares, 7.5 rounded up"],
    ["round_down", "7 new shares, 7.5 rounded down"],
    ["cash_in_lieu", "7 new shares and cash for 0.5 of a share"],
  ])("states in its title what the holder gets with %s", async (treatment, result) => {
    const fraction: Fraction = { ...ROUNDED_UP, treatment };
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ fraction })] });
    expect(await titlesFor("calc ACME 150")).toEqual([`150 ACME shares at 1-for-20: ${result}`]);
  });

  it("shows a picture whose alternative text states the result", async () => {
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ fraction: ROUNDED_UP })] });
    const [answer] = await cardsFor("calc ACME 150");
    expect(answer?.picture).toEqual({
      name: "old-and-new-shares",
      svg: expect.stringMatching(/^<svg .*<\/svg>$/),
      alt: "150 old shares at 1-for-20 are 7.5 new shares. Fraction: rounded up to a whole share. Result: 8 new shares, 7.5 rounded up.",
      link: null,
      isSvgOnly: true,
    });
  });

  it("states that brokers' holdings are rounded if the release rounds participants", async () => {
    const fraction: Fraction = { ...ROUNDED_UP, level: "participant" };
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ fraction })] });
    expect(await titlesFor("calc ACME 150")).toEqual([
      "150 ACME shares at 1-for-20: 7 or 8 new shares, your broker decides",
    ]);
    expect(await bench.runAsText("calc ACME 150")).toContain(
      "Fractions are rounded per clearing participant, so for your broker as a whole.",
    );
  });

  it("states that no release specifies the treatment", async () => {
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle()] });
    const [answer] = await cardsFor("calc ACME 150");
    expect(answer?.facts.at(-1)).toEqual({ label: "Fractional shares", value: "not stated" });
    expect(answer?.rows.flatMap(({ badges = [] }) => badges)).toEqual([]);
  });

  it("marks both treatments if releases differ, and the newest as stated", async () => {
    const cash: Fraction = { treatment: "cash_in_lieu", level: null, sentence: "Cash is paid." };
    await bench.seed({
      splits: [aSplit()],
      articles: [
        aKnownArticle({ url: "https://wire.example/1", published: day("2026-02-27"), fraction: ROUNDED_UP }),
        aKnownArticle({ url: "https://wire.example/2", published: day("2026-03-02"), fraction: cash }),
      ],
    });
    const text = await bench.runAsText("calc ACME 150");
    expect(text).toContain("- [STATED EARLIER] Rounded up to a whole share |");
    expect(text).toContain("- [STATED] Paid out in cash (cash in lieu) |");
    expect(text).toContain("! Releases differ on fractional shares. The newest release is quoted first.");
  });

  it("shows each row of a ticker, the next ex date first", async () => {
    await bench.seed({
      splits: [
        aSplit({ exDate: "2026-05-01", ratio: "1:5" }, { id: "split-1" as never }),
        aSplit({ exDate: "2026-03-10", exchange: "TSX" }, { id: "split-2" as never }),
        aSplit({ exDate: "2025-12-01", ratio: "1:9" }, { id: "split-3" as never, status: "closed" }),
      ],
    });
    expect((await cardsFor("calc ACME 100")).map(({ title, lines }) => [title, lines[0]])).toEqual([
      [
        "100 ACME shares at 1-for-20: 5 new shares, no fraction",
        "ACME: 1-for-20 on TSX, ex date Tue 10 Mar 2026 (in 6 trading days).",
      ],
      [
        "100 ACME shares at 1-for-5: 20 new shares, no fraction",
        "ACME: 1-for-5 on Nasdaq, ex date Fri 1 May 2026 (in 43 trading days).",
      ],
    ]);
  });

  it("limits the number of rows, with a note", async () => {
    const splits = Array.from({ length: 7 }, (_, index) => aSplit({}, { id: `split-${index}` as never }));
    await bench.seed({ splits });
    const cards = await cardsFor("calc ACME 100");
    expect(cards.map(({ footer }) => footer)).toEqual(
      Array(5).fill("This ticker is listed 7 times. The first 5 are calculated here."),
    );
  });

  it.each([
    [
      "a split that has left the list",
      { status: "closed" },
      "ACME: 1-for-20 on Nasdaq, in effect since Mon 2 Feb 2026.",
    ],
    ["a missing split", { status: "missing" }, "no longer listed (ex date was Mon 2 Feb 2026)."],
    ["a split with flapping terms", { pendingRecord: aRecord({ ratio: "1:30" }) }, "It currently says: 1-for-30."],
  ] as const)("shows the state of %s", async (_what, parts, words) => {
    await bench.seed({ splits: [aSplit({ exDate: "2026-02-02" }, parts)] });
    expect(await bench.runAsText("calc ACME 150")).toContain(words);
  });

  it("calculates nothing for an unparsable ratio and suggests entering one", async () => {
    await bench.seed({ splits: [aSplit({ ratio: "1:1" })] });
    const text = await bench.runAsText("calc ACME 1,234.5");
    expect(text).toContain(`ACME reverse split (ratio "1:1"): can't calculate with this ratio`);
    expect(text).toContain("If you know the ratio, enter it: /splits calc ratio:1-for-20 shares:1,234.5");
    expect(text).toContain("! The ratio is");
  });

  it("notes that the release states a different ratio", async () => {
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ terms: [statedTerms({ ratio: RATIO_25 })] })] });
    expect(await bench.runAsText("calc ACME 100")).toContain("! The release says 1-for-25; the list says 1-for-20.");
  });

  it("uses the release's ratio if the source doesn't list the split yet", async () => {
    const article = aKnownArticle({ fraction: ROUNDED_UP, terms: [statedTerms({ ratio: RATIO_25 })] });
    await bench.seed({ articles: [article] });
    const text = await bench.runAsText("calc ACME 110");
    expect(text).toContain("110 ACME shares at 1-for-25: 5 new shares, 4.4 rounded up");
    expect(text).toContain("ACME: announced in a release, not listed yet; the release says: ratio 1-for-25,");
    expect(text).toContain("- [STATED] Rounded up to a whole share | 5 whole new shares <https://wire.example/acme-1>");
    expect(await titlesFor("calc ACME 1:25 110")).toHaveLength(1);
  });

  it("states that the release of an unlisted split has no ratio", async () => {
    await bench.seed({ articles: [aKnownArticle({ terms: [statedTerms({ ratio: null })] })] });
    const text = await bench.runAsText("calc ACME 110");
    expect(text).toContain("Announced in a release, not listed yet; the release says: ratio not stated,");
    expect(text).toContain("/splits calc ratio:1-for-20 shares:110");
  });

  it("reports an unlisted ticker and suggests entering a ratio", async () => {
    await bench.seed({ splits: [aSplit()] });
    const text = await bench.runAsText("calc ZZZZ 150");
    expect(text).toBe(
      [
        "No reverse split of ZZZZ is listed, so there's nothing to calculate",
        "The source doesn't list one, and there was none in the last 90 days.",
        "If you know the ratio, enter it: /splits calc ratio:1-for-20 shares:150",
        "(Watch ZZZZ: watch ZZZZ)",
      ].join("\n"),
    );
    const line = /\/splits calc .*/.exec(text)?.[0] ?? "";
    expect(await titlesFor(line)).toEqual([
      "150 shares at 1-for-20: 7 or 8 new shares, depending on the treatment of fractions",
    ]);
  });

  it("doesn't report a ticker as unlisted before a list is read", async () => {
    expect(await bench.runAsText("calc ACME 150")).toContain("No list of splits has been read yet");
  });

  it("shows the results for a different ratio and for the listed ratio", async () => {
    await bench.seed({ splits: [aSplit()] });
    expect(await titlesFor("calc ACME 1:25 100")).toEqual([
      "100 ACME shares at 1-for-25: 4 new shares, no fraction",
      "100 ACME shares at 1-for-20: 5 new shares, no fraction",
    ]);
    expect(await bench.runAsText("calc ZZZZ 1:25 100")).toContain(
      "This uses the ratio you entered: no split of ZZZZ has it.",
    );
  });

  it("is never shared, because holdings are private", async () => {
    await bench.seed({ splits: [aSplit()] });
    expect((await bench.run("calc ACME 150")).shareable).toBe(false);
    expect((await bench.commands.runPublicly("calc ACME 150", IN_GENERAL)).shareable).toBe(false);
  });

  it.each([
    ["calc", "shares: missing, expected a number of shares above 0, such as 150, 12.5 or 1,234.5678"],
    ["calc ACME", "shares: missing"],
    ["calc 150", "ticker or ratio: missing"],
    ["calc ACME 0", 'Got "0", expected a ratio such as 1-for-20'],
    ["calc ACME -150", 'Got "-150"'],
    ["calc ACME shares:many", 'shares: got "many", expected a number of shares'],
    ["calc ACME 1234567890123456", 'Got "1234567890123456"'],
    ["calc 1:1 150", 'Got "1:1", expected a ratio such as 1-for-20'],
    ["calc ratio:steep 150", 'ratio: got "steep", expected a ratio such as 1-for-20, 1:20 or 1-for-7.7.'],
    ["calc ratio:1 150", 'ratio: got "1"'],
    ["calc ACME 150 200", 'shares: got "200", expected only one value; "150" was already given.'],
    ["calc ACME 1.234,56", 'shares: got "56", expected only one value; "1.234" was already given.'],
  ])("answers %s with the problem and an example", async (line, problem) => {
    await bench.seed({ splits: [aSplit()] });
    const text = await bench.runAsText(line);
    expect(text).toContain(problem);
    expect(text).toContain("Example: /splits calc ticker:ZRVNK shares:150");
  });
});
