/**
 * What the page and its server say to each other. Both import this file, so it uses nothing of a browser and nothing of Node.
 * Times are milliseconds since 1970.
 */

export interface Card {
  readonly tone: "new" | "change" | "warning" | "due" | "good" | "bad" | "plain";
  readonly badges: readonly string[];
  readonly title: string;
  readonly link: string | null;
  readonly lines: readonly string[];
  readonly facts: readonly Fact[];
  readonly rows: readonly Row[];
  readonly quotes: readonly Quote[];
  readonly warnings: readonly string[];
  readonly buttons: readonly Button[];
  readonly footer: string | null;
  readonly picture?: Picture;
  readonly files?: readonly CardFile[];
}

/** Drawn by the server, as SVG. */
export interface Picture {
  readonly svg: string;
  /** What it says, in words. */
  readonly alt: string;
}

/** To be had from this server under `path`, or at once: then it is the asker's own. */
export type CardFile =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly mediaType: string; readonly text: string };

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly was?: string;
  readonly link?: string;
}

export interface Row {
  readonly title: string;
  readonly detail: string;
  readonly link?: string;
  readonly badges?: readonly string[];
}

export interface Quote {
  readonly text: string;
  readonly source: string;
  readonly link: string;
}

export interface Button {
  readonly label: string;
  readonly command: string;
  readonly style: "normal" | "primary" | "danger";
}

/** What one message of the web chat holds. */
export interface MessageBody {
  readonly cards: readonly Card[];
  /** Names of people who are to look at it. */
  readonly mentions: readonly string[];
  /** Who shared an answer, and the command line it answers; null for an alert. */
  readonly shared: { readonly by: string; readonly line: string } | null;
}

export interface Place {
  readonly kind: "channel" | "person";
  readonly id: string;
}

export interface Message {
  /** Counts up over all messages. */
  readonly number: number;
  readonly messageId: string;
  readonly to: Place;
  /** The message that this one goes on from. */
  readonly replyTo: string | null;
  readonly at: number;
  readonly body: MessageBody;
}

/** `GET /api/messages`: oldest first. */
export interface Messages {
  readonly messages: readonly Message[];
  /** Where the live stream goes on from. */
  readonly last: number;
}

/** `GET /api/messages/{id}` */
export interface FoundMessage {
  readonly message: Message;
}

/** Where the asker types: with `direct`, in the direct messages with splitwatch, else in the channel. */
export interface CommandRequest {
  readonly name: string;
  readonly channel?: string;
  readonly direct?: boolean;
  /** With or without `/splits` before it. */
  readonly line: string;
  /** Goes along with a command line that takes one. */
  readonly file?: SentFile;
}

/** At most 1 MB of it. */
export interface SentFile {
  readonly name: string;
  readonly base64: string;
}

/** `POST /api/command`: for the asker's eyes alone. */
export interface CommandAnswer {
  readonly line: string;
  readonly cards: readonly Card[];
  readonly shareable: boolean;
}

export interface Suggestion {
  /** The completed command line, without `/splits`. */
  readonly line: string;
  readonly label: string;
  readonly hint: string;
}

/** `POST /api/complete` */
export interface Suggestions {
  readonly suggestions: readonly Suggestion[];
}

/** `POST /api/share` */
export interface Shared {
  readonly number: number;
  readonly messageId: string;
}

/** What stands beside the chat. */
export interface Overview {
  readonly version: string;
  readonly source: SourceState;
  readonly splits: readonly CurrentSplit[];
  readonly deliveries: DeliveriesState;
}

export interface SourceState {
  readonly name: string;
  /** The data is invented. */
  readonly sample: boolean;
  /** A sentence about the source that a reader has to know; null: none. */
  readonly note: string | null;
  /** `starting`: nothing was read yet. `stale`: what is shown is older than it should be. `failed`: the last try did not work. */
  readonly state: "starting" | "fresh" | "stale" | "failed";
  /** The last complete reading; null before the first. */
  readonly readAt: number | null;
  /** What went wrong or is doubted; null when nothing is. */
  readonly problem: string | null;
}

export interface CurrentSplit {
  readonly ticker: string;
  readonly company: string;
  readonly exchange: string;
  /** `1-for-20` */
  readonly ratio: string;
  /** Old shares for one new, to sort by; null where the ratio could not be read. */
  readonly oldPerNew: number | null;
  /** YYYY-MM-DD */
  readonly exDate: string;
  /** `tomorrow`, `in 4 trading days`, `in effect` */
  readonly daysLeft: string;
  /** Small words: SAMPLE, MISSING. */
  readonly badges: readonly string[];
  /** What is odd about it. */
  readonly warnings: readonly string[];
  /** `rounded up`; null: not stated. */
  readonly fraction: string | null;
}

export interface DeliveriesState {
  readonly waiting: number;
  /** What places want told later; it is none of those that wait. */
  readonly held: number;
  /** Those that wait for a reason, and those that were given up: the worst first. */
  readonly problems: readonly DeliveryProblem[];
}

export interface DeliveryProblem {
  readonly state: "delayed" | "paused" | "failed";
  /** `#general on web`, `a direct message on web` */
  readonly where: string;
  readonly reason: string;
  /** When it failed or was paused; the next try of a delayed one. */
  readonly at: number;
  /** How many deliveries it is about. */
  readonly count: number;
}

/** `GET /api/overview` */
export interface OverviewAnswer extends Overview {
  /** The server's time. */
  readonly now: number;
  /** There is a session that can be signed out of. */
  readonly signedIn: boolean;
}

/** Every refusal (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

export const DEFAULT_CHANNEL = "general";

/** So many of the newest messages the page keeps and the server hands out. */
export const MAX_MESSAGES = 300;

/** Between two signs of life on the live stream. */
export const HEARTBEAT_MS = 15_000;

export const NAME_FORM = "1 to 32 letters, digits, - _ or .";

const NAME = /^[a-z0-9._-]{1,32}$/;

/** The name of a person or channel that `text` gives, in lower case; undefined when it is none. A leading # or @ is forgiven. */
export function parseName(text: string): string | undefined {
  const name = text.trim().replace(/^[#@]/, "").toLowerCase();
  return NAME.test(name) ? name : undefined;
}

/** The command line without the `/splits` that people type before it. */
export function stripPrefix(text: string): string {
  return startOfLine(text).trimEnd();
}

/** What there is of a command line while it is typed; a blank at its end says that the last word is whole. */
export function startOfLine(text: string): string {
  const typed = text.trimStart();
  const prefixUnderWay = "/splits".startsWith(typed.toLowerCase());
  return prefixUnderWay ? "" : typed.replace(/^\/?splits\s+/i, "");
}
