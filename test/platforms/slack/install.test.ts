import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  a,
  answerTo,
  b,
  bench,
  browser,
  close,
  open,
  restartAfterPowerCut,
  storedInstallations,
} from "./two-workspaces.ts";
import { openBrowser, type Page } from "./users/browser.ts";

afterEach(close);

const exchanges = () => bench.slack.calls.filter(({ method }) => method === "oauth.v2.access");

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the installation", () => {
  it("redirects the browser to Slack with the scopes and a cookie bound to the state", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    const { status, headers, text } = await browser.open("/slack/install");
    expect(status).toBe(302);
    const authorizeUrl = new URL(headers.get("location") ?? "");
    expect(`${authorizeUrl.origin}${authorizeUrl.pathname}`).toBe("https://slack.com/oauth/v2/authorize");
    expect(authorizeUrl.searchParams.get("client_id")).toBe(bench.slack.oauth.clientId);
    expect(authorizeUrl.searchParams.get("scope")?.split(",")).toEqual(
      expect.arrayContaining(["commands", "chat:write"]),
    );
    expect(authorizeUrl.searchParams.get("redirect_uri")).toBe("https://splitwatch.example.com/slack/oauth_redirect");
    expect(headers.get("set-cookie")).toMatch(
      /^splitwatch_install=[\w-]+; Max-Age=600; Path=\/slack; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(text).toContain(`<a href="${authorizeUrl.href.replaceAll("&", "&amp;")}">`);
  });

  it("requests users:read only with restrictSubscribe, and no redirect URI without PUBLIC_URL", async () => {
    await open({ settings: "slack: { restrictSubscribe: true }" });
    const authorizeUrl = await browser.startInstall();
    expect(authorizeUrl.searchParams.get("scope")?.split(",")).toContain("users:read");
    expect(authorizeUrl.searchParams.has("redirect_uri")).toBe(false);
  });

  it("ends on a page with the workspace and next steps, without external resources", async () => {
    await open();
    const { status, text, headers } = await browser.install(b);
    expect(status).toBe(200);
    expect(text).toContain("<h1>splitwatch is installed in Splits Test 1 &lt;Traders &amp; Sons&gt;</h1>");
    expect(text).toContain("/splits subscribe");
    expect(text).toContain("/invite @splitwatch");
    expect(text).not.toMatch(/<(?:script|link|img|iframe|style)/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("escapes and truncates the workspace's name", async () => {
    await open();
    const name = `\u202Egnissecca\u0000 <b>${"x".repeat(5_000)}`;
    bench.slack.oauth.answerOverrides = { team: { id: a.workspace.team.id, name } };
    const { text } = await browser.install(a);
    expect(text).toMatch(/<h1>splitwatch is installed in gnissecca &lt;b&gt;x{80,90}…<\/h1>/);
  });

  it.each(["/slack/install", "/slack/oauth_redirect"])("accepts only GET on %s", async (path) => {
    await open();
    for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
      const { status, headers } = await fetch(`${bench.address}${path}`, { method });
      expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    }
  });

  it("is disabled for a single workspace", async () => {
    await open({ many: false });
    for (const path of ["/slack/install", "/slack/oauth_redirect?state=x&code=y"])
      expect((await browser.open(path)).status).toBe(404);
  });
});

describe("an OAuth state", () => {
  const refused: readonly (readonly [string, (authorizeUrl: URL) => Promise<Page> | Page])[] = [
    ["that is missing", () => browser.redirectBack({ code: "x.y" })],
    ["that is invented", () => browser.redirectBack({ code: "x.y", state: "aaaa.bbbb.cccc" })],
    [
      "that was changed",
      (authorizeUrl) =>
        browser.redirectBack({ code: "x.y", state: `z${authorizeUrl.searchParams.get("state") ?? ""}` }),
    ],
    [
      "with a suffix",
      (authorizeUrl) =>
        browser.redirectBack({ code: "x.y", state: `${authorizeUrl.searchParams.get("state") ?? ""}.x` }),
    ],
    ["of another browser", (authorizeUrl) => openBrowser(bench).allow(authorizeUrl, a)],
    [
      "of another browser that started an installation too",
      async (authorizeUrl) => {
        const other = openBrowser(bench);
        await other.startInstall();
        return other.allow(authorizeUrl, a);
      },
    ],
    [
      "that is older than ten minutes",
      (authorizeUrl) => {
        bench.clock.skip(10 * 60_000 + 1);
        return browser.allow(authorizeUrl, a);
      },
    ],
    [
      "that was used",
      async (authorizeUrl) => {
        await browser.redirectBack({ error: "access_denied", state: authorizeUrl.searchParams.get("state") ?? "" });
        return browser.allow(authorizeUrl, a);
      },
    ],
    [
      "that was used before a restart",
      async (authorizeUrl) => {
        await browser.redirectBack({ error: "access_denied", state: authorizeUrl.searchParams.get("state") ?? "" });
        await bench.restart();
        return browser.allow(authorizeUrl, a);
      },
    ],
    [
      "that was used before a power cut",
      async (authorizeUrl) => {
        await browser.redirectBack({ error: "access_denied", state: authorizeUrl.searchParams.get("state") ?? "" });
        await restartAfterPowerCut();
        return browser.allow(authorizeUrl, a);
      },
    ],
    [
      "signed with a previous state secret",
      async (authorizeUrl) => {
        await bench.restart({ SLACK_STATE_SECRET: "another-state-secret" });
        return browser.allow(authorizeUrl, a);
      },
    ],
  ];

  it.each(refused)("%s is refused before any call to Slack", async (_, sendBack) => {
    await open();
    const { status, text } = await sendBack(await browser.startInstall());
    expect(status).toBe(400);
    expect(text).toContain('<a href="/slack/install">Start again</a>');
    expect(exchanges()).toEqual([]);
    expect(await storedInstallations(bench)).toEqual([]);
  });

  it("is accepted once for two concurrent redirects", async () => {
    await open();
    const authorizeUrl = await browser.startInstall();
    const pages = await Promise.all([browser.allow(authorizeUrl, a), browser.allow(authorizeUrl, a)]);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(exchanges()).toHaveLength(1);
  });

  it("is valid for each window of a browser, and across a restart", async () => {
    await open();
    const [first, second] = [await browser.startInstall(), await browser.startInstall()];
    await bench.restart();
    expect((await browser.allow(first, a)).status).toBe(200);
    expect((await browser.allow(second, b)).status).toBe(200);
  });
});

