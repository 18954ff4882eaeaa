import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { makePipe } from "../../test/support/pipe.ts";
import { readEnvironment, type Variables } from "./environment.ts";
import {
  allVariables,
  type Config,
  ConfigError,
  type ConfigInput,
  hasExternalChat,
  readConfig,
  sourceContact,
} from "./index.ts";

const VARIABLES = allVariables().map(({ name }) => name);
const SECRETS = allVariables().flatMap(({ name, isSecret }) => (isSecret ? [name] : []));

const root = mkdtempSync(join(tmpdir(), "splitwatch-config-"));
let folders = 0;

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("readConfig", () => {
  it("has defaults for everything", () => {
    const folder = aFolder();
    expect(read({ folder })).toEqual({
      timezone: "America/New_York",
      roles: ["source", "poll", "deliver", "chat", "service", "web"],
      poll: { splits: "*/2 * * * *", articles: "*/5 * * * *", missingPolls: 3, shrinkGuard: 0.5 },
      alerts: { firstRun: "silent", expireAfterMs: 24 * 3_600_000 },
      reminders: { cron: "0 9,15 * * 1-5", before: [1, 0] },
      digest: { cron: "0 8 * * 1-5" },
      service: {
        source: { kind: "auto" },
        keepAfterExDate: 7,
        requestsPerMinute: 600,
        articleTexts: { keepMs: 731 * 86_400_000, serve: "full" },
      },
      dataDir: join(folder, "data"),
      host: "127.0.0.1",
      port: 8080,
      proxies: {},
      publicUrl: null,
      adminToken: null,
      splitsApi: null,
      contact: null,
      store: {
        location: join(folder, "data"),
        isShared: false,
        apiKeys: expect.any(Function),
        open: expect.any(Function),
        readState: expect.any(Function),
        restore: expect.any(Function),
        check: expect.any(Function),
      },
      platforms: [{ definition: expect.objectContaining({ name: "web" }), settings: {} }],
      sources: [
        {
          definition: expect.objectContaining({ name: "newswires" }),
          settings: {
            wires: {
              prnewswire: { everyMs: 120_000, daytimeEveryMs: 45_000, feeds: addresses(3) },
              businesswire: { everyMs: 300_000, daytimeEveryMs: 300_000, feeds: addresses(1) },
              globenewswire: { everyMs: 60_000, daytimeEveryMs: 60_000, feeds: addresses(4) },
              accesswire: { everyMs: 600_000, daytimeEveryMs: 300_000, feeds: addresses(2) },
              newsfile: { everyMs: 180_000, daytimeEveryMs: 180_000, feeds: addresses(9) },
            },
            userAgents: { default: "splitwatchBot/{version} (+{contact})" },
            feeds: [],
          },
        },
        {
          definition: expect.objectContaining({ name: "nasdaq" }),
          settings: { everyMs: 120_000, origins: { url: "https://www.nasdaqtrader.com" } },
        },
        {
          definition: expect.objectContaining({ name: "finra" }),
          settings: { everyMs: 600_000, origins: { url: "https://api.finra.org" } },
        },
        {
          definition: expect.objectContaining({ name: "nyse" }),
          settings: { everyMs: 3_600_000, origins: { url: "https://www.nyse.com" } },
        },
        {
          definition: expect.objectContaining({ name: "sec" }),
          settings: {
            everyMs: 120_000,
            origins: { url: "https://www.sec.gov", searchUrl: "https://efts.sec.gov", dataUrl: "https://data.sec.gov" },
          },
        },
        {
          definition: expect.objectContaining({ name: "cse" }),
          settings: {
            everyMs: 3_600_000,
            origins: { url: "https://website-data-api-v2.thecse.com", pageUrl: "https://thecse.com" },
          },
        },
        {
          definition: expect.objectContaining({ name: "tsxv" }),
          settings: { everyMs: 1_800_000, origins: { url: "https://infoventure.tsx.com" } },
        },
        {
          definition: expect.objectContaining({ name: "halts" }),
          settings: { everyMs: 600_000, origins: { url: "https://www.nasdaqtrader.com" } },
        },
        {
          definition: expect.objectContaining({ name: "occ" }),
          settings: { everyMs: null, origins: { url: "https://infomemo.theocc.com" } },
        },
        {
          definition: expect.objectContaining({ name: "symbols" }),
          settings: {
            everyMs: 86_400_000,
            origins: { url: "https://www.nasdaqtrader.com", secUrl: "https://www.sec.gov" },
          },
        },
      ],
      log: { level: "info", format: "json" },
      overlay: null,
      secrets: [],
      credentialPatterns: [expect.any(RegExp)],
      warnings: [],
      usesProxy: false,
    });
  });

  it("returns a deeply frozen object", () => {
    const config = read({ env: { SPLITS_API_URL: "http://localhost:1" } });
    for (const part of [config, config.poll, config.reminders.before, config.service.source, config.splitsApi]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it("reads every variable", () => {
    const folder = aFolder();
    const config = read({
      folder,
      env: {
        SPLITS_API_URL: "https://splits.example.com/base/",
        SPLITS_API_KEY: "the-key",
        SPLITWATCH_CONTACT: "ops@example.com",
        DATA_DIR: "state/here",
        HOST: "[::]",
        PORT: "0",
        PUBLIC_URL: "https://splitwatch.example.com/",
        ADMIN_TOKEN: "the-token-of-the-test",
        LOG_LEVEL: "WARN",
        LOG_FORMAT: "pretty",
      },
    });
    expect(config).toMatchObject({
      splitsApi: { url: "https://splits.example.com/base", key: "the-key" },
      contact: "ops@example.com",
      dataDir: join(folder, "state/here"),
      host: "::",
      port: 0,
      publicUrl: "https://splitwatch.example.com",
      adminToken: "the-token-of-the-test",
      log: { level: "warn", format: "pretty" },
      secrets: ["the-key", "the-token-of-the-test"],
    });
  });

  it.each([
    [true, "pretty"],
    [false, "json"],
  ])("chooses the log format for a terminal (%s)", (terminal, format) => {
    expect(read({ isTerminal: terminal }).log.format).toBe(format);
  });

  it("ignores blank variables", () => {
    expect(read({ env: { PORT: "", HOST: " ", ADMIN_TOKEN: "", SPLITS_API_URL: "" } })).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      adminToken: null,
      splitsApi: null,
    });
  });

  it.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("requires no token if HOST is %s", (host) => {
    expect(read({ env: { HOST: host } }).adminToken).toBeNull();
  });

  it("reads the credentials and addresses of a Slack app", () => {
    const env = {
      SLACK_BOT_TOKEN: "b",
      SLACK_SIGNING_SECRET: "s",
      SLACK_PORT: "3000",
      SLACK_API_URL: "http://[::1]:1/",
    };
    expect(settingsOf("slack", env)).toEqual({
      app: {
        access: { kind: "one", botToken: "b" },
        transport: { kind: "http", signingSecret: "s" },
        port: 3_000,
        apiUrl: "http://[::1]:1",
      },
      restrictSubscribe: false,
      messagesPerMinute: 300,
    });
  });

  it("detects an external chat platform", () => {
    const config = read({ env: { SLACK_BOT_TOKEN: "b", SLACK_APP_TOKEN: "a" } });
    expect(hasExternalChat(config)).toBe(true);
    expect(hasExternalChat(read())).toBe(false);
  });

  it("masks a password that is part of an address on its own, too", () => {
    const config = read({
      env: { ENCRYPTION_KEY: "an-encryption-key", DATABASE_URL: "postgres://u:p%40ss@host/db", PORT: "1" },
    });
    expect(config.secrets.toSorted()).toEqual(["an-encryption-key", "p@ss", "postgres://u:p%40ss@host/db"]);
  });
});

describe("the file that SPLITWATCH_CONFIG names", () => {
  it("is merged over the defaults, key by key", () => {
    const config = readOverlay(`
      poll: { missingPolls: 5, shrinkGuard: 0 }
      alerts: { expireAfter: 1.5h, firstRun: digest }
      reminders: { before: [3] }
      timezone: Europe/Berlin
    `);
    expect(config.poll).toEqual({ splits: "*/2 * * * *", articles: "*/5 * * * *", missingPolls: 5, shrinkGuard: 0 });
    expect(config.alerts).toEqual({ firstRun: "digest", expireAfterMs: 5_400_000 });
    expect(config.reminders).toEqual({ cron: "0 9,15 * * 1-5", before: [3] });
    expect(config.timezone).toBe("Europe/Berlin");
  });

  it.each(["UTC", "utc", "Etc/UTC", "US/Eastern"])("may set the time zone %s", (name) => {
    expect(readOverlay(`timezone: ${name}`).timezone).toBe(name);
  });

  it.each(["", "# nothing but a comment", "poll:\n  # splits: '* * * * *'\n"])("may be empty: %j", (yaml) => {
    expect(readOverlay(yaml).poll.missingPolls).toBe(3);
  });

  it.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["24h", 86_400_000],
    ["3d", 259_200_000],
  ])("accepts the duration %s", (text, ms) => {
    expect(readOverlay(`alerts: { expireAfter: ${text} }`).alerts.expireAfterMs).toBe(ms);
  });

  it("accepts a data folder relative to the working directory", () => {
    const folder = aFolder({ "feed/splits.jsonl": "", "feed/articles.jsonl": "" });
    writeFileSync(join(folder, "my.yaml"), "service: { source: feed }");
    expect(read({ folder, env: { SPLITWATCH_CONFIG: "my.yaml" } })).toMatchObject({
      service: { source: { kind: "folder", path: join(folder, "feed") } },
      overlay: join(folder, "my.yaml"),
    });
  });

  it.each([
    ["poll: { splits: '* * *' }", badCron('poll.splits: got "* * *"', "expected 5 or 6 fields but got 3")],
    ["poll: { articles: 5 }", badCron("poll.articles: got 5")],
    ["digest: { cron: '0 25 * * *' }", badCron('digest.cron: got "0 25 * * *"', "25 is a invalid expression for hour")],
    ["reminders: { cron: }", badCron("reminders.cron: got nothing")],
    ["poll: { missingPolls: 0 }", "poll.missingPolls: got 0, expected a whole number from 1 to 1000"],
    ["poll: { missingPolls: 2.5 }", "poll.missingPolls: got 2.5, expected a whole number from 1 to 1000"],
    ["poll: { missingPolls: '3' }", 'poll.missingPolls: got "3", expected a whole number from 1 to 1000'],
    ["poll: { shrinkGuard: 50 }", "poll.shrinkGuard: got 50, expected a number from 0 to 1"],
    ["poll: { shrinkGuard: .nan }", "poll.shrinkGuard: got NaN, expected a number from 0 to 1"],
    ["poll: 5", "poll: got 5, expected a section: lines of 'key: value' below it"],
    ["poll: [1]", "poll: got [1], expected a section: lines of 'key: value' below it"],
    ["alerts: { firstRun: loud }", 'alerts.firstRun: got "loud", expected silent or digest'],
    ["alerts: { expireAfter: 24 }", `alerts.expireAfter: got 24, ${expectedDuration()}`],
    ["alerts: { expireAfter: 5 weeks }", `alerts.expireAfter: got "5 weeks", ${expectedDuration()}`],
    ["alerts: { expireAfter: 1s }", `alerts.expireAfter: got "1s", ${expectedDuration()}`],
    ["alerts: { expireAfter: 91d }", `alerts.expireAfter: got "91d", ${expectedDuration()}`],
    ["reminders: { before: 1 }", `reminders.before: got 1, ${expectedDays()}`],
    ["reminders: { before: [1, -1] }", `reminders.before: got [1,-1], ${expectedDays()}`],
    ["reminders: { before: [1, 1] }", `reminders.before: got [1,1], ${expectedDays()} (a number is listed twice)`],
    [
      "timezone: New York",
      'timezone: got "New York", expected an IANA time zone, such as America/New_York (did you mean America/New_York?)',
    ],
    ["timezone: PST8PDT", 'timezone: got "PST8PDT", expected an IANA time zone, such as America/New_York'],
    ["slack: { restrictSubscribe: maybe }", 'slack.restrictSubscribe: got "maybe", expected true or false'],
    ["service: { keepAfterExDate: -1 }", "service.keepAfterExDate: got -1, expected a whole number from 0 to 3650"],
    ["poll: { splitz: 1 }", "poll.splitz: unknown key; did you mean poll.splits?"],
    ["missingPolls: 1", "missingPolls: unknown key; did you mean poll.missingPolls?"],
    ["timezon: Europe/Berlin", "timezon: unknown key; did you mean timezone?"],
    ["sources: [nasdaq]", `sources: got ["nasdaq"], expected a section: lines of 'key: value' below it`],
    ["newswires: { wire: 1 }", "newswires.wire: unknown key"],
    ["telegram: { token: hush-hush }", "telegram: unknown key"],
    [
      "newswires: { prnewswire: { every: 1s } }",
      'newswires.prnewswire.every: got "1s", expected a duration from 10s to 1d, such as 90s, 30m, 24h or 3d',
    ],
    [
      "newswires: { newsfile: { feeds: [feeds.example.com] } }",
      `newswires.newsfile.feeds: got ["feeds.example.com"], expected a list of http or https addresses; an empty list disables the wire ("feeds.example.com" isn't an address)`,
    ],
    [
      "newswires: { newsfile: { feed: [] } }",
      "newswires.newsfile.feed: unknown key; did you mean newswires.newsfile.feeds?",
    ],
    [
      'newswires: { userAgents: { rss.example.com: "" } }',
      'newswires.userAgents: got {"default":"splitwatchBot/{version} (+{contact})","rss.example.com":""}, expected hosts with their user agents, such as { www.example.com: splitwatch } (the entry for "rss.example.com" is invalid)',
    ],
    ["newswires: { feeds: 3 }", `newswires.feeds: got 3, ${expectedFeeds()}`],
    [
      "newswires: { feeds: [{ name: x }] }",
      `newswires.feeds: got [{"name":"x"}], ${expectedFeeds()} (feed "x" needs an http or https address under the key "url", got nothing)`,
    ],
    [
      'newswires: { feeds: [{ name: a, url: "http://user:pw@a.example/rss?key=secret" }, { name: a, url: "https://b.example" }] }',
      `newswires.feeds: got [{"name":"a","url":"http://***@a.example/rss?***"},{"name":"a","url":"https://b.…, ${expectedFeeds()} (the name "a" is used twice)`,
    ],
    [
      'newswires: { feeds: [{ name: newsfile, url: "https://a.example" }] }',
      `newswires.feeds: got [{"name":"newsfile","url":"https://a.example"}], ${expectedFeeds()} (the name "newsfile" is reserved for the wire: set the wire's feeds in newswires.newsfile.feeds)`,
    ],
    [
      'newswires: { feeds: [{ name: a, url: "https://a.example" }, { name: a, url: "https://b.example" }] }',
      `newswires.feeds: got [{"name":"a","url":"https://a.example"},{"name":"a","url":"https://b.example"}], ${expectedFeeds()} (the name "a" is used twice)`,
    ],
    ["service: { source: /dev/null/x }", badSource('"/dev/null/x"', "the folder /dev/null/x doesn't exist")],
    ["service: { source: 7 }", badSource("7")],
    [
      "service: { source: /no/such/folder }",
      badSource('"/no/such/folder"', "the folder /no/such/folder doesn't exist"),
    ],
  ])("is rejected for %s", (yaml, problem) => {
    expect(problemsOf(() => readOverlay(yaml))).toEqual([problem]);
  });

  it.each([
    ["[chat, bot]", '["chat","bot"]', ' (unknown role "bot")'],
    ["[poll, poll]", '["poll","poll"]', " (a role is listed twice)"],
    ["[]", "[]", ""],
    ["poll", '"poll"', ""],
  ])("is rejected for the roles %s", (roles, got, reason) => {
    const expected = "a list of different roles, of source, poll, deliver, chat, service and web";
    expect(problemsOf(() => readOverlay(`roles: ${roles}`))).toEqual([
      `roles: got ${got}, expected ${expected}${reason}`,
    ]);
  });

  it("is rejected for a part of the roles if only one process can use the store", () => {
    expect(problemsOf(() => readOverlay("roles: [source, poll]"))).toEqual([
      "roles: got [source, poll], expected all roles, because only one process can use the files in DATA_DIR; remove the setting, or set DATABASE_URL",
    ]);
    expect(readOverlay("roles: [web, service, chat, deliver, poll, source]").roles).toHaveLength(6);
  });

  it("is rejected for roles without work", () => {
    expect(readRoles("roles: [service, source]").roles).toEqual(["service", "source"]);
    expect(readRoles("roles: [chat, web]").roles).toEqual(["chat", "web"]);
    expect(problemsOf(() => readRoles("roles: [chat]"))).toEqual([
      "roles: got [chat], expected a role with work to do: chat needs a chat platform, of which none is configured",
    ]);
    expect(problemsOf(() => readRoles("{ roles: [source], service: { source: sample } }"))[0]).toContain(
      "source needs live sources",
    );
    expect(
      problemsOf(() => readRoles("roles: [source, service]", { SPLITS_API_URL: "https://splits.example.com" }))[0],
    ).toMatch(/source needs live sources .*; service needs the embedded data service, which SPLITS_API_URL replaces$/);
  });

  it("is rejected for a data folder with a missing file", () => {
    const folder = aFolder({ "feed/splits.jsonl": "" });
    writeFileSync(join(folder, "my.yaml"), "service: { source: ./feed }");
    expect(problemsOf(() => read({ folder, env: { SPLITWATCH_CONFIG: "my.yaml" } }))).toEqual([
      badSource('"./feed"', `in ${join(folder, "feed")}, articles.jsonl can't be read`),
    ]);
  });

  it("is rejected with the line if it is not valid YAML", () => {
    const problems = problemsOf(() => readOverlay("poll:\n  splits: '* * *\n"));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^SPLITWATCH_CONFIG: got \/.*\.yaml, line 3, expected YAML \(Missing closing 'quote/);
  });

  it.each([
    ["- poll", "a list"],
    ["poll", "a single value"],
  ])("is rejected with the path of the file if it contains %j", (yaml, content) => {
    const folder = aFolder({ "my.yaml": yaml });
    expect(problemsOf(() => read({ folder, env: { SPLITWATCH_CONFIG: "my.yaml" } }))).toEqual([
      `SPLITWATCH_CONFIG: got ${join(folder, "my.yaml")}, which contains ${content}, expected sections: lines of 'key: value'`,
    ]);
  });

  it.each([
    ["an alias without an anchor", "poll:\n  splits: *hourly\n", "hourly"],
    ["aliases that multiply", aliasBomb(), "Excessive alias count"],
  ])("is rejected with its path for %s", (_, yaml, reason) => {
    const problems = problemsOf(() => readOverlay(yaml));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^SPLITWATCH_CONFIG: got \/.*\.yaml, expected YAML without aliases; a value that begins/,
    );
    expect(problems[0]).toContain(reason);
  });

  it("is rejected for a duplicate key", () => {
    expect(problemsOf(() => readOverlay("timezone: UTC\ntimezone: UTC\n"))[0]).toMatch(
      /line 2, expected YAML \(Map keys must be unique/,
    );
  });

  it.each([
    ["nowhere.yaml", "it doesn't exist"],
    [".", "it is a folder"],
    ["/dev/zero", "it is not a regular file"],
  ])("is rejected if it cannot be read: %s", (name, reason) => {
    const folder = aFolder();
    expect(problemsOf(() => read({ folder, env: { SPLITWATCH_CONFIG: name } }))).toEqual([
      `SPLITWATCH_CONFIG: got "${resolve(folder, name)}", expected the path of a YAML file (${reason})`,
    ]);
  });
});

