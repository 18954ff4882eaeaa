import type { Destination } from "../../domain/alert/destination.ts";
import { formatQuietHours } from "../../domain/settings/destination-settings.ts";
import type { PortableSettings } from "../../domain/settings/pending-import.ts";
import { MAX_PORTABLE_BYTES, MAX_PORTABLE_LINES, type Unreadable } from "../../domain/settings/portable.ts";
import type { RuleFilter } from "../../domain/settings/rule.ts";
import type { LineProblem } from "../../domain/settings/ticker-list.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { A_TICKER, TICKER_LIST } from "../example-tickers.ts";
import { formatCount, joinList, joinShortList, truncate } from "../format.ts";
import { type Button, button, type Card, type CardFile, card } from "../message.ts";
import { describeRule } from "../rule-text.ts";
import { destinationText } from "./rules-answer.ts";

/** What came of a list: what is new, what is there already, what there is no room for. */
export interface ImportChange<T> {
  readonly added: readonly T[];
  readonly existing: readonly T[];
  readonly overLimit: readonly T[];
}

/** What an import would change. */
export interface ImportPreview {
  /** The file's name; null: the text came with the line. */
  readonly name: string | null;
  readonly destination: Destination;
  readonly tickers: ImportChange<Ticker>;
  readonly rules: ImportChange<RuleFilter>;
  /** Those that would be changed. */
  readonly settings: PortableSettings;
  /** What is of no use here, in sentences. */
  readonly skipped: readonly string[];
  /** How many of the new rules called somebody where they come from. */
  readonly droppedMentions: number;
  readonly problems: readonly LineProblem[];
  readonly limits: { readonly tickers: number; readonly rules: number };
}

const MOST_PROBLEMS = 10;
const MOST_RULES_SHOWN = 10;

export function previewCard(preview: ImportPreview, buttons: readonly Button[]): Card {
  const { tickers, rules, settings, problems } = preview;
  const adds = addedWords(tickers.added.length, rules.added.length, settings);
  const from = preview.name === null ? "what you sent" : truncate(preview.name, 80);
  return card({
    tone: problems.length > 0 ? "warning" : "plain",
    title: adds === "" ? `Nothing new in ${from}` : `Import of ${from}: ${adds}`,
    lines: [
      ...(adds === "" ? ["Nothing was changed."] : ["Nothing is changed yet: Apply does it, for one hour."]),
      ...tickerLines(preview),
      ...ruleLines(preview),
      ...settingsLines(settings),
      ...preview.skipped,
      ...problemLines(problems),
    ],
    rows: rules.added
      .slice(0, MOST_RULES_SHOWN)
      .map((rule) => ({ title: `New rule for ${destinationText(preview.destination)}`, detail: describeRule(rule) })),
    buttons: adds === "" ? [] : buttons,
  });
}

function tickerLines({ tickers: { added, existing, overLimit }, limits }: ImportPreview): readonly string[] {
  return [
    ...(added.length > 0 ? [`To be added to your watchlist: ${joinShortList(added, 20)}.`] : []),
    ...(existing.length > 0 ? [`You watch ${joinShortList(existing)} already.`] : []),
    ...(overLimit.length > 0
      ? [`No room for ${joinShortList(overLimit)}: a watchlist holds at most ${formatCount(limits.tickers, "ticker")}.`]
      : []),
  ];
}

function ruleLines({
  rules: { added, existing, overLimit },
  destination,
  droppedMentions,
  limits,
}: ImportPreview): readonly string[] {
  const where = destinationText(destination);
  return [
    ...(existing.length > 0
      ? [`${formatCount(existing.length, "rule stands", "rules stand")} for ${where} already.`]
      : []),
    ...(overLimit.length > 0
      ? [`No room for ${formatCount(overLimit.length, "rule")}: at most ${limits.rules} can stand for ${where}.`]
      : []),
    ...(droppedMentions > 0 && added.length > 0
      ? [
          `${formatCount(droppedMentions, "rule")} called somebody where ${droppedMentions === 1 ? "it comes" : "they come"} from. Nobody is droppedMentions here: set that rule anew with mention.`,
        ]
      : []),
  ];
}

