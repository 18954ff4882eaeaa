import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { type Home, readHome } from "./home.ts";
import { ALL_COMMANDS } from "./index.ts";
import { type RuleForm, readRuleForm } from "./rule-form.ts";
import { findProblems } from "./run-line.ts";

/** What a platform shows that has forms, and a page for each person. What they change goes by commands. */
export interface Screens {
  /** What would keep the line from being run, as `ask` would tell it; empty: nothing. Runs nothing. Rejects with a StoreError. */
  problems(line: string): Promise<readonly string[]>;
  /** What a form begins with that changes a rule of the place; `number` null: that sets a new one. Never rejects. */
  ruleForm(number: number | null, call: Call): Promise<RuleForm>;
  /** All that is the asker's own. Rejects with a StoreError. */
  home(call: Call): Promise<Home>;
}

export function createScreens(context: CommandContext): Screens {
  return {
    problems: (line) => findProblems(line, ALL_COMMANDS, context),
    ruleForm: (number, call) => readRuleForm(number, call, context),
    home: (call) => readHome(call, context),
  };
}
