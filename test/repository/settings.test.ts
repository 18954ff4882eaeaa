import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { commandLineOf, homeView } from "../../src/chat/slack/home/view.ts";
import { SETTING_NAMES } from "../../src/domain/settings/destination-settings.ts";
import { ALICE } from "../support/builders.ts";
import { type CommandBench, IN_DIRECT_MESSAGE, openCommandBench } from "../support/command-bench.ts";
import { startDiscordPlatform } from "../support/discord-platform-under-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const root = join(import.meta.dirname, "../..");

/** The only files to change for a new setting: its definition, and its texts. */
const FILES_PER_SETTING = ["src/domain/settings/setting-definitions.ts", "src/messages/setting-text.ts"];

/** A setting as its definition and its texts would declare it. */
vi.mock("../../src/domain/settings/setting-definitions.ts", async (importOriginal) => {
  const original = await importOriginal<{ SETTING_DEFINITIONS: object }>();
  const tone = {
    schema: z.enum(["plain", "loud"]),
    initial: "plain",
    option: { kind: "choice", choices: ["plain", "loud"], imported: z.enum(["plain", "loud"], "plain or loud") },
  };
  return { SETTING_DEFINITIONS: { ...original.SETTING_DEFINITIONS, tone } };
});
vi.mock("../../src/messages/setting-text.ts", async (importOriginal) => {
  const original = await importOriginal<{ SETTING_TEXT: object }>();
  const tone = { label: "Tone", summary: "How alerts sound", value: (word: string) => word };
  Object.assign(original.SETTING_TEXT, { tone });
  return original;
});

let bench: CommandBench;

beforeEach(async () => {
  bench = await openCommandBench();
  onTestFinished(() => bench.close());
});

function run(line: string): Promise<string> {
  return bench.runAsText(line, IN_DIRECT_MESSAGE);
}

async function exported(): Promise<string> {
  const { cards } = await bench.run("export", IN_DIRECT_MESSAGE);
  return cards[0]?.files?.[0]?.text ?? "";
}

describe("a setting that is added as one definition and its texts", () => {
  it("is shown, changed, undone and stored by the settings command", async () => {
    expect(await run("settings")).toContain("Tone: plain");
    const changed = await run("settings tone:loud");
    expect(changed).toContain("Tone: plain → loud");
    expect(changed).toContain("(Undo: settings tone:plain)");
    expect(await bench.store.destinationSettings.of(ALICE)).toMatchObject({ tone: "loud" });
    expect(await run("settings tone:sad")).toContain('tone: got "sad", expected one of plain, loud');
  });

  it("is explained by help and completed", async () => {
    expect(await run("help settings")).toContain("tone | How alerts sound. Expects one of plain, loud.");
    const lines = (await bench.commands.complete("settings tone:", IN_DIRECT_MESSAGE)).map(({ line }) => line);
    expect(lines).toEqual(["settings tone:plain", "settings tone:loud"]);
  });

  it("is exported and imported", async () => {
    await run("settings tone:loud");
    const file = await exported();
    expect(JSON.parse(file).settings.tone).toBe("loud");
    await run("settings tone:plain");
    expect(await run(`import ${file}`)).toContain("Settings: tone loud.");
    expect(await run('import {"splitwatch":1,"settings":{"tone":7}}')).toContain(
      "got settings.tone 7, expected plain or loud",
    );
  });

  it("has a typed option on Discord", async () => {
    const { ada, alerts, discord } = await startDiscordPlatform({ commands: bench.commands });
    await waitUntil("the commands are registered", () => discord.commands.length > 0);
    const answer = await ada.slash("/splits settings", { tone: "loud" }, alerts);
    expect(answer.text).toContain("**Tone:** ~~plain~~ → **loud**");
    expect(discord.violations).toEqual([]);
  });

  it("has an input in Slack's home tab", async () => {
    await run("settings tone:loud");
    const home = JSON.stringify(homeView(await bench.screens.home(IN_DIRECT_MESSAGE), [], "s1"));
    expect(home).toContain("*Tone:* loud");
    const id = /"action_id":"([^"]*tone)"/.exec(home)?.[1] ?? "";
    const action = { action_id: id, selected_option: { value: "plain" } };
    expect(commandLineOf(action, { values: {} })).toBe("settings tone:plain");
  });
});

it("enumerates the settings in two files", () => {
  const portable = SETTING_NAMES.filter((name) => !["mutedUntil", "tone"].includes(name));
  const patterns = portable.map((name) => new RegExp(`"${name}"|^\\s*${name}:|[{,] ${name}\\b`, "m"));
  const enumerating = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return patterns.every((pattern) => pattern.test(text));
    });

  expect(portable.length).toBeGreaterThanOrEqual(4);
  expect(enumerating.toSorted()).toEqual(FILES_PER_SETTING);
});
