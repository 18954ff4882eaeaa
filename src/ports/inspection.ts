import type { Deferral } from "../domain/alert/deferral.ts";
import type { Attempt } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import type { Pause } from "../domain/alert/pause.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { SettledMessage } from "./state-records.ts";

/** One page of a list. It may have fewer items than requested, even none, although further ones follow. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page starts; null at the end of the list. */
  readonly next: string | null;
}

export interface PageRequest {
  /** Only destinations whose key (`web:channel:general`) or name contains this text, in any case; null for all. */
  readonly destination: string | null;
  /** `next` of the previous page; null for the first page. */
  readonly after: string | null;
  /** Maximum number of items. */
  readonly limit: number;
}

/** Returns a function that is true for the keys of the requested destinations. `named`: keys of those whose names match. */
export function destinationFilter(
  { destination }: Pick<PageRequest, "destination">,
  named: ReadonlySet<string>,
): (key: string) => boolean {
  const wanted = destination?.toLowerCase() ?? "";
  return (key) => wanted === "" || named.has(key) || key.toLowerCase().includes(wanted);
}

export interface DeliveriesRequest extends PageRequest {
  /** Only deliveries of events that concern this ticker; null for all. */
  readonly ticker: Ticker | null;
}

/** Maximum number of messages that are searched for one page; the next page continues after them. */
export const MAX_SCANNED = 20_000;

/** Maximum number of events of an entry. */
export const MAX_EVENTS_SHOWN = 5;

/** A settled message. */
export interface InspectedMessage extends Pick<SettledMessage, "messageId" | "to" | "at" | "end"> {
  /** Number of deliveries. */
  readonly deliveries: number;
  /** Events of the first deliveries. */
  readonly events: readonly Event[];
}

/** A destination with waiting deliveries or a pause. */
export interface InspectedQueue {
  readonly to: Destination;
  readonly waiting: number;
  /** Events of the oldest waiting deliveries. */
  readonly events: readonly Event[];
  /** The unsettled message; null if there is none. */
  readonly attempt: Pick<Attempt, "state" | "sends" | "notBefore" | "problem"> | null;
  /** The first deferral to end, of those of the oldest waiting deliveries; null if none is deferred. */
  readonly deferral: Deferral | null;
  readonly pause: Pause | null;
}

/** Rules of one channel, in order of their numbers. */
export interface ChannelRules {
  readonly to: Destination;
  readonly rules: readonly Rule[];
}

/** A running process that uses the store. */
export interface StoreProcess {
  /** Process id and address: `pid 17, http://127.0.0.1:8080`. */
  readonly holder: string;
  readonly isThis: boolean;
  /** Parts of the work that it does; null if it is a command. */
  readonly roles: readonly string[] | null;
  /** Names of the jobs that it holds, sorted. */
  readonly jobs: readonly string[];
}

/** Lists for the operator, in pages. Long lists are read without blocking the process, and a page of messages searches a limited number. */
export interface Inspection {
  /** Settled messages, newest first. */
  messages(request: DeliveriesRequest & { readonly failedOnly: boolean }): Promise<Page<InspectedMessage>>;
  /** Destinations with waiting deliveries, or those that are paused, in order of their keys. */
  queues(request: DeliveriesRequest & { readonly state: "waiting" | "paused" }): Promise<Page<InspectedQueue>>;
  /** Rules of channels, in order of the channels' keys; those of the configuration are the first of their page, above its limit. */
  channelRules(request: PageRequest): Promise<Page<ChannelRules>>;
  /** Every running process, in order of their starts. */
  processes(): Promise<readonly StoreProcess[]>;
}