describe("a pipe or a socket, which could block the start", () => {
  const forms: readonly (readonly [string, (path: string) => unknown])[] = [
    ["a pipe", makePipe],
    ["a socket", listenAt],
  ];
  const kinds = forms.flatMap(([form, make]) => [
    [`${form} as SPLITWATCH_CONFIG`, "settings.yaml", "SPLITWATCH_CONFIG", make] as const,
    [`${form} as ADMIN_TOKEN_FILE`, "token", "ADMIN_TOKEN_FILE", make] as const,
    [`${form} as .env`, ".env", ".env", make] as const,
  ]);

  it.each(kinds)("is rejected immediately: %s", async (_, name, subject, make) => {
    const folder = aFolder();
    await make(join(folder, name));
    const env = name === ".env" ? {} : { [subject]: name };
    expect(problemsOf(() => read({ folder, env }))).toEqual([
      expect.stringMatching(new RegExp(`^${subject}: got .*, expected .* \\(it is not a regular file\\)$`)),
    ]);
  });
});

describe("the environment", () => {
  it.each([
    [{ PORT: "http" }, 'PORT: got "http", expected a port from 0 to 65535, where 0 picks any free port'],
    [{ PORT: "65536" }, 'PORT: got "65536", expected a port from 0 to 65535, where 0 picks any free port'],
    [{ PORT: "-1" }, 'PORT: got "-1", expected a port from 0 to 65535, where 0 picks any free port'],
    [{ HOST: "http://x" }, 'HOST: got "http://x", expected a host name or an IP address, such as 127.0.0.1 or 0.0.0.0'],
    [{ HOST: "0.0.0.0" }, "ADMIN_TOKEN: got nothing, expected a token, because other machines can reach HOST 0.0.0.0"],
    [{ SPLITS_API_URL: "splits.example.com" }, badAddress('SPLITS_API_URL: got "splits.example.com"')],
    [{ SPLITS_API_URL: "ftp://example.com" }, badAddress('SPLITS_API_URL: got "ftp://example.com"')],
    [
      { SPLITS_API_URL: "https://example.com/v1/" },
      badAddress('SPLITS_API_URL: got "https://example.com/v1/"', "without /v1 at the end, which splitwatch adds"),
    ],
    [
      { SPLITS_API_URL: "https://bob:hush@example.com" },
      badAddress('SPLITS_API_URL: got "https://***@example.com"', "without user name and password"),
    ],
    [
      { SPLITS_API_URL: "https://example.com/?apiKey=hush" },
      badAddress('SPLITS_API_URL: got "https://example.com/?***"', "without query and fragment"),
    ],
    [{ SPLITWATCH_CONTACT: "ops at example.com" }, badContact('"ops at example.com"')],
    [{ SPLITWATCH_CONTACT: "Ops <ops@example.com>" }, badContact('"Ops <ops@example.com>"')],
    [{ SPLITWATCH_CONTACT: "bö@example.com" }, badContact('"bö@example.com"')],
    [
      { SPLITWATCH_CONTACT: `${"a".repeat(60)}@${"b.".repeat(100)}com` },
      expect.stringMatching(/^SPLITWATCH_CONTACT: /),
    ],
    [{ SPLITWATCH_CONTACT: "mailto:ops@example.com" }, badContact('"mailto:ops@example.com"')],
    [
      { SPLITWATCH_CONTACT: "https://bob:hush@example.com" },
      badContact('"https://***@example.com"', " (without user name and password)"),
    ],
    [{ PUBLIC_URL: "example.com" }, badAddress('PUBLIC_URL: got "example.com"')],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL: got "loud", expected debug, info, warn, error or silent'],
    [{ LOG_FORMAT: "xml" }, 'LOG_FORMAT: got "xml", expected pretty or json'],
    [
      { ADMIN_TOKEN: "hush hush hush hush" },
      "ADMIN_TOKEN: got an invalid value, expected ASCII characters without spaces",
    ],
    [
      { SLACK_BOT_TOKEN: "hüsh", SLACK_APP_TOKEN: "a" },
      "SLACK_BOT_TOKEN: got an invalid value, expected ASCII characters without spaces",
    ],
    [{ SLACK_PORT: "0" }, 'SLACK_PORT: got "0", expected a port from 1 to 65535'],
    [{ SLACK_API_URL: "slack" }, badAddress('SLACK_API_URL: got "slack"')],
    [{ DISCORD_API_URL: "discord" }, badAddress('DISCORD_API_URL: got "discord"')],
    [
      { DATABASE_URL: "mysql://root:hush@host/db" },
      "DATABASE_URL: got an invalid value, expected a PostgreSQL address, such as postgres://user:password@host:5432/name",
    ],
    ...["ADMIN_TOKEN", "ENCRYPTION_KEY"].map((name): [Variables, string] => [
      { [name]: "hush-hush-hush!" },
      `${name}: got 15 characters, expected at least 16 characters (openssl rand -base64 24)`,
    ]),
    [
      { ADMIN_TOKEN_FILE: "/no/such/file" },
      `ADMIN_TOKEN_FILE: got "/no/such/file", expected the path of a file that contains the secret (it doesn't exist)`,
    ],
    [
      { ADMIN_TOKEN_FILE: "/dev/zero" },
      `ADMIN_TOKEN_FILE: got "/dev/zero", expected the path of a file that contains the secret (it is not a regular file)`,
    ],
    [
      { SPLITS_API_KEY: "hush", SPLITS_API_KEY_FILE: "/a" },
      "SPLITS_API_KEY_FILE: got a path although SPLITS_API_KEY is set too, expected only one of them",
    ],
  ])("is rejected for %j, without showing a secret", (env, problem) => {
    const problems = problemsOf(() => read({ env }));
    expect(problems).toEqual([problem]);
    expect(problems.join()).not.toMatch(/hush|hüsh/);
  });

  it.each(SECRETS)("reads %s from a file, without the final newline", (name) => {
    const secret = name === "DATABASE_URL" ? "postgres://host/db" : "s3cret";
    const folder = aFolder({ secret: `${secret}\n` });
    const problems: string[] = [];
    expect(readEnvironment(allVariables(), { [`${name}_FILE`]: "secret" }, folder, { problems, warnings: [] })).toEqual(
      {
        [name]: secret,
      },
    );
    expect(problems).toEqual([]);
  });

  it("has a contact that is a mail address or a web address", () => {
    expect(read({ env: { SPLITWATCH_CONTACT: "split.ops+bot@mail.example.com" } }).contact).toBe(
      "split.ops+bot@mail.example.com",
    );
    expect(read({ env: { SPLITWATCH_CONTACT: "https://example.com/bots/" } }).contact).toBe("https://example.com/bots");
  });

  it.each([
    [{ SPLITWATCH_CONTACT: "ops@example.com", PUBLIC_URL: "https://split.example" }, "ops@example.com"],
    [{ PUBLIC_URL: "https://split.example" }, "https://split.example"],
    [{}, null],
  ])("states to sources, for %j, the contact %s", (env, contact) => {
    expect(sourceContact(read({ env }))).toBe(contact);
  });

  it("is rejected for an empty secret file", () => {
    const folder = aFolder({ secret: "\n" });
    expect(problemsOf(() => read({ folder, env: { ADMIN_TOKEN_FILE: "secret" } }))).toEqual([
      'ADMIN_TOKEN_FILE: got "secret", expected a file that contains the secret (it is empty)',
    ]);
  });

  it.each([
    ["ADMIN_TOKEN", { HOST: "0.0.0.0" }],
    ["SLACK_BOT_TOKEN", { SLACK_APP_TOKEN: "xapp-1" }],
    ["SLACK_SIGNING_SECRET", { SLACK_BOT_TOKEN: "xoxb-1" }],
    ["DATABASE_URL", {}],
  ])("is rejected for the file of %s alone, although other settings need its content", (name, env) => {
    const folder = aFolder({ empty: "\n" });
    for (const [path, expected] of [
      ["missing", "the path of a file that contains the secret (it doesn't exist)"],
      ["empty", "a file that contains the secret (it is empty)"],
    ])
      expect(problemsOf(() => read({ folder, env: { ...env, [`${name}_FILE`]: path } }))).toEqual([
        `${name}_FILE: got "${path}", expected ${expected}`,
      ]);
  });

  it("includes .env, with lower precedence than the process", () => {
    const folder = aFolder({ ".env": "PORT=1111\nLOG_LEVEL='debug' # loud\nADMIN_TOKEN=from-the-dot-env-file\n" });
    expect(read({ folder, env: { PORT: "2222" } })).toMatchObject({
      port: 2222,
      log: { level: "debug" },
      adminToken: "from-the-dot-env-file",
    });
  });

  it("prefers a secret of the process over either form in .env", () => {
    const folder = aFolder({
      ".env": "ADMIN_TOKEN=from-the-dot-env-file\nSPLITS_API_KEY_FILE=/nowhere\n",
      token: "started-with-a-token",
    });
    const config = read({ folder, env: { ADMIN_TOKEN_FILE: "token", SPLITS_API_KEY: "started-too" } });
    expect(config.secrets).toEqual(["started-too", "started-with-a-token"]);
  });

  it.each([
    ["a byte order mark", "\uFEFFPORT=1111\n", []],
    ["an example that is commented out", "#PORT=8080\nexport PORT=1111\n", []],
    [
      "two lines for one variable",
      "PORT=2222\nPORT=1111\n",
      [".env: PORT is set 2 times, and the last line counts; remove the others"],
    ],
    [
      "a colon instead of an equals sign",
      "PORT=1111\nDISCORD_TOKEN: x\n",
      ['.env: a line with "DISCORD_TOKEN:" has no effect; write DISCORD_TOKEN=VALUE'],
    ],
  ])("reads .env with %s", (_what, text, warnings) => {
    const { port, warnings: found } = read({ folder: aFolder({ ".env": text }), env: {} });
    expect([port, found]).toEqual([1111, warnings]);
  });

  it("reads a secret through a link, as in a mounted volume", () => {
    const folder = aFolder({ "..data/token": "a-secret-of-a-volume\n" });
    symlinkSync(join("..data", "token"), join(folder, "token"));
    expect(read({ folder, env: { ADMIN_TOKEN_FILE: "token" } }).adminToken).toBe("a-secret-of-a-volume");
  });

  it("is rejected if .env cannot be read", () => {
    const folder = aFolder();
    mkdirSync(join(folder, ".env"));
    expect(problemsOf(() => read({ folder }))).toEqual([
      `.env: got ${join(folder, ".env")}, expected a readable file (it is a folder)`,
    ]);
  });
});

