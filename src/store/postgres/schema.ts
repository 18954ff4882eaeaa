import type { Generated } from "kysely";
import type { DestinationSettings } from "../../domain/settings/destination-settings.ts";
import type { PendingImport } from "../../domain/settings/pending-import.ts";
import type { Rule } from "../../domain/settings/rule.ts";
import type { ApiKey, Installation, Posting } from "../../ports/state-records.ts";

/** Tables and the types of their columns; created by the migrations. Times are milliseconds since 1970. */
export interface Schema {
  migrations: MigrationsTable;
  direct_channels: DirectChannelsTable;
  calendars: CalendarsTable;
  jobs: JobsTable;
  watchlists: WatchlistsTable;
  watchlist_entries: WatchlistEntriesTable;
  rule_numbers: RuleNumbersTable;
  rules: RulesTable;
  destination_settings: DestinationSettingsTable;
  imports: ImportsTable;
  installations: InstallationsTable;
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
  rate_slots: RateSlotsTable;
  snapshot: SnapshotTable;
  deliveries: DeliveriesTable;
  messages: MessagesTable;
}

/** Written by the query builder's migrator. */
interface MigrationsTable {
  /** Name and checksum: `0001-base@9f2c…`. */
  name: string;
  timestamp: string;
}

interface DirectChannelsTable {
  person: string;
  channel_id: string;
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
  keys: string[];
  created_by: string;
  value: Rule;
}

interface DestinationSettingsTable {
  destination: string;
  timezone: string | null;
  value: Partial<DestinationSettings>;
}

interface ImportsTable {
  id: string;
  number: Generated<number>;
  person: string;
  until: number;
  state: PendingImport["state"];
  value: PendingImport;
}

interface InstallationsTable {
  platform: string;
  workspace_id: string;
  value: Installation;
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
  id: string;
  at: number;
  split_id: string | null;
  tickers: string[];
  value: unknown;
}

interface SnapshotRowsTable {
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

/** Times are shared times and may have fractions. */
interface RateSlotsTable {
  key: string;
  next_at: number | null;
  blocked_until: Generated<number>;
}

interface SnapshotTable {
  header: unknown;
  version: number;
  complete_from: number;
}

interface DeliveriesTable {
  id: string;
  queue_key: string;
  event_id: string;
  reasons: unknown;
  mentions: string[];
  message_id: string | null;
}

interface MessagesTable {
  message_id: string;
  queue_key: string;
  at: number;
  deliveries: string[];
  result: unknown;
  has_failed: boolean;
}
