import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, parseDestinationKey } from "../../../domain/alert/destination.ts";
import type { Event, EventId } from "../../../domain/alert/event.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import { compareText } from "../../../lib/collections.ts";
import { forEachInSlices, TimeSlice } from "../../../lib/slices.ts";
import {
  type ChannelRules,
  type DeliveriesRequest,
  destinationFilter,
  type InspectedMessage,
  type InspectedQueue,
  type Inspection,
  MAX_EVENTS_SHOWN,
  MAX_SCANNED,
  type Page,
  type PageRequest,
  type StoreProcess,
} from "../../../ports/inspection.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import { pageOf } from "../../page-of.ts";
import { deliveriesIn } from "../indexes/queues.ts";
import type { Tables } from "../rows/tables.ts";
import type { LowdbJobs } from "./jobs.ts";
import type { DeliveryIndexes } from "./outbox.ts";

interface InspectionParts {
  readonly tables: Tables;
  readonly indexes: DeliveryIndexes;
  readonly jobs: LowdbJobs;
  /** Description of this process. */
  readonly holder: string;
  readonly roles: readonly string[] | null;
}

/** Lists of the rows in memory. Long lists are read in slices. */
export class LowdbInspection implements Inspection {
  readonly #parts: InspectionParts;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  async messages(request: DeliveriesRequest & { readonly failedOnly: boolean }): Promise<Page<InspectedMessage>> {
    const { tables, indexes } = this.#parts;
    const { after, limit, failedOnly } = request;
    if (after !== null && !indexes.archive.message(after)) return { items: [], next: null };
    const newestFirst = failedOnly ? indexes.archive.failedMessages(after) : tables.messages.newestValues(after);
    const isWanted = this.#messageFilter(request);
    const items: InspectedMessage[] = [];
    const slice = new TimeSlice();
    let scanned = 0;
    for (const message of newestFirst) {
      await slice.next();
      scanned += 1;
      if (isWanted(message)) items.push(this.#inspected(message));
      if (items.length === limit || scanned === MAX_SCANNED) return { items, next: message.messageId };
    }
    return { items, next: null };
  }

  #messageFilter(request: DeliveriesRequest): (message: SettledMessage) => boolean {
    const isAt = destinationFilter(request);
    const ids = this.#eventIdsOf(request.ticker);
    return ({ to, deliveries }) =>
      isAt(destinationKey(to)) && (ids === null || deliveries.some(({ eventId }) => ids.has(eventId)));
  }

  /** Ids of the events that concern the ticker; null for any event. */
  #eventIdsOf(ticker: Ticker | null): ReadonlySet<EventId> | null {
    return ticker === null ? null : new Set(this.#parts.indexes.archive.eventsOfTicker(ticker).map(({ id }) => id));
  }

  #inspected({ messageId, to, at, end, deliveries }: SettledMessage): InspectedMessage {
    return { messageId, to, at, end, deliveries: deliveries.length, events: this.#eventsOf(deliveries) };
  }

  #eventsOf(deliveries: readonly { readonly eventId: EventId }[]): readonly Event[] {
    const { archive } = this.#parts.indexes;
    return deliveries.slice(0, MAX_EVENTS_SHOWN).flatMap(({ eventId }) => archive.event(eventId) ?? []);
  }

  async queues(request: DeliveriesRequest & { readonly state: "waiting" | "paused" }): Promise<Page<InspectedQueue>> {
    const { state, limit } = request;
    const isAt = destinationFilter(request);
    const ids = this.#eventIdsOf(request.ticker);
    const entries = await firstEntries(this.#parts.indexes.queues.all(), request, (queue) => {
      const { key, pause, open } = queue;
      if ((state === "paused" ? pause === null : open.size === 0) || !isAt(key)) return false;
      return ids === null || deliveriesIn(queue).some(({ eventId }) => ids.has(eventId));
    });
    return pageOf(entries, limit, (queue) => {
      const { to, open, attempt, pause } = queue;
      const events = this.#eventsOf(deliveriesIn(queue));
      return { to, waiting: open.size, events, attempt: attempt && progressOf(attempt), pause };
    });
  }

  async channelRules(request: PageRequest): Promise<Page<ChannelRules>> {
    const isAt = destinationFilter(request);
    const entries = await firstEntries(
      this.#parts.tables.rules.rows(),
      request,
      ({ key, value }) => value.rules[0]?.destination.kind === "channel" && isAt(key),
    );
    return pageOf(entries, request.limit, ({ key, value: { rules } }) => {
      return { to: parseDestinationKey(key as DestinationKey), rules };
    });
  }

  async processes(): Promise<readonly StoreProcess[]> {
    const { holder, roles, jobs } = this.#parts;
    return [{ holder, isThis: true, roles, jobs: jobs.held() }];
  }
}

function progressOf({ state, sends, notBefore, problem }: Attempt): NonNullable<InspectedQueue["attempt"]> {
  return { state, sends, notBefore, problem };
}

/** Returns the first wanted entries after a key, in order of their keys: one more than the limit, if there are more. */
async function firstEntries<T extends { readonly key: string }>(
  entries: Iterable<T>,
  { after, limit }: Pick<PageRequest, "after" | "limit">,
  isWanted: (entry: T) => boolean,
): Promise<readonly T[]> {
  const max = limit + 1;
  let first: readonly T[] = [];
  let added: T[] = [];
  const merge = (): void => {
    first = [...first, ...added].toSorted((a, b) => compareText(a.key, b.key)).slice(0, max);
    added = [];
  };
  await forEachInSlices(entries, (entry) => {
    if ((after !== null && entry.key <= after) || !isWanted(entry)) return;
    added.push(entry);
    if (added.length >= MERGED_PER_PAGE * max) merge();
  });
  merge();
  return first;
}

/** Pages whose entries are sorted together: a compromise between time and memory. */
const MERGED_PER_PAGE = 4;
