import { sql } from "kysely";
import { DELIVERY_ID_SEPARATOR, type DeliveryId } from "../../domain/alert/delivery.ts";
import { type DestinationKey, parseDestinationKey } from "../../domain/alert/destination.ts";
import type { Event, EventId } from "../../domain/alert/event.ts";
import { storedSpellings, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { groupBy, inPages } from "../../lib/collections.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
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
} from "../../ports/inspection.ts";
import type { StateValues } from "../../ports/state-records.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";
import type { ConfiguredRules } from "./rules.ts";

/** Rows that one statement reads in a search. */
const SEARCH_PAGE = 500;

/** Named destinations that a search considers. */
const MAX_NAMED = 2_000;

interface InspectionParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly configuredRules: ConfiguredRules;
}

type OldestWaiting = Pick<InspectedQueue, "events" | "deferral">;

/** Lists in pages. Rows are read along an index. */
export class SqlInspection implements Inspection {
  readonly #parts: InspectionParts;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  get #db(): Database["db"] {
    return this.#parts.database.db;
  }

  async messages(request: DeliveriesRequest & { readonly failedOnly: boolean }): Promise<Page<InspectedMessage>> {
    const { after, limit, failedOnly } = request;
    const start = after === null ? null : parsePosition(after);
    if (start === undefined) return { items: [], next: null };
    const { found, last } = await search({
      read: (from: Position | null, count) => this.#newestMessages({ from: from ?? start, failedOnly, count }),
      filter: await this.#messageFilter(request),
      limit,
      maxRows: MAX_SCANNED,
    });
    const page = found.slice(0, limit);
    const events = await this.#events(page.flatMap(shownEvents));
    return {
      items: page.map((row) => ({
        messageId: row.message_id,
        to: parseDestinationKey(row.queue_key),
        at: row.at,
        end: row.result,
        deliveries: row.deliveries.length,
        events: shownEvents(row).flatMap((id) => events.get(id) ?? []),
      })),
      next: positionText(found.length > limit ? page.at(-1) : last),
    };
  }

  #newestMessages({ from, failedOnly, count }: MessagesRequest): Promise<readonly MessageRow[]> {
    return this.#db
      .selectFrom("messages")
      .select(["message_id", "queue_key", "at", "number", "deliveries", "result"])
      .$if(failedOnly, (query) => query.where(sql<boolean>`has_failed`))
      .$if(from !== null, (query) =>
        query.where((eb) => eb(eb.refTuple("at", "number"), "<", eb.tuple(from?.at ?? 0, from?.number ?? 0))),
      )
      .orderBy("at", "desc")
      .orderBy("number", "desc")
      .limit(count)
      .execute();
  }

  async #messageFilter({ destination, ticker }: DeliveriesRequest): Promise<Filter<MessageRow>> {
    if (destination === null && ticker === null) return null;
    const isWanted = destinationFilter({ destination }, await this.#keysNamed(destination));
    const concerned = ticker === null ? null : new Set(await this.#eventsOf(ticker));
    return async (rows) =>
      rows.filter(
        (row) => isWanted(row.queue_key) && (concerned === null || eventsIn(row).some((id) => concerned.has(id))),
      );
  }

  async queues(request: DeliveriesRequest & { readonly state: "waiting" | "paused" }): Promise<Page<InspectedQueue>> {
    const { state, after, limit } = request;
    const { found } = await search({
      read: (from: QueueRow | null, count) => this.#queuesAfter({ after: from?.key ?? after, state, count }),
      filter: await this.#queueFilter(request),
      limit,
    });
    const keys = found.slice(0, limit).map(({ key }) => key);
    const attempts = await this.#attempts(keys);
    const oldest = new Map<DestinationKey, OldestWaiting>();
    for (const key of keys) oldest.set(key, await this.#oldestWaiting(key));
    return pageOf(found, limit, ({ key, waiting, pause }) => ({
      to: parseDestinationKey(key),
      waiting,
      events: [],
      deferral: null,
      ...oldest.get(key),
      attempt: attempts.get(key) ?? null,
      pause,
    }));
  }

  #queuesAfter({ after, state, count }: QueuesRequest): Promise<readonly QueueRow[]> {
    return this.#db
      .selectFrom("queues")
      .select(["key", "waiting", "pause"])
      .where(state === "paused" ? sql<boolean>`paused_at is not null` : sql<boolean>`waiting > 0`)
      .where("key", ">", (after ?? "") as DestinationKey)
      .orderBy("key")
      .limit(count)
      .execute();
  }

  async #queueFilter({ destination, ticker }: DeliveriesRequest): Promise<Filter<QueueRow>> {
    if (destination === null && ticker === null) return null;
    const isWanted = destinationFilter({ destination }, await this.#keysNamed(destination));
    return async (rows) => {
      const wanted = rows.filter(({ key }) => isWanted(key));
      if (ticker === null || wanted.length === 0) return wanted;
      const concerned = await this.#db
        .selectFrom("deliveries as d")
        .innerJoin("event_tickers as t", "t.event_id", "d.event_id")
        .select("d.queue_key")
        .distinct()
        .where(
          "d.queue_key",
          "in",
          wanted.map(({ key }) => key),
        )
        .where("d.message_id", "is", null)
        .where("t.ticker", "in", storedSpellings(ticker))
        .execute();
      const keys = new Set(concerned.map(({ queue_key }) => queue_key));
      return wanted.filter(({ key }) => keys.has(key));
    };
  }

  async #attempts(keys: readonly DestinationKey[]): Promise<ReadonlyMap<DestinationKey, InspectedQueue["attempt"]>> {
    if (keys.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom("attempts")
      .select(["queue_key", "state", "sends", "not_before", "problem"])
      .where("queue_key", "in", keys)
      .execute();
    return new Map(
      rows.map(({ queue_key, not_before, ...attempt }) => [queue_key, { ...attempt, notBefore: not_before }]),
    );
  }

  async #oldestWaiting(key: DestinationKey): Promise<OldestWaiting> {
    const rows = await this.#db
      .selectFrom("deliveries as d")
      .innerJoin("events as e", "e.id", "d.event_id")
      .select(["e.value", "d.deferral"])
      .where("d.queue_key", "=", key)
      .where("d.message_id", "is", null)
      .orderBy("d.arrival")
      .limit(MAX_EVENTS_SHOWN)
      .execute();
    const deferrals = rows.flatMap(({ deferral }) => deferral ?? []);
    const [deferral = null] = deferrals.toSorted((a, b) => a.notBefore - b.notBefore);
    return { events: rows.map(({ value }) => value), deferral };
  }

  async channelRules(request: PageRequest): Promise<Page<ChannelRules>> {
    const { after, limit } = request;
    const isWanted = destinationFilter(request, await this.#keysNamed(request.destination));
    const { found } = await search({
      read: (from: RuleRow | null, count) => this.#destinationsWithRules(from?.key ?? after ?? "", count),
      filter: async (rows) => rows.filter(({ key }) => isWanted(key) && parseDestinationKey(key).kind === "channel"),
      limit,
    });
    const keys = found.slice(0, limit).map(({ key }) => key);
    const rows =
      keys.length === 0
        ? []
        : await this.#db
            .selectFrom("rules")
            .select(["destination", "value"])
            .where("destination", "in", keys)
            .orderBy("number")
            .execute();
    const rules = groupBy(rows, ({ destination }) => destination);
    const page = pageOf(found, limit, ({ key }) => ({
      to: parseDestinationKey(key),
      rules: (rules.get(key) ?? []).map(({ value }) => value),
    }));
    const configured = [...this.#parts.configuredRules]
      .filter(([key]) => isWanted(key) && key > (after ?? "") && (page.next === null || key <= page.next))
      .map(([key, ofKey]) => ({ to: parseDestinationKey(key), rules: ofKey }));
    return { ...page, items: [...configured, ...page.items] };
  }

  #destinationsWithRules(after: string, count: number): Promise<readonly RuleRow[]> {
    return this.#db
      .selectFrom("rules")
      .select("destination as key")
      .distinct()
      .where("destination", ">", after)
      .orderBy("destination")
      .limit(count)
      .$castTo<RuleRow>()
      .execute();
  }

  /** Keys of the destinations whose name, or that of their server or workspace, contains the text; at most `MAX_NAMED`. */
  async #keysNamed(text: string | null): Promise<ReadonlySet<string>> {
    if (text === null || text.trim() === "") return new Set();
    const wanted = text.toLowerCase();
    const pattern = `%${JSON.stringify(wanted)
      .slice(1, -1)
      .replaceAll(/[\\%_]/g, "\\$&")}%`;
    const rows = await this.#db
      .selectFrom("keyed_records")
      .select(["key", "value"])
      .where("kind", "=", "destination-name")
      .where(sql<boolean>`lower(cast(value as text)) like ${pattern} escape '\\'`)
      .limit(MAX_NAMED)
      .execute();
    const named = rows.filter(({ value }) => {
      const { name, place } = value as StateValues["destination-name"];
      return [name, place ?? ""].some((one) => one.toLowerCase().includes(wanted));
    });
    return new Set(named.map(({ key }) => key));
  }

  async processes(): Promise<readonly StoreProcess[]> {
    const processes = await this.#parts.membership.processes();
    const jobs = await this.#db.selectFrom("jobs").select(["name", "holder"]).orderBy("name").execute();
    return processes.map(({ id, ...process }) => ({
      ...process,
      jobs: jobs.filter(({ holder }) => holder === id).map(({ name }) => name),
    }));
  }

  async #eventsOf(ticker: Ticker): Promise<readonly EventId[]> {
    const rows = await this.#db
      .selectFrom("event_tickers")
      .select("event_id")
      .where("ticker", "in", storedSpellings(ticker))
      .execute();
    return rows.map(({ event_id }) => event_id);
  }

  async #events(ids: readonly EventId[]): Promise<ReadonlyMap<EventId, Event>> {
    const events = new Map<EventId, Event>();
    for (const page of inPages(new Set(ids), SEARCH_PAGE)) {
      const rows = await this.#db.selectFrom("events").select("value").where("id", "in", page).execute();
      for (const { value } of rows) events.set(value.id, value);
    }
    return events;
  }
}

