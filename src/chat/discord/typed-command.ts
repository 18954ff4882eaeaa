import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIChatInputApplicationCommandInteraction,
  type APICommandAutocompleteInteractionResponseCallbackData,
  ApplicationCommandOptionType,
} from "discord.js";
import type { TypedCommand } from "../../commands/command.ts";
import type { ValueSuggestion } from "../../commands/index.ts";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { MAX_CHOICES } from "./slash-command.ts";

/** Subcommand and option values as Discord delivers them. */
export function typedCommandOf({ data }: APIChatInputApplicationCommandInteraction): TypedCommand {
  const subcommand = data.options?.find(({ type }) => type === ApplicationCommandOptionType.Subcommand);
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return { name: "help", values: {} };
  const values = (subcommand.options ?? []).map((option) => [option.name, typedValue(option)] as const);
  return { name: subcommand.name, values: Object.fromEntries(values) };
}

/** A role's ID as a mention; any other value unchanged. */
function typedValue(option: APIApplicationCommandInteractionDataBasicOption): string | number | boolean {
  return option.type === ApplicationCommandOptionType.Role ? `<@&${option.value}>` : option.value;
}

const MAX_CHOICE_LENGTH = 100;

/** Suggestions as Discord's choices. A choice replaces all of the option's text, so each holds the values before it too. */
export function choicesOf(
  suggestions: readonly ValueSuggestion[],
): APICommandAutocompleteInteractionResponseCallbackData {
  const choices = suggestions
    .filter(({ value }) => value.length <= MAX_CHOICE_LENGTH)
    .slice(0, MAX_CHOICES)
    .map(({ value, hint }) => ({ name: choiceName(value.replaceAll(",", ", "), hint), value }));
  return { choices };
}

function choiceName(value: string, hint: string): string {
  return cutText(sanitizeText(hint === "" ? value : `${value} · ${hint}`).replace(/\s+/g, " "), MAX_CHOICE_LENGTH);
}
