import { parseEnv } from "node:util";
import type { Variables } from "./variable-values.ts";

/** Parses the text of a .env file, with or without a byte order mark, which some editors write. */
export function parseDotEnv(text: string): Variables {
  return parseEnv(text.replace(/^\uFEFF/, ""));
}

/** Returns a warning for each of these variables that the text sets several times, or with a colon, which sets nothing. */
export function dotEnvWarnings(names: readonly string[], text: string): readonly string[] {
  return names.flatMap((name) => {
    const lines = text.match(new RegExp(`^\\uFEFF?[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*[=:]`, "gm")) ?? [];
    const assignments = lines.filter((line) => line.endsWith("="));
    if (assignments.length > 1)
      return [`.env: ${name} is set ${assignments.length} times, and the last line counts; remove the others`];
    return lines.length > assignments.length ? [`.env: a line with "${name}:" has no effect; write ${name}=VALUE`] : [];
  });
}