/** Position of a message in the list. */
interface Position {
  readonly at: Instant;
  readonly number: number;
}

interface MessagesRequest {
  readonly from: Position | null;
  readonly failedOnly: boolean;
  readonly count: number;
}

interface MessageRow extends Position {
  readonly message_id: string;
  readonly queue_key: DestinationKey;
  readonly result: InspectedMessage["end"];
  readonly deliveries: readonly DeliveryId[];
}

interface QueuesRequest {
  readonly after: string | null;
  readonly state: "waiting" | "paused";
  readonly count: number;
}

interface QueueRow extends Pick<InspectedQueue, "waiting" | "pause"> {
  readonly key: DestinationKey;
}

interface RuleRow {
  readonly key: DestinationKey;
}

/** Returns the rows that are wanted; null: all are. */
type Filter<R> = ((rows: readonly R[]) => Promise<readonly R[]>) | null;

interface Search<P, R extends P> {
  /** Reads rows after the position; null: from the start. */
  readonly read: (after: P | null, count: number) => Promise<readonly R[]>;
  readonly filter: Filter<R>;
  readonly limit: number;
  /** Maximum number of rows that are read. */
  readonly maxRows?: number;
}

/**
 * Reads rows until more than `limit` of them are wanted. `last`: the last row that was read, if there may be others after it; null at
 * the end of the list.
 */
