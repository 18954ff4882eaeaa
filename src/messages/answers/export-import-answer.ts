import type { Destination } from "../../domain/alert/destination.ts";
import type { PortableSettings } from "../../domain/settings/destination-settings.ts";
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_LINES,
  MAX_IMPORT_PROBLEMS,
  MAX_IMPORT_VALUES,
  type Unreadable,
} from "../../domain/settings/portable.ts";
import type { Rule } from "../../domain/settings/rule.ts";
import type { LineProblem } from "../../domain/settings/ticker-list.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { cutText } from "../../lib/external-text.ts";
import { EXAMPLE_TICKER, EXAMPLE_TICKER_LIST } from "../example-tickers.ts";
import { capitalize, formatCount, joinList, joinShortList } from "../format.ts";
import { type Button, button, type Card, type CardFile, card } from "../message.ts";
import { describeRule } from "../rule-text.ts";
import { settingChangeTexts } from "../setting-text.ts";
import { destinationText } from "./rules-answer.ts";

/** Tickers of an import by outcome. */
export interface ImportedTickers {
  readonly added: readonly Ticker[];
  readonly existing: readonly Ticker[];
  readonly overLimit: readonly Ticker[];
}

/** What an import changed, and what it left out. */
export interface ImportResult {
  /** Name of the file; null if the text was pasted. */
  readonly name: string | null;
  readonly destination: Destination;
  readonly tickers: ImportedTickers;
  /** `existing`, `overLimit`: numbers of rules. `droppedMentions`: number of added rules whose mention can't be imported. */
  readonly rules: {
    readonly added: readonly Rule[];
    readonly existing: number;
    readonly overLimit: number;
    readonly droppedMentions: number;
  };
  /** Settings that changed. */
  readonly settings: PortableSettings;
  /** Sentences about content that can't be imported here. */
  readonly skipped: readonly string[];
  readonly problems: readonly LineProblem[];
  /** Warnings about unknown tickers. */
  readonly warnings: readonly string[];
  readonly limits: { readonly tickers: number; readonly rules: number };
}

const MAX_PROBLEMS = 10;
const MAX_RULES_SHOWN = 10;

/** `undo`: null if nothing was changed. */
export function importedCard(result: ImportResult, undo: Button | null): Card {
  const { rules, settings, problems, destination } = result;
  const origin = result.name === null ? "your text" : cutText(result.name, 80);
  const changes = changesText(result.tickers.added.length, rules.added.length, settings);
  const settingChanges = settingChangeTexts(settings);
  const successTone = undo === null ? "plain" : "good";
  return card({
    tone: problems.length > 0 ? "warning" : successTone,
    title: undo === null ? `Nothing new in ${origin}` : `Imported from ${origin}: ${changes}`,
    lines: [
      ...(undo === null ? ["Nothing was changed."] : []),
      ...tickerLines(result),
      ...ruleLines(result),
      ...(settingChanges.length > 0 ? [`Settings: ${joinList(settingChanges)}.`] : []),
      ...result.skipped,
      ...problemLines(problems, undo !== null),
    ],
    rows: rules.added.slice(0, MAX_RULES_SHOWN).map((rule) => ({
      title: `Rule ${rule.number} for ${destinationText(destination)}`,
      detail: describeRule(rule),
    })),
    warnings: result.warnings,
    buttons: undo === null ? [] : [undo, button("Your watchlist", "watchlist"), button("Rules here", "subscriptions")],
  });
}

function tickerLines({ tickers: { added, existing, overLimit }, limits }: ImportResult): readonly string[] {
  return [
    ...(added.length > 0 ? [`Added to your watchlist: ${joinShortList(added, 20)}.`] : []),
    ...(existing.length > 0 ? [`Already on your watchlist: ${joinShortList(existing)}.`] : []),
    ...(overLimit.length > 0
      ? [
          `Not added: ${joinShortList(overLimit)}. A watchlist can have at most ${formatCount(limits.tickers, "ticker")}.`,
        ]
      : []),
  ];
}

