import { appendFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/index.ts";
import { DAY_MS } from "../../src/domain/time/day.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { StoreError } from "../../src/ports/store.ts";
import { type AppStart, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { aDataFolder, type DataFolder } from "../support/data-folder.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { ManualScheduler } from "../support/manual-scheduler.ts";
import { SETTINGS_FILES } from "../support/settings-files.ts";
import { countSystemSleeps } from "../support/system-sleeps.ts";
import { aSplitRow, lies, startUpstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: DataFolder;
/** Cleanup functions of a test, called in reverse order. */
const endings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  data = await aDataFolder(folder.path);
  await data.write({ splits: [aSplitRow()], articles: [] });
});

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
  await folder.remove();
});

async function start(changes: Partial<AppStart> = {}): Promise<RunningApp> {
  const app = await startApp({ dataDir: join(folder.path, "state"), ...changes, env: { ...data.env, ...changes.env } });
  endings.push(() => app.stop());
  return app;
}

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with any Host header, which fetch does not allow. */
function ask(address: string, { path, method = "GET", headers = {}, body }: Asked): Promise<Answered> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

const COMMAND = {
  path: "/api/command",
  method: "POST",
  body: JSON.stringify({ name: "alice", channel: "general", line: "list" }),
};
const JSON_BODY = { "content-type": "application/json" };

const OPEN_PATHS = ["/healthz", "/readyz", "/metrics", "/v1/openapi.json"];
const GUARDED_PATHS = ["/", "/assets/style.css", "/api/overview", "/api/messages", "/api/stream"];

describe("health, readiness and metrics", () => {
  it("report success when everything works", async () => {
    const app = await start();
    expect((await app.get("/healthz")).status).toBe(200);
    const { status, json } = await app.get("/readyz");
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        ready: true,
        checks: {
          store: { ok: true, detail: expect.any(String) },
          source: { ok: true, detail: "usable" },
          splits: { ok: true, detail: expect.stringContaining("complete: 1 split;") },
          articles: { ok: true, detail: expect.stringContaining("complete") },
          web: { ok: true, detail: expect.any(String) },
        },
      },
    });
  });

  it("report problems of the source's data, like status and the page, until they are resolved", async () => {
    const app = await start();
    const seen = async (): Promise<unknown> => {
      const { status, json } = await app.get("/readyz");
      const [card] = await app.run("alice", "status");
      const overview = (await app.get("/api/overview")).json as { source: { state: string; note: string | null } };
      const { source } = (json as { checks: Record<string, unknown> }).checks;
      return { status, source, lines: card?.lines, tone: card?.tone, page: overview.source };
    };
    await appendFile(join(data.path, "splits.jsonl"), "nonsense\n");
    await app.followFolder();
    const line = "splits.jsonl line 2: not JSON, expected an object";
    expect(await seen()).toMatchObject({
      status: 200,
      source: { ok: true, detail: line },
      lines: [line],
      tone: "good",
      page: { state: "fresh", note: line },
    });

    await rm(join(data.path, "splits.jsonl"));
    await app.followFolder();
    const gone = expect.stringMatching(/^splits\.jsonl: cannot be read/);
    expect(await seen()).toMatchObject({
      status: 503,
      source: { ok: false, detail: gone },
      lines: [expect.stringMatching(/^Splits can't be read now, .*splits\.jsonl: cannot be read/), line],
      tone: "bad",
      page: { state: "failed", problem: gone },
    });

    await data.write({ splits: [aSplitRow()], articles: [] });
    await app.followFolder();
    expect(await seen()).toMatchObject({ status: 200, source: { detail: "usable" }, lines: [], tone: "good" });
  });

  it("count events under the documented metric names", async () => {
    const app = await start();
    await app.run("alice", "subscribe");
    await app.poll(3);
    await data.write({ splits: [aSplitRow(), aSplitRow({ ticker: "BETA", company: "Beta Mills" })], articles: [] });
    await app.followFolder();
    // A delivery is counted after its end is saved.
    await expect
      .poll(async () => (await app.get("/metrics")).text.split("\n"))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^splitwatch_polls_total\{resource="splits",outcome="complete"\} [1-9]/),
          expect.stringMatching(/^splitwatch_polls_total\{resource="articles",outcome="complete"\} [1-9]/),
          'splitwatch_events_total{kind="announced"} 1',
          'splitwatch_destinations{state="paused"} 0',
          'splitwatch_platform_up{platform="web"} 1',
          'splitwatch_deliveries_total{platform="web",outcome="sent"} 1',
          "splitwatch_outbox_pending 0",
          'splitwatch_delivery_seconds_count{platform="web"} 1',
          expect.stringMatching(/^splitwatch_delivery_seconds_bucket\{le="[^"]+",platform="web"\} \d/),
          expect.stringMatching(/^splitwatch_data_age_seconds \d/),
        ]),
      );
  });

  it("are read-only", async () => {
    const app = await start();
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      expect((await ask(app.address, { path, method: "POST" })).status).toBe(404);
      expect((await ask(app.address, { path, method: "HEAD" })).text).toBe("");
    }
  });
});

