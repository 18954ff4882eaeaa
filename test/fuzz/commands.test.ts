import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIChatInputApplicationCommandInteraction } from "discord.js";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderAnswer as renderOnDiscord } from "../../src/chat/discord/render.ts";
import { structuredCommandOf } from "../../src/chat/discord/slash-command.ts";
import { renderAnswer as renderOnSlack } from "../../src/chat/slack/alerts/render.ts";
import { commandText } from "../../src/chat/slack/block-kit/mrkdwn.ts";
import { slashCommand } from "../../src/chat/slack/commands/payloads.ts";
import { limitCards } from "../../src/chat/web/body.ts";
import { partialLine, stripPrefix } from "../../src/chat/web/page/protocol.ts";
import { type CommandInput, repeatableLine } from "../../src/commands/command.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { configuredStore } from "../../src/store/index.ts";
import { anyCommandLine, anyTypedOptions } from "../support/any-command.ts";
import { ALICE, aSplit, BOB, GENERAL } from "../support/builders.ts";
import { type CommandBench, IN_DIRECT_MESSAGE, IN_GENERAL, openCommandBench } from "../support/command-bench.ts";
import { fuzz } from "../support/fuzz.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { membersOf } from "../support/pages.ts";

/** Maximum size of an answer as JSON. A picture has at most 100,000 characters. */
const MAX_ANSWER_LENGTH = 300_000;
const STACK = /\n\s+at |node_modules|\.ts:\d/;

let dir: string;
let store: Store;
let bench: CommandBench;

function openStore(): Promise<Store> {
  return configuredStore({ dataDir: dir }).open({ clock: new ManualClock(), log: SILENT_LOG });
}

async function stateOf({ rules, watchlists, destinationSettings, calendars }: Store): Promise<unknown> {
  const people = [ALICE, BOB].map(async (person) => [await watchlists.of(person), await calendars.tokenOf(person)]);
  const rulesHere = [GENERAL, ALICE, BOB].map((destination) => rules.at(destination));
  return [
    await rules.count(),
    await Promise.all(rulesHere),
    await membersOf(destinationSettings.all()),
    await Promise.all(people),
  ];
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "splitwatch-fuzz-"));
  store = await openStore();
  bench = await openCommandBench({ store });
  await bench.seed({
    splits: [aSplit(), aSplit({ ticker: "GLOBX", company: "Globex Foods, Inc.", exchange: "XETRA" })],
  });
  await bench.run("subscribe");
});

afterAll(async () => {
  await bench.close();
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** Runs a command as a platform does and checks the outcome, and what the platform would send. */
async function runAs(platform: "web" | "slack" | "discord", input: CommandInput, direct: boolean): Promise<void> {
  bench.ran.length = 0;
  const answer = await bench.commands.run(input, direct ? IN_DIRECT_MESSAGE : IN_GENERAL);
  expect(bench.ran).toEqual([expect.stringMatching(/ (?:ok|usage)$/)]);
  const line = repeatableLine(input, answer);
  const sent = {
    web: () => limitCards(answer.cards),
    slack: () => renderOnSlack(answer.cards, { kind: "shareable", commandLine: line }, 4),
    discord: () => renderOnDiscord(answer, line),
  }[platform]();
  expect(sent.length).toBeGreaterThan(0);
  const text = JSON.stringify(sent);
  expect(text.length).toBeLessThan(MAX_ANSWER_LENGTH);
  expect(text).not.toMatch(STACK);
}

describe("any text", () => {
  const typed = fc.record({
    platform: fc.constantFrom("web" as const, "slack" as const),
    line: anyCommandLine,
    direct: fc.boolean(),
  });

  it("is answered, on the page and on Slack", async () => {
    await fuzz("command lines", typed, { short: 300, full: 60_000 }, async ({ platform, line, direct }) => {
      const { text } = slashCommand.parse({ text: line, user_id: "U1", channel_id: "C1" });
      await runAs(platform, platform === "web" ? stripPrefix(line) : commandText(text), direct);
    });
    expect((await bench.run("help")).cards).toHaveLength(1);
  });

  it("is completed", async () => {
    await fuzz("completed lines", anyCommandLine, { short: 200, full: 20_000 }, async (line) => {
      const suggestions = await bench.commands.complete(partialLine(line), IN_GENERAL);
      expect(suggestions.length).toBeLessThanOrEqual(30);
      for (const { label } of suggestions) expect(label.length).toBeGreaterThan(0);
    });
  });
});

it("any options of a Discord command are answered and completed", async () => {
  await fuzz("commands with typed options", anyTypedOptions, { short: 300, full: 20_000 }, async (command) => {
    const options = command.options.map(({ name, value }) => ({ type: 3, name, value }));
    const data = { type: 1, id: "1", name: "splits", options: [{ type: 1, name: command.name, options }] };
    const interaction = { data } as unknown as APIChatInputApplicationCommandInteraction;
    await runAs("discord", structuredCommandOf(interaction), false);
    for (const { name, value } of command.options)
      await bench.commands.completeValue({ command: command.name, option: name, text: String(value) }, IN_GENERAL);
  });
  expect((await bench.run("help")).cards).toHaveLength(1);
});

it("leaves a state that is the same after a restart", async () => {
  const before = await stateOf(store);
  await store.close();
  store = await openStore();
  expect(await stateOf(store)).toEqual(before);
  expect(await store.rules.at(GENERAL)).not.toBeNull();
});
