import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OUTSIDE_MARKETPLACE } from "../../../test/platforms/slack/server/limits.ts";
import { type Slack, startSlack } from "../../../test/platforms/slack/server/server.ts";
import type { SlackTeam } from "../../../test/platforms/slack/server/team.ts";
import type { CheckResult } from "../../lib/check-result.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Installation } from "../../ports/state-records.ts";
import type { ServerSettings } from "../platform-definition.ts";
import { runSlackChecks } from "./doctor.ts";
import { createVault } from "./install/registry.ts";
import { SCOPES } from "./manifest.ts";
import type { SlackApp } from "./settings.ts";
import { channelDestination } from "./workspace.ts";

let slack: Slack;

beforeEach(async () => {
  slack = await startSlack({ channels: ["in", "out", "private"] });
});

afterEach(() => slack.stop());

const serverAt = (publicUrl: string | null): ServerSettings => ({
  host: "127.0.0.1",
  port: 0,
  publicUrl,
  adminToken: null,
});
const singleAccess = (botToken: string): SlackApp["access"] => ({ kind: "one", botToken });
const socketTransport = (appToken: string): SlackApp["transport"] => ({ kind: "socket", appToken });

/** `ok the token has all scopes` */
function toLine({ status, text }: CheckResult): string {
  return `${status === "pass" ? "ok" : status.toUpperCase()} ${text}`;
}

async function runChecks(app: Partial<SlackApp> = {}, restrictSubscribe = false): Promise<readonly string[]> {
  const { botToken, appToken, apiUrl, workspace } = slack;
  const channels = [...workspace.channels.values()].map(({ id }) => channelDestination(workspace.team.id, id));
  const results = await runSlackChecks({
    app: { access: singleAccess(botToken), transport: socketTransport(appToken), port: null, apiUrl, ...app },
    restrictSubscribe,
    channels,
    installations: [],
    server: serverAt(null),
    log: SILENT_LOG,
  });
  return results.map(toLine);
}

/** Posts messages of a person. */
function chat(name: string, count: number): void {
  const { id } = slack.channel(name);
  const parts = { channel: id, threadTs: null, broadcast: false, onlyFor: null, blocks: [], attachments: [] };
  for (let n = 1; n <= count; n += 1) slack.workspace.post({ ...parts, metadata: null, text: `Message ${n}` });
}

