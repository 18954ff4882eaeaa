import { isSameDestination } from "../domain/alert/destination.ts";
import { MAX_IMPORT_BYTES } from "../domain/settings/portable.ts";
import { parseTicker, parseUserTicker } from "../domain/split/ticker.ts";
import { tickerHint } from "../domain/split/ticker-hint.ts";
import { MAX_PATTERN_LENGTH } from "../lib/text-pieces.ts";
import {
  commandTooLongCard,
  internalErrorCard,
  invalidCommandCard,
  notShareableCard,
  type TooLong,
  tooLongText,
  unknownCommandCard,
} from "../messages/answers/problem-answer.ts";
import { type Card, MAX_BUTTON_LINE_LENGTH } from "../messages/message.ts";
import type { CommandProblem } from "../messages/option-text.ts";
import { sourceProblemLine } from "../messages/source-text.ts";
import type { CountedCommand } from "../ports/metrics.ts";
import {
  type Answer,
  BARE_COMMAND,
  type Call,
  type Command,
  type CommandInput,
  deniedCard,
  findCommand,
  LISTING_COMMAND,
  noRoomFor,
  noRoomToPost,
} from "./command.ts";
import type { AnswerContext } from "./context.ts";
import { currentMoment, exchangesIn, readCurrentData } from "./current-data.ts";
import { readersTimezone } from "./destination-state.ts";
import { MAX_SEARCHES, readIssuers, readListedIssuers } from "./issuers.ts";
import { hasDollar, isInCapitals } from "./parser/issuer-words.ts";
import { type OptionSpec, type OptionSpecs, type OptionsOf, optionKind } from "./parser/option-kinds.ts";
import type { ParseContext } from "./parser/option-values.ts";
import {
  type FieldValues,
  findOption,
  optionNames,
  type ParsedOptions,
  readFieldOptions,
  readOptions,
  writeLine,
} from "./parser/options.ts";
import { PHRASES } from "./parser/phrases.ts";
import { type CommandLine, normalizeInput, readCommandLine, similarWords } from "./parser/words.ts";

/** Longer lines are rejected: a truncated line would be a different command. 500 tickers fit. */
const MAX_LINE_LENGTH = MAX_PATTERN_LENGTH;
/** Maximum length of the values of a form or of typed options together; of each of them, `MAX_LINE_LENGTH`. */
const MAX_VALUES_LENGTH = 2 * MAX_LINE_LENGTH;
/** Maximum length of the options before a pasted text. */
const MAX_OPTIONS_LENGTH = 1_000;
/** Requests for help instead of a command's name or options; `HELP` in capitals can be a ticker. */
const HELP_WORDS: ReadonlySet<string> = new Set(["help", "-h", "--h", "-help", "--help", "?"]);
const HELP_COMMAND = "help";
const MAX_PASTED_LINE_LENGTH = MAX_IMPORT_BYTES + MAX_OPTIONS_LENGTH;

/** Commands and their context. */
export interface CommandSet {
  readonly commands: readonly Command[];
  readonly context: AnswerContext;
}

interface Outcome {
  readonly answer: Answer;
  readonly outcome: "ok" | "usage";
}

/** Input with its command; the options are not read yet. */
interface ParsedInput {
  /** Name in lower case, for suggestions. */
  readonly name: string;
  readonly typedName: string;
  /** The line without `/splits`, and the text after the name; for suggestions. */
  readonly text: string;
  readonly rest: string;
  readonly command: Command | undefined;
  /** Null if the length is allowed. */
  readonly tooLong: TooLong | null;
  readOptions(command: Command, parseContext: ParseContext): ParsedOptions;
}

/** Runs a command. Never rejects: every failure is an answer. */
export async function runCommand(input: CommandInput, call: Call, { commands, context }: CommandSet): Promise<Answer> {
  let parsed = parseInput(input, commands);
  // Unknown names share a label, which limits the number of metric labels.
  let label = parsed.command?.name ?? "unknown";
  const startedAt = context.clock.monotonic();
  const count = (outcome: CountedCommand): void =>
    context.metrics.countCommand(label, outcome, context.clock.monotonic() - startedAt);
  try {
    parsed = await withBareTicker(parsed, commands, context);
    label = parsed.command?.name ?? label;
    const { answer, outcome } = parsed.command
      ? await run(parsed.command, parsed, call, context)
      : await refuse(parsed, commands, context);
    count(outcome);
    return answer;
  } catch (error) {
    context.log.error("command failed", { command: label, platform: call.person.platform, error });
    count("failed");
    return privateAnswer(internalErrorCard());
  }
}

