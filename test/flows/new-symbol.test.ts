import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningApp, titlesOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow, type Upstream } from "../support/upstream.ts";

const OLDA = aSplitRow({
  ticker: "OLDA",
  company: "Olda Mills Inc.",
  ex_date: "2026-03-16",
  date_announced: "2026-02-27",
});
const NEWA = { ...OLDA, ticker: "NEWA" };
const RENAMED = "OLDA 1-for-20 reverse split is now listed as NEWA";

let established: EstablishedUpstream;
let upstream: Upstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
  upstream.splits = [...ESTABLISHED, OLDA];
  app = await established.start();
  await app.run("old", "watch OLDA");
  await app.run("new", "watch NEWA");
  await app.run("alice", "subscribe tickers:OLDA events:announced,changed,missing,returned,effective,article");
  await app.poll(4);
});

afterEach(() => established.end());

async function list(...rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  upstream.splits = [...ESTABLISHED, ...rows];
  await app.poll();
}

/** The titles that the watcher of the old symbol received; the watcher of the new one and the channel received the same. */
async function titles(): Promise<readonly string[]> {
  const [old, ...others] = await Promise.all([
    app.messages("old"),
    app.messages("new"),
    app.messages("alice", "general"),
  ]);
  for (const messages of others) expect(titlesOf(messages)).toEqual(titlesOf(old));
  return titlesOf(old);
}

describe("a split whose symbol changes", () => {
  it("makes one alert for the watchers of both symbols, and its later alerts reach both", async () => {
    await list(NEWA);
    await app.poll(5);
    expect(await titles()).toEqual([RENAMED]);
    await list({ ...NEWA, ratio: "1:25" });
    upstream.articles = [
      ...upstream.articles,
      anArticleRow({
        url: "https://wire.example/newa",
        heading: "Olda Mills Reports",
        content: "Olda Mills Inc. (NASDAQ: NEWA) reports.",
        date_published: "2026-03-03",
      }),
    ];
    await app.poll();
    app.clock.setTo("2026-03-16T14:00Z");
    await app.tick("remind");
    expect(await titles()).toEqual([
      RENAMED,
      "NEWA reverse split changed: ratio 1-for-20 → 1-for-25",
      "NEWA: Olda Mills Reports",
      expect.stringMatching(/^NEWA 1-for-25 reverse split in effect today/),
    ]);
  });

  it("is found under both symbols by show, why and the watchlist", async () => {
    await list(NEWA);
    const shown = (await app.run("old", "show OLDA")).map(cardText).join("\n");
    expect(shown).toMatch(/^NEWA 1-for-20 reverse split, ex date Mon 16 Mar 2026/);
    expect(shown).toContain("It was listed as OLDA before.");
    expect((await app.run("old", "show NEWA")).map(cardText).join("\n")).toContain("It was listed as OLDA before.");
    const watched = (await app.run("old", "watchlist")).map(cardText).join("\n");
    expect(watched).toContain("OLDA | now listed as NEWA: 1-for-20 on Nasdaq");
    await list({ ...NEWA, ratio: "1:25" });
    for (const symbol of ["OLDA", "NEWA"]) {
      const why = (await app.run("old", `why ${symbol}`)).map(cardText).join("\n");
      expect(why).toContain("2 events");
      expect(why).toContain("Changed: symbol OLDA → NEWA");
      expect(why).toContain("Changed: ratio 1-for-20 → 1-for-25");
    }
    expect((await app.run("old", "show NEWA")).map(cardText).join("\n")).toContain("(Unwatch OLDA: unwatch OLDA)");
    expect((await app.run("old", "why NEWA")).map(cardText).join("\n")).toContain("On your watchlist: yes, as OLDA");
    expect((await app.run("new", "why OLDA")).map(cardText).join("\n")).toContain("On your watchlist: yes, as NEWA");
  });

  it("stays on the watchlist under the former symbol, which unwatch of the new one names", async () => {
    await list(NEWA);
    const [answer] = await app.run("old", "unwatch NEWA");
    expect(answer).toMatchObject({ title: "You don't watch NEWA", lines: ["You watch OLDA, which includes NEWA."] });
    expect(answer?.buttons[0]).toMatchObject({ label: "Unwatch OLDA", command: "unwatch OLDA" });
    expect((await app.run("old", "unwatch OLDA NEWA")).map(cardText).join("\n")).not.toContain("which includes");
  });

  it("has its events under the former symbol in the answer to why about the new one", async () => {
    const former = { ...OLDA, ticker: "FRMA", company: "Frma Mills Inc." };
    const rows = upstream.splits;
    upstream.splits = [...rows, former];
    await app.poll();
    upstream.splits = [...rows, { ...former, ticker: "FRMB" }];
    await app.poll();
    const why = (await app.run("old", "why FRMB")).map(cardText).join("\n");
    expect(why).toContain("2 events about FRMB");
    expect(why.indexOf("Announced: FRMA")).toBeGreaterThan(why.indexOf("Changed: symbol FRMA → FRMB"));
  });

  it("shows the old and the new symbol, and its other changes, on the card", async () => {
    await list({ ...NEWA, ratio: "1:25" });
    const [card] = (await app.messages("old")).flatMap(({ body }) => body.cards);
    expect(card?.title).toBe("OLDA reverse split is now listed as NEWA; changed: ratio 1-for-20 → 1-for-25");
    expect(card?.facts).toContainEqual({ label: "Symbol", value: "NEWA", was: "OLDA" });
    expect(card?.lines[0]).toBe("Watchlists and rules for OLDA include this split under its new symbol.");
  });

  it("keeps the releases about the old symbol, also after a restart", async () => {
    upstream.articles = [
      ...upstream.articles,
      anArticleRow({
        url: "https://wire.example/olda",
        heading: "Olda Mills Announces Reverse Stock Split",
        content:
          "Olda Mills Inc. (NASDAQ: OLDA) will effect a 1-for-20 reverse stock split. Any fractional share will be rounded up to the next whole share.",
        date_published: "2026-03-02",
      }),
    ];
    await app.poll();
    await list(NEWA);
    await established.stop(app);
    app = await established.start();
    const shown = (await app.run("old", "show NEWA")).map(cardText).join("\n");
    expect(shown).toContain("rounded up to the next whole share");
    expect(shown).toContain("1 press release on NEWA\n- Olda Mills Announces Reverse Stock Split");
    expect((await app.run("old", "articles NEWA")).map(cardText).join("\n")).toContain(
      "Olda Mills Announces Reverse Stock Split",
    );
    await app.poll(4);
    expect(titlesOf(await app.messages("new"))).toEqual([RENAMED]);
  });

  it("that flaps is alerted three times, then held until it is stable for an hour", async () => {
    for (const row of [NEWA, OLDA, NEWA, OLDA, NEWA, OLDA]) await list(row);
    const flapping = [RENAMED, "NEWA 1-for-20 reverse split is now listed as OLDA", RENAMED];
    expect(await titles()).toEqual(flapping);
    await app.poll(31);
    expect(await titles()).toEqual([...flapping, "NEWA 1-for-20 reverse split is now listed as OLDA"]);
  });

  it("makes no other alert while the list has its old row too", async () => {
    await list(NEWA);
    await list(OLDA, NEWA);
    await app.poll(4);
    await list({ ...NEWA, ratio: "1:25" });
    await app.poll(4);
    expect(await titles()).toEqual([RENAMED, "NEWA reverse split changed: ratio 1-for-20 → 1-for-25"]);
  });

  it("while its row is missing from one list makes no other alert", async () => {
    await list();
    await list(NEWA);
    await app.poll(5);
    expect(await titles()).toEqual([RENAMED]);
  });
});

