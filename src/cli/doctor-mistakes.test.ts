import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord.js";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { faults } from "../../test/platforms/discord/faults.ts";
import { createWorld, type Planted, type World } from "../../test/support/planted-mistakes.ts";
import { emptyDatabase, freshDatabase } from "../../test/support/postgres.ts";
import { runSql, withDatabase } from "../../test/support/postgres-databases.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { SETTINGS_FILES } from "../../test/support/settings-files.ts";
import { doctor } from "./doctor.ts";

type Mistake = readonly [name: string, plant: (world: World) => Planted | Promise<Planted>];

const SECRET = "a-secret-of-16-letters-or-more";
const HEX_SECRET = "0123456789abcdef".repeat(2);
const MANY_WORKSPACES = {
  SLACK_CLIENT_ID: "1.2",
  SLACK_CLIENT_SECRET: HEX_SECRET,
  SLACK_STATE_SECRET: SECRET,
  SLACK_SIGNING_SECRET: HEX_SECRET,
  ENCRYPTION_KEY: SECRET,
};
const ADDRESS_EXPECTED = "an http or https address, such as https://splits.example.com";

/** Answer of a data service with the fields of all requests. */
const SERVICE_DATA = {
  data: [
    { ticker: "ACME", exchange: "NASDAQ", company: "Acme", ratio: "1:20", ex_date: "2026-03-10", date_announced: null },
  ],
  articles: [],
  total_results: 0,
  total_pages: 0,
  page_number: 0,
  page_size: 40,
};

let world: World;

beforeEach(() => {
  world = createWorld(mkdtempSync(join(tmpdir(), "splitwatch-mistakes-")));
});

afterEach(() => rmSync(world.folder, { recursive: true, force: true }));

const FILES: readonly Mistake[] = [
  [
    "SPLITWATCH_CONFIG names a missing file",
    ({ path }) => ({
      env: { SPLITWATCH_CONFIG: "nowhere.yaml" },
      line: `FAIL SPLITWATCH_CONFIG: got "${path("nowhere.yaml")}", expected the path of a YAML file (it doesn't exist)`,
    }),
  ],
  [
    "bad YAML",
    ({ path }) => ({
      yaml: "poll:\n  splits: [",
      line: `FAIL SPLITWATCH_CONFIG: got ${path("my.yaml")}, line 2, expected YAML (Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 12)`,
    }),
  ],
  [
    "a list instead of sections",
    ({ path }) => ({
      yaml: "- poll",
      line: `FAIL SPLITWATCH_CONFIG: got ${path("my.yaml")}, which contains a list, expected sections: lines of 'key: value'`,
    }),
  ],
  ["an unknown key", () => ({ yaml: "telegram: { token: x }", line: "FAIL telegram: unknown key" })],
  [
    "a misspelled key",
    () => ({ yaml: "poll: { splitz: 1 }", line: "FAIL poll.splitz: unknown key; did you mean poll.splits?" }),
  ],
  [
    "a key outside its section",
    () => ({ yaml: "missingPolls: 1", line: "FAIL missingPolls: unknown key; did you mean poll.missingPolls?" }),
  ],
  [
    "a number in quotation marks",
    () => ({
      yaml: "poll: { missingPolls: '3' }",
      line: 'FAIL poll.missingPolls: got "3", expected a whole number from 1 to 1000',
    }),
  ],
  [
    "a key twice",
    ({ path }) => ({
      yaml: "timezone: UTC\ntimezone: UTC\n",
      line: `FAIL SPLITWATCH_CONFIG: got ${path("my.yaml")}, line 2, expected YAML (Map keys must be unique at line 2, column 1)`,
    }),
  ],
  [
    "a feed twice",
    () => ({
      yaml: 'newswires: { feeds: [{ name: a, url: "https://a.example" }, { name: a, url: "https://b.example" }] }',
      line: 'FAIL newswires.feeds: got [{"name":"a","url":"https://a.example"},{"name":"a","url":"https://b.example"}], expected a list of feeds with the keys "name", "url" and optionally "every", such as { name: "issuers", url: "https://…", every: 10m } (the name "a" is used twice)',
    }),
  ],
  [
    "a cron expression with too few fields",
    () => ({
      yaml: "poll: { splits: '* * *' }",
      line: 'FAIL poll.splits: got "* * *", expected a cron expression of 5 or 6 fields, such as "*/5 * * * *" (expected 5 or 6 fields but got 3)',
    }),
  ],
  [
    "a time zone that doesn't exist",
    () => ({
      yaml: "timezone: New York",
      line: 'FAIL timezone: got "New York", expected an IANA time zone, such as America/New_York (did you mean America/New_York?)',
    }),
  ],
  [
    "a data folder that doesn't exist",
    ({ path }) => ({
      yaml: "service: { source: feed }",
      line: `FAIL service.source: got "feed", expected auto, wires, sample or a folder with splits.jsonl and articles.jsonl (the folder ${path("feed")} doesn't exist)`,
    }),
  ],
  [
    "a data folder with an unusable line",
    async ({ path, write }) => {
      await write("splits.jsonl", '{"ticker":"ACME"}\n');
      await write("articles.jsonl", "");
      return {
        yaml: "service: { source: . }",
        line: `warn data service: embedded, with 0 splits and 0 articles in ${path("")}; some lines can't be used: splits.jsonl line 1, ACME: exchange: got nothing, expected an exchange such as NASDAQ; company: got nothing, expected the company's name; ratio: got nothing, expected the ratio of a reverse split such as 1:20; ex_date: got nothing, expected a day as YYYY-MM-DD`,
      };
    },
  ],
  [
    "a part of the roles without a shared store",
    () => ({
      yaml: "roles: [source, poll]",
      line: "FAIL roles: got [source, poll], expected all roles, because only one process can use the files in DATA_DIR; remove the setting, or set DATABASE_URL",
    }),
  ],
  [
    "a .env that can't be read",
    ({ path }) => {
      mkdirSync(path(".env"));
      return { line: `FAIL .env: got ${path(".env")}, expected a readable file (it is a folder)` };
    },
  ],
];

