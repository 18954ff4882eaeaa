import type { Rule } from "../domain/settings/rule.ts";
import { optionsFromFilter, RULE_FILTERS, type RuleOption } from "../domain/settings/rule-filters.ts";
import { RULE_OPTION_TEXT } from "../messages/rule-text.ts";
import type { OptionSpecs } from "./parser/option-kinds.ts";
import { writeLine } from "./parser/options.ts";

/** Value of `mention` that keeps a changed rule's mention. */
export const KEEP_MENTION = "keep";

type FilterOptions = {
  readonly [K in RuleOption]: { readonly kind: (typeof RULE_FILTERS)[K]["kind"]; readonly summary: string };
};

function filterOptions(): FilterOptions {
  const names = Object.keys(RULE_OPTION_TEXT) as RuleOption[];
  const specs = names.map((name) => [name, { kind: RULE_FILTERS[name].kind, summary: RULE_OPTION_TEXT[name].summary }]);
  return Object.fromEntries(specs);
}

/** Options of `subscribe`: the rule filters and the other options. */
export const SUBSCRIBE_OPTIONS = {
  rule: { kind: "ruleNumber", summary: "Number of the rule to replace", hidden: true },
  ...filterOptions(),
  mention: { kind: "mention", summary: "Who to mention in each alert" },
} as const satisfies OptionSpecs;

const SUBSCRIBE = { name: "subscribe", options: SUBSCRIBE_OPTIONS };

/** Line that sets the same rule again; null if the rule has a mention: mentions need the caller's permission. */
export function writeRuleLine(rule: Rule): string | null {
  return rule.mention === null ? writeLine(SUBSCRIBE, optionsFromFilter(rule)) : null;
}

/** Line that changes a rule back; null if the previous mention differs. */
export function writeUndoLine(before: Rule, now: Rule): string | null {
  if (before.mention !== null && before.mention !== now.mention) return null;
  const mention = before.mention === null ? undefined : KEEP_MENTION;
  return writeLine(SUBSCRIBE, { ...optionsFromFilter(before), mention, rule: now.number });
}
