import type { Day } from "../core/day.ts";
import type { Destination, Person } from "../core/destination.ts";
import type { Exchange } from "../core/exchange.ts";
import type { Ticker } from "../core/ticker.ts";
import type { Card } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";

/** What an option holds once it is read. */
interface OptionValues {
  readonly ticker: Ticker;
  readonly tickers: readonly Ticker[];
  /** The tickers in a free text, and the words in it that are none. */
  readonly looseTickers: { readonly tickers: readonly Ticker[]; readonly refused: readonly string[] };
  readonly exchanges: readonly Exchange[];
  readonly choice: string;
  readonly choices: readonly string[];
  /** Tickers and exchanges, mixed. */
  readonly names: { readonly tickers: readonly Ticker[]; readonly exchanges: readonly Exchange[] };
  readonly day: Day;
  readonly number: number;
  /** How many old shares make one new share: 20 for `20`, `1-for-20` and `1:20`. */
  readonly ratio: number;
  /** `all`, or the numbers of rules. */
  readonly numbers: readonly number[] | "all";
  readonly text: string;
}

export interface OptionSpec {
  readonly kind: keyof OptionValues;
  readonly summary: string;
  readonly required?: boolean;
  /** The words of a `choice` or `choices`. */
  readonly choices?: readonly string[];
  /** Other words for a choice, in lower case without blanks: `canceled` for `cancelled`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** A `number`: its least and greatest value. */
  readonly range?: readonly [number, number];
  /** Not shown in help or completion: buttons use it. */
  readonly hidden?: boolean;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The values of the options that were given; those that are required always are. */
export type OptionsOf<S extends OptionSpecs> = {
  readonly [K in keyof S as S[K] extends { required: true } ? never : K]?: OptionValues[S[K]["kind"]];
} & {
  readonly [K in keyof S as S[K] extends { required: true } ? K : never]: OptionValues[S[K]["kind"]];
};

/** Who asks, and where. */
export interface Call {
  readonly person: Person;
  /** The channel, or the person for a direct message. */
  readonly place: Destination;
  /** May they change this channel's rules? The reason when not. A person's own place is always theirs. */
  readonly mayManage: true | string;
  /** Turns what was typed into the platform's own form of a mention, if the asker may use it. Absent: there are no mentions here. */
  resolveMention?(text: string): Promise<Mention>;
}

export type Mention =
  | { readonly kind: "allowed"; readonly mention: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Seen by the asker alone. `shareable`: a button may post it for all in the channel. */
export interface Answer {
  readonly cards: readonly Card[];
  readonly shareable: boolean;
}

/** A subcommand of `/splits`, said once for all platforms. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** A line that works, for help and for answers to wrong ones. */
  readonly example: string;
  readonly options: OptionSpecs;
  /** Changes what a channel hears: `Call.mayManage` is checked before it runs there. */
  readonly managesChannel: boolean;
  /**
   * Its answer says the same to all in a channel, and may be posted for them. The line is run again for that: only a command
   * that changes nothing is.
   */
  readonly shareable: boolean;
  /** What is wrong with options that are right one by one, in sentences. */
  check?(options: OptionsOf<OptionSpecs>): readonly string[];
  run(options: OptionsOf<OptionSpecs>, call: Call, context: CommandContext): Promise<readonly Card[]>;
}

/** Lets `run` see its own options by name and type. */
export function defineCommand<const S extends OptionSpecs>(
  command: Omit<Command, "options" | "check" | "run" | "managesChannel" | "shareable"> & {
    readonly options: S;
    readonly managesChannel?: boolean;
    readonly shareable?: boolean;
    check?(options: OptionsOf<S>): readonly string[];
    run(options: OptionsOf<S>, call: Call, context: CommandContext): Promise<readonly Card[]>;
  },
): Command {
  return { managesChannel: false, shareable: false, ...command };
}