/** Returns the problems that prevent a command from running, without running it. */
export async function findProblems(
  input: CommandInput,
  { commands, context }: CommandSet,
): Promise<readonly CommandProblem[]> {
  const parsed = await withBareTicker(parseInput(input, commands), commands, context);
  if (parsed.tooLong !== null) return [{ option: parsed.tooLong.option, text: tooLongText(parsed.tooLong) }];
  if (parsed.command !== undefined) return (await readAndCheck(parsed.command, parsed, context)).problems;
  const { answer } = await refuse(parsed, commands, context);
  return (answer.cards[0]?.lines ?? []).map((text) => ({ option: null, text }));
}

/** Runs a shareable command for everyone at the destination; refuses other commands before they run. */
export async function runCommandPublicly(input: CommandInput, call: Call, set: CommandSet): Promise<Answer> {
  const { command } = parseInput(input, set.commands);
  if (command?.shareable === false) return privateAnswer(notShareableCard());
  const refusal = await noRoomToPost(command?.name ?? "share", call, set.context);
  if (refusal !== null) return { ...privateAnswer(refusal), isOverLimit: true };
  return runCommand(input, { ...call, isPublic: true }, set);
}

function parseInput(input: CommandInput, commands: readonly Command[]): ParsedInput {
  if (typeof input === "string") return parseLine(input, commands);
  const { name, values } = input;
  const command = findCommand(commands, name);
  const tooLong = findTooLong(values, command?.options ?? {});
  return {
    name,
    typedName: name,
    text: name,
    rest: "",
    command: tooLong === null ? command : undefined,
    tooLong,
    readOptions: (found, parseContext) => readFieldOptions(found, values, parseContext),
  };
}

/** Checks the lengths of all values but pasted texts, which have their own limit. */
function findTooLong(values: FieldValues, specs: OptionSpecs): TooLong | null {
  let total = 0;
  for (const [option, value] of Object.entries(values)) {
    const isPasted = specs[option]?.kind === "pastedText";
    const length = String(value).length;
    const maxLength = isPasted ? MAX_IMPORT_BYTES : MAX_LINE_LENGTH;
    if (length > maxLength) return { option, length, maxLength };
    if (!isPasted) total += length;
  }
  return total > MAX_VALUES_LENGTH ? { option: null, length: total, maxLength: MAX_VALUES_LENGTH } : null;
}

function parseLine(text: string, commands: readonly Command[]): ParsedInput {
  const pastedLine = text.length > MAX_PASTED_LINE_LENGTH ? null : readPastedLine(text, commands);
  const tooLong =
    pastedLine === null && text.length > MAX_LINE_LENGTH
      ? { option: null, length: text.length, maxLength: MAX_LINE_LENGTH }
      : null;
  const line = pastedLine ?? readCommandLine(tooLong === null ? text : "");
  const helpedCommand = HELP_WORDS.has(line.rest) ? findCommand(commands, line.name) : undefined;
  if (helpedCommand !== undefined && helpedCommand.name !== HELP_COMMAND)
    return parseLine(`${HELP_COMMAND} ${helpedCommand.name}`, commands);
  const name = line.name === "" || HELP_WORDS.has(line.name) ? HELP_COMMAND : line.name;
  return {
    ...line,
    tooLong,
    command: tooLong === null ? findCommand(commands, name) : undefined,
    readOptions(command, parseContext) {
      const result = readOptions(command, line.words, parseContext);
      return { ...result, options: { ...result.options, ...pastedValue(line, command) } };
    },
  };
}

