import type { Destination, Person } from "../domain/alert/destination.ts";
import { noRoomCard, notAllowedCard, tooManyPostsReason } from "../messages/answers/problem-answer.ts";
import type { Card } from "../messages/message.ts";
import type { CommandProblem } from "../messages/option-text.ts";
import type { AnswerContext } from "./context.ts";
import type { OptionSpecs, OptionsOf } from "./parser/option-kinds.ts";
import type { FieldValues } from "./parser/options.ts";
import { MAX_POSTS_PER_HOUR } from "./usage-limits.ts";

/** One call of a command: who runs it, where, and what the platform can do for this call. */
export interface Call {
  readonly person: Person;
  /** The channel in which the command runs; in a direct message, the person. */
  readonly destination: Destination;
  /** Reads how the platform calls the person and the channel. Absent: their ids are their names. */
  readonly readNames?: () => Promise<CallNames>;
  /** True if the caller operates this splitwatch, and may see all destinations. */
  readonly isOperator?: boolean;
  /** True if everyone at the destination can read the answer, so it must not contain personal data. */
  readonly isPublic?: boolean;
  /** Returns true if the person may change this channel's rules, else the reason. Called only before such a change. */
  mayManage(): Promise<true | string>;
  /** Reserves room for stored data about the person and the destination, or returns the reason. Absent: there is no limit. */
  reserveRoom?(): Promise<true | string>;
  /** Reserves room for a message that the caller requests at the destination, or returns the reason. Absent: there is no limit. */
  reservePost?(): Promise<true | string>;
  /** Converts a mention to the platform's syntax, if the person may use it. Absent: the platform has no mentions. */
  resolveMention?(text: string): Promise<Mention>;
  /** Platform-specific help texts. */
  readonly hints?: PlatformHints;
  /** Downloads the attached file. Absent: there is none. */
  readonly fetchAttachment?: () => Promise<AttachedFile>;
}

/** Names as the platform gives them, of any length and content; null if unknown. */
export interface CallNames {
  readonly person: string | null;
  /** Name of the channel; null in a direct message. */
  readonly channel: string | null;
  /** Name of the server or workspace. */
  readonly place: string | null;
}

export interface PlatformHints {
  /** Who can be mentioned: `a role`. Absent: nobody. */
  readonly mention?: string;
  /** How a file is attached: `use the file option`. Absent: files can't be attached. */
  readonly file?: string;
}

/** File attached to a command, or the reason it can't be read. */
export type AttachedFile =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  /** `format`: noun with its article, such as `a zip archive`. */
  | { readonly kind: "not-text"; readonly name: string; readonly format: string }
  | { readonly kind: "too-large"; readonly name: string }
  | { readonly kind: "unreachable"; readonly name: string; readonly reason: string };

export type Mention =
  | { readonly kind: "allowed"; readonly mention: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Command as text, or as values by option from a platform's option fields or form. */
export type CommandInput = string | StructuredCommand;

export interface StructuredCommand {
  readonly name: string;
  readonly values: FieldValues;
}

/** Answer to a command, for the requester only. `shareable`: a button may share it with everyone in the channel. */
export interface Answer {
  readonly cards: readonly Card[];
  readonly shareable: boolean;
  /** Present if a limit of the person or the destination was reached. The answer contains nothing personal. */
  readonly isOverLimit?: true;
  /** The command that ran. Absent: no command ran. */
  readonly command?: CompletedCommand;
}

interface CompletedCommand {
  readonly name: string;
  readonly options: OptionsOf<OptionSpecs>;
  /** The command as text, without `/splits`. */
  readonly line: string;
}

/** Text form of a command, for buttons that repeat it. */
export function repeatableLine(input: CommandInput, { command }: Answer): string {
  return typeof input === "string" ? input : (command?.line ?? input.name);
}

/** Subcommand of `/splits`, the same on every platform. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Working command line for help and error messages. */
  readonly example: string;
  readonly options: OptionSpecs;
  /** True if it changes a channel's rules or settings: `Call.mayManage` is checked first. */
  readonly managesChannel: boolean;
  /** Returns true if `managesChannel` applies to these options. Absent: it always applies. */
  managesChannelWhen?(options: OptionsOf<OptionSpecs>): boolean;
  /** True if it stores data about the person or the destination: `Call.reserveRoom` is called first. */
  readonly stores: boolean;
  /** Returns true if `stores` applies to these options. Absent: it always applies. */
  storesWhen?(options: OptionsOf<OptionSpecs>): boolean;
  /** True if the answer is the same for everyone in a channel. Sharing runs the command again, so it must be read-only. */
  readonly shareable: boolean;
  /** True if the answer is incomplete while splits can't be read, and says so. */
  readonly aboutSplits: boolean;
  /** Returns true if a shareable command's answer is private with these options. */
  isPrivate?(options: OptionsOf<OptionSpecs>): boolean;
  /** Returns problems of combined options, such as `from` after `to`. Called only if each option is valid on its own. */
  check?(options: OptionsOf<OptionSpecs>): readonly CommandProblem[];
  run(options: OptionsOf<OptionSpecs>, call: Call, context: AnswerContext): Promise<readonly Card[]>;
}

