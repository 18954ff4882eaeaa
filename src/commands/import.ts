import type { Destination } from "../domain/alert/destination.ts";
import type { DestinationSettings, PortableSettings } from "../domain/settings/destination-settings.ts";
import { IMPORT_TIMEOUT_MS, isOwnedBy, type PendingImport } from "../domain/settings/pending-import.ts";
import { type ParsedPortable, type PortableRule, readPortable } from "../domain/settings/portable.ts";
import { isEquivalentRule, type Rule, type RuleFilter } from "../domain/settings/rule.ts";
import { isKnownExchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { TimeSlice } from "../lib/slices.ts";
import {
  type AppliedImport,
  appliedCard,
  cancelledCard,
  howToImportCard,
  type ImportChange,
  type ImportPreview,
  importExpiredCard,
  noChannelDataCard,
  notTextReason,
  previewCard,
  skippedRulesText,
  skippedTickersText,
  tooLargeReason,
  undoneCard,
  unreachableReason,
  unreadableCard,
  unreadableReason,
} from "../messages/answers/export-import-answer.ts";
import { EXAMPLE_TICKER_LIST } from "../messages/example-tickers.ts";
import { button, type Card } from "../messages/message.ts";
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

const HIDDEN = { kind: "text", summary: "Set by the buttons of a preview", hidden: true } as const;

const OPTIONS = {
  file: { kind: "file", summary: "An exported file or a list of tickers" },
  text: { kind: "pastedText", summary: "The text of an exported file or a list of tickers, as the last option" },
  scope: { ...SCOPE, summary: "For you (default), or the rules and settings of this channel" },
  apply: HIDDEN,
  cancel: HIDDEN,
  undo: HIDDEN,
} as const satisfies OptionSpecs;

type ImportOptions = OptionsOf<typeof OPTIONS>;

/** Text to import. */
interface ImportText {
  readonly name: string | null;
  readonly text: string;
}

export const importFile = defineCommand({
  name: "import",
  summary: "Import a watchlist and rules from a file or list; shows the changes before it makes them",
  example: `import ${EXAMPLE_TICKER_LIST}`,
  options: OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  stores: true,
  async run(options, call, context) {
    const { apply, cancel, undo, scope } = options;
    if (apply !== undefined) return [await applyImport(apply, call, context)];
    if (cancel !== undefined) return [await cancelImport(cancel, call, context)];
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
      await previewImport({ name: input.name, read, scope: scope === "channel" ? "channel" : "me" }, call, context),
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

/** Shows what would change, and saves it for the Apply button. */
async function previewImport(parsed: ParsedImport, call: Call, context: CommandContext): Promise<Card> {
  const { imports } = context.store;
  const now = context.clock.now();
  const preview = await compare(parsed, call, context);
  const { tickers, rules, settings } = preview;
  if (tickers.added.length + rules.added.length + Object.keys(settings).length === 0) return previewCard(preview, []);
  const pending: PendingImport = {
    id: crypto.randomUUID(),
    person: call.person,
    destination: call.destination,
    settingsOf: settingsOwner(parsed, call),
    until: now + IMPORT_TIMEOUT_MS,
    state: "shown",
    tickers: tickers.added,
    rules: rules.added,
    settings,
    settingsBefore: {},
    ruleNumbers: [],
  };
  await imports.save(pending, now);
  return previewCard(preview, [
    button("Apply", stepLine("apply", pending), "primary"),
    button("Cancel", stepLine("cancel", pending)),
  ]);
}

async function compare(parsed: ParsedImport, call: Call, context: CommandContext): Promise<ImportPreview> {
  const { store } = context;
  const { destination, person } = call;
  const { name, read } = parsed;
  const accepted = acceptedBy(parsed, destination);
  const [watched, current, settings, { snapshot }] = await Promise.all([
    store.watchlists.of(person),
    store.rules.at(destination),
    store.destinationSettings.of(settingsOwner(parsed, call)),
    readSnapshotOf(context),
  ]);
  const rules = classifyRules(accepted.rules, current);
  const tickers = classifyTickers(accepted.watchlist, watched);
  const added = new Set([...tickers.added, ...rules.added.flatMap((rule) => rule.tickers)]);
  return {
    name,
    destination,
    tickers,
    rules,
    warnings: symbolWarnings([...added], snapshot, context),
    settings: changedSettings(read.settings, settings),
    skipped: accepted.skipped,
    droppedMentions: accepted.rules.filter(({ filter, hadMention }) => hadMention && rules.added.includes(filter))
      .length,
    problems: read.problems,
    limits: { tickers: MAX_WATCHED_TICKERS, rules: MAX_RULES },
  };
}

function settingsOwner({ scope }: ParsedImport, { person, destination }: Call): Destination {
  return scope === "channel" ? destination : person;
}

function stepLine(step: "apply" | "cancel" | "undo", { id }: PendingImport): string {
  return `import ${step}:${id}`;
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

function classifyTickers(imported: readonly Ticker[], watched: readonly Ticker[]): ImportChange<Ticker> {
  const onList = new Set(watched);
  const unwatched = imported.filter((ticker) => !onList.has(ticker));
  const room = Math.max(0, MAX_WATCHED_TICKERS - watched.length);
  return {
    added: unwatched.slice(0, room),
    overLimit: unwatched.slice(room),
    existing: imported.filter((ticker) => onList.has(ticker)),
  };
}

function classifyRules(imported: readonly PortableRule[], current: readonly Rule[]): ImportChange<RuleFilter> {
  const room = Math.max(0, MAX_RULES - current.length);
  const existing: RuleFilter[] = [];
  const added: RuleFilter[] = [];
  const overLimit: RuleFilter[] = [];
  for (const { filter } of imported) {
    if (includesFilter(filter, [...current, ...added])) existing.push(filter);
    else if (added.length < room) added.push(filter);
    else overLimit.push(filter);
  }
  return { added, existing, overLimit };
}

/** Ignores mentions, which don't affect the events that a rule matches. */
function includesFilter(filter: RuleFilter, rules: readonly RuleFilter[]): boolean {
  return rules.some((rule) => isEquivalentRule({ ...rule, mention: null }, { ...filter, mention: null }));
}

/** Settings that differ from the current ones. */
function changedSettings(imported: PortableSettings, current: DestinationSettings): PortableSettings {
  const changed = Object.entries(imported).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(current[name as keyof DestinationSettings]),
  );
  return Object.fromEntries(changed);
}

function applyImport(id: string, call: Call, context: AnswerContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state === "undone") return importExpiredCard();
    const saved = pending.state === "shown" ? await saveAdditions(pending, context) : pending;
    if (saved === null) return importExpiredCard();
    const applied = saved.state === "applying" ? await makeAdditions(saved, context) : saved;
    const card = appliedCard(appliedChanges(applied), button("Undo", stepLine("undo", applied)));
    const isSubscription = applied.tickers.length + applied.rules.length > 0;
    const answer = isSubscription ? withStory(card, context) : card;
    return withDeliveryNote(answer, applied.rules.length > 0 ? applied.destination : applied.settingsOf, context);
  });
}

function cancelImport(id: string, call: Call, context: CommandContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state !== "shown") return importExpiredCard();
    await context.store.imports.remove(pending.id);
    return cancelledCard();
  });
}