async function run(command: Command, parsed: ParsedInput, call: Call, context: AnswerContext): Promise<Outcome> {
  const { name, example } = command;
  const { options, problems, understood } = await readAndCheck(command, parsed, context);
  if (problems.length > 0) return usageOutcome(invalidCommandCard({ command: name, problems, understood, example }));
  const denial = managesChannel(command, options) ? await deniedCard(name, call) : null;
  if (denial !== null) return usageOutcome(denial);
  const shareable = command.shareable && command.isPrivate?.(options) !== true;
  if (call.isPublic === true && !shareable) return usageOutcome(notShareableCard());
  const noRoom = stores(command, options) ? await noRoomFor(name, call) : null;
  if (noRoom !== null) return usageOutcome(noRoom);
  await retryPaused(call, context);
  const answered = await command.run(options, call, {
    ...context,
    readersTimezone: await readersTimezone(call, context),
  });
  const cards = command.aboutSplits ? withSourceProblem(answered, context) : answered;
  const completed = { name, options, line: writeLine(command, options) };
  return { answer: { cards, shareable, command: completed }, outcome: "ok" };
}

/** Says in the first card that splits can't be read, if so. */
function withSourceProblem(cards: readonly Card[], { source }: AnswerContext): readonly Card[] {
  const problem = source.problem();
  const [first, ...others] = cards;
  if (problem === null || first === undefined) return cards;
  const tone = first.tone === "bad" ? "bad" : "warning";
  return [{ ...first, tone, lines: [...first.lines, sourceProblemLine(problem)] }, ...others];
}

/** Retries the paused deliveries to the caller and the destination: the caller may have fixed the cause of the pause. */
async function retryPaused({ person, destination }: Call, context: AnswerContext): Promise<void> {
  await context.deliveries.retryPaused(destination);
  if (!isSameDestination(person, destination)) await context.deliveries.retryPaused(person);
}

/** Reads the options, and checks their combination if each of them is valid. */
async function readAndCheck(command: Command, parsed: ParsedInput, context: AnswerContext): Promise<ParsedOptions> {
  const result = await readWithNames(command, parsed, context);
  return result.problems.length > 0 ? result : { ...result, problems: command.check?.(result.options) ?? [] };
}

function managesChannel(command: Command, options: OptionsOf<OptionSpecs>): boolean {
  return command.managesChannel && (command.managesChannelWhen?.(options) ?? true);
}

function stores(command: Command, options: OptionsOf<OptionSpecs>): boolean {
  return command.stores && (command.storesWhen?.(options) ?? true);
}

/**
 * Reads the options. If a word isn't known, searches the names of all listed companies, which takes longer, unless there are more
 * unknown words than are searched.
 */
async function readWithNames(command: Command, parsed: ParsedInput, context: AnswerContext): Promise<ParsedOptions> {
  const parseContext = await parseContextOf(command, context);
  const result = parsed.readOptions(command, parseContext);
  const count = result.problems.length;
  if (count === 0 || count > MAX_SEARCHES || parseContext.issuers === undefined) return result;
  const issuers = await readListedIssuers((await readCurrentData(context)).snapshot, context);
  return issuers === null ? result : parsed.readOptions(command, { ...parseContext, issuers });
}

/** Reads the listed exchanges and the issuers only for commands with options for them. */
async function parseContextOf(command: Command, context: AnswerContext): Promise<ParseContext> {
  const { today } = currentMoment(context);
  const kinds = Object.values(command.options).map(optionKind);
  if (!kinds.some(({ readsExchanges, readsIssuers }) => readsExchanges || readsIssuers))
    return { exchanges: [], today };
  const { snapshot } = await readCurrentData(context);
  const exchanges = exchangesIn({ snapshot });
  if (!kinds.some(({ readsIssuers }) => readsIssuers)) return { exchanges, today };
  return { exchanges, today, issuers: await readIssuers(snapshot, context) };
}

async function refuse(parsed: ParsedInput, commands: readonly Command[], context: AnswerContext): Promise<Outcome> {
  if (parsed.tooLong !== null) return usageOutcome(commandTooLongCard(parsed.tooLong));
  const names = commands.map(({ name }) => name);
  const suggestions = await suggestedLines(parsed, commands, context);
  const ticker = suggestions.length === 0 ? parseUserTicker(parsed.text) : undefined;
  return usageOutcome(unknownCommandCard(parsed.typedName, names, { suggestions, ticker }));
}

/** The lines that an unknown command may mean: those with the closest names, unless the options of all of them suit only a phrase. */
async function suggestedLines(
  parsed: ParsedInput,
  commands: readonly Command[],
  context: AnswerContext,
): Promise<readonly string[]> {
  const names = commands.map(({ name }) => name);
  const corrected = similarWords(parsed.name, names).map((name) => correctedLine(parsed, name));
  for (const line of corrected) if (await isValidLine(line, commands, context)) return corrected;
  const meant = await lineOfPhrase(parsed, commands, context);
  return meant === undefined ? corrected : [meant];
}

