import { type RawBuilder, sql } from "kysely";
import { type DestinationKey, parseDestinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { storedSpellings, type Ticker } from "../../../domain/split/ticker.ts";
import type { Instant } from "../../../domain/time/day.ts";
import {
  type ChannelRules,
  type DeliveriesRequest,
  type InspectedMessage,
  type InspectedQueue,
  type Inspection,
  MAX_EVENTS_SHOWN,
  MAX_SCANNED,
  type Page,
  type PageRequest,
  type StoreProcess,
} from "../../../ports/inspection.ts";
import { pageOf } from "../../page-of.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";

interface InspectionParts {
  readonly database: Database;
  readonly membership: Membership;
}

/** Lists in pages, each of which is one query along an index. */
export class PostgresInspection implements Inspection {
  readonly #parts: InspectionParts;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  async messages(request: DeliveriesRequest & { readonly failedOnly: boolean }): Promise<Page<InspectedMessage>> {
    const { destination, ticker, after, limit, failedOnly } = request;
    const position = after === null ? null : parsePosition(after);
    if (position === undefined) return NO_ITEMS;
    const { db } = this.#parts.database;
    const isLater = sql<boolean>`
      ${failedOnly ? sql`has_failed` : sql`true`} and
      ${position === null ? sql`true` : sql`at <= ${position.at} and (at, number) < (${position.at}, ${position.number})`}`;
    const isFiltered = destination !== null || ticker !== null;
    const { rows } = await sql<MessageRow>`
      with scanned as materialized (
        select message_id, queue_key, at, number, deliveries, result from messages where ${isLater}
        order by at desc, number desc limit ${isFiltered ? MAX_SCANNED : limit + 1}
      )
      select message_id, queue_key, at, number, result, cardinality(deliveries) as deliveries, array(
        select e.value from unnest(deliveries[:${MAX_EVENTS_SHOWN}::int]) with ordinality as shown(id, n)
        join deliveries d on d.id = shown.id join events e on e.id = d.event_id order by n
      ) as events
      from scanned
      where ${keyContains("queue_key", destination)} and ${
        ticker === null
          ? sql`true`
          : sql`exists (select from deliveries d where d.id = any(scanned.deliveries) and d.event_id = any(${idsOf(ticker)}))`
      }
      order by at desc, number desc limit ${limit + 1}
    `.execute(db);
    const items = rows.slice(0, limit).map(messageOf);
    if (rows.length > limit) return { items, next: positionText(rows[limit - 1]) };
    if (!isFiltered) return { items, next: null };
    const { rows: last } = await sql<Position>`
      select at, number from messages where ${isLater}
      order by at desc, number desc offset ${MAX_SCANNED - 1} limit 1
    `.execute(db);
    return { items, next: positionText(last[0]) };
  }

  async queues(request: DeliveriesRequest & { readonly state: "waiting" | "paused" }): Promise<Page<InspectedQueue>> {
    const { state, destination, ticker, after, limit } = request;
    const { rows } = await sql<QueueRow>`
      with page as (
        select key, waiting, pause from queues
        where ${state === "paused" ? sql`paused_at is not null` : sql`waiting > 0`}
          and ${isAfter("key", after)} and ${keyContains("key", destination)}
          and ${ticker === null ? sql`true` : sql`key = any(${queuesOf(ticker)})`}
        order by key limit ${limit + 1}
      )
      select key, waiting, pause, (
        select json_build_object(
          'state', state, 'sends', sends, 'notBefore', not_before, 'problem', problem
        ) from attempts where queue_key = key
      ) as attempt, array(
        select e.value from (
          select event_id, arrival from deliveries where queue_key = key and message_id is null
          order by arrival limit ${MAX_EVENTS_SHOWN}
        ) as oldest join events e on e.id = oldest.event_id order by arrival
      ) as events
      from page order by key
    `.execute(this.#parts.database.db);
    return pageOf(rows, limit, ({ key, ...row }) => ({ to: parseDestinationKey(key), ...row }));
  }

  async channelRules({ destination, after, limit }: PageRequest): Promise<Page<ChannelRules>> {
    const { rows } = await sql<{ readonly key: DestinationKey; readonly rules: readonly Rule[] }>`
      select destination as key, json_agg(value order by number) as rules from rules
      where split_part(destination, ':', 2) = 'channel'
        and ${isAfter("destination", after)} and ${keyContains("destination", destination)}
      group by destination order by destination limit ${limit + 1}
    `.execute(this.#parts.database.db);
    return pageOf(rows, limit, ({ key, rules }) => ({ to: parseDestinationKey(key), rules }));
  }

  async processes(): Promise<readonly StoreProcess[]> {
    const { database, membership } = this.#parts;
    const { rows } = await sql<StoreProcess>`
      select holder, id = ${membership.id} as "isThis", roles,
        array(select name from jobs where jobs.holder = processes.id order by name) as jobs
      from processes order by id
    `.execute(database.db);
    return rows;
  }
}

const NO_ITEMS: Page<never> = { items: [], next: null };

/** Position of a message in the list. */
interface Position {
  readonly at: Instant;
  readonly number: number;
}

interface MessageRow extends Position {
  readonly message_id: string;
  readonly queue_key: DestinationKey;
  readonly result: InspectedMessage["end"];
  readonly deliveries: number;
  readonly events: readonly Event[];
}

interface QueueRow extends Omit<InspectedQueue, "to"> {
  readonly key: DestinationKey;
}

function messageOf({ message_id, queue_key, at, result, deliveries, events }: MessageRow): InspectedMessage {
  return { messageId: message_id, to: parseDestinationKey(queue_key), at, end: result, deliveries, events };
}

/** Undefined for a text that is no position. */
function parsePosition(text: string): Position | undefined {
  const [, at, number] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  return at === undefined || number === undefined ? undefined : { at: Number(at), number: Number(number) };
}

function positionText(position: Position | undefined): string | null {
  return position === undefined ? null : `${position.at}:${position.number}`;
}

function keyContains(column: string, text: string | null): RawBuilder<boolean> {
  return text === null ? sql`true` : sql`position(lower(${text}::text) in lower(${sql.ref(column)})) > 0`;
}

function isAfter(column: string, key: string | null): RawBuilder<boolean> {
  return key === null ? sql`true` : sql`${sql.ref(column)} > ${key}::text collate "C"`;
}

/** Ids of the events that concern the ticker. */
function idsOf(ticker: Ticker): RawBuilder<readonly string[]> {
  return sql`array(select id from events where tickers && ${storedSpellings(ticker)}::text[])`;
}

/** Keys of the queues with a waiting delivery of an event that concerns the ticker. */
function queuesOf(ticker: Ticker): RawBuilder<readonly string[]> {
  // The ids of deliveries, as `deliveryId` makes them, begin with the event and ">", which "?" follows.
  return sql`array(
    select distinct d.queue_key from events e join deliveries d on d.id > e.id || '>' and d.id < e.id || '?'
    where e.tickers && ${storedSpellings(ticker)}::text[] and d.event_id = e.id and d.message_id is null
  )`;
}
