import { notAllowedCard } from "../messages/answers/problem-answer.ts";
import type { Card } from "../messages/message.ts";
import type { Call } from "./command.ts";

/** Said to whoever may not change what the place hears, by this command; null: they may. A person's own place is always theirs. */
export function deniedCard(command: string, { destination, mayManage }: Call): Card | null {
  return destination.kind === "channel" && mayManage !== true ? notAllowedCard(command, mayManage) : null;
}
