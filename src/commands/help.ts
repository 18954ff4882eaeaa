import { type CommandHelp, commandHelpCard, helpCard } from "../messages/answers/help-answer.ts";
import { unknownCommandCard } from "../messages/answers/problem-answer.ts";
import { expectedText } from "../messages/option-text.ts";
import { type Command, defineCommand } from "./command.ts";
import { findCommand } from "./find-command.ts";
import { optionNames } from "./parser/option-groups.ts";
import { suggestWord } from "./parser/suggest-word.ts";

/** `commands`: all there are, this one among them. */
export function helpAbout(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: "help",
    summary: "All commands, or one in detail",
    example: "help subscribe",
    options: {
      command: { kind: "text", summary: "The command to explain" },
    },
    run({ command: asked }) {
      const names = commands().map(({ name }) => name);
      if (asked === undefined) return answerWith(helpCard(commands().map(describe)));
      const command = findCommand(commands(), asked);
      if (command) return answerWith(commandHelpCard(describe(command)));
      const near = suggestWord(asked, names);
      return answerWith(unknownCommandCard(asked, names, near && `help ${near}`));
    },
  });
}

function answerWith(card: ReturnType<typeof helpCard>): ReturnType<Command["run"]> {
  return Promise.resolve([card]);
}

function describe(command: Command): CommandHelp {
  const { name, summary, example, options, managesChannel } = command;
  return {
    name,
    summary,
    example,
    managesChannel: managesChannel && command.managesChannelWhen !== undefined ? "at-times" : managesChannel,
    options: optionNames(options).flatMap((option) => {
      const spec = options[option];
      if (!spec) return [];
      const expected = expectedText(spec);
      return [{ name: option, summary: spec.summary, expected, required: spec.required === true }];
    }),
  };
}
