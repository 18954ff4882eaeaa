import { nextEventLoopTurn } from "../lib/slices.ts";
import { computingTimeUsedCard } from "../messages/answers/problem-answer.ts";
import { articles } from "./articles.ts";
import { calc } from "./calc.ts";
import { calendar } from "./calendar.ts";
import type { Answer, Call, Command, CommandInput } from "./command.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { exportFile } from "./export.ts";
import { forget } from "./forget.ts";
import { createHelp } from "./help.ts";
import { importFile } from "./import.ts";
import { list } from "./list.ts";
import { mute, unmute } from "./mute.ts";
import { createNameKeeper } from "./names.ts";
import {
  complete,
  completeValue,
  type PartialOption,
  type Suggestion,
  type ValueSuggestion,
} from "./parser/complete.ts";
import { type CommandSet, runCommand, runCommandPublicly } from "./run-command.ts";
import { settings } from "./settings.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { subscribe } from "./subscribe.ts";
import { subscriptions, unsubscribe } from "./subscriptions.ts";
import { testDelivery } from "./test.ts";
import { MAX_COMPUTING_MS, type WithoutWaiting } from "./usage-limits.ts";
import { unwatch, watch, watchlist } from "./watch.ts";
import { why } from "./why.ts";

export type { Suggestion, ValueSuggestion } from "./parser/complete.ts";

/** Subcommands of `/splits`, the same on every platform. */
export interface Commands {
  readonly list: readonly Command[];
  /** Runs a command; a line may begin with `/splits`. Never rejects: every failure is an answer. */
  run(input: CommandInput, call: Call): Promise<Answer>;
  /** Runs a shareable command again for everyone at the destination; any other command is refused before it runs. Never rejects. */
  runPublicly(input: CommandInput, call: Call): Promise<Answer>;
  /** Completions of a line, the likeliest first. Never rejects. */
  complete(line: string, call: Call): Promise<readonly Suggestion[]>;
  /** Completions of the text typed into one option. Never rejects. */
  completeValue(partial: PartialOption, call: Call): Promise<readonly ValueSuggestion[]>;
}

/** Registry: a new command needs its file and a line here. `help` is added automatically. */
export const REGISTERED_COMMANDS: readonly Command[] = [
  list,
  show,
  articles,
  watch,
  unwatch,
  watchlist,
  subscribe,
  unsubscribe,
  subscriptions,
  testDelivery,
  calc,
  calendar,
  mute,
  unmute,
  settings,
  exportFile,
  importFile,
  why,
  status,
  forget,
];

export const ALL_COMMANDS = withHelp(REGISTERED_COMMANDS);

function withHelp(registered: readonly Command[]): readonly Command[] {
  const all: readonly Command[] = [...registered, createHelp(() => all)];
  return all;
}

/** The call, whose waits for the platform aren't computing time. */
function callWithoutWaiting(call: Call, withoutWaiting: WithoutWaiting): Call {
  const { fetchAttachment } = call;
  return {
    ...call,
    mayManage: () => withoutWaiting(() => call.mayManage()),
    ...(fetchAttachment && { fetchAttachment: () => withoutWaiting(fetchAttachment) }),
  };
}

export function createCommands(context: CommandContext, registered = REGISTERED_COMMANDS): Commands {
  const commands = withHelp(registered);
  const commandSet = { commands, context: forAnyReader(context) };
  const names = createNameKeeper(context);
  return {
    list: commands,
    async run(input, call) {
      const answer = await answerWithinLimits(call, (limited, set) => runCommand(input, limited, set));
      await names.keep(call, answer.command?.name);
      return answer;
    },
    runPublicly: (input, call) => answerWithinLimits(call, (limited, set) => runCommandPublicly(input, limited, set)),
    complete: (line, call) => suggestWithinLimits(call, () => complete(line, { ...commandSet, call })),
    completeValue: (partial, call) => suggestWithinLimits(call, () => completeValue(partial, { ...commandSet, call })),
  };

  async function answerWithinLimits(
    call: Call,
    run: (call: Call, set: CommandSet) => Promise<Answer>,
  ): Promise<Answer> {
    await nextEventLoopTurn();
    return context.limits.run(call.person, {
      run: (withoutWaiting) =>
        run(callWithoutWaiting(call, withoutWaiting), {
          commands,
          context: { ...commandSet.context, withoutWaiting },
        }),
      refused(waitMs) {
        context.metrics.countCommand("unknown", "usage", null);
        return { cards: [computingTimeUsedCard(MAX_COMPUTING_MS, waitMs)], shareable: false, isOverLimit: true };
      },
    });
  }

  async function suggestWithinLimits<T>({ person }: Call, suggest: () => Promise<readonly T[]>): Promise<readonly T[]> {
    await nextEventLoopTurn();
    return context.limits.run(person, { run: () => orEmpty(suggest()), refused: () => [] });
  }

  async function orEmpty<T>(suggestions: Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await suggestions;
    } catch (error) {
      context.log.warn("completion failed", { error });
      return [];
    }
  }
}