describe("doctor checks of a single Slack workspace", () => {
  it("show the name of the workspace on one line, without control characters", async () => {
    Object.assign(slack.workspace.team, { name: "a\u001b[2J\u202Eb\nok c" });
    expect(await runChecks()).toContain("ok the token belongs to the bot splitwatch in the workspace a[2Jb ok c");
  });

  it("pass for a working configuration", async () => {
    expect(await runChecks()).toEqual([
      "ok the token belongs to the bot splitwatch in the workspace Splits Test",
      "ok the token has all scopes",
      "ok commands arrive through Socket Mode, which connects",
      expect.stringMatching(
        /^ok limits of reading histories: unknown, because .*: about 50 requests a minute; .*: one request a minute with 15 messages\./,
      ),
      ...["in", "out", "private"].map(
        (name) => `ok channel #${name} (${slack.channel(name).id}): alerts can be posted`,
      ),
    ]);
    expect(slack.workspace.messages).toEqual([]);
  });

  it("name each channel without the app, and how to invite it", async () => {
    Object.assign(slack.channel("out"), { botIsMember: false });
    Object.assign(slack.channel("private"), { botIsMember: false, kind: "private" });
    const lines = (await runChecks()).slice(4);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["ok", "FAIL", "FAIL"]);
    expect(lines[1]).toContain("/invite @splitwatch");
    expect(slack.channel("out").botIsMember).toBe(false);
  });

  it("name each missing scope and its purpose", async () => {
    for (const { name } of SCOPES) slack.scopes.delete(name);
    const lines = await runChecks();
    for (const { name, purpose, without } of SCOPES)
      expect(lines[without === undefined ? 1 : 2]).toContain(`${name} (${purpose}`);
    expect(lines[1]).toMatch(/^FAIL the token lacks required scopes: .*install the app again$/);
    expect(lines[2]).toMatch(/^WARN the token lacks optional scopes: .*install the app again$/);
  });

  it("fail for missing required scopes without naming the optional ones", async () => {
    slack.scopes.delete("chat:write");
    const lines = await runChecks();
    expect(lines.filter((line) => line.includes("scope"))).toEqual([
      "FAIL the token lacks required scopes: chat:write (alerts and answers). Add them under OAuth & Permissions, then install the app again",
    ]);
  });

  it("warn about missing optional scopes, and say what is missing without them", async () => {
    for (const name of ["channels:read", "groups:read"]) slack.scopes.delete(name);
    expect((await runChecks())[1]).toMatch(
      /^WARN the token lacks optional scopes: channels:read \(.*; without it, waiting alerts follow within 5 minutes .*\); groups:read \(/,
    );
  });

  it("require users:read only with restrictSubscribe", async () => {
    slack.scopes.delete("users:read");
    expect((await runChecks())[1]).toMatch(/^ok/);
    expect((await runChecks({}, true))[1]).toMatch(/^FAIL .*users:read/);
  });

  it.each([
    [() => ({ access: singleAccess(slack.appToken), transport: socketTransport(slack.botToken) }), /swapped/],
    [() => ({ access: singleAccess(slack.appToken) }), /SLACK_BOT_TOKEN contains an app-level token/],
    [() => ({ transport: socketTransport(slack.botToken) }), /SLACK_APP_TOKEN contains a bot token/],
    [() => ({ access: singleAccess("xoxp-1") }), /SLACK_BOT_TOKEN contains a user token \(xoxp-\)/],
    [() => ({ transport: socketTransport("xoxe-1-a") }), /SLACK_APP_TOKEN contains a refresh token \(xoxe-\)/],
    [() => ({ access: singleAccess("xoxb-wrong") }), /Slack refuses SLACK_BOT_TOKEN \(invalid_auth\)/],
    [() => ({ apiUrl: "http://127.0.0.1:1" }), /Slack can't be reached .*SLACK_API_URL/],
  ])("report one failure if the tokens or the address are wrong (%#)", async (app, line) => {
    expect(await runChecks(app())).toEqual([expect.stringMatching(line)]);
  });

  it("report a refused app token next to passing checks", async () => {
    const lines = await runChecks({ transport: socketTransport("xapp-wrong") });
    expect(lines[2]).toMatch(/^FAIL Slack refuses SLACK_APP_TOKEN \(invalid_auth\); .*connections:write/);
    expect(lines).toHaveLength(7);
  });

  it("say which channels are archived, private ones included, and show names as one line", async () => {
    Object.assign(slack.channel("out"), { archived: true });
    Object.assign(slack.channel("private"), { archived: true, kind: "private", name: `x\u202E\n${"y".repeat(100)}` });
    const lines = (await runChecks()).slice(4);
    expect(lines[1]).toContain("channel #out (C0002Q): it is archived");
    expect(lines[2]).toMatch(/^FAIL channel #x y{78} \(C0003Q\): it is archived/);
  });

  it("say that the limits of distributed apps don't apply if a page has more messages than they allow", async () => {
    chat("in", 16);
    expect((await runChecks())[3]).toMatch(
      /^ok limits of reading histories: about 50 requests a minute, as for apps of one workspace/,
    );
    expect(slack.calls.filter(({ method }) => method === "conversations.history")).toHaveLength(1);
  });

  it.each([
    ["a page that came with 15 messages", 40, true, 1],
    ["a second request that was refused", 3, true, 2],
    ["a second request that was refused, without the optional scopes", 3, false, 2],
    ["a page that came with 15 messages, without the optional scopes", 40, false, 1],
  ])("say that Slack limits the app after %s", async (_, messages, hasScopes, requests) => {
    await slack.stop();
    slack = await startSlack({ channels: ["in", "out", "private"], readLimit: OUTSIDE_MARKETPLACE });
    if (!hasScopes) for (const scope of ["channels:read", "groups:read"]) slack.scopes.delete(scope);
    chat("in", messages);
    const lines = await runChecks();
    expect(lines[3]).toMatch(
      /^WARN limits of reading histories: one request a minute with 15 messages, as for .* more than 150,/,
    );
    const unread = "WARN not checked, because Slack lets this app read one history a minute";
    const ok = "ok alerts can be posted";
    expect(lines.slice(4).map((line) => line.replace(/^(\w+) .*: /, "$1 "))).toEqual(
      hasScopes ? [ok, ok, ok] : [ok, unread, unread],
    );
    expect(slack.calls.filter(({ method }) => method === "conversations.history")).toHaveLength(requests);
  });

  it.each([
    ["error", "access_denied", "Slack refuses access (access_denied); check the channel in Slack"],
    ["error", "token_revoked", "Slack refuses access (token_revoked); check the channel in Slack"],
  ] as const)("report why a channel can't be checked, and what to do (%s %s)", async (kind, code, text) => {
    slack.faults.add({ method: "conversations.history", effect: { kind, code } });
    const line = (await runChecks()).find((one) => one.startsWith("FAIL"));
    expect(line).toContain(text);
    expect(line).not.toMatch(/; $/);
  });

  it.each([
    [null, "PORT"],
    [3_000, "SLACK_PORT"],
  ])("name the port for HTTP requests", async (port, variable) => {
    const lines = await runChecks({ transport: { kind: "http", signingSecret: slack.signingSecret }, port });
    expect(lines[2]).toBe(`ok commands arrive as signed requests to /slack/events on ${variable}`);
  });
});

const KEY = "an encryption key of 32 characters";
const vault = createVault(KEY);

let a: SlackTeam;
let b: SlackTeam;

/** Returns the stored installation of the team, with a valid token. */
async function installationOf(team: SlackTeam): Promise<Installation> {
  const code = slack.oauth.grant(team, { redirectUri: null, scope: [...team.scopes].join(",") });
  const { clientId, clientSecret } = slack.oauth;
  const response = slack.oauth.access({ client_id: clientId, client_secret: clientSecret, code }, "");
  const credentials = { botToken: String(response.access_token), rotation: null, botName: "splitwatch", url: null };
  return storedInstallation(team, vault.seal(team.workspace.team.id, credentials));
}

function storedInstallation({ workspace }: SlackTeam, credentials: string | null): Installation {
  return { platform: "slack", workspaceId: workspace.team.id, credentials, since: 0 };
}

async function runManyChecks(installations: readonly Installation[], encryptionKey = KEY): Promise<readonly string[]> {
  const results = await runSlackChecks({
    app: {
      access: {
        kind: "many",
        clientId: "1.2",
        clientSecret: slack.oauth.clientSecret,
        stateSecret: "t",
        encryptionKey,
      },
      transport: { kind: "http", signingSecret: slack.signingSecret },
      port: null,
      apiUrl: slack.apiUrl,
    },
    restrictSubscribe: false,
    channels: [a, b].map((team) => channelDestination(team.workspace.team.id, team.channel("general").id)),
    installations,
    server: serverAt("https://splitwatch.example.com"),
    log: SILENT_LOG,
  });
  return results.map(toLine);
}

describe("doctor checks of self-installed workspaces", () => {
  beforeEach(async () => {
    await slack.stop();
    slack = await startSlack({ channels: ["general"] });
    a = slack;
    b = slack.addTeam();
  });

  it("pass for a working configuration, each with its own token", async () => {
    expect(await runManyChecks([await installationOf(a), await installationOf(b)])).toEqual([
      "ok splitwatch is installed in 2 workspaces; install page: https://splitwatch.example.com/slack/install",
      "ok commands arrive as signed requests to /slack/events on PORT",
      ...[a, b].flatMap((team) => {
        const { id, name } = team.workspace.team;
        return [
          `ok workspace ${id}: the token belongs to the bot splitwatch in the workspace ${name}`,
          `ok workspace ${id}: the token has all scopes`,
          expect.stringContaining(`ok workspace ${id}: limits of reading histories: unknown`),
          `ok workspace ${id}: channel #general (${team.channel("general").id}): alerts can be posted`,
        ];
      }),
    ]);
    expect(slack.violations).toEqual([]);
  });

  it("name the workspace of a failure", async () => {
    const installations = [await installationOf(a), await installationOf(b)];
    slack.oauth.revoke(b, "token_revoked");
    const lines = (await runManyChecks(installations)).filter((line) => line.startsWith("FAIL"));
    expect(lines).toEqual([
      `FAIL workspace ${b.workspace.team.id}: the token does not work (token_revoked); install splitwatch there again`,
    ]);
  });

  it("count removed workspaces and ignore their channels", async () => {
    const lines = await runManyChecks([await installationOf(a), storedInstallation(b, null)]);
    expect(lines[0]).toMatch(/^ok splitwatch is installed in 1 workspace and was removed from 1; /);
    expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([]);
  });

  it("report a wrong ENCRYPTION_KEY", async () => {
    const lines = await runManyChecks([await installationOf(a)], "another key, that is long enough too");
    expect(lines).toContainEqual(expect.stringMatching(/^FAIL workspace T0SPLITS: ENCRYPTION_KEY does not decrypt/));
  });

  it("do not renew an expired token", async () => {
    const installation = await installationOf(a);
    slack.faults.add({ method: "auth.test", effect: { kind: "error", code: "token_expired" } });
    expect(await runManyChecks([installation])).toContainEqual(
      expect.stringMatching(/^ok workspace T0SPLITS: the token has expired/),
    );
    expect(slack.calls.filter(({ method }) => method === "oauth.v2.access")).toEqual([]);
  });
});
