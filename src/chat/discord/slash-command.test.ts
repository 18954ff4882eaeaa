import { ApplicationCommandOptionType, InteractionContextType } from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCommandBench } from "../../../test/support/command-bench.ts";
import { choicesOf, commandPayloads, isRegistered } from "./slash-command.ts";

interface Payload {
  readonly name: string;
  readonly description: string;
  readonly type: number;
  readonly contexts?: readonly number[];
  readonly options: readonly Payload[];
  readonly required?: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly { readonly value: string }[];
}

async function payload(): Promise<Payload> {
  const bench = await openCommandBench();
  onTestFinished(() => bench.close());
  const [first] = commandPayloads(bench.commands.list);
  return first as unknown as Payload;
}

async function optionsOf(name: string): Promise<readonly Payload[]> {
  return (await payload()).options.find((subcommand) => subcommand.name === name)?.options ?? [];
}

describe("the registered /splits", () => {
  it("is available in servers, direct messages and private conversations", async () => {
    const { name, contexts } = await payload();
    const { Guild, BotDM, PrivateChannel } = InteractionContextType;
    expect([name, contexts]).toEqual(["splits", [Guild, BotDM, PrivateChannel]]);
  });

  it("has a subcommand per command, with a description within Discord's limit", async () => {
    const { options } = await payload();
    expect(options.map(({ name }) => name)).toEqual(expect.arrayContaining(["list", "subscribe", "test", "help"]));
    for (const { name, description } of [...options, ...options.flatMap((subcommand) => subcommand.options)]) {
      expect(name).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(100);
    }
  });

  it("has typed options with choices, autocompletion and a role picker, without hidden options", async () => {
    const [exchange, when, ...furtherOptions] = await optionsOf("list");
    expect(furtherOptions).toEqual([]);
    expect(exchange).toMatchObject({ type: ApplicationCommandOptionType.String, autocomplete: true, required: false });
    expect(when).toMatchObject({ type: ApplicationCommandOptionType.String, autocomplete: true, max_length: 40 });
    const scope = (await optionsOf("mute")).find(({ name }) => name === "scope");
    expect(scope?.choices?.map(({ value }) => value)).toEqual(["me", "channel"]);
    const [shares, ticker, ratio] = await optionsOf("calc");
    const text = { type: ApplicationCommandOptionType.String };
    expect(shares).toMatchObject({ ...text, name: "shares", required: true });
    expect(ticker).toMatchObject({ ...text, name: "ticker", required: false, autocomplete: true });
    expect(ratio).toMatchObject({ ...text, name: "ratio", required: false });
    expect([shares?.autocomplete, ratio?.autocomplete]).toEqual([undefined, undefined]);
    const [tickers] = await optionsOf("watch");
    expect(tickers).toMatchObject({ name: "tickers", required: true, autocomplete: true });
    const mention = (await optionsOf("subscribe")).find(({ name }) => name === "mention");
    expect(mention?.type).toBe(ApplicationCommandOptionType.Role);
    expect(mention?.description).toBe("Who to mention in each alert: a role");
  });
});

describe("a registered command", () => {
  const expectedCommands = [
    { type: 1, name: "splits", description: "d", contexts: [0, 1], integration_types: [0, 1], options: [] },
  ];

  it("is unchanged if Discord adds IDs, reorders lists and omits defaults", () => {
    const registered = [
      {
        ...expectedCommands[0],
        id: "1",
        version: "2",
        contexts: [1, 0],
        nsfw: false,
        default_member_permissions: null,
      },
    ];
    expect(isRegistered(registered, expectedCommands)).toBe(true);
  });

  it.each([
    { description: "other" },
    { contexts: [0] },
    { options: [{ type: 1, name: "list", description: "d" }] },
    { default_member_permissions: "8" },
  ])("is changed by %o", (change) => {
    expect(isRegistered([{ ...expectedCommands[0], ...change }], expectedCommands)).toBe(false);
  });

  it("is changed by an added or a removed command", () => {
    expect(isRegistered([], expectedCommands)).toBe(false);
    expect(isRegistered([...expectedCommands, { ...expectedCommands[0], name: "more" }], expectedCommands)).toBe(false);
  });
});

describe("completion of an option", () => {
  it("offers the complete value, with a hint", () => {
    expect(choicesOf([{ value: "ACME,BOLT", hint: "no split listed" }])).toEqual({
      choices: [{ name: "ACME, BOLT · no split listed", value: "ACME,BOLT" }],
    });
  });

  it("limits the number and the length of choices to Discord's maximum", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ value: `T${index}`, hint: "x".repeat(200) }));
    const { choices = [] } = choicesOf([{ value: "A".repeat(101), hint: "" }, ...many]);
    expect(choices).toHaveLength(25);
    expect(choices[0]).toMatchObject({ value: "T0" });
    for (const { name } of choices) expect(name.length).toBeLessThanOrEqual(100);
  });
});
