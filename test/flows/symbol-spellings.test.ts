import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningApp, titlesOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";

/** Rows as an external data service writes them, and other spellings of their symbols. */
const SECURITIES = [
  {
    row: { ticker: "HARL-A", exchange: "NYSE", company: "Harl Mills Inc." },
    spellings: ["HARL.A", "$harl-a", "HARL/A", '"HARL A"', "$HARL.A", "NYSE:HARL-A", "NYSE: HARL.A"],
  },
  {
    row: { ticker: "BFX.B", exchange: "NYSE", company: "Bfx Foods Inc." },
    spellings: ["BFX-B", "BFX/B", "$bfx.b", "$BFX/B"],
  },
  {
    row: { ticker: "MAPL", exchange: "TSXV", company: "Maple Lithium Corp." },
    spellings: ["MAPL", "MAPL.V", "$mapl-v", "TSXV:MAPL", "TSX-V: MAPL", "CVE:MAPL"],
  },
  {
    row: { ticker: "LEAF.CN", exchange: "CSE", company: "Leafline Farms Ltd." },
    spellings: ["LEAF", "LEAF.CN", "CSE:LEAF", "CNSX: LEAF"],
  },
  {
    row: { ticker: "OAKR", exchange: "TSX", company: "Oakridge Lumber Ltd." },
    spellings: ["OAKR", "OAKR.TO", "TSX:OAKR", "TSE:OAKR", "$oakr.to"],
  },
  {
    row: { ticker: "REIX.UN.TO", exchange: "TSX", company: "Reix Property Trust" },
    spellings: ["REIX.UN", "REIX-UN.TO", "TSX:REIX.UN", "TSE: REIX-UN"],
  },
] as const;

const CASES = SECURITIES.flatMap(({ row, spellings }) => spellings.map((spelling) => ({ row, spelling })));
const ROWS = SECURITIES.map(({ row }) => aSplitRow({ ...row, ex_date: "2026-03-27" }));

/** A security of another company with the same symbol. */
const OTHER_OAKR = aSplitRow({
  ticker: "OAKR",
  exchange: "NYSE",
  company: "Oak Retail Inc.",
  ex_date: "2026-03-26",
  ratio: "1:9",
});

let established: EstablishedUpstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  app = await established.start();
  await app.poll(4);
});

afterEach(() => established.end());

async function list(...rows: readonly unknown[]): Promise<void> {
  established.upstream.splits = [...ESTABLISHED, ...rows];
  await app.poll();
}

async function answer(line: string, name = "ada"): Promise<string> {
  return (await app.run(name, line)).map(cardText).join("\n");
}

const announced = (symbol: string): string => `${symbol} 1-for-20 reverse split, ex date`;

it("alerts a watcher of any spelling about the row, with the symbol as the list writes it", async () => {
  for (const [index, { spelling }] of CASES.entries()) {
    await app.run(`watcher${index}`, `watch ${spelling}`);
  }
  await list(...ROWS);
  for (const [index, { row, spelling }] of CASES.entries()) {
    const titles = titlesOf(await app.messages(`watcher${index}`));
    expect([spelling, titles]).toEqual([spelling, [expect.stringContaining(announced(row.ticker))]]);
  }
});

it("alerts a channel with a rule for any spelling, and not one that excludes it", async () => {
  for (const [index, { spelling }] of CASES.entries()) {
    await app.run("ada", `subscribe tickers:${spelling}`, { channel: `rule${index}` });
    await app.run("ada", `subscribe exclude:${spelling}`, { channel: `except${index}` });
  }
  await list(...ROWS);
  for (const [index, { row, spelling }] of CASES.entries()) {
    const selected = titlesOf(await app.messages("ada", `rule${index}`));
    expect([spelling, selected]).toEqual([spelling, [expect.stringContaining(announced(row.ticker))]]);
    const others = JSON.stringify(await app.messages("ada", `except${index}`));
    expect([spelling, others.includes(`${row.ticker} 1-for-20`)]).toEqual([spelling, false]);
    expect(others).toContain(" 1-for-20");
  }
});

it("shows, calculates and explains a split for any spelling", async () => {
  await app.run("ada", "subscribe");
  await list(...ROWS);
  for (const { row, spelling } of CASES) {
    expect(await answer(`show ${spelling}`)).toContain(`${row.ticker} 1-for-20 reverse split`);
    expect(await answer(`calc ticker:${spelling} shares:150`)).toMatch(
      new RegExp(`^150 ${row.ticker} shares at 1-for-20`),
    );
    expect(await answer(`why ${spelling}`)).toMatch(/^1 event about /);
  }
});

