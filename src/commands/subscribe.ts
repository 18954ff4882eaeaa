import type { Rule, RuleDraft, RuleFilter } from "../domain/settings/rule.ts";
import {
  filterFromOptions,
  findContradictions,
  optionsFromFilter,
  RULE_FILTERS,
  type RuleOption,
} from "../domain/settings/rule-filters.ts";
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
import { DRY_RUN_DAYS, dryRunLine, rulePreviewCard } from "../messages/dry-run-text.ts";
import { button, type Card, MAX_BUTTON_LINE_LENGTH } from "../messages/message.ts";
import { contradictionProblem } from "../messages/option-text.ts";
import { RULE_OPTION_TEXT } from "../messages/rule-text.ts";
import { type Call, defineCommand, type Mention } from "./command.ts";
import type { AnswerContext, CommandContext } from "./context.ts";
import { readSnapshotOf } from "./current-data.ts";
import { withDeliveryNote } from "./delivery-note.ts";
import { dryRunOf } from "./dry-run.ts";
import type { OptionSpecs, OptionsOf } from "./parser/option-kinds.ts";
import { writeLine } from "./parser/options.ts";
import { withStory } from "./sample-story.ts";
import { undoLine } from "./settings.ts";
import { symbolWarnings } from "./unknown-symbols.ts";

/** Maximum number of rules of one destination. */
export const MAX_RULES = 25;

/** Value of the option `mention` that keeps the current mention when a rule is changed. */
export const KEEP_MENTION = "keep";

type FilterOptions = {
  readonly [K in RuleOption]: { readonly kind: (typeof RULE_FILTERS)[K]["kind"]; readonly summary: string };
};

function filterOptions(): FilterOptions {
  const names = Object.keys(RULE_OPTION_TEXT) as RuleOption[];
  const specs = names.map((name) => [name, { kind: RULE_FILTERS[name].kind, summary: RULE_OPTION_TEXT[name].summary }]);
  return Object.fromEntries(specs);
}

export const SUBSCRIBE_OPTIONS = {
  rule: { kind: "ruleNumber", summary: "Number of the rule to replace", hidden: true },
  ...filterOptions(),
  mention: { kind: "mention", summary: "Who to mention in each alert" },
  preview: {
    kind: "switch",
    summary: `Show what the rule would have sent in the last ${DRY_RUN_DAYS} days, without saving it`,
  },
} as const satisfies OptionSpecs;

type SubscribeOptions = OptionsOf<typeof SUBSCRIBE_OPTIONS>;

export const subscribe = defineCommand({
  name: "subscribe",
  aboutSplits: true,
  summary: "Set an alert rule for this channel; in a direct message, for yourself",
  example: "subscribe exchange:NASDAQ,NYSE minratio:20 exclude:OTC",
  options: SUBSCRIBE_OPTIONS,
  managesChannel: true,
  stores: true,
  storesWhen: ({ preview }) => preview !== true,
  check: (options) => findContradictions(filterFromOptions(options)).map(contradictionProblem),
  async run(options, call, context) {
    const { rule, preview } = options;
    if (preview === true) return [await previewRule(options, context)];
    const card = await (rule === undefined
      ? addRule(options, call, context)
      : changeRule(rule, options, call, context));
    const { snapshot } = await readSnapshotOf(context);
    const warnings = [...card.warnings, ...symbolWarnings(options.tickers ?? [], snapshot, context)];
    return [await withDeliveryNote({ ...card, warnings }, call.destination, context)];
  },
});

async function previewRule(options: SubscribeOptions, context: AnswerContext): Promise<Card> {
  const filter = filterFromOptions(options);
  const line = writeLine(SUBSCRIBE, { ...options, preview: undefined });
  // Who may mention a group or a role is known only where the command is typed.
  const canMention = options.mention === undefined || /^\w+$/.test(options.mention);
  const canSave = canMention && line.length <= MAX_BUTTON_LINE_LENGTH;
  const save = canSave ? [button("Save this rule", line, "primary")] : [];
  return rulePreviewCard(filter, await dryRunOf(filter, context), { timezone: context.readersTimezone, save });
}

async function dryRunLineOf(filter: RuleFilter, context: AnswerContext): Promise<string> {
  return dryRunLine(await dryRunOf(filter, context), context.readersTimezone);
}

async function addRule(options: SubscribeOptions, call: Call, context: AnswerContext): Promise<Card> {
  const { store, clock } = context;
  const mention = await mentionOf(options.mention, call);
  if (mention?.kind === "refused") return mentionRefusedCard(mention.reason);
  const draft = draftOf(options, call, { mention: mention?.mention ?? null, now: clock.now() });
  const addResult = await store.rules.add(draft, MAX_RULES);
  if (addResult.kind === "full") return tooManyRulesCard(call.destination, MAX_RULES);
  if (addResult.kind === "known") return ruleKnownCard(addResult.rule);
  return withStory(ruleAddedCard(addResult.rule, await dryRunLineOf(addResult.rule, context)), context);
}

/** Replaces the whole rule: omitted options get their defaults. */
async function changeRule(
  number: number,
  options: SubscribeOptions,
  call: Call,
  context: AnswerContext,
): Promise<Card> {
  const { store, clock } = context;
  const current = (await store.rules.at(call.destination)).find((rule) => rule.number === number);
  if (current === undefined) return missingRuleCard(number, call, store);
  const draft = await changedDraft(current, options, call, clock.now());
  if ("refused" in draft) return mentionRefusedCard(draft.refused, number);
  const replaceResult = await store.rules.replace(number, draft);
  if (replaceResult.kind === "gone") return missingRuleCard(number, call, store);
  if (replaceResult.kind === "known") return ruleKnownCard(replaceResult.rule, number);
  const undo = writeUndoLine(replaceResult.before, replaceResult.rule);
  return ruleChangedCard({
    ...replaceResult,
    undo: undo === null ? null : undoLine(undo),
    dryRun: await dryRunLineOf(replaceResult.rule, context),
  });
}

/** A rule that keeps its mention also keeps its author, so that it is purged with the author's data. */
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

async function missingRuleCard(
  number: number,
  { destination }: Call,
  { rules }: CommandContext["store"],
): Promise<Card> {
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

const SUBSCRIBE = { name: "subscribe", options: SUBSCRIBE_OPTIONS };

/** Command line that recreates the rule; null if the rule has a mention, because the caller may not be allowed to use it. */
export function writeRuleLine(rule: Rule): string | null {
  return rule.mention === null ? writeLine(SUBSCRIBE, optionsFromFilter(rule)) : null;
}

/** Command line that restores the previous rule; null if its mention was removed or replaced. */
function writeUndoLine(before: Rule, after: Rule): string | null {
  if (before.mention !== null && before.mention !== after.mention) return null;
  const mention = before.mention === null ? undefined : KEEP_MENTION;
  return writeLine(SUBSCRIBE, { ...optionsFromFilter(before), mention, rule: after.number });
}
