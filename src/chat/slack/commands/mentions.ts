import type { Mention } from "../../../commands/command.ts";

/** Slack's own form of a person or of a user group. */
const MENTION = /^<(?:@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)>$/;

/** The rest of what could stand in a rule calls nobody. */
export function isMention(text: string): boolean {
  return MENTION.test(text);
}

export interface MentionCaller {
  readonly id: string;
  /** As people write it after an @. */
  readonly name: string;
}

/** Whoever types a command may have themselves called, or a user group, as they could by hand; never a whole channel. */
export function resolveMention(typed: string, asker: MentionCaller): Mention {
  const text = typed.trim();
  const group = /^<!subteam\^(S[A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  if (group !== undefined) return { kind: "allowed", mention: `<!subteam^${group}>` };
  if (isAsker(text, asker)) return { kind: "allowed", mention: `<@${asker.id}>` };
  return { kind: "refused", reason: whyRefused(text) };
}

function isAsker(text: string, { id, name }: MentionCaller): boolean {
  const person = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  const word = text.replace(/^@/, "").toLowerCase();
  return person === id || word === "me" || (name !== "" && word === name.toLowerCase());
}

function whyRefused(text: string): string {
  if (/^(?:<!|@)?(?:channel|here|everyone)\b/i.test(text)) return "A whole channel is never called.";
  if (text.startsWith("<@")) return "On Slack you can have yourself or a user group called, not another person.";
  return "On Slack you can have yourself (mention:me) or a user group called. Pick the group from the list that Slack shows after the @.";
}
