import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkView } from "../../../../test/platforms/slack/server/view-checks.ts";
import { ViewInputs } from "../../../../test/platforms/slack/users/view-inputs.ts";
import { anyRuleFilter } from "../../../../test/support/any-rule.ts";
import { ALICE } from "../../../../test/support/builders.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../../../../test/support/command-bench.ts";
import { DEFAULT_FILTER, isEquivalentRule, type Rule, type RuleFilter } from "../../../domain/settings/rule.ts";
import { KNOWN_EXCHANGES, parseExchange } from "../../../domain/split/exchange.ts";
import { parseTicker } from "../../../domain/split/ticker.ts";
import type { Modal } from "../block-kit/blocks.ts";
import { type ViewState, viewState } from "./payloads.ts";
import { type FormContext, readSubmission, ruleModal, toFormErrors } from "./rule-modal.ts";

const ORIGIN: FormContext = {
  number: 1,
  channelId: "C1",
  responseUrl: `https://hooks.slack.com/actions/${"x".repeat(200)}`,
  threadTs: null,
  openedAt: Date.parse("2026-03-02T15:00:00Z"),
};

const EXCHANGES = KNOWN_EXCHANGES.flatMap((code) => parseExchange(code) ?? []);

function ruleOf(filter: Partial<RuleFilter>, mention: string | null = null): Rule {
  const { destination, person } = IN_GENERAL;
  return {
    ...DEFAULT_FILTER,
    ...filter,
    number: 1,
    destination: destination,
    createdBy: person,
    createdAt: 0,
    mention,
  };
}

function modalOf(rule: Rule | null): Modal {
  const modal = ruleModal({ rule, exchanges: EXCHANGES, dryRun: null, userId: "U1" }, ORIGIN);
  if (modal === null) throw new Error("the rule exceeds the limits of a form");
  return modal;
}

function tickers(count: number): RuleFilter["tickers"] {
  return Array.from({ length: count }, (_, index) => parseTicker(`T${String(index).padStart(4, "0")}`) ?? []).flat();
}

/** State of the unchanged form. */
function unchangedState(modal: Modal): ViewState {
  const blocks = JSON.parse(JSON.stringify(modal.blocks));
  const shown = { id: "V1", type: "modal", callbackId: "rule", metadata: "", title: "", blocks } as const;
  return viewState.parse(new ViewInputs(shown).state());
}

/** State of the form with these changes. */
function changedState(modal: Modal, changes: Readonly<Record<string, string | readonly string[]>>): ViewState {
  const { values } = unchangedState(modal);
  for (const [name, entry] of Object.entries(changes)) {
    const inputState =
      typeof entry === "string" ? { value: entry } : { selected_options: entry.map((value) => ({ value })) };
    values[name] = { [name]: inputState };
  }
  return { values };
}

