import type { Processes } from "../support/process.ts";
import type { Random } from "../support/random.ts";
import type { RunningClock } from "../support/running-clock.ts";
import type { ChatRequest } from "./requests.ts";

/** The destinations of a schedule, and how each came to its alerts. */
export const DESTINATIONS = {
  /** A channel with the default rule. */
  everything: "channel",
  /** A channel with a rule for one exchange. */
  nasdaq: "channel",
  /** A person who watches every later ticker from the start. */
  ada: "person",
  /** A person who watches and unwatches tickers during the schedule. */
  bird: "person",
} as const;

export type DestinationName = keyof typeof DESTINATIONS;

export const DESTINATION_NAMES = Object.keys(DESTINATIONS) as [DestinationName, ...DestinationName[]];

/** Longest time after which a request takes effect whose answer was a timeout. */
export const MAX_PROCESSING_MS = 60_000;

/** Failure of one request that sends a message or searches for one. Durations are milliseconds of the schedule's time. */
export type RequestFault =
  | { readonly kind: "reset" | "hang" | "503" | "unauthorized" }
  | Refusal
  /** The request takes effect, but its answer is lost. */
  | { readonly kind: "stored-reset" | "stored-hang" | "stored-500" }
  /** Answered with a timeout, and takes effect this much later. */
  | { readonly kind: "stored-late"; readonly ms: number }
  | { readonly kind: "limited" | "limited-globally"; readonly seconds: number };

/** The message is refused; `intercepted`: by something before the platform. */
interface Refusal {
  readonly kind: RefusalKind | "intercepted";
}

export function isRefusal(fault: RequestFault): fault is Refusal {
  return fault.kind === "refused" || fault.kind === "unrecognized" || fault.kind === "intercepted";
}

/** With a documented code, or another one. */
export type RefusalKind = "refused" | "unrecognized";

/** Where and how often a fault applies. */
export interface FaultScope {
  readonly request: "send" | "search";
  readonly to: DestinationName;
  readonly times: number;
}

export interface ReceivedMessage {
  /** Time of the schedule. */
  readonly at: number;
  /** Text of its cards, without markup. */
  readonly text: string;
}

/** A command as a person types it. */
export interface Command {
  readonly name: string;
  readonly options?: Readonly<Record<string, string>>;
  /** Label of the button that confirms it. */
  readonly confirm?: string;
}

/** A chat platform with real protocols and the destinations of a schedule. */
export interface Chat {
  /** Host name in the addresses of `env`, which a schedule makes unreachable. */
  readonly host: string;
  readonly env: Readonly<Record<string, string>>;
  isConnected(): boolean;
  received(name: DestinationName): readonly ReceivedMessage[];
  /** Requests that sent messages there or searched for them, oldest first. */
  requests(name: DestinationName): readonly ChatRequest[];
  /** Resolves with the text of the answer, or null if there was none in time. Rejects a command that a person cannot send. */
  command(name: DestinationName, command: Command): Promise<string | null>;
  addFault(fault: RequestFault, scope: FaultScope): void;
  /**
   * Refuses messages to the destination that contain the ticker, as cards or also as text only. Returns a function that ends it.
   */
  refuse(
    name: DestinationName,
    ticker: string,
    how: { readonly code: RefusalKind; readonly refusesText: boolean },
  ): () => void;
  /** Least real milliseconds that each request takes; 0: none. */
  setLatency(ms: number): void;
  /** Interrupts the connection that delivers commands, in one of the platform's ways. */
  interrupt(random: Random): void;
  /** Takes away or restores the right to write there: a permission, or open direct messages. */
  setWritable(name: DestinationName, isWritable: boolean): void;
  /** Closes the connections of requests, so that the next one connects again. */
  dropConnections(): void;
  /** Requests that were refused, or whose answer was lost. */
  failedRequests(): number;
  /** Rules of the platform that the process broke. */
  violations(): readonly string[];
  stop(): Promise<void>;
}

export type StartChat = (parts: { readonly clock: RunningClock; readonly random: Random }) => Promise<Chat>;

/** What a schedule needs of the machine. */
export interface Machine {
  /** An empty folder. */
  readonly folder: string;
  readonly processes: Processes;
}
