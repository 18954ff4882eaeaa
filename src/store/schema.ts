import type { Generated, GeneratedAlways } from "kysely";
import type { Deferral } from "../domain/alert/deferral.ts";
import type { Attempt, DeliveryId, MessageRef } from "../domain/alert/delivery.ts";
import type { DestinationKey } from "../domain/alert/destination.ts";
import type { Event, EventId } from "../domain/alert/event.ts";
import type { Pause } from "../domain/alert/pause.ts";
import type { SnapshotHeader } from "../domain/diff/snapshot.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import type { ApiKey, KeyedKind, Posting, SettledMessage } from "../ports/state-records.ts";
import type { PollReport, Resource } from "../ports/store.ts";

/** Tables of both engines and the types of their columns, in the order of `schema-statements.ts`. */
export interface Schema {
  locks: {
    number: number;
  };
  snapshot: {
    database_id: string | null;
    header: SnapshotHeader | null;
    version: number;
    complete_from: number;
  };
  snapshot_rows: {
    number: Generated<number>;
    kind: string;
    key: string;
    version: number;
    /** Null if the row is removed. */
    value: unknown;
  };
  events: {
    number: Generated<number>;
    id: EventId;
    at: number;
    split_id: string | null;
    value: Event;
  };
  event_tickers: {
    ticker: string;
    event_id: EventId;
  };
  queues: {
    key: DestinationKey;
    platform: string;
    waiting: Generated<number>;
    first_arrival: number | null;
    attempt_due: number | null;
    attempt_delay: number | null;
    pause_due: number | null;
    pause_delay: number | null;
    release_due: number | null;
    release_delay: number | null;
    due_at: GeneratedAlways<number | null>;
    delayed_at: GeneratedAlways<number | null>;
    pause: Pause | null;
    paused_at: number | null;
    slot_at: number | null;
    holder: number | null;
    retry_requested: Generated<boolean>;
  };
  deliveries: {
    arrival: Generated<number>;
    id: DeliveryId;
    queue_key: DestinationKey;
    event_id: EventId;
    reasons: readonly string[];
    mentions: readonly string[];
    message_id: string | null;
    deferral: Deferral | null;
  };
  delivery_mentions: {
    mention: string;
    delivery_id: DeliveryId;
  };
  attempts: {
    queue_key: DestinationKey;
    message_id: string;
    deliveries: readonly DeliveryId[];
    body: unknown;
    reply_to: MessageRef | null;
    created_at: number;
    state: Attempt["state"];
    sends: number;
    blind_resends: number;
    not_before: number;
    delay_ms: number | null;
    problem: string | null;
  };
  messages: {
    number: Generated<number>;
    message_id: string;
    queue_key: DestinationKey;
    at: number;
    deliveries: readonly DeliveryId[];
    result: SettledMessage["end"];
    has_failed: boolean;
  };
  counts: {
    counter: string;
    shard: number;
    number: number;
  };
  purged_people: {
    mark: string;
    platform: string;
    at: number;
    purged_at: number;
  };
  purge_key: {
    key: string;
  };
  watchlists: {
    person: string;
    size: number;
  };
  watchlist_entries: {
    person: string;
    ticker: string;
  };
  rule_numbers: {
    destination: string;
    last: number;
  };
  rules: {
    destination: string;
    number: number;
    created_by: string;
    value: Rule;
  };
  rule_keys: {
    key: string;
    destination: string;
    number: number;
  };
  destination_settings: {
    destination: string;
    timezone: string | null;
    has_digest: boolean;
    value: Partial<DestinationSettings>;
  };
  keyed_records: {
    kind: KeyedKind;
    key: string;
    person: string | null;
    value: unknown;
  };
  calendars: {
    person: string;
    token: string;
  };
  used_tokens: {
    token: string;
    until: number;
  };
  sessions: {
    id: string;
    number: Generated<number>;
    until: number;
  };
  posting_number: {
    last: number;
  };
  postings: {
    number: number;
    message_id: string;
    destination: string;
    at: number;
    shared_by: string | null;
    value: Posting;
  };
  source_revisions: {
    kind: string;
    last: number;
  };
  source_records: {
    kind: string;
    key: string;
    number: Generated<number>;
    revision: number;
    writer: string;
    /** Null if the record is removed. */
    value: unknown;
    removed_at: number | null;
  };
  source_statuses: {
    statuses: readonly SourceStatus[];
    clock_offset: number;
  };
  poll_reports: {
    resource: Resource;
    report: PollReport;
    clock_offset: number;
  };
  documents: {
    name: string;
    content: string;
  };
  seen_requests: {
    id: string;
    until: number;
  };
  api_keys: {
    position: number;
    value: ApiKey;
  };
  jobs: {
    name: string;
    /** Id of the process that holds the job. */
    holder: number | null;
  };
}
