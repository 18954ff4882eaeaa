import { A_TICKER } from "../example-tickers.ts";
import { capitalize, formatCount, inQuotes, joinShortList } from "../format.ts";
import { button, type Card, card } from "../message.ts";

/** What was wrong with one part of a command line. `option` is null where no option was named. */
export interface OptionProblem {
  readonly option: string | null;
  /** Null: it is missing. */
  readonly got: string | null;
  readonly expected: string;
  /** A known word that `got` nearly is. */
  readonly near?: string | undefined;
}

/** A command line that could not be run as it stands. Nothing was changed by it. */
export interface InvalidCommand {
  readonly command: string;
  readonly problems: readonly string[];
  /** What was read without trouble: `exchange NASDAQ`. */
  readonly understood: readonly string[];
  /** Without "/splits". */
  readonly example: string;
}

const MOST_PROBLEMS = 6;

/** `exchange: got "NASDQ", expected … Did you mean NASDAQ?` */
export function problemText({ option, got, expected, near }: OptionProblem): string {
  const what = got === null ? `it is missing, expected ${expected}` : `got ${inQuotes(got)}, expected ${expected}`;
  return `${option === null ? capitalize(what) : `${option}: ${what}`}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

export function unknownOptionText(name: string, command: string, options: readonly string[], near?: string): string {
  const there = options.length === 0 ? `${command} takes none` : `${command} takes ${joinShortList(options, 12)}`;
  return `There is no option ${inQuotes(name, 20)}: ${there}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

export function invalidCommandCard({ command, problems, understood, example }: InvalidCommand): Card {
  const more = problems.length - MOST_PROBLEMS;
  return card({
    tone: "bad",
    title: `That ${inQuotes(command)} line is not right: nothing was done`,
    lines: [
      ...problems.slice(0, MOST_PROBLEMS),
      ...(more > 0 ? [`And ${formatCount(more, "more problem")} of this kind.`] : []),
      understood.length > 0 ? `Understood: ${command} with ${joinShortList(understood)}.` : `Understood: ${command}.`,
      `An example that works: /splits ${example}`,
    ],
    buttons: [button(`Help on ${command}`, `help ${command}`)],
  });
}

/** `meant`: the command line that was probably meant. */
export function unknownCommandCard(typed: string, commands: readonly string[], meant: string | undefined): Card {
  return card({
    tone: "bad",
    title: `There is no command ${inQuotes(typed, 30)}`,
    lines: [
      ...(meant === undefined ? [] : [`Did you mean ${meant}?`]),
      `There are: ${commands.join(", ")}.`,
      "An example that works: /splits list",
    ],
    buttons: [...(meant === undefined ? [] : [button(`/splits ${meant}`, meant, "primary")]), button("Help", "help")],
  });
}

export function commandTooLongCard(longest: number): Card {
  return card({
    tone: "bad",
    title: `That line is too long: nothing was done`,
    lines: [
      `At most ${formatCount(longest, "character")} are read at once.`,
      `An example that works: /splits watch ${A_TICKER}`,
    ],
  });
}

export function notAllowedCard(command: string, reason: string): Card {
  return card({
    tone: "bad",
    title: `You may not use "${command}" in this channel`,
    lines: [reason, "In a direct message you can set rules for yourself."],
  });
}

export function notShareableCard(): Card {
  return card({ tone: "bad", title: "This answer is for you alone and cannot be shared: nothing was done" });
}

/** Something of ours broke: what it was stands in the log, not in the chat. */
export function internalErrorCard(): Card {
  return card({
    tone: "bad",
    title: "Sorry, that did not work",
    lines: ["Something went wrong on our side. It has been written down. Please try again in a minute."],
  });
}
