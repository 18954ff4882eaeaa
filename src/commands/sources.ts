import { WIRES, type Wire } from "../domain/article/article.ts";
import type { OptionSpec } from "./command.ts";

/** The wires, also as people call them. */
export const WIRE_CHOICES = {
  kind: "choices",
  choices: WIRES,
  aliases: {
    prn: "prnewswire",
    cision: "prnewswire",
    bw: "businesswire",
    gnw: "globenewswire",
    globe: "globenewswire",
    access: "accesswire",
    accessnewswire: "accesswire",
    newsfilecorp: "newsfile",
  },
} as const satisfies Omit<OptionSpec, "summary">;

export function wiresOf(words: readonly string[]): readonly Wire[] {
  return WIRES.filter((wire) => words.includes(wire));
}
