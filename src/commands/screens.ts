import type { Destination, Person } from "../domain/alert/destination.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { nextEventLoopTurn } from "../lib/slices.ts";
import { computingTimeUsedText } from "../messages/answers/problem-answer.ts";
import type { CommandProblem } from "../messages/option-text.ts";
import type { Overview } from "../messages/overview.ts";
import type { ReleaseView } from "../messages/release-view.ts";
import type { SplitView } from "../messages/split-view.ts";
import type { Call, CommandInput } from "./command.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { type Home, readHome } from "./home.ts";
import { ALL_COMMANDS } from "./index.ts";
import { createOperatorView, type OperatorView } from "./operator-view.ts";
import { readOverview } from "./overview.ts";
import { readReleaseView } from "./read-release-view.ts";
import { readSplitView } from "./read-split-view.ts";
import { type RuleForm, readRuleForm } from "./rule-form.ts";
import { findProblems } from "./run-command.ts";
import { MAX_COMPUTING_MS } from "./usage-limits.ts";

/** Reads the contents of forms, home pages and side panels. Changes that people make there run as commands. */
export interface Screens {
  /** Returns the problems that would prevent the person's command from running, without running it. Rejects with a StoreError. */
  problems(input: CommandInput, person: Person): Promise<readonly CommandProblem[]>;
  /** Contents of the form for a rule; for a new rule if `number` is null. Never rejects. */
  ruleForm(number: number | null, call: Call): Promise<RuleForm>;
  /** Contents of the person's home page. Rejects with a StoreError. */
  home(call: Call): Promise<Home>;
  readonly operator: OperatorView;
  /** Contents of the panel beside a conversation at the destination. Rejects with a StoreError. */
  overview(destination: Destination): Promise<Overview>;
  /** Everything known about the splits of a ticker, for this person. Rejects with a StoreError. */
  splitView(ticker: Ticker, person: Person): Promise<SplitView>;
  /** A press release with its text; null if no release has this address. Rejects with a StoreError. */
  releaseView(url: string): Promise<ReleaseView | null>;
}

export function createScreens(context: CommandContext): Screens {
  return {
    problems: (input, person) =>
      context.limits.run(person, {
        run: () => findProblems(input, { commands: ALL_COMMANDS, context: forAnyReader(context) }),
        refused: (waitMs) => [{ option: null, text: computingTimeUsedText(MAX_COMPUTING_MS, waitMs) }],
      }),
    ruleForm: (number, call) => readRuleForm(number, call, context),
    home: (call) => nextEventLoopTurn().then(() => readHome(call, context)),
    operator: createOperatorView(context),
    overview: (destination) => nextEventLoopTurn().then(() => readOverview(destination, context)),
    splitView: (ticker, person) => nextEventLoopTurn().then(() => readSplitView(ticker, person, forAnyReader(context))),
    releaseView: (url) => nextEventLoopTurn().then(() => readReleaseView(url, forAnyReader(context))),
  };
}
