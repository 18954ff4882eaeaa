import type { Rule } from "../domain/settings/rule.ts";
import { type Exchange, KNOWN_EXCHANGES } from "../domain/split/exchange.ts";
import { internalErrorCard } from "../messages/answers/problem-answer.ts";
import { noSuchRuleCard } from "../messages/answers/rules-answer.ts";
import { dryRunLine } from "../messages/dry-run-text.ts";
import type { Card } from "../messages/message.ts";
import { type Call, deniedCard } from "./command.ts";
import { type AnswerContext, type CommandContext, forAnyReader } from "./context.ts";
import { exchangesIn, readCurrentData } from "./current-data.ts";
import { readersTimezone } from "./destination-state.ts";
import { dryRunOf } from "./dry-run.ts";

/** Initial contents of a rule's form. */
export type RuleForm =
  | {
      readonly kind: "form";
      /** Null for a new rule. */
      readonly rule: Rule | null;
      /** Offered exchanges: the rule's exchanges, the known exchanges, and the exchanges of listed splits. */
      readonly exchanges: readonly Exchange[];
      /** What the rule would have sent; null for a new rule. */
      readonly dryRun: string | null;
    }
  | { readonly kind: "refused"; readonly card: Card };

/** Never rejects. */
export async function readRuleForm(number: number | null, call: Call, context: CommandContext): Promise<RuleForm> {
  try {
    const denied = await deniedCard("subscribe", call);
    if (denied !== null) return { kind: "refused", card: denied };
    const rules = await context.store.rules.at(call.destination);
    const rule = rules.find((candidate) => candidate.number === number) ?? null;
    if (number !== null && rule === null) return { kind: "refused", card: noSuchRuleCard([number], rules) };
    const answerContext = { ...forAnyReader(context), readersTimezone: await readersTimezone(call, context) };
    return {
      kind: "form",
      rule,
      exchanges: await exchangesFor(rule, answerContext),
      dryRun: rule && dryRunLine(await dryRunOf(rule, answerContext), answerContext.readersTimezone),
    };
  } catch (error) {
    context.log.error("rule form failed", { platform: call.person.platform, error });
    return { kind: "refused", card: internalErrorCard() };
  }
}

async function exchangesFor(rule: Rule | null, context: AnswerContext): Promise<readonly Exchange[]> {
  const listedExchanges = exchangesIn(await readCurrentData(context));
  return [...new Set([...(rule?.exchanges ?? []), ...KNOWN_EXCHANGES, ...listedExchanges])];
}