describe("a stop", () => {
  it("aborts the poll in progress and keeps earlier changes", async () => {
    const upstream = await startUpstream({ splits: [aSplitRow()] });
    endings.push(() => upstream.stop());
    const env = { SPLITS_API_URL: upstream.url, SPLITS_API_KEY: upstream.key };
    // Without an abort, the poll would last as long as the test may.
    const sourceLimits = { totalTimeoutMs: DAY_MS, headersTimeoutMs: DAY_MS };
    const app = await startApp({ dataDir: join(folder.path, "state"), env, sourceLimits });
    await app.run("alice", "watch ACME");
    upstream.injectFault(lies.hang);
    const asked = upstream.requests.length;
    const poll = app.tick("poll-splits");
    await waitUntil("the poll has sent its request", async () => upstream.requests.length > asked);
    await app.stop();
    await poll.catch(() => undefined);
    upstream.clearFault();
    const again = await start({ env });
    expect((await again.run("alice", "watchlist"))[0]?.title).toBe("You watch 1 ticker");
  });

  it("ends the live streams", async () => {
    const app = await startApp({ dataDir: join(folder.path, "state"), env: data.env });
    const stream = await fetch(`${app.address}/api/stream?name=alice`);
    const reading = stream.text();
    await app.stop();
    expect(await reading).not.toContain("error");
    await expect(fetch(`${app.address}/healthz`)).rejects.toThrow("fetch failed");
  });

  it("can be requested twice or before the start", async () => {
    const config = readConfig({
      env: { DATA_DIR: folder.path, PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample },
      folder: folder.path,
      isTerminal: false,
    });
    const system = { clock: new ManualClock(), log: SILENT_LOG, scheduler: new ManualScheduler() };
    const app = createApp(config, { ...system, mode: "everything" });
    await app.stop();
    const { address } = await app.start();
    await Promise.all([app.stop(), app.stop()]);
    await app.stop();
    await expect(fetch(`${address}/healthz`)).rejects.toThrow("fetch failed");
  });
});

describe("a second splitwatch", () => {
  it("on the same DATA_DIR is rejected without waiting with the pid of the first, which keeps running", async () => {
    const first = await start();
    const sleptMs = countSystemSleeps({ timeouts: "never" });
    const refused = await startApp({ dataDir: join(folder.path, "state"), env: data.env }).catch(
      (error: unknown) => error,
    );
    expect(sleptMs()).toBe(0);
    expect(refused).toBeInstanceOf(StoreError);
    expect((refused as Error).message).toContain(`is in use by another splitwatch (pid ${process.pid}`);
    expect((await first.run("alice", "watch ACME"))[0]?.title).toBe("You now watch ACME");
  });

  it("on the same port is rejected in one line and releases its folder", async () => {
    const first = await start();
    const { port } = new URL(first.address);
    const config = readConfig({
      env: { DATA_DIR: join(folder.path, "other"), PORT: port },
      folder: folder.path,
      isTerminal: false,
    });
    const system = { clock: new ManualClock(), log: SILENT_LOG, scheduler: new ManualScheduler() };
    const second = createApp(config, { ...system, mode: "everything" });
    await expect(second.start()).rejects.toThrow(`PORT: 127.0.0.1:${port} is in use by another program`);
    await second.stop();
    await start({ dataDir: join(folder.path, "other") });
  });
});

