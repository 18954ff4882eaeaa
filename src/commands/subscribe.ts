import type { Rule, RuleDraft } from "../domain/settings/rule.ts";
import { filterFromOptions, findContradictions } from "../domain/settings/rule-filters.ts";
import type { Instant } from "../domain/time/day.ts";
import {
  mentionRefusedCard,
  NO_MENTIONS,
  noSuchRuleCard,
  ruleAddedCard,
  ruleChangedCard,
  ruleKnownCard,
  tooManyRulesCard,
} from "../messages/answers/rules-answer.ts";
import type { Card } from "../messages/message.ts";
import { contradictionProblem } from "../messages/option-text.ts";
import { type Call, defineCommand, type Mention } from "./command.ts";
import type { CommandContext } from "./context.ts";
import type { OptionsOf } from "./parser/option-kinds.ts";
import { KEEP_MENTION, SUBSCRIBE_OPTIONS, writeUndoLine } from "./rule-options.ts";
import { undoLine } from "./settings.ts";

/** Maximum number of rules of one destination. */
export const MAX_RULES = 25;

type SubscribeOptions = OptionsOf<typeof SUBSCRIBE_OPTIONS>;

export const subscribe = defineCommand({
  name: "subscribe",
  summary: "Set an alert rule for this channel; in a direct message, for yourself",
  example: "subscribe exchange:NASDAQ,NYSE minratio:20 exclude:OTC",
  options: SUBSCRIBE_OPTIONS,
  managesChannel: true,
  check: (options) => findContradictions(filterFromOptions(options)).map(contradictionProblem),
  async run(options, call, context) {
    const { rule } = options;
    return [await (rule === undefined ? addRule(options, call, context) : changeRule(rule, options, call, context))];
  },
});

async function addRule(options: SubscribeOptions, call: Call, { store, clock }: CommandContext): Promise<Card> {
  const mention = await mentionOf(options.mention, call);
  if (mention?.kind === "refused") return mentionRefusedCard(mention.reason);
  const draft = draftOf(options, call, { mention: mention?.mention ?? null, now: clock.now() });
  const added = await store.rules.add(draft, MAX_RULES);
  if (added.kind === "full") return tooManyRulesCard(call.destination, MAX_RULES);
  return added.kind === "known" ? ruleKnownCard(added.rule) : ruleAddedCard(added.rule);
}

/** Replaces the whole rule: options that are not given get their defaults. */
async function changeRule(
  number: number,
  options: SubscribeOptions,
  call: Call,
  { store, clock }: CommandContext,
): Promise<Card> {
  const current = (await store.rules.at(call.destination)).find((rule) => rule.number === number);
  if (current === undefined) return goneCard(number, call, store);
  const draft = await changedDraft(current, options, call, clock.now());
  if ("refused" in draft) return mentionRefusedCard(draft.refused, number);
  const replaced = await store.rules.replace(number, draft);
  if (replaced.kind === "gone") return goneCard(number, call, store);
  if (replaced.kind === "known") return ruleKnownCard(replaced.rule, number);
  const back = writeUndoLine(replaced.before, replaced.rule);
  return ruleChangedCard(replaced.before, replaced.rule, back === null ? null : undoLine(back));
}

/** A kept mention remains its author's: it is removed with that person's data. */
async function changedDraft(
  current: Rule,
  options: SubscribeOptions,
  call: Call,
  now: Instant,
): Promise<RuleDraft | { readonly refused: string }> {
  if (options.mention?.toLowerCase() === KEEP_MENTION) {
    const { mention, createdBy, createdAt } = current;
    const draft = draftOf(options, call, { mention, now });
    return mention === null ? draft : { ...draft, createdBy, createdAt };
  }
  const mention = await mentionOf(options.mention, call);
  if (mention?.kind === "refused") return { refused: mention.reason };
  return draftOf(options, call, { mention: mention?.mention ?? null, now });
}

async function goneCard(number: number, { destination }: Call, { rules }: CommandContext["store"]): Promise<Card> {
  return noSuchRuleCard([number], await rules.at(destination));
}

function draftOf(
  options: SubscribeOptions,
  { destination, person }: Call,
  { mention, now }: { readonly mention: string | null; readonly now: Instant },
): RuleDraft {
  return { ...filterFromOptions(options), destination, createdBy: person, createdAt: now, mention };
}

async function mentionOf(text: string | undefined, call: Call): Promise<Mention | null> {
  if (text === undefined) return null;
  return call.resolveMention ? await call.resolveMention(text) : { kind: "refused", reason: NO_MENTIONS };
}