function ruleLines({ rules, destination, limits }: ImportResult): readonly string[] {
  const { existing, overLimit, droppedMentions } = rules;
  const destinationName = destinationText(destination);
  return [
    ...(existing > 0 ? [`${formatCount(existing, "rule is", "rules are")} already set for ${destinationName}.`] : []),
    ...(overLimit > 0
      ? [`Not added: ${formatCount(overLimit, "rule")}. At most ${limits.rules} can be set for ${destinationName}.`]
      : []),
    ...(droppedMentions > 0
      ? [
          `${formatCount(droppedMentions, "rule")} had a mention, which can't be imported. To mention someone here, set the rule again with the option "mention".`,
        ]
      : []),
  ];
}

function problemLines(problems: readonly LineProblem[], hasChanges: boolean): readonly string[] {
  if (problems.length === 0) return [];
  const hiddenCount = problems.length - MAX_PROBLEMS;
  return [
    `${formatCount(problems.length, "problem")} found.${hasChanges ? " Everything else was imported." : ""}`,
    ...problems.slice(0, MAX_PROBLEMS).map(problemLine),
    ...(hiddenCount > 0 ? [`And ${formatCount(hiddenCount, "more problem")}.`] : []),
  ];
}

function problemLine({ line, got, expected, hint }: LineProblem): string {
  const explanation = hint === undefined ? "" : ` ${hint}`;
  return `Line ${line.toLocaleString("en-US")}: got ${cutText(got.replace(/\s+/g, " "), 80)}, expected ${expected}.${explanation}`;
}

/** `3 tickers and 1 rule`. */
function changesText(tickers: number, rules: number, settings: PortableSettings): string {
  const settingCount = Object.keys(settings).length;
  return joinList([
    ...(tickers > 0 ? [formatCount(tickers, "ticker")] : []),
    ...(rules > 0 ? [formatCount(rules, "rule")] : []),
    ...(settingCount > 0 ? [formatCount(settingCount, "setting")] : []),
  ]);
}

/** What the undo of an import removed, and the settings that it restored. */
export interface UndoneImport {
  readonly destination: Destination;
  readonly tickers: readonly Ticker[];
  readonly ruleNumbers: readonly number[];
  readonly settings: PortableSettings;
}

export function undoneCard({ tickers, ruleNumbers, settings, destination }: UndoneImport): Card {
  const changes = settingChangeTexts(settings);
  const rules = `${ruleNumbers.length === 1 ? "Rule" : "Rules"} ${joinList(ruleNumbers.map(String))}`;
  return card({
    tone: "good",
    title: `Import undone: ${changesText(tickers.length, ruleNumbers.length, settings)}`,
    lines: [
      ...(tickers.length > 0 ? [`Removed from your watchlist: ${joinShortList(tickers, 20)}.`] : []),
      ...(ruleNumbers.length > 0 ? [`${rules} for ${destinationText(destination)}: removed.`] : []),
      ...(changes.length > 0 ? [`Settings: ${joinList(changes)}.`] : []),
      "Everything else is unchanged.",
    ],
  });
}

/** The import was undone, a later one replaced it, or another person or channel has it; the card doesn't say which. */
export function importNotUndoneCard(): Card {
  return card({
    tone: "bad",
    title: "This import can't be undone anymore. Nothing was changed.",
    lines: ["You can undo your last import, once, in the conversation where you sent it."],
    buttons: [button("Help on import", "help import")],
  });
}

/** A channel has rules but no watchlist. */
export function skippedTickersText(tickers: number): string {
  return `${formatCount(tickers, "watchlist ticker")} can't be imported: a channel has rules but no watchlist.`;
}

/** Outside a direct message, rules are imported only with `scope:channel`. */
export function skippedRulesText(rules: number): string {
  return `${formatCount(rules, "rule")} can't be imported. Import with scope:channel for this channel, or in a direct message for yourself.`;
}