describe("without ADMIN_TOKEN", () => {
  it.each(GUARDED_PATHS)("%s rejects foreign Host headers", async (path) => {
    const app = await start();
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1"]) {
      const { status, text } = await ask(app.address, { path, headers: { host } });
      expect({ host, status }).toEqual({ host, status: 403 });
      expect(text).toContain("expected a loopback name");
    }
  });

  it.each(["127.0.0.1", "localhost:8080", "[::1]:80", "127.1.2.3"])("the page answers as %s", async (host) => {
    const app = await start();
    expect((await ask(app.address, { path: "/", headers: { host } })).status).toBe(200);
  });

  it.each(OPEN_PATHS)("%s accepts any Host header", async (path) => {
    const app = await start();
    expect((await ask(app.address, { path, headers: { host: "evil.example" } })).status).toBe(200);
  });

  it("commands from pages of other sites are rejected", async () => {
    const app = await start();
    const attacks: readonly Readonly<Record<string, string>>[] = [
      { ...JSON_BODY, host: "evil.example" },
      { ...JSON_BODY, origin: "https://evil.example" },
      { ...JSON_BODY, "sec-fetch-site": "cross-site" },
      { ...JSON_BODY, origin: "null" },
    ];
    for (const headers of attacks) {
      expect({ headers, status: (await ask(app.address, { ...COMMAND, headers })).status }).toEqual({
        headers,
        status: 403,
      });
    }
    expect((await ask(app.address, { ...COMMAND, headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await ask(app.address, { ...COMMAND, headers: JSON_BODY })).status).toBe(200);
  });
});

describe("with ADMIN_TOKEN", () => {
  const TOKEN = "a-token-that-nobody-guesses";
  const bearer = { authorization: `Bearer ${TOKEN}` };

  it("the page and its API require it under every Host, the open paths do not", async () => {
    const app = await startGuarded();
    for (const host of ["splits.example", "127.0.0.1"]) {
      for (const path of ["/", "/api/overview", "/api/messages"]) {
        expect((await ask(app.address, { path, headers: { host } })).status).toBe(401);
        expect((await ask(app.address, { path, headers: { host, authorization: "Bearer wrong" } })).status).toBe(401);
        expect((await ask(app.address, { path: `${path}?token=${TOKEN}`, headers: { host } })).status).toBe(401);
        expect((await ask(app.address, { path, headers: { host, ...bearer } })).status).toBe(200);
      }
      for (const path of OPEN_PATHS) expect((await ask(app.address, { path, headers: { host } })).status).toBe(200);
    }
  });

  it("a browser signs in with it and gets a cookie that scripts cannot read", async () => {
    const app = await startGuarded();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const signIn = { path: "/login", method: "POST", headers: form };
    expect((await ask(app.address, { ...signIn, body: "token=wrong" })).status).toBe(401);
    const { status, headers } = await ask(app.address, { ...signIn, body: `token=${TOKEN}` });
    expect(status).toBe(303);
    const [cookie = ""] = [headers["set-cookie"]].flat();
    expect(cookie).toMatch(/^splitwatch_session=[^;]+;.*HttpOnly/);
    expect(cookie).toContain("SameSite=Strict");
    expect(cookie).not.toContain(TOKEN);
    const held = { cookie: cookie.split(";")[0] ?? "" };
    expect((await ask(app.address, { path: "/", headers: held })).status).toBe(200);
    expect((await ask(app.address, { ...COMMAND, headers: { ...JSON_BODY, ...held } })).status).toBe(200);
    const foreign = { ...JSON_BODY, ...held, origin: "https://evil.example" };
    expect((await ask(app.address, { ...COMMAND, headers: foreign })).status).toBe(403);
  });

  async function startGuarded(): Promise<RunningApp> {
    return start({ env: { ADMIN_TOKEN: TOKEN } });
  }
});

describe("the data service alone", () => {
  it("serves its interface, health, readiness and metrics, and nothing else", async () => {
    const env = { DATA_DIR: join(folder.path, "state"), PORT: "0", ...data.env };
    const config = readConfig({ env, folder: folder.path, isTerminal: false });
    const system = { clock: new ManualClock(), log: SILENT_LOG, scheduler: new ManualScheduler() };
    const app = createApp(config, { ...system, mode: "service" });
    endings.push(() => app.stop());
    const { address } = await app.start();
    for (const path of OPEN_PATHS) expect((await ask(address, { path })).status).toBe(200);
    expect((await ask(address, { path: "/v1/splits" })).status).toBe(401);
    for (const path of ["/", "/api/overview", "/api/command"]) expect((await ask(address, { path })).status).toBe(404);
    expect(JSON.parse((await ask(address, { path: "/readyz" })).text)).toMatchObject({ ready: true });
  });

  it("can share the DATA_DIR of a running splitwatch, because both use the keys", async () => {
    await start();
    const env = { DATA_DIR: join(folder.path, "state"), PORT: "0", ...data.env };
    const config = readConfig({ env, folder: folder.path, isTerminal: false });
    const system = { clock: new ManualClock(), log: SILENT_LOG, scheduler: new ManualScheduler() };
    const app = createApp(config, { ...system, mode: "service" });
    endings.push(() => app.stop());
    const { address } = await app.start();
    expect((await ask(address, { path: "/readyz" })).status).toBe(200);
  });
});
