import { parseTicker } from "../domain/split/ticker.ts";
import {
  commandTooLongCard,
  internalErrorCard,
  invalidCommandCard,
  notShareableCard,
  unknownCommandCard,
} from "../messages/answers/problem-answer.ts";
import type { Card } from "../messages/message.ts";
import type { Answer, Call, Command, OptionSpecs, OptionsOf } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { currentMoment, exchangesIn, readCurrentData, splitsOf } from "./current-data.ts";
import { readersTimezone } from "./destination-state.ts";
import { findCommand } from "./find-command.ts";
import { deniedCard } from "./forbidden.ts";
import type { Vocabulary } from "./parser/option-kinds.ts";
import { type ReadOptions, readOptions } from "./parser/options.ts";
import { MAX_PASTED_LINE_LENGTH, pastedOption, readPastedLine } from "./parser/pasted.ts";
import { suggestWord } from "./parser/suggest-word.ts";
import { type CommandLine, MAX_BUTTON_LINE_LENGTH, readCommandLine } from "./parser/words.ts";

/** Far beyond what any platform lets people type. A longer line is not read at all: half a line says something else. */
const MAX_LINE_LENGTH = 20_000;

interface Ran {
  readonly answer: Answer;
  readonly outcome: "ok" | "usage";
}

/** Runs a line, and answers whatever comes of it. */
export async function runLine(
  typed: string,
  call: Call,
  commands: readonly Command[],
  context: CommandContext,
): Promise<Answer> {
  const { line, command } = commandIn(typed, commands);
  // Only our own names become labels: what people type would make a new one each time.
  const label = command?.name ?? "unknown";
  try {
    const ran = line && command ? await run(command, line, call, context) : await refuse(line, commands, context);
    context.metrics.commandRan(label, ran.outcome);
    return ran.answer;
  } catch (error) {
    context.log.error("command failed", { command: label, platform: call.person.platform, error });
    context.metrics.commandRan(label, "failed");
    return privately(internalErrorCard());
  }
}

/** What is wrong with the line, in sentences that begin with the option's name where one is meant. Runs nothing. */
export async function findProblems(
  typed: string,
  commands: readonly Command[],
  context: CommandContext,
): Promise<readonly string[]> {
  const { line, command } = commandIn(typed, commands);
  if (line === null || command === undefined)
    return (await refuse(line, commands, context)).answer.cards[0]?.lines ?? [];
  return (await read(command, line, context)).problems;
}

/** The line's answer, to be posted for all; one that is not shareable says why, and nothing was run for it. */
export async function runLinePublicly(
  typed: string,
  call: Call,
  commands: readonly Command[],
  context: CommandContext,
): Promise<Answer> {
  const { command } = commandIn(typed, commands);
  if (command?.shareable !== true) return privately(notShareableCard());
  return runLine(typed, { ...call, isPublic: true }, commands, context);
}

function commandIn(
  typed: string,
  commands: readonly Command[],
): { readonly line: CommandLine | null; readonly command: Command | undefined } {
  const pasted = typed.length > MAX_PASTED_LINE_LENGTH ? null : readPastedLine(typed, commands);
  if (pasted === null && typed.length > MAX_LINE_LENGTH) return { line: null, command: undefined };
  const line = pasted ?? readCommandLine(typed);
  return { line, command: findCommand(commands, line.name === "" ? "help" : line.name) };
}

async function run(command: Command, line: CommandLine, call: Call, context: CommandContext): Promise<Ran> {
  const { name, example } = command;
  const { options, problems, understood } = await read(command, line, context);
  if (problems.length > 0) return usage(invalidCommandCard({ command: name, problems, understood, example }));
  const forbidden = manages(command, options) ? deniedCard(name, call) : null;
  if (forbidden !== null) return usage(forbidden);
  const shareable = command.shareable && command.isPrivate?.(options) !== true;
  if (call.isPublic === true && !shareable) return usage(notShareableCard());
  const zoned = { ...context, timezone: await readersTimezone(call, context) };
  return { answer: { cards: await command.run(options, call, zoned), shareable }, outcome: "ok" };
}

/** The options, and all that is wrong with them: one by one, else together. */
async function read(command: Command, line: CommandLine, context: CommandContext): Promise<ReadOptions> {
  const words = readOptions(command, line.words, await vocabularyOf(command, context));
  const options = { ...words.options, ...pastedIn(line, command) };
  const problems = words.problems.length > 0 ? words.problems : (command.check?.(options) ?? []);
  return { ...words, options, problems };
}

/** What the words of the line do not hold. */
function pastedIn({ rest }: CommandLine, { options }: Command): OptionsOf<OptionSpecs> {
  const name = pastedOption(options);
  return name === undefined || rest === "" ? {} : { [name]: rest };
}

function manages(command: Command, options: OptionsOf<OptionSpecs>): boolean {
  return command.managesChannel && (command.managesChannelWhen?.(options) ?? true);
}

/** Only a command that takes exchanges need know which there are. */
async function vocabularyOf(command: Command, context: CommandContext): Promise<Vocabulary> {
  const { today } = currentMoment(context);
  const takesExchanges = Object.values(command.options).some(({ kind }) => kind === "exchanges" || kind === "names");
  if (!takesExchanges) return { exchanges: [], today };
  return { exchanges: exchangesIn(await readCurrentData(context)), today };
}

async function refuse(line: CommandLine | null, commands: readonly Command[], context: CommandContext): Promise<Ran> {
  if (line === null) return usage(commandTooLongCard(MAX_LINE_LENGTH));
  const names = commands.map((command) => command.name);
  const meant = mended(line, suggestWord(line.name, names)) ?? (await lookUp(line.name, context));
  return usage(unknownCommandCard(line.name, names, meant));
}

/** The whole line with the right name, where a button can carry it. */
function mended({ rest }: CommandLine, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const line = `${name} ${rest}`.trim();
  return line.length > MAX_BUTTON_LINE_LENGTH ? name : line;
}

/** A ticker alone asks for what is known of it, where there is something. */
async function lookUp(typed: string, context: CommandContext): Promise<string | undefined> {
  const ticker = parseTicker(typed);
  if (ticker === undefined) return undefined;
  return splitsOf(await readCurrentData(context), ticker).length > 0 ? `show ${ticker}` : undefined;
}

function usage(card: Card): Ran {
  return { answer: privately(card), outcome: "usage" };
}

function privately(card: Card): Answer {
  return { cards: [card], shareable: false };
}
