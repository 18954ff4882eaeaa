import { button, type Card, card } from "../message.ts";

/** Help on one subcommand. */
export interface CommandHelp {
  readonly name: string;
  readonly summary: string;
  /** Example command, without `/splits`. */
  readonly example: string;
  readonly options: readonly {
    readonly name: string;
    readonly summary: string;
    readonly expected: string;
    readonly required: boolean;
  }[];
  /** Whether the command requires permission to manage the channel; `channel-scope-only`: only with `scope:channel`. */
  readonly managesChannel: boolean | "channel-scope-only";
}

export function helpCard(commands: readonly CommandHelp[]): Card {
  return card({
    title: "splitwatch alerts you to reverse stock splits",
    lines: [
      "Watch tickers to get direct messages, or subscribe a channel so that everyone in it sees the alerts.",
      "Write options in any order, as values or as option:value. Help on one command: /splits help subscribe",
    ],
    rows: commands.map(({ example, summary }) => ({ title: `/splits ${example}`, detail: summary })),
    buttons: [button("Current splits", "list"), button("Your watchlist", "watchlist"), button("Status", "status")],
  });
}

export function commandHelpCard(command: CommandHelp): Card {
  return card({
    title: `/splits ${command.name}: ${command.summary}`,
    lines: [
      `Example: /splits ${command.example}`,
      ...(command.options.length === 0 ? ["This command has no options."] : []),
      ...permissionLines(command),
    ],
    rows: command.options.map(({ name, summary, expected, required }) => ({
      title: required ? `${name} (required)` : name,
      detail: `${summary}. Expects ${expected}.`,
    })),
  });
}

function permissionLines({ managesChannel }: CommandHelp): readonly string[] {
  if (managesChannel === "channel-scope-only")
    return ["With scope:channel, only people who can manage the channel can use this command."];
  return managesChannel ? ["In a channel, only people who can manage it can use this command."] : [];
}