function settingsLines(settings: PortableSettings): readonly string[] {
  const words = settingsWords(settings);
  return words.length === 0 ? [] : [`Settings to be changed: ${joinList(words)}.`];
}

function settingsWords({ timezone, reminders, digest, quiet }: PortableSettings): readonly string[] {
  return [
    ...(timezone === undefined ? [] : [`timezone ${timezone ?? "as usual"}`]),
    ...(reminders === undefined ? [] : [`reminders ${reminders ? "on" : "off"}`]),
    ...(digest === undefined ? [] : [`digest ${digest ? "on" : "off"}`]),
    ...(quiet === undefined ? [] : [`quiet hours ${quiet === null ? "off" : formatQuietHours(quiet)}`]),
  ];
}

function problemLines(problems: readonly LineProblem[]): readonly string[] {
  if (problems.length === 0) return [];
  const more = problems.length - MOST_PROBLEMS;
  return [
    `${formatCount(problems.length, "problem was found", "problems were found")}; what is right is taken all the same:`,
    ...problems.slice(0, MOST_PROBLEMS).map(problemLine),
    ...(more > 0 ? [`And ${formatCount(more, "more problem")}.`] : []),
  ];
}

function problemLine({ line, got, expected }: LineProblem): string {
  return `Line ${line.toLocaleString("en-US")}: got ${truncate(got.replace(/\s+/g, " "), 80)}, expected ${expected}.`;
}

/** `3 tickers and 1 rule`; empty where there is none. */
function addedWords(tickers: number, rules: number, settings: PortableSettings): string {
  const changed = settingsWords(settings).length;
  return joinList([
    ...(tickers > 0 ? [formatCount(tickers, "ticker")] : []),
    ...(rules > 0 ? [formatCount(rules, "rule")] : []),
    ...(changed > 0 ? [formatCount(changed, "setting")] : []),
  ]);
}

/** What an import has done, or what was undone. */
export interface ImportDone {
  readonly destination: Destination;
  readonly tickers: readonly Ticker[];
  readonly ruleNumbers: readonly number[];
  readonly settings: PortableSettings;
}

export function appliedCard(done: ImportDone, undo: Button): Card {
  return card({
    tone: "good",
    title: `Imported: ${doneWords(done)}`,
    lines: [...doneLines(done, "added"), "Undo takes it back, for one hour."],
    buttons: [undo, button("Your watchlist", "watchlist"), button("The rules here", "subscriptions")],
  });
}

export function undoneCard(done: ImportDone): Card {
  return card({
    tone: "good",
    title: `The import is undone: ${doneWords(done)}`,
    lines: [...doneLines(done, "taken off again"), "What was there before is still there."],
  });
}

function doneWords({ tickers, ruleNumbers, settings }: ImportDone): string {
  return addedWords(tickers.length, ruleNumbers.length, settings) || "nothing was left to change";
}

function doneLines({ tickers, ruleNumbers, settings, destination }: ImportDone, done: string): readonly string[] {
  const words = settingsWords(settings);
  const rules = `${ruleNumbers.length === 1 ? "Rule" : "Rules"} ${joinList(ruleNumbers.map(String))}`;
  return [
    ...(tickers.length > 0 ? [`Watchlist, ${done}: ${joinShortList(tickers, 20)}.`] : []),
    ...(ruleNumbers.length > 0 ? [`${rules} for ${destinationText(destination)}: ${done}.`] : []),
    ...(words.length > 0 ? [`Settings: ${joinList(words)}.`] : []),
  ];
}

export function cancelledCard(): Card {
  return card({ title: "Nothing was imported, and what you sent is forgotten" });
}

