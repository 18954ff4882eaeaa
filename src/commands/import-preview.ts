import type { Destination } from "../domain/alert/destination.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { PortableSettings } from "../domain/settings/pending-import.ts";
import { IMPORT_TIMEOUT_MS, type PendingImport } from "../domain/settings/pending-import.ts";
import type { ReadPortable } from "../domain/settings/portable.ts";
import type { PortableRule } from "../domain/settings/portable-rule.ts";
import { isEquivalentRule, type Rule, type RuleFilter } from "../domain/settings/rule.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type ImportChange, type ImportPreview, previewCard } from "../messages/answers/export-import-answer.ts";
import { formatCount } from "../messages/format.ts";
import { button, type Card } from "../messages/message.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { MAX_RULES, MAX_WATCHED_TICKERS } from "./limits.ts";
import { writeCommandLine } from "./parser/words.ts";

export interface ParsedImport {
  readonly name: string | null;
  readonly read: ReadPortable;
  readonly scope: "me" | "channel";
}

/** Shows what would change, and keeps it for whoever presses Apply. */
export async function previewImport(asked: ParsedImport, call: Call, context: CommandContext): Promise<Card> {
  const { imports } = context.store;
  const now = context.clock.now();
  const preview = await compare(asked, call, context);
  const { tickers, rules, settings } = preview;
  if (tickers.added.length + rules.added.length + Object.keys(settings).length === 0) return previewCard(preview, []);
  const pending: PendingImport = {
    id: crypto.randomUUID(),
    person: call.person,
    destination: call.destination,
    settingsOf: settingsPlace(asked, call),
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

/** With what is there already. */
async function compare(asked: ParsedImport, call: Call, { store }: CommandContext): Promise<ImportPreview> {
  const { destination, person } = call;
  const { name, read } = asked;
  const taken = takenBy(asked, destination);
  const [watched, standing, settings] = await Promise.all([
    store.watchlists.of(person),
    store.rules.at(destination),
    store.destinationSettings.of(settingsPlace(asked, call)),
  ]);
  const rules = sortRules(taken.rules, standing);
  return {
    name,
    destination,
    tickers: sortTickers(taken.watchlist, watched),
    rules,
    settings: changedSettings(read.settings, settings),
    skipped: taken.leftOut,
    droppedMentions: taken.rules.filter(({ filter, called }) => called && rules.added.includes(filter)).length,
    problems: read.problems,
    limits: { tickers: MAX_WATCHED_TICKERS, rules: MAX_RULES },
  };
}

function settingsPlace({ scope }: ParsedImport, { person, destination }: Call): Destination {
  return scope === "channel" ? destination : person;
}

export function stepLine(step: "apply" | "cancel" | "undo", { id }: PendingImport): string {
  return writeCommandLine("import", { [step]: id });
}

/** A channel takes rules alone; a person in a channel their watchlist alone. */
function takenBy(
  { read: { watchlist, rules }, scope }: ParsedImport,
  destination: Destination,
): {
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly leftOut: readonly string[];
} {
  if (scope === "channel") {
    const tickers = formatCount(watchlist.length, "ticker");
    const leftOut = [`${tickers} of a watchlist left out: a channel has rules, and no watchlist.`];
    return { watchlist: [], rules, leftOut: watchlist.length > 0 ? leftOut : [] };
  }
  if (destination.kind === "person") return { watchlist, rules, leftOut: [] };
  const left = `${formatCount(rules.length, "rule")} left out: import with scope:channel for this channel, or in a direct message for yourself.`;
  return { watchlist, rules: [], leftOut: rules.length > 0 ? [left] : [] };
}

function sortTickers(asked: readonly Ticker[], watched: readonly Ticker[]): ImportChange<Ticker> {
  const onList = new Set(watched);
  const unwatched = asked.filter((ticker) => !onList.has(ticker));
  const room = Math.max(0, MAX_WATCHED_TICKERS - watched.length);
  return {
    added: unwatched.slice(0, room),
    overLimit: unwatched.slice(room),
    existing: asked.filter((ticker) => onList.has(ticker)),
  };
}

function sortRules(asked: readonly PortableRule[], standing: readonly Rule[]): ImportChange<RuleFilter> {
  const room = Math.max(0, MAX_RULES - standing.length);
  const existing: RuleFilter[] = [];
  const added: RuleFilter[] = [];
  const overLimit: RuleFilter[] = [];
  for (const { filter } of asked) {
    if (includesFilter(filter, [...standing, ...added])) existing.push(filter);
    else if (added.length < room) added.push(filter);
    else overLimit.push(filter);
  }
  return { added, existing, overLimit };
}

/** Whomever they call: a rule that calls somebody tells all that one without would tell. */
export function includesFilter(filter: RuleFilter, rules: readonly RuleFilter[]): boolean {
  return rules.some((rule) => isEquivalentRule({ ...rule, mention: null }, { ...filter, mention: null }));
}

/** Only what is not so already. */
export function changedSettings(asked: PortableSettings, now: DestinationSettings): PortableSettings {
  const changed = Object.entries(asked).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof DestinationSettings]),
  );
  return Object.fromEntries(changed);
}
