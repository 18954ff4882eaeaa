import { createHmac } from "node:crypto";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataService } from "../../src/data-service/server/data-service.ts";
import { addKey, generateKey } from "../../src/data-service/server/key-file.ts";
import { createKeyring } from "../../src/data-service/server/keyring.ts";
import { createCatalog } from "../../src/data-service/server/served-catalog.ts";
import { addDays } from "../../src/domain/time/day.ts";
import { extractFacts } from "../../src/extraction/extract.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { createPageReader } from "../../src/sources/web/page-text.ts";
import { readFeed } from "../../src/sources/web/read-feed.ts";
import type { WebAnswer } from "../../src/sources/web/web.ts";
import { SlackBench } from "../platforms/slack/bench.ts";
import { type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { ALICE, aKnownArticle, aRule, aSplit, day, GENERAL, ticker } from "../support/builders.ts";
import {
  announcedEvent,
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../support/command-bench.ts";
import { aDataFolder } from "../support/data-folder.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { StallTable } from "../support/stall.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";

/** Large but possible numbers. */
const SPLITS = 500;
const ARTICLES = 8_000;
const RULES = 50_000;
const EVENTS = 2_000;
const WATCHED = 500;

const MAX_LINE = 19_900;
const MAX_IMPORT = 1_000_000;
const MAX_OPTION = 6_000;
const MAX_BODY = 1_500_000;

/** `AAAQ`, `BAAQ`, … */
function symbol(n: number): string {
  const parts = [n, Math.floor(n / 26), Math.floor(n / 676)];
  return `${String.fromCharCode(...parts.map((part) => 65 + (part % 26)))}Q`;
}

function splitRows(): Record<string, unknown>[] {
  return Array.from({ length: SPLITS }, (_, n) =>
    aSplitRow({ ticker: symbol(n), ex_date: addDays(day("2026-03-03"), n % 60) }),
  );
}

/** Articles of which the newest page has the longest texts. */
function articleRows(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) =>
    anArticleRow({
      url: `https://wire.example/${n}`,
      date_published: addDays(day("2026-03-01"), -Math.floor(n / 150)),
      content: `Acme (NASDAQ: ${symbol(n % SPLITS)}) announces a 1-for-20 split. `.repeat(n < 40 ? 3_500 : 30),
    }),
  );
}

const table = new StallTable();

afterAll(() => table.print());

function inBatches(count: number, run: (n: number) => Promise<unknown>): Promise<unknown> {
  const workers = Array.from({ length: 64 }, async (_, first) => {
    for (let n = first; n < count; n += 64) await run(n);
  });
  return Promise.all(workers);
}

