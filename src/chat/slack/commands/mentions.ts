import type { Mention } from "../../../commands/command.ts";

/** Slack's markup for a person or a user group. */
const MENTION = /^<(?:@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)>$/;

export function isMention(text: string): boolean {
  return MENTION.test(text);
}

export interface MentionCaller {
  readonly id: string;
  /** User name, typed after an @. */
  readonly name: string;
}

/** Allows a mention of the caller or of a user group, which they could type themselves; never of a whole channel. */
export function resolveMention(typed: string, caller: MentionCaller): Mention {
  const text = typed.trim();
  const group = /^<!subteam\^(S[A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  if (group !== undefined) return { kind: "allowed", mention: `<!subteam^${group}>` };
  if (isCaller(text, caller)) return { kind: "allowed", mention: `<@${caller.id}>` };
  return { kind: "refused", reason: refusalReason(text) };
}

function isCaller(text: string, { id, name }: MentionCaller): boolean {
  const person = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  const word = text.replace(/^@/, "").toLowerCase();
  return person === id || word === "me" || (name !== "" && word === name.toLowerCase());
}

function refusalReason(text: string): string {
  if (/^(?:<!|@)?(?:channel|here|everyone)\b/i.test(text)) return "A whole channel can't be mentioned.";
  if (text.startsWith("<@")) return "On Slack you can mention yourself or a user group, not another person.";
  return "On Slack you can mention yourself (mention:me) or a user group. Pick the group from the list that appears after the @.";
}
