import { parseTicker } from "../domain/split/ticker.ts";
import {
  apologyCard,
  notShareableCard,
  tooLongCard,
  unknownCommandCard,
  wrongLineCard,
} from "../messages/answers/problem-answer.ts";
import type { Card } from "../messages/message.ts";
import type { Answer, Call, Command, OptionSpecs, OptionsOf } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { findCommand } from "./find-command.ts";
import { forbiddenCard } from "./forbidden.ts";
import { zoneOfReaders } from "./held-destinations.ts";
import { exchangesIn, momentOf, readKnowledge, splitsOf } from "./knowledge.ts";
import { nearMiss } from "./parser/near-miss.ts";
import type { Vocabulary } from "./parser/option-kinds.ts";
import { type ReadOptions, readOptions } from "./parser/options.ts";
import { LONGEST_PASTED_LINE, pastedOption, readPastedLine } from "./parser/pasted.ts";
import { type CommandLine, LONGEST_BUTTON_LINE, readCommandLine } from "./parser/words.ts";

/** Far beyond what any platform lets people type. A longer line is not read at all: half a line says something else. */
const LONGEST_LINE = 20_000;

interface Ran {
  readonly answer: Answer;
  readonly outcome: "ok" | "usage";
}

/** Runs a line, and answers whatever comes of it. */
export async function ask(
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
    context.log.error("command-failed", { command: label, platform: call.person.platform, error });
    context.metrics.commandRan(label, "failed");
    return privately(apologyCard());
  }
}

/** What is wrong with the line, in sentences that begin with the option's name where one is meant. Runs nothing. */
export async function problemsOf(
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
export async function share(
  typed: string,
  call: Call,
  commands: readonly Command[],
  context: CommandContext,
): Promise<Answer> {
  const { command } = commandIn(typed, commands);
  if (command?.shareable !== true) return privately(notShareableCard());
  return ask(typed, { ...call, forAll: true }, commands, context);
}

function commandIn(
  typed: string,
  commands: readonly Command[],
): { readonly line: CommandLine | null; readonly command: Command | undefined } {
  const pasted = typed.length > LONGEST_PASTED_LINE ? null : readPastedLine(typed, commands);
  if (pasted === null && typed.length > LONGEST_LINE) return { line: null, command: undefined };
  const line = pasted ?? readCommandLine(typed);
  return { line, command: findCommand(commands, line.name === "" ? "help" : line.name) };
}

async function run(command: Command, line: CommandLine, call: Call, context: CommandContext): Promise<Ran> {
  const { name, example } = command;
  const { options, problems, understood } = await read(command, line, context);
  if (problems.length > 0) return usage(wrongLineCard({ command: name, problems, understood, example }));
  const forbidden = manages(command, options) ? forbiddenCard(name, call) : null;
  if (forbidden !== null) return usage(forbidden);
  const shareable = command.shareable && command.isPrivate?.(options) !== true;
  if (call.forAll === true && !shareable) return usage(notShareableCard());
  const zoned = { ...context, timezone: await zoneOfReaders(call, context) };
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
  return command.managesChannel && (command.managesWith?.(options) ?? true);
}

/** Only a command that takes exchanges need know which there are. */
async function vocabularyOf(command: Command, context: CommandContext): Promise<Vocabulary> {
  const { today } = momentOf(context);
  const takesExchanges = Object.values(command.options).some(({ kind }) => kind === "exchanges" || kind === "names");
  if (!takesExchanges) return { exchanges: [], today };
  return { exchanges: exchangesIn(await readKnowledge(context)), today };
}

async function refuse(line: CommandLine | null, commands: readonly Command[], context: CommandContext): Promise<Ran> {
  if (line === null) return usage(tooLongCard(LONGEST_LINE));
  const names = commands.map((command) => command.name);
  const meant = mended(line, nearMiss(line.name, names)) ?? (await lookUp(line.name, context));
  return usage(unknownCommandCard(line.name, names, meant));
}

/** The whole line with the right name, where a button can carry it. */
function mended({ rest }: CommandLine, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const line = `${name} ${rest}`.trim();
  return line.length > LONGEST_BUTTON_LINE ? name : line;
}

/** A ticker alone asks for what is known of it, where there is something. */
async function lookUp(typed: string, context: CommandContext): Promise<string | undefined> {
  const ticker = parseTicker(typed);
  if (ticker === undefined) return undefined;
  return splitsOf(await readKnowledge(context), ticker).length > 0 ? `show ${ticker}` : undefined;
}

function usage(card: Card): Ran {
  return { answer: privately(card), outcome: "usage" };
}

function privately(card: Card): Answer {
  return { cards: [card], shareable: false };
}
