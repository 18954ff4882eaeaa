import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anInvocation, type RecordedInvocation } from "../../test/support/recorded-invocation.ts";
import { run } from "./run.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-run-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("run", () => {
  it("prints the help", async () => {
    const { code, invocation } = await runIn("help");
    expect(code).toBe(0);
    expect(invocation.printed.join("\n")).toContain("splitwatch [SUBCOMMAND]");
    for (const subcommand of [
      "start",
      "service",
      "doctor",
      "extract [FILE]",
      "read SOURCE FILE…",
      "sources record DIR",
      "keys add NAME",
      "keys list",
      "keys revoke NAME",
      "help",
    ]) {
      expect(invocation.printed.join("\n")).toContain(`\n  ${subcommand} `);
    }
  });

  it("prints only its version", async () => {
    const { code, invocation } = await runIn("--version");
    expect({ code, printed: invocation.printed }).toEqual({
      code: 0,
      printed: [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
    });
  });

  it("prints invalid arguments to standard error and points to the help", async () => {
    const { code, invocation } = await runIn("keys ad");
    expect(code).toBe(2);
    expect(invocation.printed).toEqual([]);
    expect(invocation.problems).toEqual([
      'splitwatch: keys: got "ad", expected add, list or revoke; did you mean add?',
      "Run `splitwatch help` for a list of subcommands.",
    ]);
  });

  it.each(["keys list", "keys add alerts"])("does nothing with an invalid configuration: %s", async (text) => {
    writeFileSync(join(folder, "my.yaml"), "poll: { missingPolls: none }");
    const { code, invocation } = await runIn(text, {
      PORT: "http",
      SLACK_APP_TOKEN: "xapp-hush",
      SPLITWATCH_CONFIG: "my.yaml",
    });
    expect(code).toBe(2);
    expect(invocation.printed).toEqual([]);
    expect(invocation.problems).toEqual([
      'splitwatch: PORT: got "http", expected a port from 0 to 65535, where 0 picks any free port',
      expect.stringMatching(/^splitwatch: SLACK_BOT_TOKEN: got nothing although SLACK_APP_TOKEN is set, expected /),
      'splitwatch: poll.missingPolls: got "none", expected a whole number from 1 to 1000',
    ]);
  });

  it("does not wait for a read-only subcommand after a stop was requested", async () => {
    const invocation = anInvocation(folder);
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await run(["doctor"], invocation)).toBe(143);
  });

  it("rejects with an uncaught error", async () => {
    const invocation = anInvocation(folder);
    invocation.stop({ kind: "error", error: new Error("out of the blue") });
    await expect(run(["doctor"], invocation)).rejects.toThrow("out of the blue");
  });
});

describe("keys", () => {
  it("are created, listed and revoked", async () => {
    const addResult = await runIn("keys add alerts");
    expect(addResult.code).toBe(0);
    expect(addResult.invocation.printed).toEqual([expect.stringMatching(/^sw_[\w-]{40,}$/)]);
    expect(addResult.invocation.problems.join()).toContain("never shown again");

    await runIn("keys add backup");
    expect((await runIn("keys revoke alerts")).code).toBe(0);
    const listResult = await runIn("keys list");
    expect(listResult.code).toBe(0);
    const moment = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(listResult.invocation.printed).toEqual([
      "NAME    CREATED                   STATE",
      expect.stringMatching(new RegExp(`^alerts  ${moment}  revoked ${moment}$`)),
      expect.stringMatching(new RegExp(`^backup  ${moment}  active$`)),
    ]);
    expect(listResult.invocation.printed.join()).not.toContain(addResult.invocation.printed[0]);
  });

  it("are empty without a DATA_DIR, and listing them succeeds", async () => {
    const { code, invocation } = await runIn("keys list");
    expect({ code, printed: invocation.printed }).toEqual({ code: 0, printed: [] });
    expect(invocation.problems.join()).toContain("No API keys");
  });

  it.each(["keys list", "keys add alerts", "keys revoke alerts"])(
    "are invalid configuration if DATA_DIR is a file: %s",
    async (text) => {
      writeFileSync(join(folder, "data"), "");
      const { code, invocation } = await runIn(text);
      expect(code).toBe(2);
      expect(invocation.problems).toEqual([
        expect.stringMatching(/^splitwatch: DATA_DIR: got .*data, expected a folder /),
      ]);
    },
  );

  it.each(["keys list", "rebuild"])("mask a secret in a problem of the state: %s", async (text) => {
    const secret = "hush-hush-hush-hush";
    writeFileSync(join(folder, secret), "");
    const { code, invocation } = await runIn(text, { DATA_DIR: secret, ADMIN_TOKEN: secret });
    expect(code).toBe(2);
    expect(invocation.problems).toEqual([
      expect.stringMatching(/^splitwatch: DATA_DIR: got \/.*\/\*\*\*, expected a folder /),
    ]);
  });

  it.each(["keys revoke nobody", "keys list"])("report problems without a key: %s", async (text) => {
    await runIn("keys add alerts");
    if (text === "keys list") writeFileSync(join(folder, "data", "splitwatch.db"), "no database".repeat(100));
    const { code, invocation } = await runIn(text);
    expect({ code, printed: invocation.printed }).toEqual({ code: 1, printed: [] });
    expect(invocation.problems).toEqual([expect.stringMatching(/^splitwatch: .*(splitwatch\.db is damaged|"nobody")/)]);
  });
});

async function runIn(
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; invocation: RecordedInvocation }> {
  const invocation = anInvocation(folder, env);
  return { code: await run(text.split(" "), invocation), invocation };
}
