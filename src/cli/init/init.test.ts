import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { parseEnv } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { startDiscord } from "../../../test/platforms/discord/server.ts";
import { startSlack } from "../../../test/platforms/slack/server/server.ts";
import { anInvocation, type RecordedInvocation } from "../../../test/support/recorded-invocation.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { init } from "./init.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Answers of a run without chat platforms: platforms, public address, contact, data, time zone. */
const DEFAULTS = ["", "", "", "", ""];

async function runInit(
  answers: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RecordedInvocation & { readonly code: number }> {
  const invocation = anInvocation(folder, env, [answers.map((line) => `${line}\n`).join("")]);
  return { ...invocation, code: await init(invocation) };
}

const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const written = (): Readonly<Record<string, string | undefined>> => parseEnv(read(".env"));

describe("init with piped answers", () => {
  it("writes both files with the default answers, readable by the owner only", async () => {
    const { code, printed } = await runInit(DEFAULTS);
    expect(code).toBe(EXIT.ok);
    expect({ ...written() }).toEqual({ SPLITWATCH_CONFIG: "config/local.yaml" });
    expect(parse(read("config/local.yaml"))).toEqual({ timezone: "America/New_York", service: { source: "auto" } });
    expect(read("config/local.yaml")).toMatch(/^# Settings that are merged/);
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
    expect(printed).toContain("  1. Run npm start");
  });

  it("checks a Discord token, prints the invite link and never prints the token", async () => {
    const discord = await startDiscord();
    onTestFinished(() => discord.stop());
    const { code, printed, problems } = await runInit(["discord", discord.token, ...DEFAULTS.slice(1)], {
      DISCORD_API_URL: discord.apiUrl,
    });
    expect(code).toBe(EXIT.ok);
    expect(written().DISCORD_TOKEN).toBe(discord.token);
    const output = [...printed, ...problems].join("\n");
    expect(output).toMatch(/ok {3}discord: token OK: bot/);
    expect(output).toMatch(
      / {2}2\. Add the bot to your server: https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+/,
    );
    expect(output).not.toContain(discord.token);
  });

  it("asks again after a rejected token", async () => {
    const discord = await startDiscord();
    onTestFinished(() => discord.stop());
    const { code, printed } = await runInit(["discord", "wrong", "again", discord.token, ...DEFAULTS.slice(1)], {
      DISCORD_API_URL: discord.apiUrl,
    });
    expect(code).toBe(EXIT.ok);
    expect(printed.filter((line) => line.includes("FAIL discord: "))).toHaveLength(1);
    expect(written().DISCORD_TOKEN).toBe(discord.token);
  });

  it.each([
    ["keep", "wrong"],
    ["skip", undefined],
  ])("can %s a value whose check fails", async (action, token) => {
    const discord = await startDiscord();
    onTestFinished(() => discord.stop());
    const { code } = await runInit(["discord", "wrong", action, ...DEFAULTS.slice(1)], {
      DISCORD_API_URL: discord.apiUrl,
    });
    expect(code).toBe(EXIT.ok);
    expect(written().DISCORD_TOKEN).toBe(token);
  });

  it("checks both Slack tokens, rejects swapped ones, and prints the manifest link", async () => {
    const slack = await startSlack();
    onTestFinished(() => slack.stop());
    const { code, printed } = await runInit(
      ["slack", slack.appToken, slack.botToken, slack.appToken, ...DEFAULTS.slice(1)],
      { SLACK_API_URL: slack.apiUrl },
    );
    expect(code).toBe(EXIT.ok);
    const output = printed.join("\n");
    expect(output).toContain("SLACK_BOT_TOKEN: got another value, expected a bot token, which begins with xoxb-");
    expect(output).toContain("ok   slack: the token has all scopes");
    expect(output).toContain("https://api.slack.com/apps?new_app=1&manifest_yaml=display_information");
    expect(output).not.toContain(slack.botToken);
    expect(written()).toMatchObject({ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken });
  });

  it("creates an ADMIN_TOKEN for a public address", async () => {
    const { code, printed } = await runInit(["none", "https://alerts.example.com/", "yes", "", "", ""]);
    expect(code).toBe(EXIT.ok);
    const { ADMIN_TOKEN: token = "", PUBLIC_URL: address } = written();
    expect([address, token.length]).toEqual(["https://alerts.example.com/", 32]);
    expect(printed.join("\n")).not.toContain(token);
  });

  it("states what is wrong with each answer and asks again", async () => {
    const { code, printed } = await runInit([
      "slak",
      "none",
      "alerts",
      "",
      "nobody",
      "ops@example.com",
      "wires?",
      "sample",
      "Nowhere/City",
      "Europe/Berlin",
    ]);
    expect(code).toBe(EXIT.ok);
    expect(printed.filter((line) => line.includes(", expected"))).toEqual([
      '  got "slak", expected slack, discord, all or none; did you mean slack?',
      expect.stringMatching(/^ {2}PUBLIC_URL: got "alerts", expected an http or https address/),
      expect.stringMatching(/^ {2}SPLITWATCH_CONTACT: got "nobody", expected a mail address/),
      '  got "wires?", expected auto, sample or service',
      '  got "Nowhere/City", expected an IANA time zone, such as America/New_York',
    ]);
    expect(parse(read("config/local.yaml"))).toEqual({ timezone: "Europe/Berlin", service: { source: "sample" } });
  });

  it("gives up after three invalid answers to a question, and writes nothing", async () => {
    const { code, problems } = await runInit(["a", "b", "c", "none"]);
    expect(code).toBe(EXIT.usage);
    expect(problems[0]).toMatch(/^splitwatch: init: 3 answers to "Chat platforms .*; nothing was written$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes nothing if the input ends early", async () => {
    const { code, problems } = await runInit(["none", ""]);
    expect(code).toBe(EXIT.usage);
    expect(problems).toEqual(["splitwatch: init: the input ended before the last question; nothing was written"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes nothing after a stop request", async () => {
    const invocation = { ...anInvocation(folder), input: () => new PassThrough() };
    const code = init(invocation);
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await code).toBe(143);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("init with existing files", () => {
  it("keeps their other lines, comments and values", async () => {
    writeFileSync(
      join(folder, ".env"),
      "# mine\r\nPORT=0 # free\r\n#SPLITWATCH_CONTACT=ops@example.com\r\nOTHER='a b'\r\n",
    );
    mkdirSync(join(folder, "config"));
    writeFileSync(
      join(folder, "config/local.yaml"),
      "# ours\npoll:\n  missingPolls: 4 # slow\nservice:\n  # none yet\n",
    );
    expect((await runInit(["none", "", "desk@example.com", "sample", "Asia/Tokyo"])).code).toBe(EXIT.ok);
    expect(read(".env")).toBe(
      "# mine\r\nPORT=0 # free\r\n#SPLITWATCH_CONTACT=ops@example.com\r\nSPLITWATCH_CONTACT=desk@example.com\r\nOTHER='a b'\r\nSPLITWATCH_CONFIG=config/local.yaml\r\n",
    );
    expect(parse(read("config/local.yaml"))).toEqual({
      poll: { missingPolls: 4 },
      service: { source: "sample" },
      timezone: "Asia/Tokyo",
    });
    expect(read("config/local.yaml")).toContain("missingPolls: 4 # slow");
  });

  it("replaces the first line of a .env with a byte order mark", async () => {
    writeFileSync(join(folder, ".env"), "\uFEFFSPLITWATCH_CONTACT=ops@example.com\nPORT=0\n");
    expect((await runInit(["none", "", "desk@example.com", ...DEFAULTS.slice(3)])).code).toBe(EXIT.ok);
    expect(read(".env")).toBe("SPLITWATCH_CONTACT=desk@example.com\nPORT=0\nSPLITWATCH_CONFIG=config/local.yaml\n");
  });

  it("keeps a configured platform unless the user agrees to change it", async () => {
    const discord = await startDiscord();
    onTestFinished(() => discord.stop());
    writeFileSync(join(folder, ".env"), `DISCORD_TOKEN=${discord.token}\nDISCORD_API_URL=${discord.apiUrl}\n`);
    const { code, printed } = await runInit(["", "", ...DEFAULTS.slice(1)]);
    expect(code).toBe(EXIT.ok);
    expect(printed).toContain("Discord is already configured. Change it? (yes or no) [no]:");
    expect(written().DISCORD_TOKEN).toBe(discord.token);
  });

  it("writes to the settings file that SPLITWATCH_CONFIG names", async () => {
    writeFileSync(join(folder, ".env"), "SPLITWATCH_CONFIG=own.yaml\n");
    writeFileSync(join(folder, "own.yaml"), "timezone: Europe/London\n");
    expect((await runInit(DEFAULTS)).code).toBe(EXIT.ok);
    expect(parse(read("own.yaml"))).toEqual({ timezone: "Europe/London", service: { source: "auto" } });
    expect(readdirSync(folder).toSorted()).toEqual([".env", "own.yaml"]);
  });

  it("writes through a symbolic link", async () => {
    writeFileSync(join(folder, "shared.env"), "PORT=0\n");
    symlinkSync(join(folder, "shared.env"), join(folder, ".env"));
    expect((await runInit(DEFAULTS)).code).toBe(EXIT.ok);
    expect(read("shared.env")).toBe("PORT=0\nSPLITWATCH_CONFIG=config/local.yaml\n");
  });

  it("asks nothing for a variable that the process sets", async () => {
    const { code, printed } = await runInit(["none", "", "", ""], { SPLITWATCH_CONTACT: "ops@example.com" });
    expect(code).toBe(EXIT.ok);
    expect(printed).toContain("SPLITWATCH_CONTACT is set outside .env and stays as it is.");
  });
});

/** A terminal whose screen is recorded: what is typed is shown only if the line editor echoes it. */
function aTerminal(env: Readonly<Record<string, string>>): {
  readonly invocation: Invocation;
  readonly type: (answer: string, after: string) => Promise<void>;
  readonly screen: () => string;
} {
  let screen = "";
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const show = (text: string): void => {
    screen += text;
  };
  const output = new Writable({
    write(chunk, _encoding, done) {
      show(String(chunk));
      done();
    },
  });
  const invocation: Invocation = {
    ...anInvocation(folder, env),
    outputIsTerminal: true,
    out: (line) => show(`${line}\n`),
    err: (line) => show(`${line}\n`),
    input: () => input,
    output: () => output,
  };
  return {
    invocation,
    async type(answer, after) {
      await waitUntil(after, () => screen.includes(after));
      input.write(answer);
    },
    screen: () => screen,
  };
}

describe("init on a terminal", () => {
  it("shows visible answers and hides secrets", async () => {
    const discord = await startDiscord();
    onTestFinished(() => discord.stop());
    const { invocation, type, screen } = aTerminal({ DISCORD_API_URL: discord.apiUrl });
    const code = init(invocation);
    await type("discord\r", "Chat platforms");
    await type(`${discord.token}\r`, "Discord bot token:");
    await type("\r", "Public address, such as");
    await type("ops@example.com\r", "Mail address for the SEC");
    await type("sample\r", "Data (");
    await type("\r", "Time zone of");
    expect(await code).toBe(EXIT.ok);
    expect(screen()).toContain("ops@example.com");
    expect(screen()).not.toContain(discord.token);
    expect(written().DISCORD_TOKEN).toBe(discord.token);
  });

  it("writes nothing after Ctrl+C", async () => {
    const { invocation, type, screen } = aTerminal({});
    const code = init(invocation);
    await type("none\r", "Chat platforms");
    await type("\u0003", "Public address, such as");
    expect(await code).toBe(130);
    expect(screen()).toContain("cancelled; nothing was written");
    expect(readdirSync(folder)).toEqual([]);
  });
});
