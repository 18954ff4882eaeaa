import { unescaped } from "../block-kit/text.ts";

/**
 * What somebody typed after the slash command, as the commands read it. Slack writes channels, people and user groups as
 * `<#C1|name>`, `<@U1|name>` and `<!subteam^S1|@name>`, and escapes what was typed itself.
 */
export function commandText(text: string): string {
  const named = text
    .replace(/<#[CG][A-Z0-9]+\|([^<>]+)>/g, "$1")
    .replace(/<(@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)\|[^<>]*>/g, "<$1>");
  return unescaped(named);
}
