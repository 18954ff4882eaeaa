import { exchangeName, KNOWN_EXCHANGES } from "../../domain/split/exchange.ts";
import { cityOf, timeZones } from "../../domain/time/time-zone.ts";
import { formatTime } from "../../messages/format.ts";
import type { Suggestion } from "../../messages/overview.ts";
import { ALL_RULES, describeRule } from "../../messages/rule-text.ts";
import { byExDate } from "../../messages/split-text.ts";
import type { Call, Command, OptionSpec } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type CurrentData, exchangesIn, readCurrentData, tickerState } from "../current-data.ts";
import { findCommand } from "../find-command.ts";
import { findOption, optionNames } from "./option-groups.ts";
import { suggestWord } from "./suggest-word.ts";
import { plainText, readWords } from "./words.ts";

export interface CompletionContext {
  readonly commands: readonly Command[];
  readonly call: Call;
  readonly context: CommandContext;
}

/** A word that may come next. */
interface Candidate {
  readonly word: string;
  /** Another word in lower case that stands for it: `auckland` for `Pacific/Auckland`. */
  readonly also?: string;
  /** Asked for only where it is shown: to say how a ticker stands takes a look at all splits. */
  hint(): string;
}

const MAX_SUGGESTIONS = 20;

export async function complete(typed: string, completion: CompletionContext): Promise<readonly Suggestion[]> {
  const line = plainText(typed)
    .trimStart()
    .replace(/^\/?splits?(?=\s|$)\s*/i, "");
  const [, first = "", rest] = /^\/?(\S*)(\s.*)?$/s.exec(line) ?? [];
  if (rest === undefined) return completeName(first, completion.commands);
  const command = findCommand(completion.commands, first);
  return command ? await completeOptions(command, line, completion) : [];
}

function completeName(typed: string, commands: readonly Command[]): readonly Suggestion[] {
  const start = typed.toLowerCase();
  const starting = commands.filter(({ name }) => name.startsWith(start));
  const near = suggestWord(
    start,
    commands.map(({ name }) => name),
  );
  const found = starting.length > 0 ? starting : commands.filter(({ name }) => name === near);
  return found.map(({ name, summary, options }) => {
    const goesOn = Object.values(options).some(({ required }) => required);
    return { line: goesOn ? `${name} ` : name, label: name, hint: summary };
  });
}

/** The last piece of the line, which is still being typed, and what stands before it. */
interface Typing {
  readonly before: string;
  readonly fragment: string;
  /** What was given already, and is not offered again. */
  readonly given: string;
}

async function completeOptions(
  command: Command,
  line: string,
  completion: CompletionContext,
): Promise<readonly Suggestion[]> {
  const fragment = /\S*$/.exec(line)?.[0] ?? "";
  const before = line.slice(0, line.length - fragment.length);
  const [, key = "", value = ""] = /^([a-z_-]+)[:=](.*)$/is.exec(fragment) ?? [];
  const option = findOption(command.options, key);
  if (option !== undefined) {
    const start = /^(.*[,;])?/s.exec(value)?.[0] ?? "";
    const typing = { before: `${before}${option}:${start}`, fragment: value.slice(start.length), given: start };
    return suggest(typing, await valuesOf(command, option, completion));
  }
  const names = namesLeft(command, before);
  const main = mainOption(command);
  const values = main === undefined ? [] : await valuesOf(command, main, completion);
  const ordered = main === undefined ? names : [...values, ...names];
  return suggest({ before, fragment, given: before }, ordered);
}

/** The option whose values are typed without its name. */
function mainOption({ options }: Command): string | undefined {
  const names = optionNames(options);
  const leading = names.find((name) => options[name]?.isPrimary) ?? names.find((name) => options[name]?.required);
  return leading ?? (names.length === 1 ? names[0] : undefined);
}

function namesLeft({ options }: Command, before: string): readonly Candidate[] {
  const given = readWords(before).flatMap(({ kind, text }) =>
    kind === "key" ? (findOption(options, text) ?? []) : [],
  );
  return optionNames(options)
    .filter((name) => !given.includes(name))
    .map((name) => ({ word: `${name}:`, hint: () => options[name]?.summary ?? "" }));
}

