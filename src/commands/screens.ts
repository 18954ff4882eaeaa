import type { Rule } from "../domain/settings/rule.ts";
import { type Exchange, KNOWN_EXCHANGES } from "../domain/split/exchange.ts";
import { internalErrorCard } from "../messages/answers/problem-answer.ts";
import { noSuchRuleCard } from "../messages/answers/rules-answer.ts";
import type { Card } from "../messages/message.ts";
import type { CommandProblem } from "../messages/option-text.ts";
import { type Call, type CommandInput, deniedCard } from "./command.ts";
import { type AnswerContext, type CommandContext, forAnyReader } from "./context.ts";
import { exchangesIn, readCurrentData } from "./current-data.ts";
import { ALL_COMMANDS } from "./index.ts";
import { type Home, readHome } from "./read-home.ts";
import { findProblems } from "./run-command.ts";

/** Data of forms and home pages. Changes made there are run as commands. */
export interface Screens {
  /** Problems that would keep the command from running. Runs nothing. Rejects with a StoreError. */
  problems(input: CommandInput): Promise<readonly CommandProblem[]>;
  /** Contents of the form for a rule; `number` null: a new rule. Never rejects. */
  ruleForm(number: number | null, call: Call): Promise<RuleForm>;
  /** Contents of the person's home page. Rejects with a StoreError. */
  home(call: Call): Promise<Home>;
}

/** Initial contents of a rule's form. */
export type RuleForm =
  | {
      readonly kind: "form";
      /** Null: a new rule. */
      readonly rule: Rule | null;
      /** Exchanges to choose from: the rule's own, the known ones, and those of the listed splits. */
      readonly exchanges: readonly Exchange[];
    }
  | { readonly kind: "refused"; readonly card: Card };

export function createScreens(context: CommandContext): Screens {
  return {
    problems: (input) => findProblems(input, { commands: ALL_COMMANDS, context: forAnyReader(context) }),
    ruleForm: (number, call) => readRuleForm(number, call, context),
    home: (call) => readHome(call, context),
  };
}

async function readRuleForm(number: number | null, call: Call, context: CommandContext): Promise<RuleForm> {
  try {
    const denied = await deniedCard("subscribe", call);
    if (denied !== null) return { kind: "refused", card: denied };
    const rules = await context.store.rules.at(call.destination);
    const rule = rules.find((one) => one.number === number) ?? null;
    if (number !== null && rule === null) return { kind: "refused", card: noSuchRuleCard([number], rules) };
    return { kind: "form", rule, exchanges: await exchangesFor(rule, forAnyReader(context)) };
  } catch (error) {
    context.log.error("rule form failed", { platform: call.person.platform, error });
    return { kind: "refused", card: internalErrorCard() };
  }
}

async function exchangesFor(rule: Rule | null, context: AnswerContext): Promise<readonly Exchange[]> {
  const listed = exchangesIn(await readCurrentData(context));
  return [...new Set([...(rule?.exchanges ?? []), ...KNOWN_EXCHANGES, ...listed])];
}