function undoImport(id: string, call: Call, context: CommandContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state === "undone") return undoneCard(undoneChanges(pending));
    if (pending.state !== "applied") return importExpiredCard();
    const { person, destination, tickers, ruleNumbers, settings, settingsOf, settingsBefore } = pending;
    const { watchlists, rules, destinationSettings, imports } = context.store;
    await watchlists.remove(person, tickers);
    await rules.remove(destination, ruleNumbers);
    if (Object.keys(settings).length > 0) await destinationSettings.change(settingsOf, settingsBefore);
    await imports.transition({ ...pending, state: "undone" }, "applied");
    return undoneCard(undoneChanges(pending));
  });
}

/** Runs `work` on the person's own pending import. Each press of a button checks again if the person may change the channel. */
async function withImport(
  id: string,
  call: Call,
  { store, clock }: CommandContext,
  work: (pending: PendingImport) => Promise<Card>,
): Promise<Card> {
  const pending = await store.imports.find(id.trim());
  if (pending === null || pending.until <= clock.now() || !isOwnedBy(pending, call.person, call.destination))
    return importExpiredCard();
  const changesChannel = pending.rules.length > 0 || pending.settingsOf.kind === "channel";
  return (changesChannel ? await deniedCard("import", call) : null) ?? work(pending);
}

/** Saves the list of additions before making them, so that an undo removes exactly these. Null: the import has expired. */
async function saveAdditions(shown: PendingImport, { store }: CommandContext): Promise<PendingImport | null> {
  const [watched, current, settings] = await Promise.all([
    store.watchlists.of(shown.person),
    store.rules.at(shown.destination),
    store.destinationSettings.of(shown.settingsOf),
  ]);
  const changed = changedSettings(shown.settings, settings);
  const before = Object.keys(changed).map((name) => [name, settings[name as keyof PortableSettings]]);
  const applying: PendingImport = {
    ...shown,
    state: "applying",
    tickers: shown.tickers.filter((ticker) => !watched.includes(ticker)),
    rules: shown.rules.filter((filter) => !includesFilter(filter, current)),
    settings: changed,
    settingsBefore: Object.fromEntries(before),
  };
  if (await store.imports.transition(applying, "shown")) return applying;
  return store.imports.find(shown.id);
}

/** Idempotent: existing tickers and rules are not added again. */
async function makeAdditions(applying: PendingImport, { store, clock }: CommandContext): Promise<PendingImport> {
  const { person, destination, settings, settingsOf } = applying;
  await store.watchlists.add(person, applying.tickers, MAX_WATCHED_TICKERS);
  const watched = await store.watchlists.of(person);
  const ruleNumbers: number[] = [];
  for (const filter of applying.rules) {
    const draft = { ...filter, destination, createdBy: person, createdAt: clock.now(), mention: null };
    const added = await store.rules.add(draft, MAX_RULES);
    if (added.kind !== "full") ruleNumbers.push(added.rule.number);
  }
  if (Object.keys(settings).length > 0) await store.destinationSettings.change(settingsOf, settings);
  const tickers = applying.tickers.filter((ticker) => watched.includes(ticker));
  const applied: PendingImport = { ...applying, state: "applied", tickers, ruleNumbers };
  await store.imports.transition(applied, "applying");
  return applied;
}

function appliedChanges({ destination, tickers, ruleNumbers, settings }: PendingImport): AppliedImport {
  return { destination, tickers, ruleNumbers, settings };
}

function undoneChanges(pending: PendingImport): AppliedImport {
  return { ...appliedChanges(pending), settings: pending.settingsBefore };
}
