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

/** Tables of both engines and the types of their columns; see `schema-statements.ts`. */
export interface Schema {
  locks: LocksTable;
  counts: CountsTable;
  purge_key: PurgeKeyTable;
  purged_people: PurgedPeopleTable;
  event_tickers: EventTickersTable;
  delivery_mentions: DeliveryMentionsTable;
  rule_keys: RuleKeysTable;
  queues: QueuesTable;
  attempts: AttemptsTable;
  seen_requests: SeenRequestsTable;
  source_statuses: SourceStatusesTable;
  poll_reports: PollReportsTable;
  keyed_records: KeyedRecordsTable;
  calendars: CalendarsTable;
  jobs: JobsTable;
  watchlists: WatchlistsTable;
  watchlist_entries: WatchlistEntriesTable;
  rule_numbers: RuleNumbersTable;
  rules: RulesTable;
  destination_settings: DestinationSettingsTable;
  used_tokens: UsedTokensTable;
  sessions: SessionsTable;
  posting_number: PostingNumberTable;
  postings: PostingsTable;
  events: EventsTable;
  snapshot_rows: SnapshotRowsTable;
  source_revisions: SourceRevisionsTable;
  source_records: SourceRecordsTable;
  documents: DocumentsTable;
  api_keys: ApiKeysTable;
  snapshot: SnapshotTable;
  deliveries: DeliveriesTable;
  messages: MessagesTable;
}

interface KeyedRecordsTable {
  kind: KeyedKind;
  key: string;
  person: string | null;
  value: unknown;
}

interface CalendarsTable {
  person: string;
  token: string;
}

interface JobsTable {
  name: string;
  /** Id of the process that holds the job. */
  holder: number | null;
}

interface WatchlistsTable {
  person: string;
  size: number;
}

interface WatchlistEntriesTable {
  person: string;
  ticker: string;
}

interface RuleNumbersTable {
  destination: string;
  last: number;
}

interface RulesTable {
  destination: string;
  number: number;
  created_by: string;
  value: Rule;
}

interface DestinationSettingsTable {
  destination: string;
  timezone: string | null;
  has_digest: boolean;
  value: Partial<DestinationSettings>;
}

interface UsedTokensTable {
  token: string;
  until: number;
}

interface SessionsTable {
  id: string;
  number: Generated<number>;
  until: number;
}

interface PostingNumberTable {
  last: number;
}

interface PostingsTable {
  number: number;
  message_id: string;
  destination: string;
  at: number;
  shared_by: string | null;
  value: Posting;
}

interface EventsTable {
  number: Generated<number>;
  id: EventId;
  at: number;
  split_id: string | null;
  value: Event;
}

interface SnapshotRowsTable {
  number: Generated<number>;
  kind: string;
  key: string;
  version: number;
  /** Null if the row is removed. */
  value: unknown;
}

interface SourceRevisionsTable {
  kind: string;
  last: number;
}

interface SourceRecordsTable {
  kind: string;
  key: string;
  number: Generated<number>;
  revision: number;
  writer: string;
  /** Null if the record is removed. */
  value: unknown;
  removed_at: number | null;
}

interface DocumentsTable {
  name: string;
  content: string;
}

interface ApiKeysTable {
  position: number;
  value: ApiKey;
}

interface SnapshotTable {
  database_id: string | null;
  header: SnapshotHeader | null;
  version: number;
  complete_from: number;
}

interface DeliveriesTable {
  arrival: Generated<number>;
  id: DeliveryId;
  queue_key: DestinationKey;
  event_id: EventId;
  reasons: readonly string[];
  mentions: readonly string[];
  message_id: string | null;
  deferral: Deferral | null;
}

interface DeliveryMentionsTable {
  mention: string;
  delivery_id: DeliveryId;
}

interface EventTickersTable {
  ticker: string;
  event_id: EventId;
}

interface QueuesTable {
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
}

interface AttemptsTable {
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
}

interface MessagesTable {
  number: Generated<number>;
  message_id: string;
  queue_key: DestinationKey;
  at: number;
  deliveries: readonly DeliveryId[];
  result: SettledMessage["end"];
  has_failed: boolean;
}

interface CountsTable {
  counter: string;
  shard: number;
  number: number;
}

interface LocksTable {
  number: number;
}

interface PurgeKeyTable {
  key: string;
}

interface PurgedPeopleTable {
  mark: string;
  platform: string;
  at: number;
  purged_at: number;
}

interface RuleKeysTable {
  key: string;
  destination: string;
  number: number;
}

interface SeenRequestsTable {
  id: string;
  until: number;
}

interface SourceStatusesTable {
  statuses: readonly SourceStatus[];
  clock_offset: number;
}

interface PollReportsTable {
  resource: Resource;
  report: PollReport;
  clock_offset: number;
}
