import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { Command, OptionSpec } from "../../commands/command.ts";
import { cutTo } from "./text.ts";

export const COMMAND_NAME = "splits";

const LONGEST_DESCRIPTION = 100;
const MOST_CHOICES = 25;

/** There are too many of them to name any. */
const NEVER_COMPLETED: ReadonlySet<OptionSpec["kind"]> = new Set(["ratio", "exactRatio", "shares", "pasted"]);

/** The option by which a role is named: Discord lets people pick one. */
export const MENTION_OPTION = "mention";

type CommandPayload = RESTPutAPIApplicationCommandsJSONBody[number];

export interface OptionPayload {
  readonly type:
    | ApplicationCommandOptionType.String
    | ApplicationCommandOptionType.Integer
    | ApplicationCommandOptionType.Attachment
    | ApplicationCommandOptionType.Role;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly { readonly name: string; readonly value: string }[];
  readonly min_value?: number;
  readonly max_value?: number;
}

/** `/splits` with a subcommand for each command. Who may use which is checked when it is used: permissions cannot hang on a subcommand. */
export function commandPayloads(commands: readonly Command[]): readonly CommandPayload[] {
  return [
    {
      type: ApplicationCommandType.ChatInput,
      name: COMMAND_NAME,
      description: "Reverse stock splits: what is announced, changed, due and in effect",
      integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
      contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
      options: commands.map(({ name, summary, options }) => ({
        type: ApplicationCommandOptionType.Subcommand,
        name,
        description: describe(summary),
        options: optionPayloads(options),
      })),
    } as CommandPayload,
  ];
}

/** Those that are required come first, as Discord wants it. */
function optionPayloads(specs: Command["options"]): readonly OptionPayload[] {
  const visible = Object.entries(specs).filter(([, { hidden }]) => hidden !== true);
  return visible
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([name, spec]) => ({
      name,
      description: describe(spec.summary),
      required: spec.required ?? false,
      ...formOf(name, spec),
    }));
}

function formOf(
  name: string,
  { kind, choices = [], range }: OptionSpec,
): Omit<OptionPayload, "name" | "description" | "required"> {
  if (name === MENTION_OPTION) return { type: ApplicationCommandOptionType.Role };
  if (kind === "number") {
    const [least = 1, greatest = 1_000_000] = range ?? [];
    return { type: ApplicationCommandOptionType.Integer, min_value: least, max_value: greatest };
  }
  if (kind === "file") return { type: ApplicationCommandOptionType.Attachment };
  const text = { type: ApplicationCommandOptionType.String } as const;
  if (kind === "switch") return { ...text, choices: ["on", "off"].map((word) => ({ name: word, value: word })) };
  if (kind === "choice" && choices.length <= MOST_CHOICES)
    return { ...text, choices: choices.map((choice) => ({ name: choice, value: choice })) };
  return NEVER_COMPLETED.has(kind) ? text : { ...text, autocomplete: true };
}

function describe(summary: string): string {
  return cutTo(summary, LONGEST_DESCRIPTION);
}
