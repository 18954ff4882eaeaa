import { type Destination, destinationKey, isSameDestination } from "../domain/alert/destination.ts";
import type { PortableSettings } from "../domain/settings/destination-settings.ts";
import { type ParsedPortable, type PortableRule, readPortable } from "../domain/settings/portable.ts";
import { isEquivalentRule, type Rule, type RuleFilter } from "../domain/settings/rule.ts";
import { isKnownExchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { TimeSlice } from "../lib/slices.ts";
import {
  howToImportCard,
  type ImportedTickers,
  type ImportResult,
  importedCard,
  importNotUndoneCard,
  noChannelDataCard,
  notTextReason,
  skippedRulesText,
  skippedTickersText,
  tooLargeReason,
  undoneCard,
  unreachableReason,
  unreadableCard,
  unreadableReason,
} from "../messages/answers/export-import-answer.ts";
import { EXAMPLE_TICKER_LIST } from "../messages/example-tickers.ts";
import type { Card } from "../messages/message.ts";
import { undoButton } from "../messages/split-text.ts";
import { type Call, defineCommand, deniedCard } from "./command.ts";
import type { AnswerContext, CommandContext } from "./context.ts";
import { exchangesIn, readCurrentData, readSnapshotOf } from "./current-data.ts";
import { withDeliveryNote } from "./delivery-note.ts";
import { destinationOfScope, SCOPE } from "./destination-state.ts";
import type { OptionSpecs, OptionsOf } from "./parser/option-kinds.ts";
import { withStory } from "./sample-story.ts";
import { MAX_RULES } from "./subscribe.ts";
import { symbolWarnings } from "./unknown-symbols.ts";
import { MAX_WATCHED_TICKERS } from "./watch.ts";

const OPTIONS = {
  file: { kind: "file", summary: "An exported file or a list of tickers" },
  text: { kind: "pastedText", summary: "The text of an exported file or a list of tickers, as the last option" },
  scope: { ...SCOPE, summary: "For you (default), or the rules and settings of this channel" },
  undo: { kind: "text", summary: "Set by the Undo button", hidden: true },
} as const satisfies OptionSpecs;

type ImportOptions = OptionsOf<typeof OPTIONS>;

/** Text to import. */
interface ImportText {
  readonly name: string | null;
  readonly text: string;
}

export const importFile = defineCommand({
  name: "import",
  summary: "Import a watchlist and rules from a file or list",
  example: `import ${EXAMPLE_TICKER_LIST}`,
  options: OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  stores: true,
  async run(options, call, context) {
    const { undo, scope } = options;
    if (undo !== undefined) return [await undoImport(undo, call, context)];
    if (destinationOfScope(scope, call) === null) return [noChannelDataCard(`import ${EXAMPLE_TICKER_LIST}`)];
    const input = await readImportText(options, call);
    if ("title" in input) return [input];
    // Receiving a large text blocks the event loop for a while. Other work can run before it is read.
    const slice = new TimeSlice();
    await slice.end();
    const read = await readPortable(input.text, await knownExchanges(context), () => slice.next());
    if (read.kind !== "read") return [unreadableCard(input.name, unreadableReason(read))];
    return [
      await importParsed({ name: input.name, read, scope: scope === "channel" ? "channel" : "me" }, call, context),
    ];
  },
});

/** Returns the text of the attached file, else the pasted text; an answer card if there is no readable text. */
async function readImportText({ file, text }: ImportOptions, call: Call): Promise<ImportText | Card> {
  const attached = await call.fetchAttachment?.();
  if (attached === undefined)
    return text === undefined || file !== undefined ? howToImportCard(call.hints?.file) : { name: null, text };
  const { name } = attached;
  switch (attached.kind) {
    case "text":
      return { name, text: attached.text };
    case "not-text":
      return unreadableCard(name, notTextReason(attached.format));
    case "too-large":
      return unreadableCard(name, tooLargeReason());
    case "unreachable":
      return unreadableCard(name, unreachableReason(attached.reason));
  }
}

/** Returns a predicate for the exchanges that `subscribe` accepts: known exchanges, and the exchanges of listed splits. */
async function knownExchanges(context: AnswerContext): Promise<Parameters<typeof readPortable>[1]> {
  const listed = exchangesIn(await readCurrentData(context));
  return (exchange) => isKnownExchange(exchange) || listed.includes(exchange);
}

interface ParsedImport {
  readonly name: string | null;
  readonly read: ParsedPortable;
  readonly scope: "me" | "channel";
}

/** Adds what is missing, and saves what it has changed for the Undo button. */
async function importParsed(parsed: ParsedImport, call: Call, context: AnswerContext): Promise<Card> {
  const { destination, person } = call;
  const { name, read, scope } = parsed;
  const settingsOf = scope === "channel" ? destination : person;
  const accepted = acceptedBy(parsed, destination);
  const tickers = await addTickers(accepted.watchlist, call, context);
  const rules = await addRules(accepted.rules, call, context);
  const { settings, before } = await changeSettings(read.settings, settingsOf, context);
  const { snapshot } = await readSnapshotOf(context);
  const added = new Set([...tickers.added, ...rules.added.flatMap((rule) => rule.tickers)]);
  const result: ImportResult = {
    name,
    destination,
    tickers,
    rules,
    settings,
    skipped: accepted.skipped,
    problems: read.problems,
    warnings: symbolWarnings([...added], snapshot, context),
    limits: { tickers: MAX_WATCHED_TICKERS, rules: MAX_RULES },
  };
  const hasSubscribed = tickers.added.length + rules.added.length > 0;
  if (!hasSubscribed && Object.keys(settings).length === 0) return importedCard(result, null);
  const id = crypto.randomUUID();
  await context.store.lastImports.put({
    id,
    person,
    destination,
    settingsOf,
    tickers: tickers.added,
    ruleNumbers: rules.added.map(({ number }) => number),
    settings: before,
  });
  const card = importedCard(result, undoButton(`import undo:${id}`));
  const answer = hasSubscribed ? withStory(card, context) : card;
  return withDeliveryNote(answer, rules.added.length > 0 ? destination : settingsOf, context);
}

/** With `scope:channel`, rules are imported. Otherwise all entries in a direct message, and only the watchlist in a channel. */
function acceptedBy(
  { read: { watchlist, rules }, scope }: ParsedImport,
  destination: Destination,
): {
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly skipped: readonly string[];
} {
  if (scope === "channel") {
    return { watchlist: [], rules, skipped: watchlist.length > 0 ? [skippedTickersText(watchlist.length)] : [] };
  }
  if (destination.kind === "person") return { watchlist, rules, skipped: [] };
  return { watchlist, rules: [], skipped: rules.length > 0 ? [skippedRulesText(rules.length)] : [] };
}

async function addTickers(
  imported: readonly Ticker[],
  { person }: Call,
  { store: { watchlists } }: CommandContext,
): Promise<ImportedTickers> {
  if (imported.length === 0) return { added: [], existing: [], overLimit: [] };
  const added = await watchlists.add(person, imported, MAX_WATCHED_TICKERS);
  const [isNew, isWatched] = [new Set(added), new Set(await watchlists.of(person))];
  return {
    added,
    existing: imported.filter((ticker) => isWatched.has(ticker) && !isNew.has(ticker)),
    overLimit: imported.filter((ticker) => !isWatched.has(ticker)),
  };
}

async function addRules(
  imported: readonly PortableRule[],
  call: Call,
  context: CommandContext,
): Promise<ImportResult["rules"]> {
  const current = [...(await context.store.rules.at(call.destination))];
  const added: Rule[] = [];
  const counts = { existing: 0, overLimit: 0, droppedMentions: 0 };
  for (const { filter, hadMention } of imported) {
    const outcome = await addRule(filter, current, call, context);
    if (typeof outcome === "string") {
      counts[outcome] += 1;
      continue;
    }
    added.push(outcome);
    current.push(outcome);
    if (hadMention) counts.droppedMentions += 1;
  }
  return { added, ...counts };
}

/** `current`: the destination's rules. */
async function addRule(
  filter: RuleFilter,
  current: readonly Rule[],
  { person, destination }: Call,
  { store, clock }: CommandContext,
): Promise<Rule | "existing" | "overLimit"> {
  if (includesFilter(filter, current)) return "existing";
  if (current.length >= MAX_RULES) return "overLimit";
  const draft = { ...filter, destination, createdBy: person, createdAt: clock.now(), mention: null };
  const outcome = await store.rules.add(draft, MAX_RULES);
  if (outcome.kind === "added") return outcome.rule;
  return outcome.kind === "known" ? "existing" : "overLimit";
}

/** Ignores mentions, which don't affect the events that a rule matches. */
function includesFilter(filter: RuleFilter, rules: readonly Rule[]): boolean {
  return rules.some((rule) => isEquivalentRule({ ...rule, mention: null }, { ...filter, mention: null }));
}

/** Changes the settings that differ from the current ones. Returns these, and their values before. */
async function changeSettings(
  imported: PortableSettings,
  owner: Destination,
  { store: { destinationSettings } }: CommandContext,
): Promise<{ readonly settings: PortableSettings; readonly before: PortableSettings }> {
  const current = await destinationSettings.of(owner);
  const names = (Object.keys(imported) as (keyof PortableSettings)[]).filter(
    (name) => JSON.stringify(imported[name]) !== JSON.stringify(current[name]),
  );
  const pick = (from: PortableSettings): PortableSettings =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  if (names.length === 0) return { settings: {}, before: {} };
  const { before } = await destinationSettings.change(owner, pick(imported));
  return { settings: pick(imported), before: pick(before) };
}

/** Undoes the person's last import. An undo that was interrupted is completed by the next one. */
async function undoImport(id: string, call: Call, { store }: CommandContext): Promise<Card> {
  const { watchlists, rules, destinationSettings, lastImports } = store;
  const key = destinationKey(call.person);
  const last = await lastImports.find(key);
  if (last === null || last.id !== id.trim() || !isSameDestination(last.destination, call.destination))
    return importNotUndoneCard();
  const { person, destination, settingsOf, tickers, ruleNumbers, settings } = last;
  const changesChannel = (ruleNumbers.length > 0 && destination.kind === "channel") || settingsOf.kind === "channel";
  const denied = changesChannel ? await deniedCard("import", call) : null;
  if (denied) return denied;
  await watchlists.remove(person, tickers);
  await rules.remove(destination, ruleNumbers);
  if (Object.keys(settings).length > 0) await destinationSettings.change(settingsOf, settings);
  await lastImports.remove(key);
  return undoneCard(last);
}
