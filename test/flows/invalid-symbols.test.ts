import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunningApp } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, type EstablishedUpstream } from "../support/established-upstream.ts";

let established: EstablishedUpstream;
let app: RunningApp;

beforeAll(async () => {
  established = await anEstablishedUpstream();
  app = await established.start();
  await app.poll(2);
});
afterAll(() => established.end());

const HINTS = {
  "LSE:ABC": "splitwatch has no splits of the London Stock Exchange. ABC alone means the security in the US or Canada.",
  "lse: ABC":
    "splitwatch has no splits of the London Stock Exchange. ABC alone means the security in the US or Canada.",
  "XYZ:ABC": "XYZ isn't an exchange that splitwatch knows. ABC alone means the security in the US or Canada.",
  "NYSE:OAKR.TO": "The suffix of OAKR.TO names another exchange than NYSE. Did you mean OAKR.TO?",
  "TSE:7203": "splitwatch has no splits of the Tokyo Stock Exchange.",
} as const;

const ENTRANCES: readonly ((symbol: string) => string)[] = [
  (symbol) => `watch ${symbol}`,
  (symbol) => `watch QQQQ ${symbol}`,
  (symbol) => `unwatch ${symbol}`,
  (symbol) => `subscribe tickers:${symbol}`,
  (symbol) => `subscribe exclude:${symbol}`,
  (symbol) => `show ${symbol}`,
  (symbol) => `why ${symbol}`,
  (symbol) => `calc ${symbol} 100`,
  (symbol) => `calc ticker:${symbol} shares:100`,
  (symbol) => `articles ${symbol}`,
  (symbol) => `articles ticker:${symbol}`,
  (symbol) => `import ${symbol}`,
  (symbol) => `import QQQQ, ${symbol}`,
  (symbol) => `import text:${JSON.stringify({ splitwatch: 1, watchlist: [symbol] })}`,
  (symbol) => `import text:${JSON.stringify({ splitwatch: 1, rules: [{ tickers: [symbol] }] })}`,
];

const CASES = Object.entries(HINTS).flatMap(([symbol, hint]) =>
  ENTRANCES.map((lineOf) => [lineOf(symbol), symbol, hint] as const),
);

it.each(CASES)("%s names the symbol, what is expected, and why it is none", async (line, symbol, hint) => {
  const text = (await app.run("ada", line)).map(cardText).join("\n");
  const written = symbol.replace(": ", ":");
  expect(text.replaceAll(": ABC", ":ABC").toUpperCase()).toContain(`"${written.toUpperCase()}"`);
  expect(text).toMatch(/expected .*ticker|A ticker has /);
  expect(text).toContain(hint);
});

it.each(["LSE:ABC", "XYZ:ABC", "NYSE:OAKR.TO", "TSE:7203"] as const)(
  "the line %s alone has the same answer",
  async (symbol) => {
    const text = (await app.run("ada", symbol)).map(cardText).join("\n");
    expect(text).toContain(`Got "${symbol}", expected a ticker`);
    expect(text).toContain(HINTS[symbol]);
  },
);

it.each(["LSE:ABC", "XYZ:ABC", "NYSE:OAKR.TO"] as const)(
  "the page's view of %s has the same answer",
  async (symbol) => {
    const { status, text } = await app.get(`/api/splits/${encodeURIComponent(symbol)}`);
    expect(status).toBe(400);
    expect((JSON.parse(text) as { detail: string }).detail).toContain(HINTS[symbol]);
  },
);

it("an unknown option that resembles an option's name, or that isn't before a symbol, stays an unknown option", async () => {
  for (const line of ["subscribe EXCHANG:NYSE", "watch ACME foo:BAR", "subscribe FOO:20%"]) {
    expect((await app.run("ada", line)).map(cardText).join("\n")).toContain("Unknown option");
  }
});