/** It ran out, was cancelled, or is somebody else's: nobody is told which. */
export function importExpiredCard(): Card {
  return card({
    tone: "bad",
    title: "This import is not here any more: nothing was done",
    lines: ["It is kept for one hour, for the one who sent it. Send the file or the list once more."],
    buttons: [button("Help on import", "help import")],
  });
}

/** `way`: how a file is sent on any platform. */
export function howToImportCard(): Card {
  return card({
    title: "What is to be imported?",
    lines: [
      "On Discord pick a file in the option file; on the web page press Import; anywhere put the text behind the command.",
      "A file that /splits export made, or a list of tickers: with commas, with blanks or one on a line.",
      `For example: /splits import ${TICKER_LIST}`,
    ],
    buttons: [button("Help on import", "help import"), button("Export yours", "export")],
  });
}

export function channelHasNoneCard(command: string): Card {
  return card({
    tone: "bad",
    title: "There is no channel here: nothing was done",
    lines: [`Leave scope out, and it is about yourself: /splits ${command}`],
    buttons: [button(`/splits ${command}`, command)],
  });
}

/** A file or text that is not read at all. `name` is null for a text. */
export function unreadableCard(name: string | null, why: string): Card {
  return card({
    tone: "bad",
    title: `${name === null ? "What you sent" : truncate(name, 80)} cannot be imported: nothing was changed`,
    lines: [why, `A list that works: /splits import ${TICKER_LIST}`],
    buttons: [button("Help on import", "help import")],
  });
}

const EXPECTED = "expected a file of /splits export, or a list of tickers";

export function notTextReason(what: string): string {
  return `Got ${what}, ${EXPECTED}.`;
}

export function tooLargeReason(): string {
  return `Got more than ${MAX_PORTABLE_BYTES / 1024 / 1024} MB, expected at most that. The rest was not read.`;
}

export function unreachableReason(reason: string): string {
  return `The file could not be fetched: ${reason}. Try again, or put its text behind the command.`;
}

export function unreadableReason(why: Unreadable): string {
  switch (why.kind) {
    case "empty":
      return `Got an empty text, ${EXPECTED}.`;
    case "markup":
      return `Got a web page or other markup, ${EXPECTED}.`;
    case "too-long":
      return tooLargeReason();
    case "too-many-lines":
      return `Got ${formatCount(why.lines, "line")}, expected at most ${formatCount(MAX_PORTABLE_LINES, "line")}.`;
    case "other-version":
      return `Line ${why.line}: splitwatch: got ${why.got}, expected 1. Another version may have made this file.`;
    case "broken":
      return `${problemLine(why)} The text is not whole JSON, so nothing of it is taken.`;
  }
}

export interface ExportCounts {
  readonly scope: "me" | "channel";
  readonly tickers: number;
  readonly rules: number;
  /** How many of the rules call somebody. */
  readonly mentions: number;
}

export function exportedCard(counts: ExportCounts, file: CardFile): Card {
  const { scope, tickers, rules, mentions } = counts;
  const held = joinList([
    ...(scope === "me" ? [formatCount(tickers, "ticker")] : []),
    formatCount(rules, "rule"),
    scope === "me" ? "your settings" : "the settings of this channel",
  ]);
  return card({
    tone: "good",
    title: `${scope === "me" ? "Yours" : "This channel's"}, to take along: ${held}`,
    lines: [
      "The file works on every platform: /splits import reads it.",
      ...(mentions > 0 ? ["Whom a rule calls does not go along: it means nothing elsewhere."] : []),
    ],
    files: [file],
  });
}

export function listExportedCard(tickers: number, file: CardFile): Card {
  return card({
    tone: "good",
    title: `Your watchlist as a list: ${formatCount(tickers, "ticker")}`,
    lines: ["Other programs read it too. Rules and settings are in the other form: /splits export"],
    files: [file],
  });
}

export function nothingToExportCard(): Card {
  return card({
    title: "There is nothing to export: you watch no ticker",
    lines: [`Begin with: /splits watch ${A_TICKER}`],
  });
}
