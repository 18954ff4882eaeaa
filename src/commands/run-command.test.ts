import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anyCommandLine } from "../../test/support/any-command.ts";
import { ALICE, aSplit, BOB, GENERAL } from "../../test/support/builders.ts";
import { cardText } from "../../test/support/card-text.ts";
import {
  type CommandBench,
  countingCommands,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import { idleDeliveries } from "../../test/support/deliveries.ts";
import { patternsBeyond } from "../../test/support/pattern-input.ts";
import { commandText } from "../chat/slack/block-kit/mrkdwn.ts";
import { stripPrefix } from "../chat/web/page/protocol.ts";
import { HOUR_MS } from "../domain/time/day.ts";
import type { LogFields } from "../ports/log.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Call } from "./command.ts";
import { createCommands } from "./index.ts";
import { createUsageLimits, MAX_POSTS_PER_HOUR } from "./usage-limits.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit()] });
});
afterEach(() => bench.close());

const NAMES = [
  "list",
  "show",
  "articles",
  "watch",
  "unwatch",
  "watchlist",
  "subscribe",
  "unsubscribe",
  "subscriptions",
  "test",
  "calc",
  "calendar",
  "mute",
  "unmute",
  "settings",
  "export",
  "import",
  "why",
  "status",
  "forget",
  "help",
];

describe("the commands", () => {
  it("are the registered commands and help", () => {
    expect(bench.commands.list.map(({ name }) => name)).toEqual(NAMES);
  });

  it("each have a working example", async () => {
    for (const { example } of bench.commands.list) await bench.run(example);
    expect(bench.ran).toEqual(NAMES.map((name) => `${name} ok`));
  });

  it.each(["article", "lists", "shows", "subscription", "/list", "LIST", "/splits list", "splits  list"])(
    "are also found as %j",
    async (line) => {
      await bench.run(line === "shows" ? "shows ACME" : line);
      expect(bench.ran[0]).toMatch(/ ok$/);
    },
  );
});

describe("without room for data about a new person", () => {
  const NEW: Call = { person: BOB, destination: BOB, mayManage: async () => true, reserveRoom: async () => "No room." };
  const REFUSED = ["watch", "subscribe", "test", "mute", "settings", "import"];

  it("only commands that store data are refused, and none is stored", async () => {
    for (const { example } of bench.commands.list) await bench.run(example, NEW);
    expect(bench.ran).toEqual(NAMES.map((name) => `${name} ${REFUSED.includes(name) ? "usage" : "ok"}`));
    expect(await bench.store.destinations(BOB.platform)).not.toContainEqual(BOB);
  });

  it("the settings are shown, and the calendar is shown without a personal address", async () => {
    expect((await bench.run("settings", NEW)).cards[0]?.tone).not.toBe("bad");
    expect(await bench.runAsText("calendar", NEW)).toMatch(/ex date/);
    expect(await bench.runAsText("calendar address:renew sure:yes", NEW)).toMatch(/No room\./);
    expect(await bench.store.destinations(BOB.platform)).not.toContainEqual(BOB);
  });
});

describe("help", () => {
  it.each(["", "  ", "/splits", "help", "HELP", "?", "-h", "--help"])("answers %j with all commands", async (line) => {
    const { cards } = await bench.run(line);
    expect(cards[0]?.rows).toHaveLength(NAMES.length);
  });

  it("explains one command with its options, without hidden ones", async () => {
    const text = await bench.runAsText("help list");
    expect(text).toContain("Example: /splits list when:week exchange:NASDAQ");
    expect(text).toContain(
      "- when | Which ex dates, or one day such as 2026-11-27; upcoming by default. Expects one of upcoming, all, today, tomorrow, week, or a day as YYYY-MM-DD.",
    );
    expect(text).not.toContain("- page");
    expect(await bench.runAsText("help show")).toContain("- ticker (required) |");
    expect(await bench.runAsText("help command:subscribe")).toContain(
      "In a channel, only people who can manage it can use this command.",
    );
    const muteHelp = await bench.runAsText("help mute");
    expect(muteHelp).toContain("With scope:channel, only people who can manage the channel can use this command.");
    expect(muteHelp).toContain("- for (required) | For how long. Expects a duration such as 90m, 2h, 3d or 1w");
    expect(await bench.runAsText("help status")).toContain("This command has no options.");
  });

  it.each(["list help", "list ?", "list -h", "/splits list --help"])("explains the command of %j", async (line) => {
    expect(await bench.runAsText(line)).toBe(await bench.runAsText("help list"));
  });

  it("isn't meant by a ticker in capitals", async () => {
    expect(await bench.runAsText("show HELP")).toMatch(/^No reverse split of HELP is known/);
  });

  it.each(["import help", "help help"])("is also found as %j", async (line) => {
    expect(await bench.runAsText(line)).toMatch(new RegExp(`^/splits ${line.split(" ")[0]}: `));
  });

  it("suggests a similar command", async () => {
    expect(await bench.runAsText("help unsubscibe")).toContain("(/splits help unsubscribe: help unsubscribe)");
  });
});