it("takes any spelling off the watchlist", async () => {
  await list(...ROWS);
  for (const { spelling } of CASES) {
    await app.run("ada", `watch ${spelling}`);
    expect(await answer(`unwatch ${spelling}`)).toMatch(/^You no longer watch /);
    expect(await answer("watchlist")).not.toMatch(/^You watch/);
  }
});

it("imports any spelling once", async () => {
  const [first, ...others] = ["HARL.A", "harl-a", "HARL/A", "NYSE:HARL-A"];
  await app.run("ada", `watch ${first}`);
  expect(await answer(`import ${others.join(", ")}`)).toMatch(/nothing|already/i);
  expect(await answer("import TSX: OAKR, mapl-v")).toContain("MAPL.V");
});

it("exports symbols that an import reads as the same ones", async () => {
  await app.run("ada", "watch HARL/A TSX:OAKR");
  await app.run("ada", "subscribe tickers:MAPL.V exclude:BFX-B", { channel: "desk" });
  const rule = { tickers: ["tsxv:mapl"], excludeTickers: ["BFX/B"], events: ["announced"] };
  const file = JSON.stringify({ splitwatch: 1, watchlist: ["HARL-A", "oakr.to"], rules: [rule] });
  expect(await answer(`import text:${file}`)).not.toContain("Not valid");
  expect(await answer("watchlist")).toMatch(/^You watch 2 tickers\n- HARL\.A .*\n- OAKR\.TO /);
  await app.run("ada", `import scope:channel text:${file}`, { channel: "desk" });
  const shown = (await app.run("ada", "subscriptions", { channel: "desk" })).map(cardText).join("\n");
  expect(shown).toContain("MAPL.V");
  expect(shown).toContain("BFX.B");
});

it("shows the releases about a security for any spelling", async () => {
  await list(...ROWS);
  established.upstream.articles = [
    ["Harl Mills Inc. (NYSE: HARL-A) reports.", "harl"],
    ["Maple Lithium Corp. (TSXV: MAPL.V) reports.", "mapl"],
    ["Oakridge Lumber Ltd. $OAKR.TO reports.", "oakr"],
  ].map(([content, name]) =>
    anArticleRow({
      url: `https://wire.example/${name}`,
      heading: `News of ${name}`,
      content,
      date_published: "2026-03-03",
    }),
  );
  await app.poll();
  for (const { row, spelling } of CASES) {
    const name = row.ticker.slice(0, 4).toLowerCase();
    if (!["harl", "mapl", "oakr"].includes(name)) continue;
    expect(await answer(`articles ticker:${spelling}`)).toContain(`News of ${name}`);
  }
});

describe("a symbol with a market", () => {
  it("means the security on the Canadian exchanges, and a plain one every security", async () => {
    await app.run("toronto", "watch OAKR.TO");
    await app.run("both", "watch OAKR");
    await list(OTHER_OAKR);
    await list(OTHER_OAKR, ...ROWS);
    expect(titlesOf(await app.messages("toronto"))).toEqual([expect.stringContaining("OAKR 1-for-20")]);
    expect(titlesOf(await app.messages("both"))).toEqual([
      expect.stringContaining("OAKR 1-for-9"),
      expect.stringContaining("OAKR 1-for-20"),
    ]);
    expect(await answer("calc TSX:OAKR 180")).not.toContain("1-for-9");
    expect(await answer("show OAKR.TO")).not.toContain("Oak Retail");
    expect(await answer("watchlist", "toronto")).toContain("OAKR.TO | 1-for-20 on TSX");
  });

  it("is not a symbol beside an exchange in the US or an unknown name", async () => {
    expect(await answer("watch NYSE:OAKR.TO")).toContain("OAKR.TO");
    expect(await answer("watchlist")).not.toContain("OAKR");
    expect(await answer("watch ABC.XYZQ")).toContain("You now watch ABC.XYZQ");
  });
});

it("looks a missing row up as the list wrote its symbol", async () => {
  await list(...ROWS);
  await list();
  await app.poll(3);
  const paths = established.upstream.requests.map(({ path }) => path);
  expect(paths).toContain("/v1/splits/HARL-A");
  expect(paths).toContain("/v1/splits/LEAF.CN");
});

it("follows one split while its row changes its spelling", async () => {
  await app.run("ada", "watch HARL/A");
  await list(...ROWS);
  await list(...ROWS.map((row) => (row.ticker === "HARL-A" ? { ...row, ticker: "HARL.A" } : row)));
  await app.poll(5);
  expect(titlesOf(await app.messages("ada"))).toHaveLength(1);
});
