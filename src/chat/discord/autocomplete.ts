import type { APICommandAutocompleteInteractionResponseCallbackData } from "discord.js";
import type { OptionSpec } from "../../commands/command.ts";
import type { Suggestion } from "../../commands/index.ts";
import { cutTo, plainText } from "./text.ts";

const MOST_CHOICES = 25;
const LONGEST = 100;

/**
 * The line that is completed when somebody types into this option: several values stand with commas between them; the words
 * of a place stand together.
 */
export function completionText(command: string, option: string, typed: string, kind?: OptionSpec["kind"]): string {
  const text = typed.trimStart();
  const value = kind === "timezone" ? text.replace(/\s+/g, "_") : text.replace(/\s*[,;]\s*|\s+/g, ",");
  return `${command} ${option}:${value}`;
}

/** A choice takes the place of all that was typed into the option, so each holds the values before it too. */
export function choicesOf(
  command: string,
  option: string,
  suggestions: readonly Suggestion[],
): APICommandAutocompleteInteractionResponseCallbackData {
  const start = `${command} ${option}:`;
  const choices = suggestions
    .filter(({ line }) => line.startsWith(start))
    .map(({ line, hint }) => ({ value: line.slice(start.length).trim(), hint }))
    .filter(({ value }) => value !== "" && value.length <= LONGEST)
    .slice(0, MOST_CHOICES)
    .map(({ value, hint }) => ({ name: nameOf(value.replaceAll(",", ", "), hint), value }));
  return { choices };
}

function nameOf(value: string, hint: string): string {
  return cutTo(plainText(hint === "" ? value : `${value} · ${hint}`).replace(/\s+/g, " "), LONGEST);
}