describe("commands", () => {
  let bench: CommandBench;

  beforeAll(async () => {
    bench = await openCommandBench();
    const splits = Array.from({ length: SPLITS }, (_, n) =>
      aSplit({ ticker: symbol(n), exDate: addDays(day("2026-03-03"), n % 60), company: `Company ${n} Inc.` }),
    );
    const articles = Array.from({ length: ARTICLES }, (_, n) =>
      aKnownArticle({
        url: `https://wire.example/${n}`,
        published: addDays(day("2026-01-05"), n % 55),
        concerns: [{ ticker: ticker(symbol(n % SPLITS)), exchange: null }],
      }),
    );
    await bench.seed({ splits, articles });
    await bench.commit(
      splits
        .slice(0, 1)
        .flatMap((split) =>
          Array.from({ length: EVENTS }, (_, n) =>
            announcedEvent(split, { id: `${split.id}.${n}` as never, at: bench.clock.now() - n * 60_000 }),
          ),
        ),
    );
    await inBatches(RULES, (n) =>
      bench.store.rules.add(
        aRule({ tickers: [ticker(symbol(n))], destination: { ...GENERAL, id: `channel-${n % 2_000}` } }),
      ),
    );
    for (let n = 0; n < 20; n += 1) await bench.store.rules.add(aRule({ tickers: [ticker(symbol(n))] }));
    await bench.store.watchlists.add(
      ALICE,
      Array.from({ length: WATCHED }, (_, n) => ticker(symbol(n))),
    );
  });

  afterAll(() => bench.close());

  async function line(name: string, text: string, call = IN_GENERAL): Promise<void> {
    await table.measure(`command ${name}`, text.length, () => bench.run(text, call));
  }

  async function completion(name: string, text: string): Promise<void> {
    await table.measure(`completion ${name}`, text.length, () => bench.commands.complete(text, IN_GENERAL));
  }

  it("with the largest state don't block the event loop", async () => {
    const first = symbol(0);
    const lines = ["list", "list when:all page:60", `show ${first}`, "articles", "articles page:999", "calendar"];
    lines.push(`articles ticker:${first}`, `why ${first}`, `why ${first} page:400`, "status", "watchlist", "export");
    lines.push(
      "subscriptions",
      "export scope:channel",
      `calc ${first} 100`,
      "subscribe tickers:ZZZ",
      "unsubscribe all",
    );
    lines.push("mute 2h", "test", "settings", "help");
    for (const text of lines) await line(text, text);
    const many = Array.from({ length: WATCHED }, (_, n) => symbol(n + 600)).join(" ");
    await line("watch with 500 tickers", `watch ${many}`, IN_DIRECT_MESSAGE);
    await table.measure("side panel", 0, () => bench.screens.overview());
    await table.measure("home page", 0, () => bench.screens.home(IN_DIRECT_MESSAGE));
    for (const text of ["", "show ", "watch A", "subscribe exclude:", "settings timezone:", "list exchange:"])
      await completion(JSON.stringify(text), text);
    await line("forget", "forget");
    expect(table.takeLong()).toEqual([]);
  });

  it("with hostile text don't block the event loop", async () => {
    for (const { name } of [...bench.commands.list, { name: "" }])
      for (const piece of PIECES) {
        const label = `${name} ${JSON.stringify(piece)}`;
        const max = name === "import" ? MAX_IMPORT : MAX_LINE;
        await line(label, `${name} ${repeat(piece, max)}`);
        await completion(label, `${name} ${repeat(piece, 16_000)}`);
      }
    expect(table.takeLong()).toEqual([]);
  });

  it("with hostile typed options don't block the event loop", async () => {
    for (const { name, options } of bench.commands.list)
      for (const option of Object.keys(options))
        for (const piece of PIECES) {
          const values = { [option]: repeat(piece, MAX_OPTION) };
          await table.measure(`option ${name} ${option} ${JSON.stringify(piece)}`, MAX_OPTION, () =>
            bench.commands.run({ name, values }, IN_GENERAL),
          );
        }
    expect(table.takeLong()).toEqual([]);
  });

  it("with the largest imported texts don't block the event loop", async () => {
    const rules = `{"splitwatch":1,"rules":[{"tickers":["A"${',"A"'.repeat(5_990)}]}${",{}".repeat(900)}]}`;
    const invalid = `{"splitwatch":1,"rules":[{"tickers":[1${",1".repeat(5_990)}]}]}`;
    const texts = [`["A"${',"A"'.repeat(49_990)}]`, `[1${",1".repeat(490_000)}]`, rules, invalid];
    texts.push(`${" #".repeat(490_000)}\u2028A`, `${"!".repeat(990_000)}A`, "a\t".repeat(490_000), "İ".repeat(990_000));
    for (const text of texts) await line(`import ${text.slice(0, 30)}`, `import ${text}`);
    expect(table.takeLong()).toEqual([]);
  });
});

const PIECES = [
  ["scope:me ", "a:", "tickers:A ", "A,", "A ", '"', "'", "'a ", '"a" ', "1,000,", "1 : ", "a : ", "<http://", "(("],
  ["<http://a|", "<http://a>", "$", "\u200b", "\u{1F4A5}", "rule 1 ", "and ", "NASDAQ: A ", "NYSE American ", "9"],
  ["timezone:new york ", "quiet:22:00-07:00 ", "for:1 day ", "1-for-20 ", "150 shares ", "events:announced ", "\n"],
  [";", "=", "/", "-", ".", "*_~", "!!", "ACME..", "é", "İ", "ß", "\u0000", "a_", "[", "}", "file:", "``` ", "[{", "#"],
].flat();

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}

function answerOf(body: string): WebAnswer {
  const url = new URL("https://wire.example/feed");
  return { status: 200, url, header: () => "text/html", headers: () => [], body: Buffer.from(body) };
}

