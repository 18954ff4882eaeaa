import { type CommandHelp, commandHelpCard, helpCard } from "../messages/answers/help-answer.ts";
import { unknownCommandCard } from "../messages/answers/problem-answer.ts";
import { type Command, defineCommand, findCommand, type PlatformHints } from "./command.ts";
import { optionKind, summaryWithHint } from "./parser/option-kinds.ts";
import { optionNames } from "./parser/options.ts";
import { similarWords } from "./parser/words.ts";

/** Creates `help`. `commands`: all commands, including `help`. */
export function createHelp(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: "help",
    summary: "All commands, or one in detail",
    example: "help subscribe",
    options: {
      command: { kind: "command", summary: "The command to explain" },
    },
    async run({ command: input }, { hints = {} }) {
      const describe = (command: Command): CommandHelp => describeCommand(command, hints);
      if (input === undefined) return [helpCard(commands().map(describe))];
      const command = findCommand(commands(), input);
      if (command) return [commandHelpCard(describe(command))];
      const names = commands().map(({ name }) => name);
      const suggestions = similarWords(input, names).map((name) => `help ${name}`);
      return [unknownCommandCard(input, names, { suggestions })];
    },
  });
}

function describeCommand(command: Command, hints: PlatformHints): CommandHelp {
  const { name, summary, example, options, managesChannel } = command;
  return {
    name,
    summary,
    example,
    managesChannel: managesChannel && command.managesChannelWhen !== undefined ? "channel-scope-only" : managesChannel,
    options: optionNames(options).flatMap((option) => {
      const spec = options[option];
      if (!spec) return [];
      const { required = false } = spec;
      const { expected } = optionKind(spec);
      return [{ name: option, summary: summaryWithHint(spec, hints), required, expected: expected(spec) }];
    }),
  };
}
