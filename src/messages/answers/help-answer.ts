import { button, type Card, card } from "../message.ts";

/** What help says of one subcommand. */
export interface CommandHelp {
  readonly name: string;
  readonly summary: string;
  /** Without "/splits". */
  readonly example: string;
  readonly options: readonly {
    readonly name: string;
    readonly summary: string;
    readonly expected: string;
    readonly required: boolean;
  }[];
  /** `at-times`: where its scope is the channel. */
  readonly managesChannel: boolean | "at-times";
}

export function helpCard(commands: readonly CommandHelp[]): Card {
  return card({
    title: "splitwatch tells you about reverse stock splits",
    lines: [
      "Watch tickers to be told in a direct message; subscribe a channel to tell all who read it.",
      "Words may stand in any order; option:value is always understood. More on one command: /splits help subscribe",
    ],
    rows: commands.map(({ example, summary }) => ({ title: `/splits ${example}`, detail: summary })),
    buttons: [button("Current splits", "list"), button("Your watchlist", "watchlist"), button("Status", "status")],
  });
}

export function commandHelpCard(command: CommandHelp): Card {
  return card({
    title: `/splits ${command.name}: ${command.summary}`,
    lines: [
      `For example: /splits ${command.example}`,
      ...(command.options.length === 0 ? ["It takes no options."] : []),
      ...managesWords(command),
    ],
    rows: command.options.map(({ name, summary, expected, required }) => ({
      title: required ? `${name} (needed)` : name,
      detail: `${summary}. Give ${expected}.`,
    })),
  });
}

function managesWords({ managesChannel }: CommandHelp): readonly string[] {
  if (managesChannel === "at-times") return ["What holds for a channel is changed by those who may manage it."];
  return managesChannel ? ["In a channel this is for those who may manage it."] : [];
}