describe("documents of sources", () => {
  const pieces = [
    ["<a ", "<a <br class=x ", '<div class="x" ', "<div class='x ", "<div", "<div>", "<p>a</p>", "<p>", "</p>", "<b>"],
    ["<tr><td>a", "<table><tr><td>", "<ul><li>", "<!--", "<!-- -->", "<!a ", "&amp;", "&#60;", "&", "<script>", "<"],
    ["<![CDATA[", "]]>", "<item>", "<item><title>a</title><link>http://a</link></item>", "<entry>", "<title>", "{"],
    [
      "(NASDAQ: ",
      "(",
      "1-for-",
      "one-for-",
      "reverse stock split of 1 ",
      "March 1, 2026 ",
      "CUSIP ",
      "A ",
      "a.",
      "a\n",
    ],
    [" ", "\t", "| ", "• ", "Inc. ", "é", "\u2028", "Mr. ", "U.S. ", "<pre>", "<img ", "<head>", "\0", "<x:item ", '"'],
    ["<author>(", "<author><", "&lt;p&gt;", "\\"],
  ].flat();
  const heads = [
    '<rss version="2.0"><channel>',
    '<rss version="2.0"><channel><item><title>a</title><description>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry>',
    '{"version":"https://jsonfeed.org/version/1","items":[{"content_html":"',
  ];
  const readPage = createPageReader([".main", "#x", ".x", '[itemprop="articleBody"]']);

  it("don't block the event loop", async () => {
    for (const piece of pieces) {
      const label = JSON.stringify(piece);
      const page = `<html><body><div class="main">${repeat(piece, 2_000_000)}</div></body></html>`;
      await table.measure(`page ${label}`, page.length, () => readPage(answerOf(page), "Split").catch(String));
      const content = repeat(piece, 500_000);
      await table.measure(`extraction ${label}`, content.length, () => extractFacts({ heading: piece, content }));
      for (const head of heads) {
        const feed = head + repeat(piece, 200_000);
        await table.measure(`feed ${head.slice(0, 12)} ${label}`, feed.length, () =>
          readFeed(answerOf(feed)).catch(String),
        );
      }
    }
    expect(table.takeLong()).toEqual([]);
  });
});

function send(
  address: string,
  options: { readonly method?: string; readonly headers?: OutgoingHttpHeaders; readonly body?: string } = {},
): Promise<number> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(address, { method, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
    request.end(body);
  });
}

function commandBody(parts: object): string {
  return JSON.stringify({ name: "ada", line: "list", ...parts });
}

describe("requests of the page", () => {
  let app: RunningApp;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const data = await aDataFolder(folder.path);
    await data.write({ splits: splitRows(), articles: articleRows(800) });
    app = await startApp({ dataDir: join(folder.path, "data"), env: data.env });
    await app.poll(5);
  });

  afterAll(async () => {
    await app.stop();
    await folder.remove();
  });

  async function post(attack: string, path: string, body: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    await table.measure(`POST ${path} ${attack}`, body.length, async () => {
      expect(await send(`${app.address}${path}`, { method: "POST", headers, body })).toBeLessThan(500);
    });
  }

  it("don't block the event loop", async () => {
    const paths = ["/", "/api/overview", "/api/messages", "/calendar/all.ics", "/calendar/upcoming.svg", "/metrics"];
    paths.push("/calendar/upcoming.png", "/readyz", "/v1/openapi.json", `/api/messages?${"a=b&".repeat(3_000)}`);
    for (const path of paths)
      await table.measure(`GET ${path.slice(0, 30)}`, path.length, () => send(app.address + path));
    for (const path of ["/api/overview", "/calendar/upcoming.png", "/calendar/all.ics"])
      await table.measure(`100 times GET ${path}`, 100, () =>
        Promise.all(Array.from({ length: 100 }, () => send(app.address + path))),
      );
    const headers = { cookie: "a=b; ".repeat(3_000) };
    await table.measure("GET with cookies", 15_000, () => send(`${app.address}/api/overview`, { headers }));
    const file = (bytes: Buffer): string =>
      commandBody({ line: "import", file: { name: "a", base64: bytes.toString("base64") } });
    const bodies = {
      deep: "[".repeat(MAX_BODY),
      wide: `[${"1,".repeat(MAX_BODY / 2)}1]`,
      keys: `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join(",")}}`,
      escapes: `"${"\\u0041".repeat(MAX_BODY / 6)}"`,
      name: commandBody({ name: "a".repeat(1_400_000) }),
      line: commandBody({ line: "a ".repeat(700_000) }),
      "line of prefixes": commandBody({ line: "/splits ".repeat(170_000) }),
      "text file": file(Buffer.alloc(1_048_000, "A ")),
      "binary file": file(Buffer.alloc(1_048_000, 0)),
      "Windows file": file(Buffer.alloc(1_048_000, 0xe9)),
      import: commandBody({ line: `import ${"a : ".repeat(250_000)}` }),
    };
    for (const [name, body] of Object.entries(bodies)) await post(name, "/api/command", body);
    for (const path of ["/api/complete", "/api/share"])
      for (const piece of [" ", "a ", "a,", "tickers:", "/splits "])
        await post(JSON.stringify(piece), path, commandBody({ line: `watch ${repeat(piece, 15_000)}` }));
    expect(table.takeLong()).toEqual([]);
  });
});

