import { EXAMPLE_TICKER } from "../example-tickers.ts";
import { capitalize, formatCount, inQuotes, joinShortList } from "../format.ts";
import { button, type Card, card } from "../message.ts";
import type { CommandProblem } from "../option-text.ts";

/** Value that an option doesn't accept. `option`: null if the user named none. */
export interface InvalidValue {
  readonly option: string | null;
  /** Null if the value is missing. */
  readonly got: string | null;
  readonly expected: string;
  /** Valid word that is similar to `got`. */
  readonly suggestion?: string | undefined;
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

/** Problem such as `exchange: got "NASDQ", expected … Did you mean NASDAQ?`. */
export function invalidValue({ option, got, expected, suggestion }: InvalidValue): CommandProblem {
  const what = got === null ? `missing, expected ${expected}` : `got ${inQuotes(got)}, expected ${expected}`;
  const text = `${option === null ? capitalize(what) : what}.${hintText(suggestion)}`;
  return got === null ? { option, text } : { option, text, invalid: { got, expected } };
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
    buttons: [button(`Help on ${command}`, `help ${command}`)],
  });
}

/** `suggestion`: the command that the user probably meant. */
export function unknownCommandCard(name: string, commands: readonly string[], suggestion: string | undefined): Card {
  return card({
    tone: "bad",
    title: `Unknown command ${inQuotes(name, 30)}`,
    lines: [
      ...(suggestion === undefined ? [] : [`Did you mean ${suggestion}?`]),
      `Commands: ${commands.join(", ")}.`,
      "Example: /splits list",
    ],
    buttons: [
      ...(suggestion === undefined ? [] : [button(`/splits ${suggestion}`, suggestion, "primary")]),
      button("Help", "help"),
    ],
  });
}

export function commandTooLongCard(maxLength: number): Card {
  return card({
    tone: "bad",
    title: `The command is too long. Nothing was changed.`,
    lines: [
      `A command can have at most ${formatCount(maxLength, "character")}.`,
      `Example: /splits watch ${EXAMPLE_TICKER}`,
    ],
  });
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
