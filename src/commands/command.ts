import type { Destination, Person } from "../domain/alert/destination.ts";
import type { QuietHours } from "../domain/settings/destination-settings.ts";
import type { Shares } from "../domain/split/calc.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
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
  readonly exactRatio: Ratio;
  readonly shares: Shares;
  /** The number of one rule, which is named and never guessed. */
  readonly rule: number;
  /** `all`, or the numbers of rules. */
  readonly numbers: readonly number[] | "all";
  /** In milliseconds. */
  readonly duration: number;
  /** An IANA name; null: the configured one. */
  readonly timezone: string | null;
  /** Null: off. */
  readonly hours: QuietHours | null;
  readonly switch: boolean;
  readonly text: string;
  /** All that stands behind it on the line, as it was typed. */
  readonly pasted: string;
  /** What the platform calls it: `Call.attached` gives it. */
  readonly file: string;
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
  /** Its values are offered where no option is named; else those of the one that is required, or the only one. */
  readonly isPrimary?: boolean;
  /** Words in lower case that say nothing behind its value: `shares` in `150 shares`. */
  readonly units?: readonly string[];
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
  readonly destination: Destination;
  /** All in the place will read the answer: nothing in it may be the asker's own. */
  readonly isPublic?: boolean;
  /** May they change this channel's rules? The reason when not. A person's own place is always theirs. */
  readonly mayManage: true | string;
  /** Turns what was typed into the platform's own form of a mention, if the asker may use it. Absent: there are no mentions here. */
  resolveMention?(text: string): Promise<Mention>;
  /** The file that came along with the line, fetched now. Absent: none came. */
  fetchAttachment?(): Promise<AttachedFile>;
}

/** A file that somebody sent, as far as it is one to read. */
export type AttachedFile =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  /** `what`: `a zip archive` */
  | { readonly kind: "not-text"; readonly name: string; readonly what: string }
  | { readonly kind: "too-large"; readonly name: string }
  | { readonly kind: "unreachable"; readonly name: string; readonly reason: string };

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
  /** With which options it does so; absent: with any. */
  managesChannelWhen?(options: OptionsOf<OptionSpecs>): boolean;
  /**
   * Its answer says the same to all in a channel, and may be posted for them. The line is run again for that: only a command
   * that changes nothing is.
   */
  readonly shareable: boolean;
  /** Of a shareable one: with these options its answer is the asker's own after all, and it may change something. */
  isPrivate?(options: OptionsOf<OptionSpecs>): boolean;
  /** What is wrong with options that are right one by one, in sentences. */
  check?(options: OptionsOf<OptionSpecs>): readonly string[];
  run(options: OptionsOf<OptionSpecs>, call: Call, context: CommandContext): Promise<readonly Card[]>;
}

/** Lets `run` see its own options by name and type. */
export function defineCommand<const S extends OptionSpecs>(
  command: Omit<Command, "options" | "isPrivate" | "check" | "run" | "managesChannel" | "shareable"> & {
    readonly options: S;
    readonly managesChannel?: boolean;
    managesChannelWhen?(options: OptionsOf<S>): boolean;
    readonly shareable?: boolean;
    isPrivate?(options: OptionsOf<S>): boolean;
    check?(options: OptionsOf<S>): readonly string[];
    run(options: OptionsOf<S>, call: Call, context: CommandContext): Promise<readonly Card[]>;
  },
): Command {
  return { managesChannel: false, shareable: false, ...command };
}