describe("the rule form", () => {
  let bench: CommandBench;
  beforeEach(async () => {
    bench = await openCommandBench();
  });
  afterEach(() => bench.close());

  it("creates the same rule when submitted unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(anyRuleFilter, async (filter) => {
        const modal = modalOf(ruleOf(filter));
        expect(checkView(JSON.parse(JSON.stringify(modal)), "modal")).toEqual([]);
        const submission = readSubmission(unchangedState(modal), null);
        await bench.commands.run(submission.command, IN_GENERAL);
        const [saved] = await bench.store.rules.at(IN_GENERAL.destination);
        await bench.run("unsubscribe all");
        expect({ saved, same: saved !== undefined && isEquivalentRule(saved, ruleOf(filter)) }).toMatchObject({
          same: true,
        });
      }),
      { numRuns: 60 },
    );
  });

  it("fits the longest allowed rule, and is null for a longer rule", () => {
    expect(checkView(JSON.parse(JSON.stringify(modalOf(ruleOf({ tickers: tickers(400) })))), "modal")).toEqual([]);
    expect(
      ruleModal({ rule: ruleOf({ tickers: tickers(500) }), exchanges: EXCHANGES, dryRun: null, userId: "U1" }, ORIGIN),
    ).toBeNull();
  });

  it("is null for a rule with more exchanges than options", () => {
    const exchanges = Array.from({ length: 101 }, (_, index) => parseExchange(`EX${index}`) ?? []).flat();
    const formOf = (many: number) => {
      const rule = ruleOf({ exchanges: exchanges.slice(0, many) });
      return ruleModal({ rule, exchanges, dryRun: null, userId: "U1" }, ORIGIN);
    };
    expect(formOf(101)).toBeNull();
    expect(checkView(formOf(100), "modal")).toEqual([]);
  });

  it("keeps an exchange that only the rule names", () => {
    const mars = parseExchange("MARS");
    if (mars === undefined) throw new Error("MARS is not a valid exchange code");
    const rule = ruleOf({ exchanges: [mars] });
    const modal = ruleModal({ rule, exchanges: [mars, ...EXCHANGES], dryRun: null, userId: "U1" }, ORIGIN);
    if (modal === null) throw new Error("the rule exceeds the limits of a form");
    expect(readSubmission(unchangedState(modal), 1)).toMatchObject({ command: { values: { exchange: ["MARS"] } } });
  });

  it.each([
    [null, undefined],
    ["<@U1>", "me"],
    ["<@U2>", "keep"],
    ["<!subteam^S1>", "keep"],
  ])("keeps the mention of %s", (mention, value) => {
    const submission = readSubmission(unchangedState(modalOf(ruleOf({}, mention))), 1);
    expect(submission.command.values["mention"]).toBe(value);
  });

  it.each([
    ["tickers", "$ACME (NYSE: BRVO);\nGLOBX", { tickers: ["ACME", "BRVO", "GLOBX"] }],
    ["tickers", "ACME ACME", { tickers: ["ACME"] }],
    ["exclude", "NYSE American, ACME", { excludeExchanges: ["NYSEAMERICAN"], excludeTickers: ["ACME"] }],
    ["exclude", "$CBOE, OTC Pink", { excludeExchanges: ["OTC"], excludeTickers: ["CBOE"] }],
  ])("parses %s %j like a command line", async (name, typed, filter) => {
    const submission = readSubmission(changedState(modalOf(null), { [name]: typed }), null);
    await bench.commands.run(submission.command, IN_GENERAL);
    expect(await bench.store.rules.at(IN_GENERAL.destination)).toMatchObject([filter]);
  });

  it("prevents a field from setting another option", async () => {
    const state = changedState(modalOf(null), {
      tickers: "ACME events:all",
      minratio: "20 mention:me",
      exclude: "x rule:2",
    });
    const submission = readSubmission(state, null);
    expect(toFormErrors(await bench.screens.problems(submission.command, ALICE))).toMatchObject({
      tickers: expect.stringMatching(/^Got "events:".*\. Enter tickers/),
      minratio: expect.stringMatching(/^Got "mention:".*\. Enter a ratio above 1/),
      exclude: expect.stringMatching(/^Got "rule:".*\. Enter tickers and exchanges/),
    });
    await bench.commands.run(submission.command, IN_GENERAL);
    expect(await bench.store.rules.at(IN_GENERAL.destination)).toEqual([]);
  });

  it("requires at least one event", () => {
    expect(readSubmission(changedState(modalOf(null), { events: [], more: [] }), null)).toMatchObject({
      errors: { events: "Select at least one, here or below." },
    });
  });

  it("removes a rule regardless of other input", () => {
    const state = changedState(modalOf(ruleOf({})), { remove: ["remove"], tickers: "a:b", events: [] });
    expect(readSubmission(state, 1)).toEqual({
      command: { name: "unsubscribe", values: { rule: 1 } },
      errors: {},
    });
    expect(JSON.stringify(modalOf(null))).not.toContain("Remove");
  });
});

describe("problems of a form", () => {
  it("are shown at the inputs that they name, or at the first input", () => {
    const problems = [
      { option: "tickers", text: "got x." },
      { option: "tickers", text: "got y." },
      { option: "sources", text: "it narrows." },
      { option: null, text: 'Got "z".' },
      { option: "odd", text: "thing." },
    ];
    expect(toFormErrors(problems)).toEqual({
      tickers: "Got x. Got y.",
      sources: "It narrows.",
      events: 'Got "z". Odd: thing.',
    });
  });
});