function suggest({ before, fragment, given }: Typing, candidates: readonly Candidate[]): readonly Suggestion[] {
  const start = fragment.toLowerCase().replace(/^[$#]/, "");
  const taken = new Set(given.toLowerCase().split(/[\s,;:=]+/));
  return candidates
    .filter(({ word, also }) => word.toLowerCase().startsWith(start) || also?.startsWith(start) === true)
    .filter(({ word }) => !taken.has(word.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS)
    .map((found) => ({ line: `${before}${found.word}`, label: found.word, hint: found.hint() }));
}

function valuesOf(command: Command, option: string, completion: CompletionContext): Promise<readonly Candidate[]> {
  const spec = command.options[option];
  return spec ? VALUES[spec.kind]({ command, spec, ...completion }) : nothing();
}

interface Asked extends CompletionContext {
  readonly command: Command;
  readonly spec: OptionSpec;
}

const VALUES: Readonly<Record<OptionSpec["kind"], (asked: Asked) => Promise<readonly Candidate[]>>> = {
  ticker: tickers,
  tickers,
  looseTickers: tickers,
  exchanges: async ({ context }) => exchanges(await readCurrentData(context)),
  names: async (asked) => [...exchanges(await readCurrentData(asked.context)), ...(await tickers(asked))],
  choice: ({ spec }) => fixedWords(spec.choices ?? []),
  choices: ({ spec }) => fixedWords(spec.choices ?? []),
  day: () => fixedWords(["today", "yesterday"]),
  rule: nothing,
  numbers: ruleNumbers,
  duration: () => fixedWords(["1h", "2h", "8h", "1d", "3d", "1w"]),
  timezone: zones,
  hours: () => fixedWords(["22:00-07:00", "23:00-08:00", "18:00-09:00", "off"]),
  switch: () => fixedWords(["on", "off"]),
  text: ({ command, commands }) => (command.name === "help" ? commandNames(commands) : nothing()),
  number: nothing,
  pasted: nothing,
  file: nothing,
  ratio: nothing,
  exactRatio: nothing,
  shares: nothing,
};

function nothing(): Promise<readonly Candidate[]> {
  return Promise.resolve([]);
}

function commandNames(commands: readonly Command[]): Promise<readonly Candidate[]> {
  return Promise.resolve(commands.map(({ name, summary }) => ({ word: name, hint: () => summary })));
}

function fixedWords(words: readonly string[]): Promise<readonly Candidate[]> {
  return Promise.resolve(words.map((word) => ({ word, hint: () => "" })));
}

/** Where many people live, before the others. */
const COMMON_ZONES = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Hong_Kong",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
  "Pacific/Honolulu",
];

function zones({ context }: Asked): Promise<readonly Candidate[]> {
  const now = context.clock.now();
  const names = [...new Set([...COMMON_ZONES, ...timeZones()])];
  return Promise.resolve(
    names.map((zone) => ({
      word: zone,
      also: cityOf(zone).toLowerCase().replaceAll(" ", "_"),
      hint: () => formatTime(now, zone),
    })),
  );
}

/** The asker's own first, then those of current splits. Only what is watched can be unwatched. */
async function tickers({ command, call, context }: Asked): Promise<readonly Candidate[]> {
  const [own, knowledge] = await Promise.all([context.store.watchlists.of(call.person), readCurrentData(context)]);
  const listed = [...knowledge.snapshot.splits.values()]
    .filter(({ status }) => status !== "closed")
    .toSorted((a, b) => byExDate(a.record, b.record))
    .map(({ record }) => record.ticker);
  const offered = command.name === "unwatch" ? own : [...new Set([...own, ...listed])];
  return offered.map((ticker) => ({ word: ticker, hint: () => tickerState(knowledge, ticker) }));
}

/** Those of current splits first. */
function exchanges(knowledge: CurrentData): readonly Candidate[] {
  return [...new Set([...exchangesIn(knowledge), ...KNOWN_EXCHANGES])].map((code) => ({
    word: code,
    hint: () => exchangeName(code),
  }));
}

async function ruleNumbers({ call, context }: Asked): Promise<readonly Candidate[]> {
  const rules = await context.store.rules.at(call.destination);
  const numbers = rules.map((rule) => ({ word: String(rule.number), hint: () => describeRule(rule) }));
  return rules.length > 1 ? [...numbers, { word: "all", hint: () => ALL_RULES }] : numbers;
}
