import type { PortableSettings } from "../domain/settings/pending-import.ts";
import { isOwnedBy, type PendingImport } from "../domain/settings/pending-import.ts";
import {
  appliedCard,
  cancelledCard,
  type ImportDone,
  importExpiredCard,
  undoneCard,
} from "../messages/answers/export-import-answer.ts";
import { button, type Card } from "../messages/message.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { deniedCard } from "./forbidden.ts";
import { changedSettings, includesFilter, stepLine } from "./import-preview.ts";
import { MAX_RULES, MAX_WATCHED_TICKERS } from "./limits.ts";

export function applyImport(id: string, call: Call, context: CommandContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state === "undone") return importExpiredCard();
    const settled = pending.state === "shown" ? await settle(pending, context) : pending;
    if (settled === null) return importExpiredCard();
    const applied = settled.state === "applying" ? await carryOut(settled, context) : settled;
    return appliedCard(doneBy(applied), button("Undo", stepLine("undo", applied)));
  });
}

export function cancelImport(id: string, call: Call, context: CommandContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state !== "shown") return importExpiredCard();
    await context.store.imports.remove(pending.id);
    return cancelledCard();
  });
}

export function undoImport(id: string, call: Call, context: CommandContext): Promise<Card> {
  return withImport(id, call, context, async (pending) => {
    if (pending.state === "undone") return undoneCard(undoneBy(pending));
    if (pending.state !== "applied") return importExpiredCard();
    const { person, destination, tickers, ruleNumbers, settings, settingsOf, settingsBefore } = pending;
    const { watchlists, rules, destinationSettings, imports } = context.store;
    await watchlists.remove(person, tickers);
    await rules.remove(destination, ruleNumbers);
    if (Object.keys(settings).length > 0) await destinationSettings.change(settingsOf, settingsBefore);
    await imports.transition({ ...pending, state: "undone" }, "applied");
    return undoneCard(undoneBy(pending));
  });
}

/** Somebody else's import, or one that ran out, is none. What it does to a channel is checked at every press. */
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
  return (changesChannel ? deniedCard("import", call) : null) ?? work(pending);
}

/**
 * Writes down what is to be added before any of it is, so that an undo takes off that and nothing else, whatever happens
 * between. Null: it is gone meanwhile.
 */
async function settle(shown: PendingImport, { store }: CommandContext): Promise<PendingImport | null> {
  const [watched, standing, settings] = await Promise.all([
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
    rules: shown.rules.filter((filter) => !includesFilter(filter, standing)),
    settings: changed,
    settingsBefore: Object.fromEntries(before),
  };
  if (await store.imports.transition(applying, "shown")) return applying;
  return store.imports.find(shown.id);
}

/** May be done twice: what is there already is not added again. */
async function carryOut(applying: PendingImport, { store, clock }: CommandContext): Promise<PendingImport> {
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

function doneBy({ destination, tickers, ruleNumbers, settings }: PendingImport): ImportDone {
  return { destination, tickers, ruleNumbers, settings };
}

function undoneBy(pending: PendingImport): ImportDone {
  return { ...doneBy(pending), settings: pending.settingsBefore };
}
