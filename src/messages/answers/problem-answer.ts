import type { Ticker } from "../../domain/split/ticker.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { cutText } from "../../lib/external-text.ts";
import { EXAMPLE_TICKER } from "../example-tickers.ts";
import { capitalize, formatCount, inQuotes, joinList, joinShortList } from "../format.ts";
import { button, type Card, card, MAX_BUTTON_LINE_LENGTH } from "../message.ts";
import type { CommandProblem } from "../option-text.ts";

/** Value that an option doesn't accept. `option`: null if the user named none. */
export interface InvalidValue {
  readonly option: string | null;
  /** Null if the value is missing. */
  readonly got: string | null;
  readonly expected: string;
  /** Valid word that is similar to `got`. */
  readonly suggestion?: string | undefined;
  /** Sentence on `got`. */
  readonly note?: string | undefined;
}

/** A command that couldn't be run; nothing was changed. */
export interface InvalidCommand {
  readonly command: string;
  readonly problems: readonly CommandProblem[];
  /** The valid options, such as `exchange NASDAQ`. */
  readonly understood: readonly string[];
  /** Command line without "/splits". */
  readonly example: string;
}

const MAX_PROBLEMS = 6;
/** Command lines that an unknown command may mean. */
const MAX_SUGGESTIONS = 3;

const MAX_COMPANY_LENGTH = 60;

/** Problem such as `exchange: got "NASDQ", expected … Did you mean NASDAQ?`. */
export function invalidValue({ option, got, expected, suggestion, note }: InvalidValue): CommandProblem {
  const what = got === null ? `missing, expected ${expected}` : `got ${inQuotes(got)}, expected ${expected}`;
  const text = `${option === null ? capitalize(what) : what}.${hintText(suggestion)}${note === undefined ? "" : ` ${note}`}`;
  return got === null ? { option, text } : { option, text, invalid: { got, expected } };
}

/** Words that may name an issuer. */
export interface WhichTicker {
  readonly option: string;
  readonly command: string;
  readonly got: string;
  /** The ticker that the words can be; null if they can't be one. */
  readonly ticker: Ticker | null;
  /** Companies that the words may name. */
  readonly companies: readonly { readonly ticker: Ticker; readonly company: string }[];
  /** Command line with an answer; null if the answer alone isn't enough. */
  readonly lineWith: ((ticker: Ticker) => string) | null;
}

/** Maximum number of companies that are named. */
const MAX_COMPANIES = 5;

/** Problem such as `"zorva" isn't a known ticker. Did you mean Zorvane Robotics, Inc. (ZRVNK)?`, with a button for each answer. */
export function whichTickerProblem({ option, command, got, ticker, companies, lineWith }: WhichTicker): CommandProblem {
  const shown = companies.slice(0, MAX_COMPANIES);
  // The dollar sign marks a ticker that is used even if it isn't known.
  const asTyped = ticker === null ? null : (`$${ticker}` as Ticker);
  const hidden = companies.length - shown.length;
  const names = shown.map((one) => `${cutText(one.company, MAX_COMPANY_LENGTH)} (${one.ticker})`);
  const question = `Did you mean ${joinList([...names, ...(hidden > 0 ? ["another company"] : [])], "or")}?`;
  const text = [
    companies.length > 1 && ticker === null
      ? `${inQuotes(got)} names several companies.`
      : `${inQuotes(got)} isn't a known ticker${companies.length === 0 ? " or company" : ""}.`,
    ...(names.length > 0 ? [question] : []),
    ...(asTyped === null ? [] : [`To use it as a ticker, write ${asTyped}.`]),
  ].join(" ");
  const verb = capitalize(command);
  const answers = [...shown.map((one) => one.ticker), ...(asTyped === null ? [] : [asTyped])];
  const buttons =
    lineWith === null
      ? []
      : answers
          .map((answer) => button(`${verb} ${answer}`, lineWith(answer), "primary"))
          .filter((answer) => answer.command.length <= MAX_BUTTON_LINE_LENGTH);
  return { option, text, inForm: text, buttons };
}

export function unknownOption(
  name: string,
  command: string,
  options: readonly string[],
  suggestion?: string,
): CommandProblem {
  const available =
    options.length === 0 ? `${command} has no options` : `${command} takes ${joinShortList(options, 12)}`;
  return { option: null, text: `Unknown option ${inQuotes(name, 20)}: ${available}.${hintText(suggestion)}` };
}

function hintText(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
}

export function problemText({ option, text }: CommandProblem): string {
  return option === null ? text : `${option}: ${text}`;
}