const VARIABLES: readonly Mistake[] = [
  [
    "DISCORD_TOKNE",
    () => ({
      env: { DISCORD_TOKNE: SECRET },
      line: "warn DISCORD_TOKNE: unknown variable; did you mean DISCORD_TOKEN?",
    }),
  ],
  [
    "SPLIT_API_URL in .env",
    async ({ write }) => {
      await write(".env", "SPLIT_API_URL=https://splits.example.com\n");
      return { line: "warn SPLIT_API_URL: unknown variable; did you mean SPLITS_API_URL?" };
    },
  ],
  [
    "an abbreviation, which ignores daylight saving time, as the time zone",
    () => ({
      yaml: "timezone: EST\nservice: { source: sample }",
      line: 'FAIL timezone: got "EST", expected an IANA time zone, such as America/New_York (did you mean America/New_York?)',
    }),
  ],
  [
    "a home folder as ~ in .env",
    async ({ write }) => {
      await write(".env", "DATA_DIR=~/splitwatch\n");
      return {
        line: `FAIL DATA_DIR: got "~/splitwatch", expected the path of a folder, such as ./data ("~" isn't expanded; write ${join(homedir(), "splitwatch")})`,
      };
    },
  ],
  [
    "a colon instead of an equals sign in .env",
    async ({ write }) => {
      await write(".env", "SLACK_BOT_TOKEN: xoxb-1\n");
      return { line: 'warn .env: a line with "SLACK_BOT_TOKEN:" has no effect; write SLACK_BOT_TOKEN=VALUE' };
    },
  ],
  [
    "a later blank value in .env",
    async ({ write }) => {
      await write(".env", "DISCORD_TOKEN=x.y.z\nDISCORD_TOKEN=\n");
      return { line: "warn .env: DISCORD_TOKEN is set 2 times, and the last line counts; remove the others" };
    },
  ],
  [
    "SLACK_TOKEN, beside an app-level token",
    () => ({
      env: { SLACK_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" },
      line: "warn SLACK_TOKEN: unknown variable; did you mean SLACK_BOT_TOKEN?",
      more: [
        "FAIL SLACK_BOT_TOKEN: got nothing although SLACK_APP_TOKEN is set, expected the bot's token (or SLACK_CLIENT_ID for many workspaces)",
      ],
    }),
  ],
  [
    "a file for a variable that isn't a secret",
    () => ({
      env: { SPLITS_API_URL_FILE: "url" },
      line: "warn SPLITS_API_URL_FILE: unknown variable; only secrets can be read from a file, set SPLITS_API_URL",
    }),
  ],
  [
    "a secret file that doesn't exist",
    () => ({
      env: { ADMIN_TOKEN_FILE: "/no/such/file" },
      line: `FAIL ADMIN_TOKEN_FILE: got "/no/such/file", expected the path of a file that contains the secret (it doesn't exist)`,
    }),
  ],
  [
    "a secret and its file",
    () => ({
      env: { ADMIN_TOKEN: SECRET, ADMIN_TOKEN_FILE: "token" },
      line: "FAIL ADMIN_TOKEN_FILE: got a path although ADMIN_TOKEN is set too, expected only one of them",
    }),
  ],
  ...["ADMIN_TOKEN", "ENCRYPTION_KEY", "SLACK_STATE_SECRET"].map(
    (name): Mistake => [
      `a short ${name}`,
      () => ({
        env: { ...MANY_WORKSPACES, [name]: "fifteen-letters" },
        line: `FAIL ${name}: got 15 characters, expected at least 16 characters (openssl rand -base64 24)`,
      }),
    ],
  ),
  [
    "an address for other machines without ADMIN_TOKEN",
    () => ({
      env: { HOST: "0.0.0.0" },
      line: "FAIL ADMIN_TOKEN: got nothing, expected a token, because other machines can reach HOST 0.0.0.0",
    }),
  ],
  [
    "a PUBLIC_URL at which the page refuses to answer",
    () => ({
      env: { PUBLIC_URL: "https://splits.example.com" },
      line: "warn web: the page answers only on this machine, not at https://splits.example.com; set ADMIN_TOKEN to open it there",
    }),
  ],
  [
    "a PUBLIC_URL without a protocol",
    () => ({
      env: { PUBLIC_URL: "splits.example.com" },
      line: `FAIL PUBLIC_URL: got "splits.example.com", expected ${ADDRESS_EXPECTED}`,
    }),
  ],
  [
    "a PORT that is no number",
    () => ({
      env: { PORT: "http" },
      line: 'FAIL PORT: got "http", expected a port from 0 to 65535, where 0 picks any free port',
    }),
  ],
  [
    "a LOG_LEVEL that doesn't exist",
    () => ({
      env: { LOG_LEVEL: "loud" },
      line: 'FAIL LOG_LEVEL: got "loud", expected debug, info, warn, error or silent',
    }),
  ],
  [
    "a contact with a name",
    () => ({
      env: { SPLITWATCH_CONTACT: "Ops <ops@example.com>" },
      line: 'FAIL SPLITWATCH_CONTACT: got "Ops <ops@example.com>", expected a mail address, such as ops@example.com, or an http or https address',
    }),
  ],
];

const PORTS: readonly Mistake[] = [
  [
    "a PORT of another web server",
    async ({ http }) => {
      const address = await http((_, response) => response.end("<h1>It works!</h1>"));
      return {
        env: { PORT: new URL(address).port },
        line: `FAIL running: another program answers at ${address}; stop it or set PORT to a free port`,
      };
    },
  ],
  [
    "a PORT of a program that doesn't speak HTTP",
    async ({ tcp }) => {
      const { port } = new URL(`http://${await tcp("220 mail.example.com ESMTP\r\n")}`);
      return {
        env: { PORT: port },
        line: `FAIL running: http://127.0.0.1:${port} doesn't answer like splitwatch (the answer is not HTTP (HTTPParserError)); check which program uses this port`,
      };
    },
  ],
  [
    "a HOST of another machine",
    () => ({
      env: { HOST: "192.0.2.1", PORT: "8099", ADMIN_TOKEN: SECRET },
      line: "FAIL HOST: 192.0.2.1 is not an address of this machine (tried 192.0.2.1:8099); set HOST to an address of this machine, such as 127.0.0.1",
    }),
  ],
  [
    "a SLACK_PORT of another program",
    async ({ slack, http }) => {
      const { port } = new URL(await http((_, response) => response.end("<h1>It works!</h1>")));
      return {
        env: { ...(await slack()).env("http"), SLACK_PORT: port },
        line: `FAIL slack: SLACK_PORT: 127.0.0.1:${port} is in use by another program; end it, or set SLACK_PORT to a free port (0 picks any)`,
      };
    },
  ],
  [
    "one port for PORT and SLACK_PORT",
    async ({ slack }) => ({
      env: { ...(await slack()).env("http"), PORT: "8099", SLACK_PORT: "8099" },
      line: "FAIL SLACK_PORT: got 8099, which is PORT, expected another port; remove it to serve Slack's paths on PORT",
    }),
  ],
];

const SLACK: readonly Mistake[] = [
  [
    "an app-level token without a bot token",
    () => ({
      env: { SLACK_APP_TOKEN: "xapp-1" },
      line: "FAIL SLACK_BOT_TOKEN: got nothing although SLACK_APP_TOKEN is set, expected the bot's token (or SLACK_CLIENT_ID for many workspaces)",
    }),
  ],
  [
    "a bot token without a transport",
    () => ({
      env: { SLACK_BOT_TOKEN: "xoxb-1" },
      line: "FAIL SLACK_APP_TOKEN: got nothing although SLACK_BOT_TOKEN is set, expected the app's token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP",
    }),
  ],
  [
    "swapped tokens",
    () => ({
      env: { SLACK_BOT_TOKEN: "xapp-1", SLACK_APP_TOKEN: "xoxb-1" },
      line: "FAIL slack: SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: bot tokens begin with xoxb-",
    }),
  ],
  [
    "a user token as bot token",
    () => ({
      env: { SLACK_BOT_TOKEN: "xoxp-1", SLACK_APP_TOKEN: "xapp-1" },
      line: "FAIL slack: SLACK_BOT_TOKEN contains a user token (xoxp-): bot tokens begin with xoxb-",
    }),
  ],
  [
    "a bot token as app-level token",
    () => ({
      env: { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xoxb-1" },
      line: "FAIL slack: SLACK_APP_TOKEN contains a bot token (xoxb-): app-level tokens begin with xapp-",
    }),
  ],
  [
    "a signing secret of another form",
    async ({ slack }) => ({
      env: { ...(await slack()).env("http"), SLACK_SIGNING_SECRET: "my-signing-secret" },
      line: "FAIL slack: SLACK_SIGNING_SECRET: got 17 other characters, expected 32 hexadecimal digits; copy it from Basic Information, App Credentials",
    }),
  ],
  [
    "an app-level token as signing secret",
    async ({ slack }) => ({
      env: { ...(await slack()).env("http"), SLACK_SIGNING_SECRET: "xapp-1" },
      line: "FAIL slack: SLACK_SIGNING_SECRET: got an app-level token (xapp-), expected 32 hexadecimal digits; copy it from Basic Information, App Credentials",
    }),
  ],
  [
    "a token with a space",
    () => ({
      env: { SLACK_BOT_TOKEN: "Bearer xoxb-1", SLACK_APP_TOKEN: "xapp-1" },
      line: "FAIL SLACK_BOT_TOKEN: got an invalid value, expected ASCII characters without spaces",
    }),
  ],
  [
    "a bot token that Slack rejects",
    async ({ slack }) => ({
      env: { ...(await slack()).env("socket"), SLACK_BOT_TOKEN: "xoxb-wrong" },
      line: "FAIL slack: Slack refuses SLACK_BOT_TOKEN (invalid_auth); copy the Bot User OAuth Token (xoxb-...) from OAuth & Permissions",
    }),
  ],
  [
    "an app-level token that Slack rejects",
    async ({ slack }) => ({
      env: { ...(await slack()).env("socket"), SLACK_APP_TOKEN: "xapp-wrong" },
      line: "FAIL slack: Slack refuses SLACK_APP_TOKEN (invalid_auth); create an app-level token (xapp-...) with connections:write under Basic Information",
    }),
  ],
  [
    "an app-level token without its scope",
    async ({ slack }) => {
      const server = await slack();
      server.faults.add({
        method: "apps.connections.open",
        effect: { kind: "error", code: "missing_scope", extra: { needed: "connections:write", provided: "" } },
      });
      return {
        env: server.env("socket"),
        line: "FAIL slack: Slack refuses SLACK_APP_TOKEN (missing_scope (connections:write)); create an app-level token (xapp-...) with connections:write under Basic Information",
      };
    },
  ],
  [
    "a missing scope",
    async ({ slack }) => {
      const server = await slack();
      server.scopes.delete("chat:write");
      return {
        env: server.env("socket"),
        line: /^FAIL slack: the token lacks required scopes: chat:write \(.+\)\. Add them under OAuth & Permissions, then install the app again$/,
      };
    },
  ],
  [
    "a channel without the app",
    async (planted) => {
      const server = await planted.slack();
      Object.assign(server.channel("general"), { botIsMember: false });
      const { id } = server.channel("general");
      await planted.store({ platform: "slack", kind: "channel", id: `${server.workspace.team.id}/${id}` });
      return {
        env: server.env("socket"),
        line: `FAIL slack: channel #general (${id}): splitwatch is not a member, or the channel was deleted; type /invite @splitwatch in the channel, then /splits test`,
      };
    },
  ],
  [
    "an archived channel",
    async (planted) => {
      const server = await planted.slack();
      Object.assign(server.channel("general"), { archived: true });
      const { id } = server.channel("general");
      await planted.store({ platform: "slack", kind: "channel", id: `${server.workspace.team.id}/${id}` });
      return {
        env: server.env("socket"),
        line: `FAIL slack: channel #general (${id}): it is archived; unarchive it in Slack, then type /splits test in the channel`,
      };
    },
  ],
  [
    "a token of another workspace",
    async (planted) => {
      const server = await planted.slack();
      await planted.store({ platform: "slack", kind: "channel", id: "T9OTHER/C1" });
      return {
        env: server.env("socket"),
        line: "FAIL slack: channel T9OTHER/C1: the token is for another workspace; remove the channel's rules or change the token",
      };
    },
  ],
  [
    "an unreachable SLACK_API_URL",
    async ({ slack, unreachable }) => ({
      env: { ...(await slack()).env("socket"), SLACK_API_URL: `http://${await unreachable()}` },
      line: "FAIL slack: Slack can't be reached (no connection (ECONNREFUSED)); check the network and SLACK_API_URL",
    }),
  ],
  [
    "a SLACK_API_URL with a wrong path",
    async ({ slack }) => {
      const server = await slack();
      return {
        env: { ...server.env("socket"), SLACK_API_URL: new URL("/wrong", server.apiUrl).href },
        line: "FAIL slack: Slack can't be reached (status 404 from something other than Slack's API); check the network and SLACK_API_URL",
      };
    },
  ],
  [
    "credentials for one workspace and for many",
    () => ({
      env: { ...MANY_WORKSPACES, SLACK_BOT_TOKEN: "xoxb-1" },
      line: "FAIL SLACK_BOT_TOKEN: got a token although SLACK_CLIENT_ID is set too, expected only one of them: SLACK_BOT_TOKEN for one workspace, SLACK_CLIENT_ID for many",
    }),
  ],
  [
    "many workspaces with a PUBLIC_URL of this machine",
    () => ({
      env: { ...MANY_WORKSPACES, PUBLIC_URL: "http://localhost:8080", ADMIN_TOKEN: SECRET },
      line: "FAIL slack: PUBLIC_URL: got http://localhost:8080, which only this machine can reach, expected a public https address: Slack redirects the browsers of people who install the app there",
    }),
  ],
  [
    "many workspaces with a PUBLIC_URL without TLS",
    () => ({
      env: { ...MANY_WORKSPACES, PUBLIC_URL: "http://splits.example.com", ADMIN_TOKEN: SECRET },
      line: "FAIL slack: PUBLIC_URL: got http://splits.example.com, expected a public https address: Slack redirects the browsers of people who install the app there",
    }),
  ],
  [
    "commands over HTTP with a PUBLIC_URL of this machine",
    async ({ slack }) => ({
      env: { ...(await slack()).env("http"), PUBLIC_URL: "http://127.0.0.1:8080", ADMIN_TOKEN: SECRET },
      line: "warn slack: PUBLIC_URL: got http://127.0.0.1:8080, which only this machine can reach, expected a public https address if it is the one to which Slack sends commands",
    }),
  ],
  [
    "a client secret as client ID",
    () => ({
      env: { ...MANY_WORKSPACES, SLACK_CLIENT_ID: HEX_SECRET },
      line: "FAIL slack: SLACK_CLIENT_ID: got a secret, expected two numbers with a dot between them; copy it from Basic Information, App Credentials",
    }),
  ],
];

const DISCORD: readonly Mistake[] = [
  [
    "a token that Discord rejects",
    async ({ discord }) => ({
      env: { DISCORD_TOKEN: "a.wrong.token", DISCORD_API_URL: (await discord()).apiUrl },
      line: "FAIL discord: Discord rejects DISCORD_TOKEN; if it was reset, copy the bot token from the Developer Portal again and restart splitwatch",
    }),
  ],
  ...(
    [
      ["123456789012345678", "it looks like an application ID; the token is on the page Bot"],
      [HEX_SECRET + HEX_SECRET, "it looks like a public key; the token is on the page Bot"],
      ["A_client-Secret_of-32-Characters", "it looks like a client secret; the token is on the page Bot"],
      ["xoxb-1", "it isn't a bot token, which has three parts with dots between them"],
    ] as const
  ).map(
    ([token, hint]): Mistake => [
      `another value as token: ${hint}`,
      async ({ discord }) => ({
        env: { DISCORD_TOKEN: token, DISCORD_API_URL: (await discord()).apiUrl },
        line: `FAIL discord: Discord rejects DISCORD_TOKEN; if it was reset, copy the bot token from the Developer Portal again and restart splitwatch (${hint})`,
      }),
    ],
  ),
  [
    "an unreachable DISCORD_API_URL",
    async ({ unreachable }) => ({
      env: { DISCORD_TOKEN: "a.b.c", DISCORD_API_URL: `http://${await unreachable()}/api` },
      line: "FAIL discord: Discord can't be reached (no connection (ECONNREFUSED)); check the network and DISCORD_API_URL",
    }),
  ],
  [
    "a DISCORD_API_URL with a wrong path",
    async ({ discord }) => {
      const { token, apiUrl } = await discord();
      const wrong = new URL("/wrong", apiUrl).href;
      return {
        env: { DISCORD_TOKEN: token, DISCORD_API_URL: wrong },
        line: `FAIL discord: DISCORD_API_URL: got ${wrong}, which answers with status 404, expected the REST base address without a version, such as https://discord.com/api`,
      };
    },
  ],
  [
    "a DISCORD_API_URL with a version",
    () => ({
      env: { DISCORD_TOKEN: "a.b.c", DISCORD_API_URL: "https://discord.example.com/api/v10" },
      line: `FAIL DISCORD_API_URL: got "https://discord.example.com/api/v10", expected ${ADDRESS_EXPECTED} (without /v10 at the end, which splitwatch adds)`,
    }),
  ],
  [
    "a DISCORD_API_URL of a web page",
    async ({ http }) => {
      const page = await http((_, response) => response.setHeader("content-type", "text/html").end("<h1>Sign in</h1>"));
      return {
        env: { DISCORD_TOKEN: "a.b.c", DISCORD_API_URL: page },
        line: `FAIL discord: DISCORD_API_URL: got ${page}, which answers with other data than Discord, expected the REST base address without a version, such as https://discord.com/api`,
      };
    },
  ],
  [
    "no connections left today",
    async ({ discord }) => {
      const server = await discord();
      const body = { url: "ws://127.0.0.1", shards: 1, session_start_limit: { total: 1_000, remaining: 0 } };
      server.faults.add(faults.answer({ status: 200, body }), { path: /\/gateway\/bot$/ });
      return {
        env: { DISCORD_TOKEN: server.token, DISCORD_API_URL: server.apiUrl },
        line: "FAIL discord: 0 of 1000 connections left today: wait until tomorrow, and check what restarts the bot repeatedly",
      };
    },
  ],
  ...(
    [
      [
        "a channel that the bot can't see",
        "ViewChannel",
        (id) => `${id}: splitwatch can't see this channel: add it to the server and grant it View Channel here`,
      ],
      [
        "a channel in which the bot can't send",
        "SendMessages",
        (id) => `#alerts (${id}): grant splitwatch Send Messages`,
      ],
      ["missing permissions", "EmbedLinks", (id) => `#alerts (${id}): grant splitwatch Embed Links`],
    ] satisfies readonly (readonly [string, keyof typeof PermissionFlagsBits, (id: string) => string])[]
  ).map(
    ([name, permission, problem]): Mistake => [
      name,
      async (planted) => {
        const server = await planted.discord();
        const guild = server.addGuild("Traders");
        const { id, denied } = server.addChannel(guild, "alerts");
        denied.set(guild.id, PermissionFlagsBits[permission]);
        await planted.store({ platform: "discord", kind: "channel", id: `${guild.id}/${id}` });
        return {
          env: { DISCORD_TOKEN: server.token, DISCORD_API_URL: server.apiUrl },
          line: `FAIL discord: channel ${problem(id)}`,
        };
      },
    ],
  ),
  [
    "a channel that was deleted",
    async (planted) => {
      const server = await planted.discord();
      const guild = server.addGuild("Traders");
      await planted.store({ platform: "discord", kind: "channel", id: `${guild.id}/404` });
      return {
        env: { DISCORD_TOKEN: server.token, DISCORD_API_URL: server.apiUrl },
        line: "FAIL discord: channel 404: the channel no longer exists",
      };
    },
  ],
  [
    "neither platform is configured",
    () => ({
      line: "off  discord: not configured; set DISCORD_TOKEN to connect Discord",
      more: ["off  slack: not configured; set SLACK_BOT_TOKEN and SLACK_APP_TOKEN to connect Slack"],
    }),
  ],
];

const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Parameters<World["http"]>[0] => {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
};
const NOT_A_SERVICE = "check that SPLITS_API_URL is a Reverse Stock Split Data Service";

const DATA_SERVICE: readonly Mistake[] = [
  [
    "an address without a protocol",
    () => ({
      env: { SPLITS_API_URL: "splits.example.com" },
      line: `FAIL SPLITS_API_URL: got "splits.example.com", expected ${ADDRESS_EXPECTED}`,
    }),
  ],
  [
    "an address with the version",
    () => ({
      env: { SPLITS_API_URL: "https://splits.example.com/v1/" },
      line: `FAIL SPLITS_API_URL: got "https://splits.example.com/v1/", expected ${ADDRESS_EXPECTED} (without /v1 at the end, which splitwatch adds)`,
    }),
  ],
  [
    "an address with a password",
    () => ({
      env: { SPLITS_API_URL: "https://bob:hush@splits.example.com" },
      line: `FAIL SPLITS_API_URL: got "https://***@splits.example.com", expected ${ADDRESS_EXPECTED} (without user name and password)`,
    }),
  ],
  [
    "the address of splitwatch itself",
    () => ({
      env: { SPLITS_API_URL: "http://localhost:8080", PORT: "8080" },
      line: 'FAIL SPLITS_API_URL: got "http://localhost:8080", which is the address of splitwatch itself (HOST and PORT), expected that of another data service; remove it to use the embedded one',
    }),
  ],
  [
    "a key without an address",
    () => ({
      env: { SPLITS_API_KEY: SECRET },
      line: "warn SPLITS_API_KEY: not used, because SPLITS_API_URL is not set; set the address of the data service",
    }),
  ],
  [
    "a wrong key",
    async ({ http }) => {
      const url = await http((_, response) => response.writeHead(401).end("Unknown API key"));
      return {
        env: { SPLITS_API_URL: url, SPLITS_API_KEY: SECRET },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits?apiKey=***: got 401 Unauthorized: Unknown API key; expected the key to be accepted: check SPLITS_API_KEY; request a valid key from its operator`,
      };
    },
  ],
  [
    "an unreachable service",
    async ({ unreachable }) => {
      const url = `http://${await unreachable()}`;
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: no connection (ECONNREFUSED); check that it runs and that SPLITS_API_URL is correct`,
      };
    },
  ],
  [
    "a host that doesn't exist",
    () => ({
      env: { SPLITS_API_URL: "http://splits.invalid" },
      line: /^FAIL data service: http:\/\/splits\.invalid: GET http:\/\/splits\.invalid\/v1\/splits: no connection \((?:ENOTFOUND|EAI_AGAIN)\); check that it runs and that SPLITS_API_URL is correct$/,
    }),
  ],
  [
    "https for a service without TLS",
    async ({ http }) => {
      const url = (await http(json(SERVICE_DATA))).replace("http:", "https:");
      return {
        env: { SPLITS_API_URL: url },
        line: /^FAIL data service: .*: it doesn't speak TLS: use http instead of https \(\w+\); check that it runs and that SPLITS_API_URL is correct$/,
      };
    },
  ],
  [
    "http for a service with TLS",
    async ({ https }) => {
      const url = (await https(json(SERVICE_DATA))).replace("https:", "http:");
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: the connection was lost (UND_ERR_SOCKET); check that it runs and that SPLITS_API_URL is correct`,
      };
    },
  ],
  [
    "a certificate that no authority signed",
    async ({ https }) => {
      const url = await https(json(SERVICE_DATA));
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: its certificate isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT); NODE_EXTRA_CA_CERTS can name its authority; check that it runs and that SPLITS_API_URL is correct`,
      };
    },
  ],
  [
    "a redirect to a sign-in page",
    async ({ http }) => {
      const url = await http((_, response) =>
        response.writeHead(302, { location: "https://login.example.com/?next=/" }).end(),
      );
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: it redirects to https://login.example.com; redirects to another origin aren't followed; ${NOT_A_SERVICE}`,
      };
    },
  ],
  [
    "a sign-in page",
    async ({ http }) => {
      const url = await http((_, response) => response.setHeader("content-type", "text/html").end("<h1>Sign in</h1>"));
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: got text/html, <h1>Sign in</h1>; expected complete JSON (16 bytes received); ${NOT_A_SERVICE}`,
      };
    },
  ],
  [
    "a wrong path",
    async ({ http }) => {
      const url = await http((_, response) => response.writeHead(404).end("Not found"));
      return {
        env: { SPLITS_API_URL: `${url}/api` },
        line: `FAIL data service: ${url}/api: GET ${url}/api/v1/splits: got 404 Not Found: Not found; expected 200 with JSON; check SPLITS_API_URL`,
      };
    },
  ],
  [
    "an old service without articles",
    async ({ http }) => {
      const url = await http((request, response) => {
        if (request.url?.startsWith("/v1/splits")) json(SERVICE_DATA)(request, response);
        else response.writeHead(404).end();
      });
      return {
        env: { SPLITS_API_URL: url },
        line: /^FAIL data service: .*: GET .*\/v1\/articles\?.*: got 404 Not Found; expected 200 with JSON; check SPLITS_API_URL$/,
      };
    },
  ],
  [
    "a service that is loading its data",
    async ({ http }) => {
      const url = await http((_, response) => response.writeHead(503, { "retry-after": "10" }).end("Loading"));
      return {
        env: { SPLITS_API_URL: url },
        line: `FAIL data service: ${url}: GET ${url}/v1/splits: got 503 Service Unavailable: Loading; it is still loading data; try again in a minute`,
      };
    },
  ],
  [
    "a service without data",
    async ({ http }) => {
      const url = await http(json({ ...SERVICE_DATA, data: [] }));
      return {
        env: { SPLITS_API_URL: url },
        line: `warn data service: ${url} lists 0 splits: it may still be loading its data, or have none`,
      };
    },
  ],
  [
    "a service with sample data",
    async ({ http }) => {
      const url = await http(json(SERVICE_DATA, { "x-splitwatch-data": "sample" }));
      return {
        env: { SPLITS_API_URL: url },
        line: `warn data service: ${url} lists 1 split; they are sample data (invented companies)`,
      };
    },
  ],
  [
    "a clock that differs from the service's",
    async ({ http }) => {
      const url = await http(json(SERVICE_DATA, { date: new Date(Date.now() - 3_600_000).toUTCString() }));
      return {
        env: { SPLITS_API_URL: url },
        line: /^warn data service: its clock is 3[56]\d\d s behind this machine's; synchronize both clocks \(NTP\)$/,
      };
    },
  ],
];

const FOLDER: readonly Mistake[] = [
  [
    "DATA_DIR is a file",
    async ({ path, write }) => {
      await write("data", "");
      return { line: `FAIL DATA_DIR: got ${path("data")}, which is a file, expected a folder` };
    },
  ],
  [
    "DATA_DIR is in a file",
    async ({ path, write }) => {
      await write("file", "");
      return {
        env: { DATA_DIR: path("file/data") },
        line: `FAIL DATA_DIR: got ${path("file/data")}, although ${path("file")} is a file, expected a folder`,
      };
    },
  ],
  [
    "DATA_DIR is under /proc",
    () => ({
      env: { DATA_DIR: "/proc/data" },
      line: "FAIL DATA_DIR: /proc/data does not exist; create it, or allow splitwatch to write in /proc",
    }),
  ],
  [
    "DATA_DIR can't be written",
    () => ({
      env: { DATA_DIR: "/proc/self" },
      line: /^FAIL DATA_DIR: \/proc\/self cannot be written \(ENOENT: .+\); free space or grant splitwatch \(user \d+\) write permission$/,
      more: [/^warn DATA_DIR: /],
    }),
  ],
  [
    "other users can write in DATA_DIR",
    async ({ path, store }) => {
      await store();
      chmodSync(path("data"), 0o777);
      return {
        line: `warn DATA_DIR: other users can write in ${path("data")} (mode 777); they could replace its files: chmod 700 ${path("data")}`,
      };
    },
  ],
  [
    "a damaged file",
    async ({ path, store }) => {
      await store();
      writeFileSync(path("data/splitwatch.db"), "no database".repeat(100));
      return {
        line: /^FAIL store: .*splitwatch\.db is damaged: it is no database\. No file was changed\. Move the folder /,
      };
    },
  ],
  [
    "a missing file",
    async ({ path, write, store }) => {
      await store();
      await write("data/snapshot.json", "{}");
      rmSync(path("data/splitwatch.db"));
      return {
        line: /^FAIL store: .*splitwatch\.db is missing beside snapshot\.json\. No file was changed\. Move the folder /,
      };
    },
  ],
  [
    "an unreadable snapshot",
    async ({ write, store }) => {
      await store();
      await write("data/snapshot.json", "{");
      return {
        line: /^FAIL store: .*snapshot\.json can't be read \(.*\)\. No file was changed\. Move snapshot\.json away: the next start writes it again /,
      };
    },
  ],
  [
    "the files of an earlier build",
    async ({ write, path }) => {
      mkdirSync(path("data"), { mode: 0o700 });
      await write("data/checkpoint.json", "{}");
      return {
        line: new RegExp(`^FAIL store: ${path("data/checkpoint.json")} was written by an earlier build of splitwatch`),
      };
    },
  ],
];

const database = async (url: string | Promise<string>): Promise<{ DATABASE_URL: string }> => ({
  DATABASE_URL: await url,
});
const serverOf = (url: string): string => new URL(url).host;
const nameOf = (url: string): string => new URL(url).pathname.slice(1);
const changed = (url: string, parts: Partial<URL>): string => Object.assign(new URL(url), parts).href;

const DATABASE: readonly Mistake[] = [
  [
    "an address of another database system",
    async () => ({
      env: await database("mysql://root:hush@127.0.0.1/splits"),
      line: "FAIL DATABASE_URL: got an invalid value, expected a PostgreSQL address, such as postgres://user:password@host:5432/name",
    }),
  ],
  [
    "two passwords",
    async () => ({
      env: await database("postgres://u:hush@127.0.0.1/splits?password=hush"),
      line: "FAIL DATABASE_URL: got an invalid value, expected a PostgreSQL address, such as postgres://user:password@host:5432/name (give the password once: before the @ or as ?password=)",
    }),
  ],
  [
    "a password with a % sign",
    async () => ({
      env: await database("postgres://u:100%hush@127.0.0.1/splits"),
      line: "FAIL DATABASE_URL: got an invalid value, expected a PostgreSQL address, such as postgres://user:password@host:5432/name (write a % sign as %25)",
    }),
  ],
  [
    "an unreachable server",
    async ({ unreachable }) => {
      const server = await unreachable();
      return {
        env: await database(`postgres://u:hush@${server}/splits`),
        line: `FAIL database: no connection to ${server} (connect ECONNREFUSED ${server}); check that PostgreSQL runs there and is reachable`,
      };
    },
  ],
  [
    "a server that isn't PostgreSQL",
    async ({ tcp }) => {
      const server = await tcp("HTTP/1.1 400 Bad Request\r\n\r\n");
      return {
        env: await database(`postgres://u:hush@${server}/splits`),
        line: new RegExp(
          `^FAIL database: no connection to ${server} \\(.+\\); check that PostgreSQL runs there and is reachable$`,
        ),
      };
    },
  ],
  [
    "a wrong password",
    async () => {
      const url = changed(await freshDatabase(), { password: "wrong-password" });
      return {
        env: await database(url),
        line: `FAIL DATABASE_URL: ${serverOf(url)} refused the password of user ${new URL(url).username}; correct the password`,
      };
    },
  ],
  [
    "a database that doesn't exist",
    async () => {
      const url = withDatabase(await freshDatabase(), "nowhere");
      return {
        env: await database(url),
        line: `FAIL DATABASE_URL: ${serverOf(url)} has no database nowhere; create it (createdb nowhere) or correct the name`,
      };
    },
  ],
  [
    "TLS with a server that doesn't offer it",
    async () => {
      const url = `${await freshDatabase()}?sslmode=require`;
      return {
        env: await database(url),
        line: `FAIL DATABASE_URL: ${serverOf(url)} doesn't offer TLS; enable it in PostgreSQL (ssl = on), or remove sslmode`,
      };
    },
  ],
  [
    "a read-only server",
    async () => {
      const url = await freshDatabase();
      await runSql(url, `alter database ${nameOf(url)} set default_transaction_read_only = on`);
      return {
        env: await database(url),
        line: "FAIL DATABASE_URL: the server is read-only; name the primary server",
      };
    },
  ],
  [
    "an old version of PostgreSQL",
    async ({ rewriting }) => {
      const url = await freshDatabase();
      const host = await rewriting(new URL(url), /\b1[5-9]\d{4}(?=\D)/, "140012");
      return {
        env: await database(changed(url, { host })),
        line: "FAIL DATABASE_URL: PostgreSQL 14 is too old; update the server to 15 or newer",
      };
    },
  ],
  [
    "another encoding",
    async () => {
      const url = await emptyDatabase();
      const name = `${nameOf(url)}_latin`;
      await runSql(url, `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
      onTestFinished(async () => {
        await runSql(url, `drop database ${name} with (force)`);
      });
      return {
        env: await database(withDatabase(url, name)),
        line: "FAIL DATABASE_URL: the database has the encoding LATIN1; create it with the encoding UTF8",
      };
    },
  ],
  [
    "migrations of a newer version",
    async () => {
      const url = await freshDatabase();
      await runSql(url, "insert into migrations select '9999-later@0', timestamp from migrations limit 1");
      return {
        env: await database(url),
        line: "FAIL schema: database: written by a newer splitwatch (migration 9999-later); update this one, or use another database",
      };
    },
  ],
  [
    "a user who may not create tables",
    async () => {
      const url = await emptyDatabase();
      const role = `guest_${nameOf(url).slice(-8)}`;
      await runSql(url, `create role ${role} login password 'hush'`, "revoke create on schema public from public");
      onTestFinished(async () => {
        await runSql(url, `drop role ${role}`);
      });
      return {
        env: await database(changed(url, { username: role, password: "hush" })),
        line: `FAIL schema: user ${role} may not create tables in ${nameOf(url)}; make the user the owner of the database`,
      };
    },
  ],
  [
    "another machine without encryption",
    async () => {
      // The name of this machine's address is not a loopback name, as that of a remote server.
      const url = changed(await freshDatabase(), { hostname: "0.0.0.0" });
      return {
        env: await database(url),
        line: `warn database: the connection to ${serverOf(url)} isn't encrypted; add ?sslmode=verify-full to DATABASE_URL`,
      };
    },
  ],
];