/** Declares a command with defaults. `run` receives the option types that `options` declares. */
export function defineCommand<const S extends OptionSpecs>(
  command: Omit<
    Command,
    | "options"
    | "managesChannelWhen"
    | "storesWhen"
    | "isPrivate"
    | "check"
    | "run"
    | "managesChannel"
    | "stores"
    | "shareable"
    | "aboutSplits"
  > & {
    readonly options: S;
    readonly managesChannel?: boolean;
    managesChannelWhen?(options: OptionsOf<S>): boolean;
    readonly stores?: boolean;
    storesWhen?(options: OptionsOf<S>): boolean;
    readonly shareable?: boolean;
    readonly aboutSplits?: boolean;
    isPrivate?(options: OptionsOf<S>): boolean;
    check?(options: OptionsOf<S>): readonly CommandProblem[];
    run(options: OptionsOf<S>, call: Call, context: AnswerContext): Promise<readonly Card[]>;
  },
): Command {
  return { managesChannel: false, stores: false, shareable: false, aboutSplits: false, ...command };
}

/** Name of the command that a ticker or a company's name alone runs. */
export const BARE_COMMAND = "show";

/** Command that is suggested for a line that consists of its options. */
export const LISTING_COMMAND = "list";

/** Finds a command by name, ignoring case, a leading slash, and singular or plural. */
export function findCommand(commands: readonly Command[], input: string): Command | undefined {
  const name = input.trim().toLowerCase().replace(/^\/+/, "");
  const exactMatch = commands.find((command) => command.name === name);
  return exactMatch ?? commands.find((command) => singular(command.name) === singular(name));
}

/** Returns the refusal if the person may not change this channel, or null. */
export async function deniedCard(command: string, call: Call): Promise<Card | null> {
  const permission = call.destination.kind === "channel" ? await call.mayManage() : true;
  return permission === true ? null : notAllowedCard(command, permission);
}

/** Returns the refusal if no further data can be stored about the person or the destination, or null. */
export async function noRoomFor(command: string, call: Call): Promise<Card | null> {
  const room = (await call.reserveRoom?.()) ?? true;
  return room === true ? null : noRoomCard(command, room);
}

/** Counts a message that the caller requests at the destination. Returns the refusal if there were too many, or null. */
export async function noRoomToPost(
  command: string,
  call: Call,
  { limits }: Pick<AnswerContext, "limits">,
): Promise<Card | null> {
  const waitMs = limits.admitPost(call.destination);
  if (waitMs > 0) return noRoomCard(command, tooManyPostsReason(MAX_POSTS_PER_HOUR, waitMs));
  const room = (await call.reservePost?.()) ?? true;
  return room === true ? null : noRoomCard(command, room);
}

function singular(word: string): string {
  return word.replace(/s$/, "");
}
