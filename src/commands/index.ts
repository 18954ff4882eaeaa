import type { Suggestion } from "../messages/overview.ts";
import { articles } from "./articles.ts";
import { calc } from "./calc.ts";
import { calendar } from "./calendar.ts";
import type { Answer, Call, Command } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { exportFile } from "./export.ts";
import { forget } from "./forget.ts";
import { helpAbout } from "./help.ts";
import { importFile } from "./import.ts";
import { list } from "./list.ts";
import { mute, unmute } from "./mute.ts";
import { complete } from "./parser/complete.ts";
import { runLine, runLinePublicly } from "./run-line.ts";
import { settings } from "./settings.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { subscribe } from "./subscribe.ts";
import { subscriptions } from "./subscriptions.ts";
import { testDelivery } from "./test.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { unwatch, watch } from "./watch.ts";
import { watchlist } from "./watchlist.ts";
import { why } from "./why.ts";

export type { Suggestion } from "../messages/overview.ts";

/** Everything that people can ask for, the same on every platform. */
export interface Commands {
  readonly list: readonly Command[];
  /** Runs a line with or without `/splits` before it. Never rejects: whatever goes wrong is an answer. */
  run(line: string, call: Call): Promise<Answer>;
  /**
   * Runs the line anew, for its answer to be posted for all in the place. An answer that is not `shareable` is for the asker
   * alone: a command that changes anything is refused before it runs. Never rejects.
   */
  runPublicly(line: string, call: Call): Promise<Answer>;
  /** How the line may go on, the likeliest first; empty where nobody knows. Never rejects. */
  complete(line: string, call: Call): Promise<readonly Suggestion[]>;
}

export const ALL_COMMANDS: readonly Command[] = [
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
  helpAbout(() => ALL_COMMANDS),
];

export function createCommands(context: CommandContext): Commands {
  return {
    list: ALL_COMMANDS,
    run: (line, call) => runLine(line, call, ALL_COMMANDS, context),
    runPublicly: (line, call) => runLinePublicly(line, call, ALL_COMMANDS, context),
    complete: async (line, call) => {
      try {
        return await complete(line, { commands: ALL_COMMANDS, call, context });
      } catch (error) {
        context.log.warn("completion failed", { platform: call.person.platform, error });
        return [];
      }
    },
  };
}
