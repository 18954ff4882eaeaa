import { PLATFORMS } from "../../src/chat/index.ts";
import { GENERAL_VARIABLES, type VariableGroup } from "../../src/config/variables.ts";
import { STORES } from "../../src/store/index.ts";

const WIDTH = 118;

/** All environment variables with the headings of .env.example and docs/configuration.md. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  ...GENERAL_VARIABLES,
  ...STORES.filter(({ variables }) => variables.length > 0).map(({ name, variables }) => ({
    title: `Store: ${name}`,
    variables,
  })),
  ...PLATFORMS.filter(({ variables }) => variables.length > 0).map(({ name, label, variables }) => ({
    title: `${label}: see src/chat/${name}/README.md`,
    variables,
  })),
];

/** Comment lines, each of at most WIDTH characters. */
export function commentLines(text: string, indent = ""): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (indent.length + last.length + word.length + 3 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.map((line) => `${indent}# ${line}`);
}