async function search<P, R extends P>({
  read,
  filter,
  limit,
  maxRows = Number.POSITIVE_INFINITY,
}: Search<P, R>): Promise<{ readonly found: readonly R[]; readonly last: R | null }> {
  const count = filter === null ? limit + 1 : SEARCH_PAGE;
  const found: R[] = [];
  let last: R | null = null;
  for (let scanned = 0; scanned < maxRows; scanned += count) {
    const rows: readonly R[] = await read(last, count);
    found.push(...(filter === null ? rows : await filter(rows)));
    last = rows.length < count ? null : (rows.at(-1) ?? null);
    if (found.length > limit || last === null) break;
    await yieldToEventLoop();
  }
  return { found, last };
}

/** The ids of a message's deliveries, as `deliveryId` makes them, end with the destination. */
function eventsIn({ deliveries, queue_key }: MessageRow): readonly EventId[] {
  const end = DELIVERY_ID_SEPARATOR.length + queue_key.length;
  return deliveries.map((id) => id.slice(0, -end) as EventId);
}

/** A page of the first entries. The next page follows the key of its last one. `entries`: one more than `limit`, if there are more. */
function pageOf<T extends { readonly key: string }, R>(
  entries: readonly T[],
  limit: number,
  itemOf: (entry: T) => R,
): Page<R> {
  const page = entries.slice(0, limit);
  return { items: page.map(itemOf), next: entries.length > limit ? (page.at(-1)?.key ?? null) : null };
}

function shownEvents(row: MessageRow): readonly EventId[] {
  return eventsIn(row).slice(0, MAX_EVENTS_SHOWN);
}

/** Undefined for a text that is no position. */
function parsePosition(text: string): Position | undefined {
  const [, at, number] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  return at === undefined || number === undefined ? undefined : { at: Number(at), number: Number(number) };
}

function positionText(position: Position | null | undefined): string | null {
  return position ? `${position.at}:${position.number}` : null;
}