async function isValidLine(line: string, commands: readonly Command[], context: AnswerContext): Promise<boolean> {
  const parsed = parseLine(line, commands);
  return parsed.command !== undefined && (await readAndCheck(parsed.command, parsed, context)).problems.length === 0;
}

/** Returns the line with the corrected name, or only the name if the line doesn't fit into a button. */
function correctedLine({ rest }: ParsedInput, name: string): string {
  const line = `${name} ${rest}`.trim();
  return line.length > MAX_BUTTON_LINE_LENGTH ? name : line;
}

/** Longest line that is read as a ticker, a company name or options without a command. */
const MAX_BARE_LENGTH = 100;

/** `list tomorrow` for `tomorrow`; else the line that the first matching phrase means. */
async function lineOfPhrase(
  parsed: ParsedInput,
  commands: readonly Command[],
  context: AnswerContext,
): Promise<string | undefined> {
  const text = parsed.text.replace(/(?<![?!.])[?!.]+$/, "");
  if (text === "" || text.length > MAX_BARE_LENGTH) return undefined;
  const listing = `${LISTING_COMMAND} ${text}`;
  if (await isValidLine(listing, commands, context)) return listing;
  for (const { command, takes } of PHRASES.filter(({ pattern }) => pattern.test(text))) {
    if (takes !== "options") return lineWithTicker(command, text, takes === "knownTicker", context);
    const line = await lineWithOptions(command, text, commands, context);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The command with the options that a sentence contains beside words without a meaning. A number in a sentence isn't a page. */
async function lineWithOptions(
  name: string,
  text: string,
  commands: readonly Command[],
  context: AnswerContext,
): Promise<string | undefined> {
  const command = findCommand(commands, name);
  if (command === undefined) return undefined;
  const { problems, options } = await readAndCheck(command, parseLine(`${name} ${text}`, commands), context);
  const visible = optionNames(command.options).filter((option) => options[option] !== undefined);
  if (visible.length === 0 || problems.some(({ option }) => option !== null)) return undefined;
  return writeLine(command, Object.fromEntries(visible.map((option) => [option, options[option]])));
}

/**
 * The command with the only ticker of a sentence, such as `when does ACME split` or `news about $acme`. Words in capitals are tickers only
 * beside words in lower case, and a single letter is a word.
 */
async function lineWithTicker(
  command: string,
  text: string,
  mustBeKnown: boolean,
  context: AnswerContext,
): Promise<string | undefined> {
  const issuers = await readIssuers((await readCurrentData(context)).snapshot, context);
  const showsCase = /[a-z]/.test(text);
  const isMarked = (word: string): boolean => hasDollar(word) || (showsCase && word.length > 1 && isInCapitals(word));
  const tickers = text
    .split(/[^\w.$-]+/)
    .filter(isMarked)
    .map(parseUserTicker)
    .filter((ticker) => ticker !== undefined && (!mustBeKnown || issuers.isKnown(ticker)));
  const [ticker, second] = new Set(tickers);
  return ticker === undefined || second !== undefined ? undefined : `${command} ${ticker}`;
}

/** A line that consists only of a ticker or a company name shows the split. Other lines are returned unchanged. */
async function withBareTicker(
  parsed: ParsedInput,
  commands: readonly Command[],
  context: AnswerContext,
): Promise<ParsedInput> {
  const show = findCommand(commands, BARE_COMMAND);
  if (parsed.command !== undefined || parsed.tooLong !== null || show === undefined) return parsed;
  if (parsed.text.length > MAX_BARE_LENGTH) return parsed;
  const text = withoutExchange(parsed.text);
  const isTagged = isInCapitals(text) && tickerHint(text) !== undefined;
  if (!isTagged && !(await isIssuer(text, parsed, commands, context))) return parsed;
  return parseLine(`${show.name} ${text}`, commands);
}

/** True for a known ticker, a ticker with a dollar sign or in capitals, and the beginning of a company's name. */
async function isIssuer(
  text: string,
  { name }: ParsedInput,
  commands: readonly Command[],
  context: AnswerContext,
): Promise<boolean> {
  const { snapshot } = await readCurrentData(context);
  const ticker = parseUserTicker(text);
  const issuers = await readIssuers(snapshot, context);
  if (ticker !== undefined && (hasDollar(text) || issuers.isKnown(ticker))) return true;
  const names = commands.map((command) => command.name);
  const isTypingError = similarWords(name, names).length > 0;
  if (isTypingError) return false;
  if (ticker !== undefined && isInCapitals(text)) return true;
  return ((await readListedIssuers(snapshot, context)) ?? issuers).find(text).some(({ match }) => match !== "inside");
}

/** `ACME` for `NASDAQ: ACME`, and `OAKR.TO` for `(TSX: OAKR)`. */
function withoutExchange(text: string): string {
  const [, tagged = ""] = /^\(?([\w -]+:\s*[^\s()]+)\)?$/.exec(text) ?? [];
  return parseTicker(tagged) ?? text;
}

function usageOutcome(card: Card): Outcome {
  return { answer: privateAnswer(card), outcome: "usage" };
}

function privateAnswer(card: Card): Answer {
  return { cards: [card], shareable: false };
}

/** Reads the line of a command that takes a pasted text, such as `import`. Returns null for other commands. */
function readPastedLine(text: string, commands: readonly Command[]): CommandLine | null {
  const head = readCommandLine(text.slice(0, MAX_OPTIONS_LENGTH));
  const command = findCommand(commands, head.name);
  if (command === undefined || pastedOption(command.options) === undefined) return null;
  const { options, pasted } = splitPasted(textAfterName(normalizeInput(text)), command.options);
  return { ...head, words: readCommandLine(`${head.name} ${options}`).words, rest: pasted };
}

/** Text after the name of a command that is within the first characters of the text. */
function textAfterName(text: string): string {
  const start = text.trimStart();
  const [head = ""] = /^(?:\/?splits?\s+)?\S+/i.exec(start.slice(0, MAX_OPTIONS_LENGTH)) ?? [];
  return start.slice(head.length).trim();
}

function pastedValue({ rest }: CommandLine, { options }: Command): OptionsOf<OptionSpecs> {
  const name = pastedOption(options);
  return name === undefined || rest === "" ? {} : { [name]: rest };
}

function pastedOption(specs: OptionSpecs): string | undefined {
  return Object.keys(specs).find((name) => specs[name]?.kind === "pastedText");
}

/** `scope:me`, `scope me`, `file:"my list.txt"` */
const NAMED_OPTION = /\s*([a-z]+)(?:\s?[:=]\s?|(\s))("[^"]*"|[^\s"]*)/iy;

