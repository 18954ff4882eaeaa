import { createHmac } from "node:crypto";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addKey, generateKey } from "../../../src/data-service/server/api-keys.ts";
import { createDataService } from "../../../src/data-service/server/data-service.ts";
import { createKeyring } from "../../../src/data-service/server/keyring.ts";
import { createServedCatalog } from "../../../src/data-service/server/served-catalog.ts";
import { SILENT_LOG } from "../../../src/ports/log.ts";
import { apiKeysIn } from "../../../src/store/engines/sqlite/api-keys.ts";
import { SlackBench } from "../../platforms/slack/bench.ts";
import { type RunningApp, startApp, temporaryFolder } from "../../support/app.ts";
import { aDataFolder } from "../../support/data-folder.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { StallTable } from "../../support/stall.ts";
import { ARTICLES, articleRows, repeat, splitRows } from "./input.ts";

const MAX_BODY = 1_500_000;

const table = new StallTable();

afterAll(() => table.print());

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

  // Larger bodies are refused without being read.
  it("don't block the event loop", async () => {
    for (const piece of ["a ", "<http://", "&lt;", "*", "`", "<@U1|", "<", "import A ", "+"])
      for (const name of ["", "import "])
        await signed(`command ${name}${piece}`, command(name + repeat(piece, 170_000)));
    await signed("fields", "a=b&".repeat(125_000));
    await signed("different fields", Array.from({ length: 50_000 }, (_, n) => `a${n}=b`).join("&"));
    await signed("deep payload", `payload=${"[".repeat(500_000)}`);
    await signed("deep event", '{"a":'.repeat(100_000));
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
    const key = await addKey(apiKeysIn(folder.path), "tester");
    const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
    catalog.replace({ splits: splitRows() as never, articles: articleRows(ARTICLES) as never });
    const keys = createKeyring({
      keys: await apiKeysIn(folder.path).follow({ clock, log: SILENT_LOG }),
      botKey: generateKey(),
    });
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
