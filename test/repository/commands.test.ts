import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineCommand } from "../../src/commands/command.ts";
import { ALL_COMMANDS, REGISTERED_COMMANDS } from "../../src/commands/index.ts";
import { card } from "../../src/messages/message.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../support/command-bench.ts";
import { startDiscordPlatform } from "../support/discord-platform-under-test.ts";
import { startSlackPlatform } from "../support/slack-platform-under-test.ts";
import { waitUntil } from "../support/wait-until.ts";
import { jsonOf, startWebPlatform } from "../support/web-platform-under-test.ts";

const root = join(import.meta.dirname, "../..");

/** Code that handles single commands names few of them; a file that names this many enumerates them. */
const MIN_ENUMERATED = 7;

/** A command as its one file would define it. */
const greet = defineCommand({
  name: "greet",
  summary: "Greets a person",
  example: "greet who:Ada loud:on",
  options: {
    who: { kind: "text", required: true, summary: "The person to greet" },
    loud: { kind: "switch", summary: "With an exclamation mark" },
  },
  shareable: true,
  run: ({ who, loud }) => Promise.resolve([card({ title: `Hello ${who}${loud ? "!" : ""}` })]),
});

async function openBench(): Promise<CommandBench> {
  const bench = await openCommandBench({}, [...REGISTERED_COMMANDS, greet]);
  onTestFinished(() => bench.close());
  return bench;
}

describe("a command that is added as one definition", () => {
  it("is listed and explained by help, suggested for a typing error, and counted", async () => {
    const bench = await openBench();
    expect(await bench.runAsText("help")).toContain("Greets a person");
    expect(await bench.runAsText("help greet")).toContain('- loud | With an exclamation mark. Expects "on" or "off".');
    expect(await bench.runAsText("greeet Ada")).toContain("Did you mean greet Ada?");
    expect(await bench.runAsText("greet who:Ada loud:on")).toContain("Hello Ada!");
    expect(bench.ran.at(-1)).toBe("greet ok");
  });

  it("is completed with its options and their values", async () => {
    const { commands } = await openBench();
    const linesAfter = async (typed: string): Promise<readonly string[]> =>
      (await commands.complete(typed, IN_GENERAL)).map(({ line }) => line);
    expect(await linesAfter("gre")).toEqual(["greet "]);
    expect(await linesAfter("greet ")).toEqual(["greet who:", "greet loud:"]);
    expect(await linesAfter("greet loud:o")).toEqual(["greet loud:on", "greet loud:off"]);
  });

  it("is registered on Discord with typed options and run with their values", async () => {
    const { commands } = await openBench();
    const { ada, alerts, discord } = await startDiscordPlatform({ commands });
    await waitUntil("the commands are registered", () => discord.commands.length > 0);
    const answer = await ada.slash("/splits greet", { who: "Ada", loud: "on" }, alerts);
    expect(answer.text).toContain("Hello Ada!");
    expect(discord.violations).toEqual([]);
  });

  it("runs on Slack as text", async () => {
    const { commands, screens, store } = await openBench();
    const { slack } = await startSlackPlatform({ commands, screens, store });
    const answer = await slack.user("ada").answerTo("greet who:Ada loud:on", { channel: "general" });
    expect(answer).toContain("Hello Ada!");
    expect(slack.violations).toEqual([]);
  });

  it("runs on the web page", async () => {
    const { commands } = await openBench();
    const { post } = await startWebPlatform({ ask: (line, call) => commands.run(line, call) });
    const line = "greet who:Ada loud:on";
    const answer = await jsonOf<unknown>(await post("/api/command", { name: "alice", line }));
    expect(JSON.stringify(answer)).toContain("Hello Ada!");
  });
});

describe("a command's name", () => {
  it("is enumerated in the registry only", () => {
    expect(filesNaming(MIN_ENUMERATED)).toEqual(["src/commands/index.ts"]);
  });
});

/** Source files that name at least `min` commands: as a string, or by importing the command's file. */
function filesNaming(min: number): readonly string[] {
  const patterns = ALL_COMMANDS.map(({ name }) => new RegExp(`["'\`/]${name}(?:["'\`]|\\.ts")`));
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return patterns.filter((pattern) => pattern.test(text)).length >= min;
    })
    .toSorted();
}