describe("problems", () => {
  it("are reported together, from variables and files", () => {
    const folder = aFolder({ "my.yaml": "poll: { splits: never, missingPolls: none }\nclock: 1\n" });
    const env = {
      SPLITWATCH_CONFIG: "my.yaml",
      PORT: "x",
      HOST: "0.0.0.0",
      LOG_LEVEL: "y",
      SPLITS_API_KEY_FILE: "z",
      SLACK_CLIENT_SECRET: "s",
    };
    const names = problemsOf(() => read({ folder, env })).map((problem) => problem.split(":")[0]);
    expect(new Set(names)).toEqual(
      new Set([
        "ADMIN_TOKEN",
        "LOG_LEVEL",
        "PORT",
        "SLACK_CLIENT_SECRET",
        "SPLITS_API_KEY_FILE",
        "clock",
        "poll.missingPolls",
        "poll.splits",
      ]),
    );
  });
});

describe("the files that users copy", () => {
  const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  const defaults = readFileSync(new URL("../../config/default.yaml", import.meta.url), "utf8");

  it("list exactly the existing variables", () => {
    const listed = Object.keys(parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, "")));
    expect(listed.toSorted()).toEqual([...VARIABLES].toSorted());
  });

  it("set nothing", () => {
    expect(parseEnv(example)).toEqual({});
  });

  it("mark every secret", () => {
    const paragraphs = example.split("\n\n");
    for (const name of SECRETS) {
      expect(paragraphs.find((paragraph) => paragraph.includes(`#${name}=`))).toMatch(/secret/i);
    }
  });

  it("have a comment above every setting", () => {
    const lines = defaults.split("\n");
    const keys = lines.flatMap((line, index) => (/^ *[A-Za-z]+: \S/.test(line) ? [index] : []));
    expect(keys).toHaveLength(leavesOf(parse(defaults)).length);
    for (const index of keys) expect(lines[index - 1]).toMatch(/^ *# .+\.$/);
  });

  it("contain the documented keys", () => {
    expect(leavesOf(parse(defaults))).toEqual([
      "timezone",
      "roles",
      "poll.splits",
      "poll.articles",
      "poll.missingPolls",
      "poll.shrinkGuard",
      "alerts.firstRun",
      "alerts.expireAfter",
      "reminders.cron",
      "reminders.before",
      "digest.cron",
      "service.source",
      "service.keepAfterExDate",
      "service.requestsPerMinute",
      "service.articleTexts.keep",
      "service.articleTexts.serve",
      "newswires.userAgents.default",
      "newswires.prnewswire.every",
      "newswires.prnewswire.everyDaytime",
      "newswires.prnewswire.feeds",
      "newswires.businesswire.every",
      "newswires.businesswire.feeds",
      "newswires.globenewswire.every",
      "newswires.globenewswire.feeds",
      "newswires.accesswire.every",
      "newswires.accesswire.everyDaytime",
      "newswires.accesswire.feeds",
      "newswires.newsfile.every",
      "newswires.newsfile.feeds",
      "newswires.feeds",
      "sources.nasdaq.every",
      "sources.nasdaq.url",
      "sources.finra.every",
      "sources.finra.url",
      "sources.nyse.every",
      "sources.nyse.url",
      "sources.sec.every",
      "sources.sec.url",
      "sources.sec.searchUrl",
      "sources.sec.dataUrl",
      "sources.cse.every",
      "sources.cse.url",
      "sources.cse.pageUrl",
      "sources.tsxv.every",
      "sources.tsxv.url",
      "sources.halts.every",
      "sources.halts.url",
      "sources.occ.every",
      "sources.occ.url",
      "sources.symbols.every",
      "sources.symbols.url",
      "sources.symbols.secUrl",
      "slack.restrictSubscribe",
      "slack.messagesPerMinute",
      "webhook.endpoints",
      "webhook.messagesPerMinute",
      "feed.enabled",
      "feed.rules",
    ]);
  });
});