describe.each([
  ["the configuration files", FILES],
  ["the variables", VARIABLES],
  ["the ports", PORTS],
  ["Slack", SLACK],
  ["Discord", DISCORD],
  ["the data service", DATA_SERVICE],
  ["the data folder", FOLDER],
  ["the database", DATABASE],
] as const)("doctor names a mistake in %s:", (_, mistakes) => {
  it.each(mistakes)("%s", async (_name, plant) => {
    const { env, yaml, line, more = [] } = await plant(world);
    if (yaml !== undefined) await world.write("my.yaml", yaml);
    const settings = yaml === undefined ? SETTINGS_FILES.sample : "my.yaml";
    const invocation = anInvocation(world.folder, { PORT: "0", SPLITWATCH_CONFIG: settings, ...env });
    const code = await doctor(invocation);
    const { printed } = invocation;
    const named = [line, ...more];
    expect(printed.filter((text) => isLine(text, line))).toHaveLength(1);
    // Nothing else fails or is suspicious.
    const others = printed.filter((text) => /^(?:FAIL|warn)/.test(text) && !named.some((one) => isLine(text, one)));
    expect(others).toEqual([]);
    expect(code).toBe(named.some((one) => /^\/?\^?FAIL/.test(String(one))) ? 1 : 0);
    expect(printed.join("\n")).not.toMatch(/hush|wrong-password/);
    expect(printed.join("\n")).not.toContain(SECRET);
  });
});

function isLine(text: string, line: string | RegExp): boolean {
  return typeof line === "string" ? text === line : line.test(text);
}