describe("the symbols of two companies", () => {
  const BETA = aSplitRow({ ticker: "BETA", company: "Beta Foods Corp.", ratio: "1:8", ex_date: "2026-03-18" });

  it("that are exchanged make one alert for each split, and both reach the watchers of either symbol", async () => {
    await list(OLDA, BETA);
    const before = (await app.messages("old")).length;
    await list({ ...OLDA, ticker: "BETA" }, { ...BETA, ticker: "OLDA" });
    await app.poll(4);
    expect(
      titlesOf(await app.messages("old"))
        .slice(before)
        .toSorted(),
    ).toEqual([
      "BETA 1-for-8 reverse split is now listed as OLDA",
      "OLDA 1-for-20 reverse split is now listed as BETA",
    ]);
    const shown = (await app.run("old", "show OLDA")).map(cardText).join("\n");
    expect(shown).toContain("Company: Beta Foods Corp.");
    expect(shown).toContain("Company: Olda Mills Inc.");
  });
});

describe("a row under a new symbol", () => {
  it("beside the old row is announced, and the alert names it when the old row leaves the list", async () => {
    await list(OLDA, NEWA);
    expect(titlesOf(await app.messages("new"))).toEqual([
      expect.stringMatching(/^NEWA 1-for-20 reverse split, ex date/),
    ]);
    await list(NEWA);
    await app.poll(3);
    const cards = (await app.messages("old")).flatMap(({ body }) => body.cards);
    expect(cards.map(({ title }) => title)).toEqual([
      "OLDA 1-for-20 reverse split is no longer listed: now listed as NEWA?",
    ]);
    expect(cards[0]?.lines).toContain("The source lists NEWA of Olda Mills Inc. with the same ratio and ex date.");
    expect(cards[0]?.buttons[0]).toMatchObject({ label: "Watch NEWA", command: "watch NEWA" });
    await list(OLDA, NEWA);
    expect(titlesOf(await app.messages("old")).slice(1)).toEqual([expect.stringContaining("is listed again")]);
  });

  it("of a company with two such rows is announced, and the old symbol is missing", async () => {
    await list(NEWA, { ...NEWA, ticker: "NEWB" });
    await app.poll(3);
    const old = titlesOf(await app.messages("old"));
    expect(old).toEqual([expect.stringMatching(/^OLDA 1-for-20 reverse split is no longer listed/)]);
    expect(titlesOf(await app.messages("new"))).toEqual([
      expect.stringMatching(/^NEWA 1-for-20 reverse split, ex date/),
    ]);
  });

  it("is believed for most of the list only when the list repeats, and then makes few messages", async () => {
    await app.run("alice", "subscribe events:changed,missing,announced", { channel: "all" });
    upstream.splits = [...ESTABLISHED, OLDA].map((row) => ({ ...row, ticker: `X${String(row.ticker)}` }));
    await app.poll(2);
    expect(await app.messages("alice", "all")).toEqual([]);
    await app.poll(4);
    const messages = await app.messages("alice", "all");
    expect(titlesOf(messages)).toHaveLength(22);
    expect(messages.length).toBeLessThanOrEqual(10);
  });
});