function read(sources: Partial<ConfigInput> = {}): Config {
  return readConfig({ env: {}, folder: sources.folder ?? aFolder(), isTerminal: false, ...sources });
}

/** That many addresses of feeds. */
function addresses(count: number): readonly unknown[] {
  return Array(count).fill(expect.stringMatching(/^https:/));
}

function settingsOf(platform: string, env: ConfigInput["env"]): unknown {
  return read({ env }).platforms.find(({ definition }) => definition.name === platform)?.settings;
}

/** Eight lists, each of which contains the previous one ten times. */
function aliasBomb(): string {
  const lists = Array.from({ length: 8 }, (_, n) => {
    const items = Array.from({ length: 10 }, () => (n === 0 ? "x" : `*l${n - 1}`));
    return `l${n}: &l${n} [${items.join()}]`;
  });
  return lists.join("\n");
}

function readOverlay(yaml: string): Config {
  return read({ folder: aFolder({ "my.yaml": yaml }), env: { SPLITWATCH_CONFIG: "my.yaml" } });
}

/** Settings with a store that several processes can use. */
function readRoles(yaml: string, variables: Readonly<Record<string, string>> = {}): Config {
  return read({
    folder: aFolder({ "my.yaml": yaml }),
    env: { SPLITWATCH_CONFIG: "my.yaml", DATABASE_URL: "postgres://u@127.0.0.1/db", ...variables },
  });
}

