import { readdir, readFile, rename, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openLowdbStore } from "../../../src/store/lowdb/open.ts";
import { copyFolder } from "../../support/app.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchStart, SlackBench } from "./bench.ts";
import { type Browser, openBrowser, type Page } from "./browser.ts";
import { notificationText, shownText } from "./message-text.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./team.ts";
import type { Via } from "./user.ts";

let bench: SlackBench;
let browser: Browser;
/** Two workspaces. */
let a: SlackTeam;
let b: SlackTeam;
let via: Via = "http";

afterEach(() => bench.close());

const NEWS = aSplitRow({ ticker: "NEWS" });
const MORE = aSplitRow({ ticker: "MORE" });
const DAY_MS = 24 * 60 * 60_000;

async function open(start: BenchStart = {}): Promise<void> {
  via = start.via ?? "http";
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], many: true, via, ...start });
  a = bench.slack;
  b = bench.slack.addTeam();
  browser = openBrowser(bench);
}

/** Both have installed it, and hear of everything in #general; ada of both watches NEWS. */
async function openInstalled(start: BenchStart = {}): Promise<void> {
  await open(start);
  for (const team of [a, b]) {
    await browser.install(team);
    team.channel("general").botIsMember = true;
    await says(team, "subscribe");
    await says(team, "watch NEWS");
  }
}

async function says(team: SlackTeam, line: string, channel: string | undefined = "general"): Promise<string> {
  const { messages } = await team.user("ada").slash(line, { channel, via });
  return messages.map(shownText).join("\n");
}

function told(team: SlackTeam): readonly string[] {
  return team.messages("general").map(notificationText);
}

async function uninstall(team: SlackTeam): Promise<void> {
  bench.slack.oauth.revoke(team);
  const bot = [team.workspace.bot.userId];
  await bench.slack.tell(team, { type: "tokens_revoked", tokens: { oauth: [], bot } }, { via });
  await bench.slack.tell(team, { type: "app_uninstalled" }, { via });
  await bench.until("it has left", () => bench.log.count("slack-workspace-left") > 0);
}

async function stored(): Promise<readonly { workspaceId: string; credentials: string | null }[]> {
  const text = await readFile(join(bench.dataDir, "installations.json"), "utf8");
  const { state } = JSON.parse(text) as {
    state: { installations: { workspaceId: string; credentials: string | null }[] };
  };
  return state.installations;
}

/** What the operator's page says of places that cannot be reached. */
async function problems(): Promise<string> {
  return (await fetch(`${bench.address}/api/overview`)).text();
}