describe("a failed installation", () => {
  it("that the user denied ends on a friendly page", async () => {
    await open();
    const authorizeUrl = await browser.startInstall();
    const { status, text } = await browser.redirectBack({
      error: "access_denied",
      state: authorizeUrl.searchParams.get("state") ?? "",
    });
    expect(status).toBe(403);
    expect(text).toContain("You didn&#39;t allow the installation");
    expect(await storedInstallations(bench)).toEqual([]);
  });

  it.each<[string, () => void, number, RegExp]>([
    [
      "for a whole organization",
      () => Object.assign(bench.slack.oauth, { answerOverrides: { is_enterprise_install: true, team: null } }),
      400,
      /Organization-wide installation/,
    ],
    [
      "without a bot token",
      () => Object.assign(bench.slack.oauth, { answerOverrides: { access_token: undefined } }),
      400,
      /no bot token/,
    ],
    [
      "while Slack is unavailable",
      () => void bench.slack.faults.add({ effect: { kind: "status", status: 503 } }),
      502,
      /be reached right now/,
    ],
    [
      "with a wrong client secret",
      () =>
        void bench.slack.faults.add({
          method: "oauth.v2.access",
          effect: { kind: "error", code: "bad_client_secret" },
        }),
      500,
      /in the log/,
    ],
  ])("%s", async (_, disturb, status, words) => {
    await open();
    disturb();
    const page = await browser.install(a);
    expect(page.status).toBe(status);
    expect(page.text).toMatch(words);
    expect(await storedInstallations(bench)).toEqual([]);
    expect(JSON.stringify(bench.log.lines)).not.toContain(bench.slack.oauth.clientSecret);
  });

  it("with an invalid code shows Slack's error code", async () => {
    await open();
    const authorizeUrl = await browser.startInstall();
    const { status, text } = await browser.redirectBack({
      code: "made.up",
      state: authorizeUrl.searchParams.get("state") ?? "",
    });
    expect([status, text]).toEqual([400, expect.stringContaining("(invalid_code)")]);
  });

  it("does not fail if only the bot's name can't be read", async () => {
    await open();
    bench.slack.faults.add({ method: "auth.test", times: 1, effect: { kind: "status", status: 500 } });
    expect((await browser.install(a)).status).toBe(200);
    expect(await answerTo(a, "show ACME")).toContain("ACME");
  });
});

describe("the configuration for many workspaces", () => {
  it("with a bot token as app token is one clear log line; the rest keeps running", async () => {
    await open({ env: { SLACK_APP_TOKEN: "xoxb-a-token-of-one" } });
    const line = /SLACK_APP_TOKEN contains a bot token/;
    const errors = bench.log.lines.filter(({ level }) => level === "error");
    expect(errors).toEqual([expect.objectContaining({ event: "slack credentials rejected" })]);
    expect(String(errors[0]?.fields.reason)).toMatch(line);
    expect(JSON.stringify((await bench.readiness()).checks)).toMatch(line);
    expect(bench.log.text()).not.toMatch(/token-of-one/);
    expect((await browser.install(a)).status).toBe(200);
    expect((await bench.onWeb("ada", "list when:all"))[0]?.title).toMatch(/2 reverse splits/);
  });

  it("serves the install page only on SLACK_PORT, if set", async () => {
    const port = await freePort();
    await open({ env: { SLACK_PORT: String(port) } });
    expect((await browser.open("/slack/install")).status).toBe(404);
    const own = openBrowser({ address: `http://127.0.0.1:${port}`, slack: bench.slack });
    expect((await own.install(a)).status).toBe(200);
    bench.slack.setAppAddress(`http://127.0.0.1:${port}`);
    expect(await answerTo(a, "show ACME")).toContain("ACME");
  });

  it("is ready without installations, and logs the install page", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
    expect(bench.log.lines.find(({ event }) => event === "slack workspaces")?.fields).toEqual({
      installed: 0,
      installAt: "https://splitwatch.example.com/slack/install",
    });
  });
});
