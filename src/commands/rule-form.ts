import type { Rule } from "../domain/settings/rule.ts";
import { type Exchange, KNOWN_EXCHANGES } from "../domain/split/exchange.ts";
import { internalErrorCard } from "../messages/answers/problem-answer.ts";
import { noSuchRuleCard } from "../messages/answers/rules-answer.ts";
import type { Card } from "../messages/message.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { exchangesIn, readCurrentData } from "./current-data.ts";
import { deniedCard } from "./forbidden.ts";

/** What a form that sets or changes a rule begins with. */
export type RuleForm =
  | {
      readonly kind: "form";
      /** Null: a new one is set. */
      readonly rule: Rule | null;
      /** Those that can be chosen: the rule's own, those that we know, and those of the splits listed now. */
      readonly exchanges: readonly Exchange[];
    }
  | { readonly kind: "refused"; readonly card: Card };

export async function readRuleForm(number: number | null, call: Call, context: CommandContext): Promise<RuleForm> {
  const forbidden = deniedCard("subscribe", call);
  if (forbidden !== null) return { kind: "refused", card: forbidden };
  try {
    const standing = await context.store.rules.at(call.destination);
    const rule = standing.find((one) => one.number === number) ?? null;
    if (number !== null && rule === null) return { kind: "refused", card: noSuchRuleCard([number], standing) };
    return { kind: "form", rule, exchanges: await exchangesFor(rule, context) };
  } catch (error) {
    context.log.error("rule form failed", { platform: call.person.platform, error });
    return { kind: "refused", card: internalErrorCard() };
  }
}

async function exchangesFor(rule: Rule | null, context: CommandContext): Promise<readonly Exchange[]> {
  const listed = exchangesIn(await readCurrentData(context));
  return [...new Set([...(rule?.exchanges ?? []), ...KNOWN_EXCHANGES, ...listed])];
}
