import type { Command } from "./command.ts";

/** The command that `typed` names, forgiving case, a slash before it, and singular for plural. */
export function findCommand(commands: readonly Command[], typed: string): Command | undefined {
  const name = typed.trim().toLowerCase().replace(/^\/+/, "");
  const same = commands.find((command) => command.name === name);
  return same ?? commands.find((command) => singular(command.name) === singular(name));
}

function singular(word: string): string {
  return word.replace(/s$/, "");
}