function command(line: string): string {
  const fields = { command: "/splits", text: line, channel_id: "C1", user_id: "U1", team_id: "T1" };
  return new URLSearchParams(fields).toString();
}

describe("signed requests of Slack", () => {
  let bench: SlackBench;

  beforeAll(async () => {
    bench = await SlackBench.open({ via: "http", splits: splitRows() });
  });

  afterAll(() => bench.stop());

  async function signed(attack: string, body: string): Promise<void> {
    const { SLACK_SIGNING_SECRET: secret = "" } = bench.slack.env("http");
    await table.measure(`Slack ${attack}`, body.length, async () => {
      const timestamp = String(Math.floor(bench.clock.now() / 1_000));
      const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
      const headers = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature };
      expect(await send(`${bench.address}/slack/events`, { method: "POST", headers, body })).toBeLessThan(500);
    });
  }

  it("don't block the event loop", async () => {
    for (const piece of ["a ", "<http://", "&lt;", "*", "`", "<@U1|", "<", "import A ", "+"])
      for (const name of ["", "import "])
        await signed(`command ${name}${piece}`, command(name + repeat(piece, 300_000)));
    await signed("fields", "a=b&".repeat(250_000));
    await signed("different fields", Array.from({ length: 80_000 }, (_, n) => `a${n}=b`).join("&"));
    await signed("deep payload", `payload=${"[".repeat(1_000_000)}`);
    await signed("deep event", '{"a":'.repeat(200_000));
    const actions = Array.from({ length: 3_000 }, () => ({ action_id: "run:1", value: "list", type: "button" }));
    const payload = { type: "block_actions", team: { id: "T1" }, user: { id: "U1" }, container: { channel_id: "C1" } };
    await signed("3,000 actions", `payload=${encodeURIComponent(JSON.stringify({ ...payload, actions }))}`);
    expect(table.takeLong()).toEqual([]);
  });
});

describe("requests of the data service", () => {
  it("don't block the event loop", async () => {
    const clock = new ManualClock();
    const folder = await temporaryFolder();
    const key = await addKey(folder.path, "tester");
    const catalog = createCatalog({ clock, keepAfterExDate: 7 });
    catalog.replace({ splits: splitRows() as never, articles: articleRows(ARTICLES) as never });
    const keys = createKeyring({ dir: folder.path, clock, log: SILENT_LOG, botKey: generateKey() });
    const parts = { catalog, isSample: () => false, keys, clock, log: SILENT_LOG, limitPerMinute: 600_000 };
    const service = createDataService(parts);
    const queries = ["splits?", "articles?size=40&", "articles?page=100&size=40&", `splits?${"a=b&".repeat(3_000)}`];
    queries.push(`splits?exchange=${"A,".repeat(7_000)}A&`, `articles?sources=${"globenewswire,".repeat(1_000)}x&`);
    for (const query of queries)
      for (const encoding of ["identity", "gzip"])
        await table.measure(`GET /v1/${query.slice(0, 30)} ${encoding}`, query.length, async () => {
          const headers = { "accept-encoding": encoding };
          const answer = await service.fetch(new Request(`http://localhost/v1/${query}apiKey=${key}`, { headers }));
          expect(answer.status).toBeLessThan(500);
          await answer.arrayBuffer();
        });
    await folder.remove();
    expect(table.takeLong()).toEqual([]);
  });
});