describe("an invalid command", () => {
  it.each([
    ["lst", "list"],
    ["lst when:all nyse", "list when:all nyse"],
    ["unsubscibe 2", "unsubscribe 2"],
  ])("%s is answered with a suggestion: %s", async (line, suggestion) => {
    const text = await bench.runAsText(line);
    expect(text).toContain(`Did you mean ${suggestion}?`);
    expect(text).toContain(`(/splits ${suggestion}: ${suggestion})`);
    expect(bench.ran).toEqual(["unknown usage"]);
  });

  it("is answered with the closest commands, each with a button, and help", async () => {
    const { cards } = await bench.run("sub nasdaq");
    expect(cards[0]?.lines[0]).toBe("Did you mean subscribe nasdaq or subscriptions nasdaq?");
    expect(cards[0]?.buttons.map(({ command }) => command)).toEqual([
      "subscribe nasdaq",
      "subscriptions nasdaq",
      "help",
    ]);
  });

  it.each(["portfolio", "xyzzy"])("%s is answered with the list of commands", async (line) => {
    const text = await bench.runAsText(line);
    expect(text).toContain(`Commands: ${NAMES.join(", ")}.`);
    expect(text).not.toContain("Did you mean");
  });

  it("is answered with the valid options and a working example", async () => {
    expect(await bench.runAsText("list exchange:NYSE when:tody")).toBe(
      [
        `Couldn't run "list". Nothing was changed.`,
        'when: got "tody", expected one of upcoming, all, today, tomorrow, week, or a day as YYYY-MM-DD. Did you mean today?',
        "Understood: list with exchange NYSE.",
        "Example: /splits list when:week exchange:NASDAQ",
        "(Help on list: help list)",
      ].join("\n"),
    );
    expect((await bench.run("list when:tody")).cards[0]?.tone).toBe("bad");
  });

  it("reports a limited number of problems", async () => {
    const { cards } = await bench.run(`list ${"foo ".repeat(900)}`);
    expect(cards[0]?.lines).toHaveLength(8);
    expect(cards[0]?.lines).toContain("And 894 more problems.");
  });

  it("is rejected if it is too long, because a truncated ticker would be a different ticker", async () => {
    const before = await bench.state();
    const line = `watch ${"ACME ".repeat(3_000)}`;
    expect(await bench.runAsText(line)).toContain(
      "The command is too long. Nothing was changed.\nIt has 15,006 characters; the maximum is 4,000 characters.",
    );
    expect(await bench.screens.problems(line, ALICE)).toEqual([
      { option: null, text: "It has 15,006 characters; the maximum is 4,000 characters." },
    ]);
    expect(await bench.state()).toBe(before);
  });

  it("is rejected if an option of a form is too long, or all of them together", async () => {
    const tickers = "ACME ".repeat(801);
    const { cards } = await bench.commands.run({ name: "watch", values: { tickers } }, IN_GENERAL);
    expect(cards.map(cardText).join()).toContain('The option "tickers" has 4,005 characters; the maximum is 4,000');
    const [half, third] = ["A,".repeat(2_000), "B,".repeat(500)];
    const values = { tickers: half, exclude: half, sources: third };
    expect(await bench.screens.problems({ name: "subscribe", values }, ALICE)).toEqual([
      { option: null, text: "It has 9,000 characters; the maximum is 8,000 characters." },
    ]);
  });

  it("is read by no pattern beyond the maximum, as are completions, forms and imported texts", async () => {
    const long = "A ".repeat(100_000);
    const words = "ABC,".repeat(30_000);
    const json = `{"splitwatch":1,"watchlist":[${'"ABC",'.repeat(30_000)}"ABC"]}`;
    expect(
      await patternsBeyond(4_000, async () => {
        for (const { name } of bench.commands.list) {
          await bench.run(`${name} ${long}`);
          await bench.commands.complete(`${name} ${long}`, IN_GENERAL);
          await bench.screens.problems(`${name} ${long}`, ALICE);
        }
        await bench.commands.run({ name: "watch", values: { tickers: long } }, IN_GENERAL);
        await bench.commands.completeValue({ command: "watch", option: "tickers", text: long }, IN_GENERAL);
        for (const text of [words, words.replaceAll(",", "\n"), json, long]) await bench.run(`import ${text}`);
        stripPrefix(commandText(long));
      }),
    ).toEqual([]);
  });

  it("isn't a watchlist's worth of tickers, which fit", async () => {
    const tickers = Array.from({ length: 500 }, (_, n) => `A${String(n).padStart(3, "0")}Z`);
    expect(await bench.runAsText(`watch ${tickers.join(", ")}`, IN_DIRECT_MESSAGE)).toMatch(/^You now watch/);
    expect(await bench.store.watchlists.of(ALICE)).toHaveLength(500);
  });

  it.each(["\n", ", "])("isn't a longer list of tickers that is imported, separated by %j", async (separator) => {
    const tickers = Array.from({ length: 40_000 }, (_, n) => `A${n.toString(36).toUpperCase()}`);
    const answer = await bench.runAsText(`/splits import scope:me ${tickers.slice(0, 9_000).join(separator)}`);
    expect(answer).toContain("500");
    expect(bench.ran).toEqual(["import ok"]);
  });
});