export function invalidCommandCard({ command, problems, understood, example }: InvalidCommand): Card {
  const more = problems.length - MAX_PROBLEMS;
  return card({
    tone: "bad",
    title: `Couldn't run ${inQuotes(command)}. Nothing was changed.`,
    lines: [
      ...problems.slice(0, MAX_PROBLEMS).map(problemText),
      ...(more > 0 ? [`And ${formatCount(more, "more problem")}.`] : []),
      ...(understood.length > 0 ? [`Understood: ${command} with ${joinShortList(understood)}.`] : []),
      `Example: /splits ${example}`,
    ],
    buttons: [...problems.flatMap(({ buttons = [] }) => buttons), button(`Help on ${command}`, `help ${command}`)],
  });
}

/** What the user may have meant. */
interface Meant {
  /** Command lines, the likeliest first. */
  readonly suggestions?: readonly string[];
  /** The ticker that the line can be. */
  readonly ticker?: Ticker | undefined;
}

export function unknownCommandCard(
  name: string,
  commands: readonly string[],
  { suggestions = [], ticker }: Meant,
): Card {
  const lines = suggestions.slice(0, MAX_SUGGESTIONS);
  return card({
    tone: "bad",
    title: `Unknown command ${inQuotes(name, 30)}`,
    lines: [
      ...(lines.length === 0 ? [] : [`Did you mean ${joinList(lines, "or")}?`]),
      ...(ticker === undefined
        ? []
        : [`No known company has this ticker or name. If it's a ticker: /splits show ${ticker}`]),
      `Commands: ${commands.join(", ")}.`,
      "Example: /splits list",
    ],
    buttons: [
      ...lines.map((line) => button(`/splits ${line}`, line, "primary")),
      ...(ticker === undefined ? [] : [button(`Show ${ticker}`, `show ${ticker}`)]),
      button("Help", "help"),
    ],
  });
}

/** A command, or the value of one of its options, that is longer than it may be. `option`: null for the whole command. */
export interface TooLong {
  readonly option: string | null;
  readonly length: number;
  readonly maxLength: number;
}

export function commandTooLongCard(tooLong: TooLong): Card {
  return card({
    tone: "bad",
    title: "The command is too long. Nothing was changed.",
    lines: [
      tooLongText(tooLong),
      "Use /splits import for a longer list of tickers.",
      `Example: /splits watch ${EXAMPLE_TICKER}`,
    ],
  });
}

export function tooLongText({ option, length, maxLength }: TooLong): string {
  const what = option === null ? "It" : `The option ${inQuotes(option)}`;
  return `${what} has ${formatCount(length, "character")}; the maximum is ${formatCount(maxLength, "character")}.`;
}

/** Refusal of a command by a person whose computing time is used up for `waitMs`. `maxMs`: computing time per minute. */
export function computingTimeUsedCard(maxMs: number, waitMs: number): Card {
  return card({
    tone: "bad",
    title: "Your commands need too much computing time. Nothing was changed.",
    lines: [computingTimeUsedText(maxMs, waitMs)],
  });
}

export function computingTimeUsedText(maxMs: number, waitMs: number): string {
  const limit = `The commands of one person can use ${formatCount(maxMs / 1_000, "second")} of computing time within a minute`;
  return `${limit}. Yours work again in ${formatCount(Math.ceil(waitMs / 1_000), "second")}.`;
}

export function notAllowedCard(command: string, reason: string): Card {
  return card({
    tone: "bad",
    title: `You can't use "${command}" for this channel`,
    lines: [reason, "In a direct message, you can use it for yourself."],
  });
}

export function noRoomCard(command: string, reason: string): Card {
  return card({ tone: "bad", title: `Couldn't run ${inQuotes(command)}. Nothing was changed.`, lines: [reason] });
}

/** Reason why nothing more can be posted at a destination. `waitMs`: time until the next message is possible. */
export function tooManyPostsReason(max: number, waitMs: number): string {
  const posts = `${max} test cards and shared answers were requested here within an hour, which is the maximum`;
  return `${posts}. The next one is possible in ${formatCount(Math.ceil(waitMs / MINUTE_MS), "minute")}.`;
}

export function notShareableCard(): Card {
  return card({ tone: "bad", title: "This answer is only for you and can't be shared" });
}

/** An internal error; the details are in the log only. */
export function internalErrorCard(): Card {
  return card({
    tone: "bad",
    title: "Sorry, something went wrong",
    lines: ["The error has been logged. Please try again in a minute."],
  });
}