/** What a power cut at this moment would leave is what it starts with again. */
async function powerCut(): Promise<void> {
  const left = `${bench.dataDir}-left`;
  await copyFolder(bench.dataDir, left);
  await bench.stop();
  await rm(bench.dataDir, { recursive: true });
  await rename(left, bench.dataDir);
  await bench.start();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const exchanges = () => bench.slack.calls.filter(({ method }) => method === "oauth.v2.access");
const LEFT = "splitwatch was removed from this workspace; alerts go on when it is installed again";

describe("installing splitwatch", () => {
  it("sends the browser to Slack with what is asked for, and with a cookie that is bound to it", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    const { status, headers, text } = await browser.open("/slack/install");
    expect(status).toBe(302);
    const asked = new URL(headers.get("location") ?? "");
    expect(`${asked.origin}${asked.pathname}`).toBe("https://slack.com/oauth/v2/authorize");
    expect(asked.searchParams.get("client_id")).toBe(bench.slack.oauth.clientId);
    expect(asked.searchParams.get("scope")?.split(",")).toEqual(expect.arrayContaining(["commands", "chat:write"]));
    expect(asked.searchParams.get("redirect_uri")).toBe("https://splitwatch.example.com/slack/oauth_redirect");
    expect(headers.get("set-cookie")).toMatch(
      /^splitwatch_install=[\w-]+; Max-Age=600; Path=\/slack; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(text).toContain(`<a href="${asked.href.replaceAll("&", "&amp;")}">`);
  });

  it("asks who is an admin only where that matters, and for no address where none is known", async () => {
    await open({ settings: "slack: { restrictSubscribe: true }" });
    const asked = await browser.begin();
    expect(asked.searchParams.get("scope")?.split(",")).toContain("users:read");
    expect(asked.searchParams.has("redirect_uri")).toBe(false);
  });

  it("ends on a page that says where it is and what comes next, and takes nothing from elsewhere", async () => {
    await open();
    const { status, text, headers } = await browser.install(b);
    expect(status).toBe(200);
    expect(text).toContain("<h1>splitwatch is in Splits Test 1 &lt;Traders &amp; Sons&gt;</h1>");
    expect(text).toContain("/splits subscribe");
    expect(text).toContain("/invite @splitwatch");
    expect(text).not.toMatch(/<(?:script|link|img|iframe|style)/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each(["/slack/install", "/slack/oauth_redirect"])("takes nothing but GET on %s", async (path) => {
    await open();
    for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
      const { status, headers } = await fetch(`${bench.address}${path}`, { method });
      expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    }
  });

  it("is not there where there is one workspace", async () => {
    await open({ many: false });
    for (const path of ["/slack/install", "/slack/oauth_redirect?state=x&code=y"])
      expect((await browser.open(path)).status).toBe(404);
  });
});

describe("a state", () => {
  const refused: readonly (readonly [string, (asked: URL) => Promise<Page> | Page])[] = [
    ["that is missing", () => browser.sentBack({ code: "x.y" })],
    ["that is made up", () => browser.sentBack({ code: "x.y", state: "aaaa.bbbb.cccc" })],
    [
      "that was changed",
      (asked) => browser.sentBack({ code: "x.y", state: `z${asked.searchParams.get("state") ?? ""}` }),
    ],
    ["of another browser", (asked) => openBrowser(bench).allow(asked, a)],
    [
      "of another browser that has begun too",
      async (asked) => {
        const other = openBrowser(bench);
        await other.begin();
        return other.allow(asked, a);
      },
    ],
    [
      "that is older than ten minutes",
      (asked) => {
        bench.clock.skip(10 * 60_000 + 1);
        return browser.allow(asked, a);
      },
    ],
    [
      "that was used",
      async (asked) => {
        await browser.sentBack({ error: "access_denied", state: asked.searchParams.get("state") ?? "" });
        return browser.allow(asked, a);
      },
    ],
    [
      "that was used before a restart",
      async (asked) => {
        await browser.sentBack({ error: "access_denied", state: asked.searchParams.get("state") ?? "" });
        await bench.restart();
        return browser.allow(asked, a);
      },
    ],
    [
      "that was used before a power cut",
      async (asked) => {
        await browser.sentBack({ error: "access_denied", state: asked.searchParams.get("state") ?? "" });
        await powerCut();
        return browser.allow(asked, a);
      },
    ],
    [
      "from before the state secret was changed",
      async (asked) => {
        await bench.restart({ SLACK_STATE_SECRET: "another-secret" });
        return browser.allow(asked, a);
      },
    ],
  ];

  it.each(refused)("%s is refused before Slack is asked anything", async (_, sendBack) => {
    await open();
    const { status, text } = await sendBack(await browser.begin());
    expect(status).toBe(400);
    expect(text).toContain('<a href="/slack/install">Begin again</a>');
    expect(exchanges()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it("is good for one of two that come at once", async () => {
    await open();
    const asked = await browser.begin();
    const pages = await Promise.all([browser.allow(asked, a), browser.allow(asked, a)]);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(exchanges()).toHaveLength(1);
  });

  it("is good for each window of one browser, and over a restart", async () => {
    await open();
    const [first, second] = [await browser.begin(), await browser.begin()];
    await bench.restart();
    expect((await browser.allow(first, a)).status).toBe(200);
    expect((await browser.allow(second, b)).status).toBe(200);
  });
});

describe("an installation that comes to nothing", () => {
  it("because somebody did not allow it is told in a friendly way", async () => {
    await open();
    const asked = await browser.begin();
    const { status, text } = await browser.sentBack({
      error: "access_denied",
      state: asked.searchParams.get("state") ?? "",
    });
    expect(status).toBe(403);
    expect(text).toContain("You did not allow it");
    expect(await stored()).toEqual([]);
  });

  it.each<[string, () => void, number, RegExp]>([
    [
      "for a whole organization",
      () => Object.assign(bench.slack.oauth, { answersBesides: { is_enterprise_install: true, team: null } }),
      400,
      /whole organization/,
    ],
    [
      "without a bot",
      () => Object.assign(bench.slack.oauth, { answersBesides: { access_token: undefined } }),
      400,
      /no token for the bot/,
    ],
    [
      "while Slack is away",
      () => void bench.slack.faults.add({ does: { kind: "status", status: 503 } }),
      502,
      /cannot be reached/,
    ],
    [
      "under a wrong client secret",
      () =>
        void bench.slack.faults.add({ method: "oauth.v2.access", does: { kind: "error", code: "bad_client_secret" } }),
      500,
      /in its log/,
    ],
  ])("%s", async (_, disturb, status, words) => {
    await open();
    disturb();
    const page = await browser.install(a);
    expect(page.status).toBe(status);
    expect(page.text).toMatch(words);
    expect(await stored()).toEqual([]);
    expect(JSON.stringify(bench.log.lines)).not.toContain(bench.slack.oauth.clientSecret);
  });

  it("because the code is not good is told with Slack's word for it", async () => {
    await open();
    const asked = await browser.begin();
    const { status, text } = await browser.sentBack({
      code: "made.up",
      state: asked.searchParams.get("state") ?? "",
    });
    expect([status, text]).toEqual([400, expect.stringContaining("(invalid_code)")]);
  });

  it("is none where Slack only does not say what splitwatch is called there", async () => {
    await open();
    bench.slack.faults.add({ method: "auth.test", times: 1, does: { kind: "status", status: 500 } });
    expect((await browser.install(a)).status).toBe(200);
    expect(await says(a, "show ACME")).toContain("ACME");
  });
});

describe.each(["http", "socket"] as const)("two workspaces over %s", (by) => {
  it("are each told under their own token, and know nothing of each other", async () => {
    await openInstalled({ via: by });
    await says(a, "subscribe tickers:ACME");
    expect(await says(a, "subscriptions")).toMatch(/Rule 2/);
    expect(await says(b, "subscriptions")).not.toMatch(/Rule 2/);
    await bench.list(ACME, BRAVO, NEWS);
    for (const team of [a, b]) {
      expect(told(team)).toEqual([expect.stringContaining("NEWS 1-for-20")]);
      expect(team.directMessages("ada").map(notificationText)).toEqual([expect.stringContaining("NEWS 1-for-20")]);
      expect(team.directMessages("bob")).toEqual([]);
    }
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    for (const team of [a, b]) {
      const [first, change] = team.messages("general");
      expect(change?.threadTs).toBe(first?.ts);
    }
    const posts = bench.slack.calls.filter(({ method }) => method === "chat.postMessage");
    for (const { team, args } of posts) {
      const own = [a, b].find(({ workspace }) => workspace.team.id === team);
      expect(own?.workspace.findChannel(String(args.channel))).toBeDefined();
    }
    for (const { workspace } of [a, b]) expect(posts.filter(({ team }) => team === workspace.team.id)).toHaveLength(4);
    expect(bench.slack.violations).toEqual([]);
  });

  it("go on after a restart", async () => {
    await openInstalled({ via: by });
    await bench.restart();
    await bench.list(ACME, BRAVO, NEWS);
    expect([told(a).length, told(b).length]).toEqual([1, 1]);
    expect(await says(b, "subscriptions")).toMatch(/Rule 1/);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });

  it("come and go by themselves: what waited is told once, after the one came back", async () => {
    await openInstalled({ via: by });
    await uninstall(a);
    expect(await stored()).toEqual([
      expect.objectContaining({ workspaceId: b.workspace.team.id, credentials: expect.any(String) }),
      expect.objectContaining({ workspaceId: a.workspace.team.id, credentials: null }),
    ]);
    const before = bench.slack.calls.length;
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other was told", () => told(b).length === 1 && b.directMessages("ada").length === 1);
    const since = bench.slack.calls.slice(before);
    expect(since.filter(({ team }) => team !== b.workspace.team.id)).toEqual([]);
    expect((await problems()).split(LEFT)).toHaveLength(3);
    await powerCut();
    expect((await problems()).split(LEFT)).toHaveLength(3);
    expect(told(a)).toEqual([]);

    expect((await browser.install(a)).status).toBe(200);
    await powerCut();
    await bench.allOut();
    await bench.list(ACME, BRAVO, NEWS, MORE);
    expect(told(a).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(a.directMessages("ada")).toHaveLength(1);
    expect(told(b).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(await says(a, "why NEWS")).toMatch(/In this channel: Sent/);
    expect(await problems()).not.toContain(LEFT);
  });
});

describe("a workspace", () => {
  it("that has not installed splitwatch is told where that is done", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    await browser.install(a);
    expect(await says(b, "subscribe")).toMatch(
      /not installed in this workspace.*https:\/\/splitwatch\.example\.com\/slack\/install/s,
    );
    expect(bench.slack.calls.filter(({ team }) => team === b.workspace.team.id).map(({ method }) => method)).toEqual([
      "response_url",
    ]);
  });

  it("whose people's tokens alone are revoked stays", async () => {
    await openInstalled();
    await bench.slack.tell(a, { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } }, { via });
    await bench.list(ACME, BRAVO, NEWS);
    expect(told(a)).toHaveLength(1);
  });

  it("stays when word of an earlier departure comes late", async () => {
    await openInstalled();
    const before = bench.clock.now() - 60_000;
    const bot = [a.workspace.bot.userId];
    await uninstall(a);
    await browser.install(a);
    await says(a, "help");
    await bench.slack.tell(a, { type: "app_uninstalled" }, { via, at: before });
    await bench.slack.tell(a, { type: "tokens_revoked", tokens: { bot } }, { via, at: before });
    await bench.until("they are looked at", () => bench.log.count("slack-departure-ignored") === 2);
    await bench.list(ACME, BRAVO, NEWS);
    expect(told(a)).toHaveLength(1);
  });

  it.each(["account_inactive", "token_revoked"])(
    "that left while splitwatch was away (%s) is noticed at the next alert, and the other is told",
    async (code) => {
      await openInstalled();
      await bench.stop();
      bench.slack.oauth.revoke(a, code);
      await bench.start();
      bench.upstream.splits = [ACME, BRAVO, NEWS];
      await bench.run("poll-splits");
      await bench.until("the other was told", () => told(b).length === 1);
      await bench.until("it is noticed", () => bench.log.count("slack-workspace-left") === 1);
      expect(bench.log.count("platform-stopped")).toBe(0);
      expect((await stored()).find(({ workspaceId }) => workspaceId === a.workspace.team.id)?.credentials).toBeNull();
      await browser.install(a);
      await bench.allOut();
      expect(told(a)).toHaveLength(1);
    },
  );

  it("whose token is refused for another reason pauses by itself, and resumes when installed again", async () => {
    await openInstalled();
    bench.slack.oauth.revoke(a, "team_access_not_granted");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other was told", () => told(b).length === 1);
    await bench.until("it is paused", async () => /team_access_not_granted/.test(await problems()));
    expect((await stored()).every(({ credentials }) => credentials !== null)).toBe(true);
    await browser.install(a);
    await bench.allOut();
    expect(told(a)).toHaveLength(1);
  });

  it("that stays away for 30 days is forgotten, but for the rules of its channels", async () => {
    await openInstalled();
    const ada = a.user("ada").id;
    await uninstall(a);
    bench.clock.skip(30 * DAY_MS - 60_000);
    await bench.restart();
    expect(await dataText()).toContain(`${a.workspace.team.id}/${ada}`);
    bench.clock.skip(2 * 60_000);
    await bench.restart();
    await bench.until("it is forgotten", () => bench.log.count("slack-workspace-forgotten") === 1);
    expect((await stored()).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
    expect(await dataText()).not.toContain(`${a.workspace.team.id}/${ada}`);
    expect(await dataText()).toContain(`${b.workspace.team.id}/${b.user("ada").id}`);
    await browser.install(a);
    expect(await says(a, "subscriptions")).toMatch(/Rule 1/);
    expect(await says(a, "watchlist")).not.toMatch(/NEWS/);
    await bench.list(ACME, BRAVO, { ...NEWS, ex_date: "2026-05-12" });
    expect(told(a).filter((text) => text.startsWith("NEWS"))).toHaveLength(1);
    expect(a.directMessages("ada")).toEqual([]);
  });

  it("is forgotten while splitwatch runs, too", async () => {
    await openInstalled();
    await uninstall(a);
    bench.clock.skip(30 * DAY_MS + 60 * 60_000);
    await bench.until("it is forgotten", () => bench.log.count("slack-workspace-forgotten") === 1);
    expect((await stored()).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
  });
});

/** All that is stored, as text. */
async function dataText(): Promise<string> {
  const names = (await readdir(bench.dataDir)).filter((name) => /\.(?:json|log)$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(bench.dataDir, name), "utf8")))).join("\n");
}

describe("secrets", () => {
  it("stand neither in what is stored nor in the log", async () => {
    await open();
    bench.slack.oauth.rotates = true;
    await browser.install(a);
    await browser.install(b);
    await says(a, "subscribe");
    bench.clock.skip(11 * 60 * 60_000);
    await bench.list(ACME, BRAVO, NEWS);
    await says(a, "help");
    await bench.until("it is renewed", () => bench.log.count("slack-token-renewed") > 0);
    await uninstall(a);
    const { clientSecret } = bench.slack.oauth;
    const { SLACK_STATE_SECRET: stateSecret = "", ENCRYPTION_KEY: key = "" } = bench.slack.envOfMany(via);
    const hidden = [...browser.carried, ...bench.slack.oauth.live(b), clientSecret, stateSecret, key];
    const [data, log] = [await dataText(), bench.log.text()];
    for (const secret of hidden) {
      expect(data).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
    for (const text of [data, log]) expect(text).not.toMatch(/xox[a-z]-|xox[a-z]\./);
  });

  it("that were stored with another ENCRYPTION_KEY are told of, and not lost", async () => {
    await openInstalled();
    const kept = await stored();
    await bench.restart({ ENCRYPTION_KEY: "another key, that is as long as the one before" });
    const { ready, checks } = await bench.readiness();
    expect([ready, JSON.stringify(checks)]).toEqual([false, expect.stringContaining("ENCRYPTION_KEY does not open")]);
    expect(JSON.stringify(bench.log.lines.filter(({ level }) => level === "error"))).toContain("ENCRYPTION_KEY");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("it is tried", () => bench.log.count("delivery-postponed") > 0);
    expect(await stored()).toEqual(kept);
    await bench.restart();
    bench.clock.skip(10 * 60_000);
    await bench.allOut();
    expect([told(a).length, told(b).length]).toEqual([1, 1]);
  });

  it("that were stored for one workspace open nothing in the place of another's", async () => {
    await openInstalled();
    await bench.stop();
    const foreign = (await stored()).find(({ workspaceId }) => workspaceId === b.workspace.team.id);
    const store = await openLowdbStore({ dir: bench.dataDir, clock: bench.clock, log: bench.log });
    const known = await store.installations.find("slack", a.workspace.team.id);
    if (known && foreign) await store.installations.put({ ...known, credentials: foreign.credentials });
    await store.close();
    await bench.start();
    expect(JSON.stringify((await bench.readiness()).checks)).toContain("of 1 Slack workspaces");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other was told", () => told(b).length === 1);
    expect(told(a)).toEqual([]);
    await browser.install(a);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });
});

describe("what is set for many workspaces", () => {
  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["lacks the client secret", { SLACK_CLIENT_SECRET: "" }, /SLACK_CLIENT_ID is set without SLACK_CLIENT_SECRET/],
    [
      "lacks the state secret and the key",
      { SLACK_STATE_SECRET: "", ENCRYPTION_KEY: "" },
      /without SLACK_STATE_SECRET and ENCRYPTION_KEY/,
    ],
    ["has a short key", { ENCRYPTION_KEY: "hush-hush" }, /ENCRYPTION_KEY: got 9 characters, expected at least 32/],
    ["has no way in", { SLACK_SIGNING_SECRET: "" }, /SLACK_SIGNING_SECRET for HTTP, or SLACK_APP_TOKEN/],
    [
      "is beside one workspace's token",
      { SLACK_BOT_TOKEN: "xoxb-a-token-of-one" },
      /SLACK_BOT_TOKEN and SLACK_CLIENT_ID are both set/,
    ],
    ["has a bot's token for the app's", { SLACK_APP_TOKEN: "xoxb-a-token-of-one" }, /SLACK_APP_TOKEN holds a bot's/],
  ])("and %s is one clear line, and the rest keeps running", async (_, env, line) => {
    await open({ env });
    const errors = bench.log.lines.filter(({ level }) => level === "error");
    expect(errors).toEqual([expect.objectContaining({ event: "slack-refused" })]);
    expect(String(errors[0]?.fields.reason)).toMatch(line);
    expect(JSON.stringify((await bench.readiness()).checks)).toMatch(line);
    expect(bench.log.text()).not.toMatch(/hush-hush|token-of-one/);
    expect((await browser.open("/slack/install")).status).toBe(503);
    expect((await browser.open("/slack/oauth_redirect?state=a&code=b")).status).toBe(503);
    expect((await bench.onWeb("ada", "list when:all"))[0]?.title).toMatch(/2 reverse splits/);
  });

  it("is asked for on SLACK_PORT alone where that is set", async () => {
    const port = await freePort();
    await open({ env: { SLACK_PORT: String(port) } });
    expect((await browser.open("/slack/install")).status).toBe(404);
    const own = openBrowser({ address: `http://127.0.0.1:${port}`, slack: bench.slack });
    expect((await own.install(a)).status).toBe(200);
    bench.slack.listensAt(`http://127.0.0.1:${port}`);
    expect(await says(a, "show ACME")).toContain("ACME");
  });

  it("is ready before anybody has installed it, and says where that is done", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
    expect(bench.log.lines.find(({ event }) => event === "slack-workspaces")?.fields).toEqual({
      installed: 0,
      installAt: "https://splitwatch.example.com/slack/install",
    });
  });
});
