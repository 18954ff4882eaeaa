import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, BOB, GENERAL } from "../../test/support/builders.ts";
import {
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import { EVENT_KINDS } from "../domain/alert/event.ts";
import {
  DEFAULT_CHANNEL_EVENTS,
  DEFAULT_FILTER,
  type Rule,
  type RuleFilter,
  SPLIT_AND_RELEASE_EVENTS,
} from "../domain/settings/rule.ts";
import type { Call } from "./command.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

const FORBIDDEN: Call = {
  person: BOB,
  destination: GENERAL,
  mayManage: async () => "You need the Manage Server permission.",
};

function rulesHere(): Promise<readonly Rule[]> {
  return bench.store.rules.at(GENERAL);
}

describe("subscribe", () => {
  it("without options adds the default rule, describes it and can be undone", async () => {
    expect(await bench.runAsText("subscribe")).toBe(
      [
        "Rule 1 is set for this channel",
        "Alerts when a split is announced, changed, postponed, cancelled, no longer listed, listed again or in effect.",
        "In the last 30 days it would have sent no alerts: no event of that time is known yet.",
        "(Undo: unsubscribe 1)",
        "(Send a test card: test)",
      ].join("\n"),
    );
    expect(await rulesHere()).toEqual([
      {
        ...DEFAULT_FILTER,
        number: 1,
        destination: GENERAL,
        createdBy: ALICE,
        createdAt: bench.clock.now(),
        mention: null,
      },
    ]);
    await bench.run("unsubscribe 1");
    expect(await rulesHere()).toEqual([]);
  });

  const filters: readonly (readonly [string, Record<string, unknown>])[] = [
    ["exchange:NASDAQ,NYSE American", { exchanges: ["NASDAQ", "NYSEAMERICAN"] }],
    ["tickers:ACME,$globx", { tickers: ["ACME", "GLOBX"] }],
    ["exclude:OTC,BAD", { excludeExchanges: ["OTC"], excludeTickers: ["BAD"] }],
    ["events:announced,canceled", { events: ["announced", "cancelled"] }],
    ["events:all", { events: SPLIT_AND_RELEASE_EVENTS }],
    ["events:all,stale", { events: EVENT_KINDS }],
    ["events:default,reminder", { events: [...DEFAULT_CHANNEL_EVENTS, "reminder"] }],
    ["events:article sources:newsfile", { events: ["article"], sources: ["newsfile"] }],
    ["events:early sources:newsfile", { events: ["early"], sources: ["newsfile"] }],
    ["sources:newsfile", { events: [...DEFAULT_CHANNEL_EVENTS, "article"], sources: ["newsfile"] }],
    ["fractional:round_up,cash", { fractional: ["round_up", "cash_in_lieu"] }],
    ["minratio:20", { minRatio: 20 }],
    ["minratio:1-for-20", { minRatio: 20 }],
    ["minratio:1:20", { minRatio: 20 }],
  ];

  it.each(filters)("%s adds a rule with these filters", async (options, parts) => {
    await bench.run(`subscribe ${options}`);
    const [rule] = await rulesHere();
    const { exchanges, tickers, excludeExchanges, excludeTickers, events, sources, fractional, minRatio } =
      rule as Rule;
    const filter: RuleFilter = {
      exchanges,
      tickers,
      excludeExchanges,
      excludeTickers,
      events,
      sources,
      fractional,
      minRatio,
    };
    expect(filter).toEqual({ ...DEFAULT_FILTER, ...parts });
  });

  it("in a direct message adds a rule for the caller", async () => {
    expect(await bench.runAsText("subscribe", IN_DIRECT_MESSAGE)).toContain("Rule 1 is set for you");
    expect((await bench.store.rules.at(ALICE)).map(({ destination }) => destination)).toEqual([ALICE]);
    expect(await rulesHere()).toEqual([]);
  });

  it("doesn't add an equivalent rule with its values in another order", async () => {
    await bench.run("subscribe exchange:NASDAQ,NYSE minratio:20");
    expect(await bench.runAsText("subscribe minratio:1-for-20 nyse nasdaq")).toContain(
      "Rule 1 is already set like this",
    );
    await bench.run("subscribe exchange:NASDAQ minratio:20");
    expect(await rulesHere()).toHaveLength(2);
  });

  it("adds one rule when it is pressed twice", async () => {
    const read = await Promise.all([bench.runAsText("subscribe"), bench.runAsText("subscribe")]);
    expect(read[0]).toContain("Rule 1 is set for this channel");
    expect(read[1]).toContain("Rule 1 is already set like this");
    expect(await rulesHere()).toHaveLength(1);
  });

  it("allows 25 rules per destination", async () => {
    for (let steepness = 2; steepness <= 26; steepness += 1) await bench.run(`subscribe minratio:${steepness}`);
    expect(await bench.runAsText("subscribe minratio:100")).toContain("At most 25 rules can be set for this channel");
    expect(await rulesHere()).toHaveLength(25);
  });

  it.each([
    ["tickers:ACME exclude:ACME", 'exclude: got "ACME", which excludes everything in "tickers".'],
    ["exchange:OTC exclude:OTC", 'exclude: got "OTC", which excludes everything in "exchange".'],
    [
      "events:announced sources:newsfile",
      'sources: applies to press releases only. Add "article" or "early" to "events", or leave out "sources".',
    ],
    ["exchange:NASDQ", "Did you mean NASDAQ?"],
    [
      "exchange:hello world",
      'exchange: got "hello", expected one or more of NASDAQ, NYSE, NYSEAMERICAN, NYSEARCA, CBOE, OTC, TSX, TSXV, CSE.',
    ],
    ['exchange:"hello world"', 'exchange: got "hello world", expected one or more of NASDAQ, NYSE,'],
    ["exchange:XETRA", 'exchange: got "XETRA", expected one or more of NASDAQ, NYSE,'],
  ])("rejects %s with the reason and changes nothing", async (options, problem) => {
    expect(await bench.runAsText(`subscribe ${options}`)).toContain(problem);
    expect(await rulesHere()).toEqual([]);
    expect(bench.ran).toEqual(["subscribe usage"]);
  });

  it("accepts a partial exclusion", async () => {
    await bench.run("subscribe tickers:ACME,GLOBX exclude:ACME");
    expect(await rulesHere()).toHaveLength(1);
  });

  it("reports that the platform has no mentions", async () => {
    const text = await bench.runAsText("subscribe mention:@everyone");
    expect(text).toContain("No rule was set: this mention isn't possible");
    expect(await rulesHere()).toEqual([]);
  });

  it("mentions whom the platform allows the caller to mention", async () => {
    const call: Call = {
      ...IN_GENERAL,
      resolveMention: (text) =>
        Promise.resolve(
          text === "@traders" ? { kind: "allowed", mention: "<@&7>" } : { kind: "refused", reason: "Never everyone." },
        ),
    };
    expect(await bench.runAsText("subscribe mention:@everyone", call)).toContain("Never everyone.");
    expect(await bench.runAsText("subscribe mention:@traders", call)).toContain("mentioning <@&7>.");
    expect((await rulesHere()).map(({ mention }) => mention)).toEqual(["<@&7>"]);
  });
});

describe("subscribe rule:2", () => {
  const onSlack: Call = {
    ...IN_GENERAL,
    resolveMention: (text) =>
      Promise.resolve(
        text === "me" ? { kind: "allowed", mention: "<@U1>" } : { kind: "refused", reason: "Not everyone." },
      ),
  };

  beforeEach(async () => {
    await bench.run("subscribe");
    await bench.run("subscribe exchange:NYSE minratio:8");
  });

  it("replaces the rule, shows the previous one and can be undone", async () => {
    await bench.clock.advance(60_000);
    const text = await bench.runAsText("subscribe rule:2 exchange:NASDAQ", { ...IN_GENERAL, person: BOB });
    expect(text).toContain("Rule 2 was changed for this channel");
    expect(text).toContain("Now: Alerts when a split is announced, changed,");
    expect(text).toMatch(/Now: .*; on Nasdaq\.\nIn the last 30 days .*\nBefore: .*; on NYSE; 1-for-8 or steeper\./);
    expect(text).toContain("(Undo: subscribe rule:2 exchange:NYSE minratio:8)");
    const [first, second] = await rulesHere();
    expect(first).toMatchObject({ number: 1, createdBy: ALICE });
    expect(second).toMatchObject({ number: 2, exchanges: ["NASDAQ"], minRatio: null });
    expect(second).toMatchObject({ createdBy: BOB, createdAt: bench.clock.now() });
    await bench.run("subscribe rule:2 exchange:NYSE minratio:8");
    expect((await rulesHere())[1]).toMatchObject({ exchanges: ["NYSE"], minRatio: 8 });
  });

  it("without options makes it the default rule, unless another rule is equivalent", async () => {
    expect(await bench.runAsText("subscribe rule:2")).toContain(
      "Rule 2 wasn't changed: a second identical rule would have no effect.",
    );
    await bench.run("unsubscribe 1");
    await bench.run("subscribe rule:2");
    expect(await rulesHere()).toMatchObject([{ ...DEFAULT_FILTER, number: 2 }]);
    expect(await bench.runAsText("subscribe rule:2")).toContain("Nothing was changed.");
  });

  it("with an unknown number adds nothing and shows the existing rules", async () => {
    const text = await bench.runAsText("subscribe rule:7 exchange:OTC");
    expect(text).toContain("There is no rule 7 here");
    expect(text).toContain("- Rule 2 |");
    expect(await rulesHere()).toHaveLength(2);
  });

  it("requires the option name: a number alone means something else", async () => {
    expect(await bench.runAsText("subscribe 2")).toContain('Got "2"');
    expect((await rulesHere())[1]).toMatchObject({ exchanges: ["NYSE"] });
  });

  it("is rejected without permission to change the channel's rules", async () => {
    expect(await bench.runAsText("subscribe rule:2", FORBIDDEN)).toContain("You need the Manage Server permission.");
    expect((await rulesHere())[1]).toMatchObject({ exchanges: ["NYSE"] });
  });

  it("keeps the mention only on request, and its author", async () => {
    await bench.run("subscribe rule:2 exchange:NYSE mention:me", onSlack);
    const bobs = { ...onSlack, person: BOB };
    expect(await bench.runAsText("subscribe rule:2 exchange:OTC mention:keep", bobs)).toContain(
      "(Undo: subscribe rule:2 exchange:NYSE mention:keep)",
    );
    expect((await rulesHere())[1]).toMatchObject({ exchanges: ["OTC"], mention: "<@U1>", createdBy: ALICE });
    expect(await bench.runAsText("subscribe rule:2 mention:everyone", bobs)).toContain(
      "Rule 2 was not changed: this mention isn't possible",
    );
    const text = await bench.runAsText("subscribe rule:2 exchange:NASDAQ", bobs);
    expect(text).toContain("This can't be undone with a button because the previous rule had a mention.");
    expect(text).not.toContain("Undo");
    expect((await rulesHere())[1]).toMatchObject({ mention: null, createdBy: BOB });
  });

  it("shows the undo command as text if it doesn't fit into a button", async () => {
    const long = `subscribe rule:2 tickers:${Array.from({ length: 20 }, (_, index) => `TICK${index}`).join(",")}`;
    await bench.run(long);
    expect(await bench.runAsText("subscribe rule:2 exchange:OTC")).toContain(`To undo this: /splits ${long}`);
  });
});

describe("permission to change a channel's rules", () => {
  it.each(["subscribe", "unsubscribe all"])("%s is rejected with the platform's reason", async (line) => {
    await bench.run("subscribe");
    const text = await bench.runAsText(line, FORBIDDEN);
    expect(text).toContain("You need the Manage Server permission.");
    expect(await rulesHere()).toHaveLength(1);
    expect(bench.ran.at(-1)).toMatch(/ usage$/);
  });

  it("is not required in a direct message or to read rules", async () => {
    const direct: Call = { person: BOB, destination: BOB, mayManage: async () => "no" };
    expect(await bench.runAsText("subscribe", direct)).toContain("Rule 1 is set for you");
    await bench.run("subscribe");
    expect(await bench.runAsText("subscriptions", FORBIDDEN)).toContain("This channel has 1 rule");
  });
});

describe("unsubscribe", () => {
  it("without a number removes the only rule and can be undone", async () => {
    await bench.run("subscribe nasdaq");
    const text = await bench.runAsText("unsubscribe");
    expect(text).toContain("Rule 1 was removed");
    expect(text).toContain("(Undo: subscribe exchange:NASDAQ)");
    expect(await rulesHere()).toEqual([]);
  });

  it("without a number asks which of several rules to remove", async () => {
    await bench.run("subscribe");
    await bench.run("subscribe nasdaq");
    const text = await bench.runAsText("unsubscribe");
    expect(text).toContain("Which rule?");
    expect(text).toContain("(Remove rule 2: unsubscribe 2)");
    expect(await rulesHere()).toHaveLength(2);
  });

  it("removes several rules and names unknown numbers", async () => {
    for (const options of ["", "nasdaq", "nyse"]) await bench.run(`subscribe ${options}`);
    const text = await bench.runAsText("unsubscribe 1,3 9");
    expect(text).toContain("Rules 1 and 3 were removed");
    expect(text).toContain("There was no rule 9 here.");
    expect((await rulesHere()).map(({ number }) => number)).toEqual([2]);
  });

  it("removes all rules and shows how to add them again", async () => {
    await bench.run("subscribe");
    await bench.run(
      "subscribe events:all,stale sources:newsfile tickers:ACME exclude:OTC fractional:cash minratio:7.7",
    );
    const text = await bench.runAsText("unsubscribe all");
    expect(text).toContain("To set them again, run each of these:\n/splits subscribe\n");
    const line =
      "subscribe tickers:ACME exclude:OTC events:all,stale sources:newsfile fractional:cash_in_lieu minratio:7.7";
    expect(text).toContain(`\n/splits ${line}`);
    await bench.run(line);
    expect((await rulesHere())[0]).toMatchObject({ minRatio: 7.7, events: EVENT_KINDS, sources: ["newsfile"] });
  });

  it("with an unknown number shows the existing rules", async () => {
    await bench.run("subscribe");
    const text = await bench.runAsText("unsubscribe 7");
    expect(text).toContain("There is no rule 7 here");
    expect(text).toContain("- Rule 1 |");
    expect(await rulesHere()).toHaveLength(1);
  });

  it("reports that there are no rules", async () => {
    expect(await bench.runAsText("unsubscribe all")).toContain("This channel has no rules");
  });

  it("keeps the rules of other destinations", async () => {
    await bench.run("subscribe");
    await bench.run("subscribe", IN_DIRECT_MESSAGE);
    await bench.run("unsubscribe all", IN_DIRECT_MESSAGE);
    expect(await rulesHere()).toHaveLength(1);
  });
});

describe("subscriptions", () => {
  it("describes each rule, with a button to remove it", async () => {
    await bench.run("subscribe nasdaq events:announced");
    expect(await bench.runAsText("subscriptions")).toBe(
      [
        "This channel has 1 rule",
        "- Rule 1: no alerts in the last 30 days | Alerts when a split is announced; on Nasdaq.",
        "(Remove rule 1: unsubscribe 1)",
      ].join("\n"),
    );
  });

  it("reports paused deliveries and how to retry", async () => {
    await bench.run("subscribe");
    await bench.store.pauses.pause(GENERAL, "the bot was removed from the channel", bench.clock.now());
    expect(await bench.runAsText("subscriptions")).toContain(
      "splitwatch tries again with the next alert. Reason: the bot was removed from the channel. To check now: /splits test",
    );
  });

  it("explains how to add a rule if there is none", async () => {
    expect(await bench.runAsText("subscriptions")).toContain("(Set the default rule: subscribe)");
  });
});
