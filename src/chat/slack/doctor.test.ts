import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Slack, startSlack } from "../../../test/platforms/slack/server/server.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { runSlackChecks } from "./doctor.ts";
import { SCOPES } from "./manifest.ts";
import type { SlackApp } from "./settings.ts";
import { channelDestination } from "./workspace.ts";

let slack: Slack;

beforeEach(async () => {
  slack = await startSlack({ channels: ["in", "out", "private"] });
});

afterEach(() => slack.stop());

const oneOf = (botToken: string): SlackApp["access"] => ({ kind: "one", botToken });
const socketOf = (appToken: string): SlackApp["inlet"] => ({ kind: "socket", appToken });

async function examined(app: Partial<SlackApp> = {}, restrictSubscribe = false): Promise<readonly string[]> {
  const { botToken, appToken, apiUrl, workspace } = slack;
  const channels = ["in", "out", "private"].map((name) =>
    channelDestination(workspace.team.id, slack.channel(name).id),
  );
  const observations = await runSlackChecks({
    app: { access: oneOf(botToken), inlet: socketOf(appToken), port: null, apiUrl, ...app },
    restrictSubscribe,
    channels,
    installations: [],
    publicUrl: null,
    log: silentLog,
  });
  return observations.map(({ status, text }) => `${status === "fail" ? "FAIL" : "ok"} ${text}`);
}

describe("what doctor finds of Slack", () => {
  it("is well where all is well", async () => {
    expect(await examined()).toEqual([
      "ok the token is that of the bot splitwatch in the workspace Splits Test",
      "ok the token has every scope that is used",
      "ok commands come by Socket Mode, which can be opened",
      ...["in", "out", "private"].map((name) => `ok channel ${slack.channel(name).id}: alerts can be posted`),
    ]);
    expect(slack.workspace.messages).toEqual([]);
  });

  it("names each channel that the app is not in, and how to invite it", async () => {
    Object.assign(slack.channel("out"), { botIsMember: false });
    Object.assign(slack.channel("private"), { botIsMember: false, kind: "private" });
    const lines = (await examined()).slice(3);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["ok", "FAIL", "FAIL"]);
    expect(lines[1]).toContain("/invite @splitwatch");
    expect(slack.channel("out").botIsMember).toBe(false);
  });

  it("names the scopes that are missing, and what each is for", async () => {
    for (const { name } of SCOPES) slack.scopes.delete(name);
    const lines = await examined();
    for (const { name, why } of SCOPES) expect(lines[1]).toContain(`${name} (${why})`);
    expect(lines[1]).toMatch(/^FAIL .*install the app again$/);
  });

  it("asks who is an admin only where that matters", async () => {
    slack.scopes.delete("users:read");
    expect((await examined())[1]).toMatch(/^ok/);
    expect((await examined({}, true))[1]).toMatch(/^FAIL .*users:read/);
  });

  it.each([
    [() => ({ access: oneOf(slack.appToken), inlet: socketOf(slack.botToken) }), /swapped/],
    [() => ({ access: oneOf(slack.appToken) }), /SLACK_BOT_TOKEN holds an app's token/],
    [() => ({ inlet: socketOf(slack.botToken) }), /SLACK_APP_TOKEN holds a bot's/],
    [() => ({ access: oneOf("xoxb-wrong") }), /SLACK_BOT_TOKEN is refused \(invalid_auth\)/],
    [() => ({ apiUrl: "http://127.0.0.1:1" }), /Slack cannot be asked .*SLACK_API_URL/],
  ])("is one line where nothing can be asked (%#)", async (app, line) => {
    expect(await examined(app())).toEqual([expect.stringMatching(line)]);
  });

  it("tells a refused app token beside what is well", async () => {
    const lines = await examined({ inlet: socketOf("xapp-wrong") });
    expect(lines[2]).toMatch(/^FAIL SLACK_APP_TOKEN is refused \(invalid_auth\); .*connections:write/);
    expect(lines).toHaveLength(6);
  });

  it.each([
    [null, "PORT"],
    [3_000, "SLACK_PORT"],
  ])("says where requests come in over HTTP", async (port, variable) => {
    const lines = await examined({ inlet: { kind: "http", signingSecret: "secret" }, port });
    expect(lines[2]).toBe(`ok commands come as signed requests to /slack/events on ${variable}`);
  });
});