function aFolder(files: Readonly<Record<string, string>> = {}): string {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Creates a Unix socket. */
async function listenAt(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolveListening) => server.listen(path, resolveListening));
  onTestFinished(() => void server.close());
}

function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error("nothing was wrong with the configuration");
}

/** Keys with a value, a list or an empty section. */
function leavesOf(settings: unknown, under = ""): string[] {
  return Object.entries(settings as object).flatMap(([key, value]) => {
    const isSection = typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0;
    return isSection ? leavesOf(value, `${under}${key}.`) : [under + key];
  });
}

function withDetail(text: string, detail?: string): string {
  return detail === undefined ? text : `${text} (${detail})`;
}

function badCron(start: string, detail?: string): string {
  return withDetail(`${start}, expected a cron expression of 5 or 6 fields, such as "*/5 * * * *"`, detail);
}

function badSource(got: string, detail?: string): string {
  const start = `service.source: got ${got}, expected auto, wires, sample or a folder with splits.jsonl and articles.jsonl`;
  return withDetail(start, detail);
}

function badContact(got: string, detail = ""): string {
  return `SPLITWATCH_CONTACT: got ${got}, expected a mail address, such as ops@example.com, or an http or https address${detail}`;
}

function badAddress(start: string, detail?: string): string {
  return withDetail(`${start}, expected an http or https address, such as https://splits.example.com`, detail);
}

function expectedDuration(): string {
  return "expected a duration from 1m to 90d, such as 90s, 30m, 24h or 3d";
}

function expectedFeeds(): string {
  return 'expected a list of feeds with the keys "name", "url" and optionally "every", such as { name: "issuers", url: "https://…", every: 10m }';
}

function expectedDays(): string {
  return "expected a list of different whole numbers from 0 to 30, such as [1, 0]";
}
