/**
 * JSON that the page and its API exchange. Both import this file, so it uses neither browser nor Node APIs, and its types
 * derive from the messages and the request schemas. Times are milliseconds since 1970.
 */
import type { Destination } from "../../../domain/alert/destination.ts";
import type * as messages from "../../../messages/message.ts";
import type { OperatorOverview } from "../../../messages/operator-view.ts";
import type { Overview, Suggestion } from "../../../messages/overview.ts";
import type { ReleaseView } from "../../../messages/release-view.ts";
import type { SplitView, TimelineStep } from "../../../messages/split-view.ts";

export type { Button, Fact, Quote, Row } from "../../../messages/message.ts";
export type {
  OperatorDestination,
  OperatorMessage,
  OperatorOverview,
  OperatorPage,
  OperatorQueue,
  OperatorRules,
  OperatorSource,
} from "../../../messages/operator-view.ts";
export type {
  CurrentSplit,
  DeliveriesState,
  DeliveryProblemSummary as DeliveryProblem,
  Overview,
  SourceState,
  Suggestion,
} from "../../../messages/overview.ts";
export type { ReleaseView } from "../../../messages/release-view.ts";
export type { SourceLine } from "../../../messages/source-text.ts";
export type { TimelineStep } from "../../../messages/split-view.ts";
export type { CommandBody as CommandRequest, CompletionRequest, SentFile } from "../requests.ts";

export type Card = Omit<messages.Card, "picture" | "files" | "editableRules"> & {
  readonly picture?: Picture;
  readonly files?: readonly CardFile[];
};

export type Picture = Pick<messages.Picture, "svg" | "alt">;

/** A file at `path`, or an included file that is private to the requester. */
export type CardFile =
  | { readonly name: string; readonly path: string }
  | Pick<messages.CardFile, "name" | "mediaType" | "text">;

/** Content of one message of the web chat. */
export interface MessageBody {
  readonly cards: readonly Card[];
  /** Names of the people that the message mentions. */
  readonly mentions: readonly string[];
  /** Who shared an answer, and its command; null for an alert. */
  readonly shared: { readonly by: string; readonly line: string } | null;
}

/** A channel of the web chat, or one person's direct messages. */
export type ChatDestination = Pick<Destination, "kind" | "id">;

export interface Message {
  /** Increases with each message, in all destinations. */
  readonly number: number;
  readonly messageId: string;
  readonly to: ChatDestination;
  /** Id of the first message about the same split; null: none. */
  readonly replyTo: string | null;
  readonly at: number;
  readonly body: MessageBody;
}

/** `GET /api/messages`: oldest first. */
export interface Messages {
  readonly messages: readonly Message[];
  /** Number after which the live stream continues. */
  readonly last: number;
}

/** `GET /api/messages/{id}` */
export interface FoundMessage {
  readonly message: Message;
}

/** `POST /api/command`: visible to the requester only. */
export interface CommandAnswer {
  readonly line: string;
  readonly cards: readonly Card[];
  readonly shareable: boolean;
}

/** `POST /api/complete` */
export interface Suggestions {
  readonly suggestions: readonly Suggestion[];
  /** True if the line can be run as it is. */
  readonly isComplete: boolean;
}

/** `POST /api/share` */
export interface ShareAnswer {
  readonly number: number;
  readonly messageId: string;
}

/** `GET /api/overview` */
export interface OverviewAnswer extends Overview {
  /** The server's time. */
  readonly now: number;
  /** True if the request has a session, so that signing out is possible. */
  readonly signedIn: boolean;
}

/** `GET /api/start`: content of the page when it is opened. */
export interface Start extends Messages {
  readonly overview: OverviewAnswer;
}

/** `GET /api/operator/overview` */
export interface OperatorOverviewAnswer extends OperatorOverview {
  /** The server's time. */
  readonly now: number;
}

/** `POST /api/operator/resume`: false if the destination isn't paused. */
export interface ResumeAnswer {
  readonly resumed: boolean;
}

/** `GET /api/splits/{ticker}` */
export interface SplitAnswer extends Omit<SplitView, "sections" | "cards"> {
  readonly sections: readonly { readonly steps: readonly TimelineStep[]; readonly cards: readonly Card[] }[];
  readonly cards: readonly Card[];
}

/** `GET /api/releases`; null if no known release has the address. */
export interface ReleaseAnswer {
  readonly release: ReleaseView | null;
}

/** Every error response (RFC 9457). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

export const DEFAULT_CHANNEL = "general";

/** Limit of messages per response, and of messages on the page. */
export const MAX_MESSAGES = 300;

/** Interval of heartbeats on an idle live stream. */
export const HEARTBEAT_MS = 15_000;

/** Returns the command without a leading `/splits`. */
export function stripPrefix(text: string): string {
  return partialLine(text).trimEnd();
}

/** Returns a partly typed command without `/splits`. Keeps a trailing space, which shows that the last word is finished. */
export function partialLine(text: string): string {
  const start = text.trimStart();
  const isPartOfPrefix = "/splits".startsWith(start.toLowerCase());
  const [prefix = ""] = /^\/?splits(?=\s)/i.exec(start.slice(0, 8)) ?? [];
  if (isPartOfPrefix) return "";
  return prefix === "" ? start : start.slice(prefix.length).trimStart();
}