/** Separates the named options from the pasted text after them. The pasted text may begin with its option's name: `text:`. */
function splitPasted(rest: string, specs: OptionSpecs): { readonly options: string; readonly pasted: string } {
  let position = 0;
  // An option that the cut ends is too long.
  const head = rest.slice(0, MAX_OPTIONS_LENGTH + 1);
  for (let option = optionAt(head, position, specs); option !== null; option = optionAt(head, position, specs)) {
    const isPasted = option.spec.kind === "pastedText";
    if ((isPasted ? option.valueStart : option.end) > MAX_OPTIONS_LENGTH) break;
    if (isPasted) return { options: rest.slice(0, position), pasted: rest.slice(option.valueStart).trim() };
    position = option.end;
  }
  return { options: rest.slice(0, position), pasted: rest.slice(position).trim() };
}

interface NamedOption {
  readonly spec: OptionSpec;
  /** Index of the first character of the value. */
  readonly valueStart: number;
  readonly end: number;
}

function optionAt(rest: string, position: number, specs: OptionSpecs): NamedOption | null {
  NAMED_OPTION.lastIndex = position;
  const [match, key = "", blank, value = ""] = NAMED_OPTION.exec(rest) ?? [];
  const spec = match === undefined ? undefined : specs[findOption(specs, key) ?? ""];
  if (match === undefined || spec === undefined) return null;
  // Without a colon, a word names an option only if one of the option's choices follows: `scope me`.
  if (blank !== undefined && spec.choices?.includes(value.toLowerCase()) !== true) return null;
  const end = position + match.length;
  return { spec, valueStart: end - value.length, end };
}