describe("a shared answer", () => {
  it.each([
    ["list", true],
    ["/splits SHOW acme", true],
    ["subscriptions", true],
    ["status", true],
    ["articles", true],
    ["why ACME", false],
    ["calc ACME 37", false],
    ["watchlist", false],
    ["", false],
    ["xyzzy", false],
  ])("%j: shareable is %j, as in its private answer", async (line, shareable) => {
    expect((await bench.commands.runPublicly(line, IN_GENERAL)).shareable).toBe(shareable);
    expect((await bench.run(line)).shareable).toBe(shareable);
  });

  it.each(["subscribe exchange:NYSE", "Subscribe", "/splits subscribe", "unsubscribe 1", "watch ACRE", "test"])(
    "is rejected for %s before anything changes",
    async (line) => {
      await bench.run("subscribe events:all");
      const before = await bench.state();
      expect((await bench.commands.runPublicly(line, IN_GENERAL)).shareable).toBe(false);
      expect([await bench.state(), bench.ran]).toEqual([before, ["subscribe ok"]]);
    },
  );

  it("is refused after too many in one channel within an hour, with the reason", async () => {
    for (let n = 0; n < MAX_POSTS_PER_HOUR; n += 1)
      expect((await bench.commands.runPublicly("list", IN_GENERAL)).shareable).toBe(true);
    const refused = await bench.commands.runPublicly("list", IN_GENERAL);
    expect([refused.shareable, refused.isOverLimit]).toEqual([false, true]);
    expect(refused.cards.map(cardText).join("\n")).toContain("20 test cards and shared answers were requested here");
    expect(await bench.runAsText("test")).toContain("The next one is possible in 60 minutes.");
    expect((await bench.commands.runPublicly("list", IN_DIRECT_MESSAGE)).shareable).toBe(true);
    await bench.clock.advance(HOUR_MS);
    expect((await bench.commands.runPublicly("list", IN_GENERAL)).shareable).toBe(true);
  });

  it("is rejected for an invalid command", async () => {
    expect((await bench.commands.runPublicly("list when:tody", IN_GENERAL)).shareable).toBe(false);
  });
});

describe("a valid command", () => {
  it.each(["list", "help", "status", "watchlist", "settings", "mute 2h"])(
    "tries the paused deliveries of its channel and of its caller again: %s",
    async (line) => {
      for (const paused of [GENERAL, ALICE]) await bench.store.pauses.pause(paused, "no permission", bench.clock.now());
      await bench.run(line, IN_GENERAL);
      for (const paused of [GENERAL, ALICE])
        expect(await bench.store.pauses.of(paused)).toMatchObject({ reason: "no permission", refusals: 0 });
    },
  );
});

describe("an internal error", () => {
  it("is logged, counted, and answered without its details", async () => {
    const logEntries: [string, LogFields | undefined][] = [];
    const ran: string[] = [];
    const failingCommands = createCommands({
      store: {
        ...bench.store,
        rules: { ...bench.store.rules, at: () => Promise.reject(new Error("disk /data/x is full")) },
      },
      clock: bench.clock,
      log: { ...SILENT_LOG, error: (event, fields) => logEntries.push([event, fields]) },
      metrics: countingCommands(ran),
      limits: createUsageLimits({ clock: bench.clock }),
      version: "1",
      timezone: "UTC",
      nextDigest: () => null,
      source: {
        id: "s",
        name: "s",
        sample: false,
        notes: () => [],
        problem: () => null,
        releaseText: () => null,
        live: null,
      },
      publicUrl: null,
      writeCalendar: () => "",
      isStale: () => false,
      deliveries: idleDeliveries(bench.store, bench.clock),
      quarantinedDocuments: () => [],
    });
    const { cards, shareable } = await failingCommands.run("subscribe exchange:NASDAQ", IN_GENERAL);
    expect(JSON.stringify(cards)).not.toContain("disk");
    expect([cards[0]?.title, cards[0]?.tone, shareable]).toEqual(["Sorry, something went wrong", "bad", false]);
    expect(logEntries.map(([event, fields]) => [event, fields?.command])).toEqual([["command failed", "subscribe"]]);
    expect(ran).toEqual(["subscribe failed"]);
    expect(await failingCommands.complete("unsubscribe ", IN_GENERAL)).toEqual([]);
  });
});

describe("any text", () => {
  it("changes nothing unless it is valid", async () => {
    await fc.assert(
      fc.asyncProperty(anyCommandLine, async (line) => {
        const before = await bench.state();
        await bench.run(line);
        const changed = (await bench.state()) !== before;
        expect(changed && bench.ran.at(-1)?.endsWith("usage")).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