/** `attachHint` explains how to attach a file; undefined if the platform doesn't allow it. */
export function howToImportCard(attachHint: string | undefined): Card {
  const paste = "paste the text after the command";
  return card({
    title: "What do you want to import?",
    lines: [
      `${capitalize(attachHint === undefined ? paste : `${attachHint}, or ${paste}`)}.`,
      "You can import a file from /splits export, or tickers separated by commas, spaces or line breaks.",
      `Example: /splits import ${EXAMPLE_TICKER_LIST}`,
    ],
    buttons: [button("Help on import", "help import"), button("Export yours", "export")],
  });
}

export function noChannelDataCard(command: string): Card {
  return card({
    tone: "bad",
    title: "There's no channel here. Nothing was changed.",
    lines: [`To use your own data, leave out the option "scope": /splits ${command}`],
    buttons: [button(`/splits ${command}`, command)],
  });
}

/** Card for a file or text that can't be read; `name` is null for a text. */
export function unreadableCard(name: string | null, reason: string): Card {
  return card({
    tone: "bad",
    title: `Couldn't import ${name === null ? "your text" : cutText(name, 80)}. Nothing was changed.`,
    lines: [reason, `Example: /splits import ${EXAMPLE_TICKER_LIST}`],
    buttons: [button("Help on import", "help import")],
  });
}

const EXPECTED = "expected a file from /splits export or a list of tickers";

export function notTextReason(received: string): string {
  return `Got ${received}, ${EXPECTED}.`;
}

export function tooLargeReason(): string {
  return `Got more than ${MAX_IMPORT_BYTES / 1024 / 1024} MB, which is the limit.`;
}

export function unreachableReason(reason: string): string {
  return `Couldn't download the file: ${reason}. Try again, or paste its text after the command.`;
}

export function unreadableReason(problem: Unreadable): string {
  switch (problem.kind) {
    case "empty":
      return `Got an empty text, ${EXPECTED}.`;
    case "markup":
      return `Got a web page or other markup, ${EXPECTED}.`;
    case "too-long":
      return tooLargeReason();
    case "too-many-lines":
      return `Got ${formatCount(problem.lines, "line")}, expected at most ${formatCount(MAX_IMPORT_LINES, "line")}.`;
    case "too-many-values":
      return `Got more than ${formatCount(MAX_IMPORT_VALUES, "entry", "entries")}, expected fewer.`;
    case "too-many-problems":
      return `Got more than ${formatCount(MAX_IMPORT_PROBLEMS, "entry", "entries")} that can't be read, ${EXPECTED}.`;
    case "other-version":
      return `Line ${problem.line}: "splitwatch": got ${problem.got}, expected 1. Another version may have made this file.`;
    case "broken":
      return `${problemLine(problem)} The text isn't complete JSON, so none of it can be imported.`;
  }
}

export interface ExportCounts {
  readonly scope: "me" | "channel";
  readonly tickers: number;
  readonly rules: number;
  /** Number of rules with a mention. */
  readonly mentions: number;
}

export function exportedCard(counts: ExportCounts, file: CardFile): Card {
  const { scope, tickers, rules, mentions } = counts;
  const contents = joinList([
    ...(scope === "me" ? [formatCount(tickers, "ticker")] : []),
    formatCount(rules, "rule"),
    scope === "me" ? "your settings" : "this channel's settings",
  ]);
  return card({
    tone: "good",
    title: `${scope === "me" ? "Your" : "This channel's"} export: ${contents}`,
    lines: [
      "You can import the file on any platform: /splits import",
      ...(mentions > 0 ? ["Mentions aren't exported: they only work where they were set."] : []),
    ],
    files: [file],
  });
}

export function listExportedCard(tickers: number, file: CardFile): Card {
  return card({
    tone: "good",
    title: `Your watchlist as plain text: ${formatCount(tickers, "ticker")}`,
    lines: ["Other programs can read this list. To export rules and settings too: /splits export"],
    files: [file],
  });
}

export function nothingToExportCard(): Card {
  return card({
    title: "Nothing to export: your watchlist is empty",
    lines: [`Add a ticker: /splits watch ${EXAMPLE_TICKER}`],
  });
}
