import { describe, expect, it } from "vitest";
import { createEnvironmentReader, type Variables } from "../../config/environment.ts";
import { createRedactor } from "../../lib/redact.ts";
import { slack } from "./index.ts";
import { readSlackSettings, SLACK_VARIABLES, type SlackApp, slackSection } from "./settings.ts";

const KEY = "sixteen letters!";
const MANY = {
  SLACK_CLIENT_ID: "1.2",
  SLACK_CLIENT_SECRET: "hush-client",
  SLACK_STATE_SECRET: "hush-state-secret",
  SLACK_SIGNING_SECRET: "hush-signing",
  ENCRYPTION_KEY: KEY,
};
const ACCESS_OF_MANY = {
  kind: "many",
  clientId: "1.2",
  clientSecret: "hush-client",
  stateSecret: "hush-state-secret",
  encryptionKey: KEY,
} as const;
const TRANSPORT_EXPECTED = "expected the app's token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP";

function read(env: Variables): { readonly app: SlackApp | null; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const reader = createEnvironmentReader(SLACK_VARIABLES, { ...env, SLACK_PORT: "3000" }, { problems, warnings: [] });
  const settings = readSlackSettings(reader, slackSection.parse({}));
  return { app: settings?.app ?? null, problems };
}

/** Returns `MANY` without these variables. */
function without(...names: readonly (keyof typeof MANY)[]): Variables {
  return Object.fromEntries(Object.entries(MANY).filter(([name]) => !names.some((excluded) => excluded === name)));
}

describe("the variables of a Slack app", () => {
  it.each<[Variables, Pick<SlackApp, "access" | "transport">]>([
    [
      { SLACK_BOT_TOKEN: "b", SLACK_APP_TOKEN: "a" },
      { access: { kind: "one", botToken: "b" }, transport: { kind: "socket", appToken: "a" } },
    ],
    [
      { SLACK_BOT_TOKEN: "b", SLACK_SIGNING_SECRET: "s" },
      { access: { kind: "one", botToken: "b" }, transport: { kind: "http", signingSecret: "s" } },
    ],
    [
      { SLACK_BOT_TOKEN: "b", SLACK_APP_TOKEN: "a", SLACK_SIGNING_SECRET: "s", ENCRYPTION_KEY: KEY },
      { access: { kind: "one", botToken: "b" }, transport: { kind: "socket", appToken: "a" } },
    ],
    [MANY, { access: ACCESS_OF_MANY, transport: { kind: "http", signingSecret: "hush-signing" } }],
    [
      { ...MANY, SLACK_APP_TOKEN: "a" },
      { access: ACCESS_OF_MANY, transport: { kind: "socket", appToken: "a" } },
    ],
  ])("configure %j", (env, app) => {
    expect(read(env)).toEqual({ app: { ...app, port: 3_000, apiUrl: null }, problems: [] });
  });

  it.each<[Variables]>([
    [{}],
    [{ SLACK_SIGNING_SECRET: "s" }],
    [{ ENCRYPTION_KEY: KEY }],
    [{ SLACK_SIGNING_SECRET: "s", ENCRYPTION_KEY: KEY }],
  ])("leave Slack disabled for %j", (env) => {
    expect(read(env)).toEqual({ app: null, problems: [] });
  });

  it.each<[string, Variables, readonly string[]]>([
    [
      "the bot token alone",
      { SLACK_BOT_TOKEN: "hush" },
      [`SLACK_APP_TOKEN: got nothing although SLACK_BOT_TOKEN is set, ${TRANSPORT_EXPECTED}`],
    ],
    [
      "the app token alone",
      { SLACK_APP_TOKEN: "hush" },
      [
        "SLACK_BOT_TOKEN: got nothing although SLACK_APP_TOKEN is set, expected the bot's token (or SLACK_CLIENT_ID for many workspaces)",
      ],
    ],
    [
      "the client ID alone",
      { SLACK_CLIENT_ID: "1.2" },
      [
        "SLACK_CLIENT_SECRET: got nothing although SLACK_CLIENT_ID is set, expected the app's client secret",
        "SLACK_STATE_SECRET: got nothing although SLACK_CLIENT_ID is set, expected at least 16 characters (openssl rand -base64 24)",
        "ENCRYPTION_KEY: got nothing although SLACK_CLIENT_ID is set, expected at least 16 characters (openssl rand -base64 24)",
        `SLACK_APP_TOKEN: got nothing although SLACK_CLIENT_ID is set, ${TRANSPORT_EXPECTED}`,
      ],
    ],
    [
      "many workspaces without a transport",
      without("SLACK_SIGNING_SECRET"),
      [`SLACK_APP_TOKEN: got nothing although SLACK_CLIENT_ID is set, ${TRANSPORT_EXPECTED}`],
    ],
    [
      "the client secrets without the client ID",
      without("SLACK_CLIENT_ID"),
      ["SLACK_CLIENT_SECRET", "SLACK_STATE_SECRET"].map(
        (name) =>
          `${name}: got a value although SLACK_CLIENT_ID is not set, expected both for many workspaces, or none`,
      ),
    ],
    [
      "a client secret with the variables of one workspace",
      { SLACK_BOT_TOKEN: "hush", SLACK_APP_TOKEN: "hush", SLACK_CLIENT_SECRET: "hush" },
      [
        "SLACK_CLIENT_SECRET: got a value although SLACK_CLIENT_ID is not set, expected both for many workspaces, or none",
      ],
    ],
    [
      "one workspace and many",
      { ...MANY, SLACK_BOT_TOKEN: "hush" },
      [
        "SLACK_BOT_TOKEN: got a token although SLACK_CLIENT_ID is set too, expected only one of them: SLACK_BOT_TOKEN for one workspace, SLACK_CLIENT_ID for many",
      ],
    ],
    [
      "a state secret that is too short",
      { ...MANY, SLACK_STATE_SECRET: "hush-hush-hush!" },
      ["SLACK_STATE_SECRET: got 15 characters, expected at least 16 characters (openssl rand -base64 24)"],
    ],
    [
      "a key that is too short",
      { ...MANY, ENCRYPTION_KEY: "hush-hush-hush!" },
      ["ENCRYPTION_KEY: got 15 characters, expected at least 16 characters (openssl rand -base64 24)"],
    ],
  ])("report all problems of %s, without secrets", (_, env, problems) => {
    const result = read(env);
    expect(result.problems).toEqual(problems);
    expect(result.problems.join()).not.toMatch(/hush/);
  });
});

describe("the slack section", () => {
  it("has defaults for every key", () => {
    expect(slackSection.parse({})).toEqual({ restrictSubscribe: false, messagesPerMinute: 300 });
  });
});

describe("tokens issued by workspaces", () => {
  const redact = createRedactor([], slack.credentialPattern ? [slack.credentialPattern] : []);

  it.each([
    "xoxb-123-456-AbC",
    "xoxp-1234567890",
    "xoxe.xoxb-1-MS0yLUFiQy0x_yz",
    "xoxe-1-My0xLTQ1Ni0x",
    "xapp-1-A012-345-67ef",
  ])("masks %s", (token) => {
    expect(redact(`{"token":"${token}"} Bearer ${token}`)).toBe('{"token":"***"} Bearer ***');
  });

  it("leaves text about tokens unchanged", () => {
    const text = "a bot's token begins with xoxb-, an app's with xapp-; xoxb- and more";
    expect(redact(text)).toBe(text);
  });
});
