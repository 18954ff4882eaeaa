import { EVENT_KINDS, type EventKind } from "../domain/alert/event.ts";
import { TREATMENTS } from "../domain/article/article.ts";
import {
  DEFAULT_CHANNEL_EVENTS,
  type Rule,
  type RuleDraft,
  type RuleFilter,
  SPLIT_AND_RELEASE_EVENTS,
} from "../domain/settings/rule.ts";
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
import { excludesAllText, SOURCES_WITHOUT_ARTICLES } from "../messages/option-text.ts";
import { type Call, defineCommand, type Mention, type OptionSpecs, type OptionsOf } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { MAX_RULES } from "./limits.ts";
import { KEEP_MENTION, writeUndoLine } from "./parser/rule-line.ts";
import { undoLine } from "./settings.ts";
import { WIRE_CHOICES, wiresOf } from "./sources.ts";

const OPTIONS = {
  exchange: { kind: "exchanges", summary: "Only splits on these exchanges" },
  tickers: { kind: "tickers", summary: "Only splits of these tickers" },
  exclude: { kind: "names", summary: "No splits of these tickers or exchanges" },
  events: {
    kind: "choices",
    choices: [...EVENT_KINDS, "all", "default"],
    aliases: { canceled: "cancelled", articles: "article", reminders: "reminder", everything: "all", usual: "default" },
    summary: "What to tell; by default all but reminder, article, early (approval or range) and stale (old data)",
  },
  sources: { ...WIRE_CHOICES, summary: "Press releases of these wires only" },
  fractional: {
    kind: "choices",
    choices: TREATMENTS,
    aliases: {
      up: "round_up",
      roundedup: "round_up",
      nearest: "round_nearest",
      roundednearest: "round_nearest",
      down: "round_down",
      roundeddown: "round_down",
      cash: "cash_in_lieu",
      cil: "cash_in_lieu",
    },
    summary: "Only where a release says this of fractional shares",
  },
  minratio: { kind: "ratio", summary: "Only splits as steep as this or steeper" },
  mention: { kind: "text", summary: "Who is called in each alert: a role on Discord; me or a user group on Slack" },
  rule: { kind: "rule", summary: "The rule that is to say this from now on, and nothing else", hidden: true },
} as const satisfies OptionSpecs;

type SubscribeOptions = OptionsOf<typeof OPTIONS>;

export const subscribe = defineCommand({
  name: "subscribe",
  summary: "Alerts for this channel by a rule; in a direct message, for yourself",
  example: "subscribe exchange:NASDAQ,NYSE minratio:20 exclude:OTC",
  options: OPTIONS,
  managesChannel: true,
  check: contradictions,
  async run(options, call, context) {
    return [
      await (options.rule === undefined ? add(options, call, context) : change(options.rule, options, call, context)),
    ];
  },
});

async function add(options: SubscribeOptions, call: Call, { store, clock }: CommandContext): Promise<Card> {
  const mention = await mentionOf(options.mention, call);
  if (mention?.kind === "refused") return mentionRefusedCard(mention.reason);
  const draft = draftOf(options, call, { mention: mention?.mention ?? null, now: clock.now() });
  const added = await store.rules.add(draft, MAX_RULES);
  if (added.kind === "full") return tooManyRulesCard(call.destination, MAX_RULES);
  return added.kind === "known" ? ruleKnownCard(added.rule) : ruleAddedCard(added.rule);
}

/** From then on the rule says what the options say, and nothing else. */
async function change(
  number: number,
  options: SubscribeOptions,
  call: Call,
  { store, clock }: CommandContext,
): Promise<Card> {
  const asked = (await store.rules.at(call.destination)).find((rule) => rule.number === number);
  if (asked === undefined) return gone(number, call, store);
  const draft = await changedDraft(asked, options, call, clock.now());
  if ("refused" in draft) return mentionRefusedCard(draft.refused, number);
  const replaced = await store.rules.replace(number, draft);
  if (replaced.kind === "gone") return gone(number, call, store);
  if (replaced.kind === "known") return ruleKnownCard(replaced.rule, number);
  const back = writeUndoLine(replaced.before, replaced.rule);
  return ruleChangedCard(replaced.before, replaced.rule, back === null ? null : undoLine(back));
}

/** Whom it calls goes when whoever set that wants to be forgotten: where the call is kept, the rule stays theirs. */
async function changedDraft(
  asked: Rule,
  options: SubscribeOptions,
  call: Call,
  now: Instant,
): Promise<RuleDraft | { readonly refused: string }> {
  if (options.mention?.toLowerCase() === KEEP_MENTION) {
    const { mention, createdBy, createdAt } = asked;
    const draft = draftOf(options, call, { mention, now });
    return mention === null ? draft : { ...draft, createdBy, createdAt };
  }
  const mention = await mentionOf(options.mention, call);
  if (mention?.kind === "refused") return { refused: mention.reason };
  return draftOf(options, call, { mention: mention?.mention ?? null, now });
}

async function gone(number: number, { destination }: Call, { rules }: CommandContext["store"]): Promise<Card> {
  return noSuchRuleCard([number], await rules.at(destination));
}

function draftOf(
  options: SubscribeOptions,
  { destination, person }: Call,
  { mention, now }: { readonly mention: string | null; readonly now: Instant },
): RuleDraft {
  return { ...filterOf(options), destination, createdBy: person, createdAt: now, mention };
}

async function mentionOf(text: string | undefined, call: Call): Promise<Mention | null> {
  if (text === undefined) return null;
  return call.resolveMention ? await call.resolveMention(text) : { kind: "refused", reason: NO_MENTIONS };
}

function filterOf(options: SubscribeOptions): RuleFilter {
  const excluded = options.exclude ?? { tickers: [], exchanges: [] };
  return {
    exchanges: options.exchange ?? [],
    tickers: options.tickers ?? [],
    excludeExchanges: excluded.exchanges,
    excludeTickers: excluded.tickers,
    events: eventsOf(options),
    sources: wiresOf(options.sources ?? []),
    fractional: TREATMENTS.filter((treatment) => options.fractional?.includes(treatment)),
    minRatio: options.minratio ?? null,
  };
}

/** Who names wires wants their releases, whether or not they think of saying so. */
function eventsOf({ events, sources }: SubscribeOptions): readonly EventKind[] {
  const usual = events === undefined || events.includes("default");
  const all = events?.includes("all") ?? false;
  return EVENT_KINDS.filter(
    (kind) =>
      (all && SPLIT_AND_RELEASE_EVENTS.includes(kind)) ||
      (usual && DEFAULT_CHANNEL_EVENTS.includes(kind)) ||
      events?.includes(kind) ||
      (kind === "article" && events === undefined && sources !== undefined),
  );
}

/** Options that together leave nothing to tell. */
function contradictions(options: SubscribeOptions): readonly string[] {
  const { exchange = [], tickers = [], exclude = { tickers: [], exchanges: [] }, sources } = options;
  const problems: string[] = [];
  if (tickers.length > 0 && tickers.every((ticker) => exclude.tickers.includes(ticker))) {
    problems.push(excludesAllText("tickers", exclude.tickers));
  }
  if (exchange.length > 0 && exchange.every((name) => exclude.exchanges.includes(name))) {
    problems.push(excludesAllText("exchange", exclude.exchanges));
  }
  if (sources !== undefined && !eventsOf(options).some(isOfReleases)) problems.push(SOURCES_WITHOUT_ARTICLES);
  return problems;
}

function isOfReleases(kind: EventKind): boolean {
  return kind === "article" || kind === "early";
}
