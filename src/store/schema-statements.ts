/** Types and expressions of a database, as they are written in the statements that create the tables. */
export interface Dialect {
  /** Text that is compared by its bytes. */
  readonly text: string;
  /** JSON text, which is parsed when it is read. */
  readonly json: string;
  readonly float: string;
  /** Column with the order of creation. */
  readonly sequence: string;
  /** Options of a table whose rows are small and found by their primary key. */
  readonly compact: string;
  /** The latest of several times that may be null. */
  latest(...columns: readonly string[]): string;
}

/**
 * Statements that create the tables. Times are milliseconds since 1970. Transactions lock rows in this order, so that no two wait for each
 * other: process, snapshot, settings, queue, attempt, delivery, counter.
 */
const SCHEMA = `
create table locks (number int primary key);

create table snapshot (
  is_only_row bool primary key default true check (is_only_row),
  -- Random id of the database, also in the file with a copy of the snapshot. Null without such a file.
  database_id {text},
  -- Null before the first commit.
  header {json},
  version bigint not null default 0,
  -- A reader of an older version must read all rows: some were removed without a trace.
  complete_from bigint not null default 0
);
insert into snapshot (version) values (0);

-- Splits, past splits and articles of the snapshot. Version: of the snapshot that changed the row last. Value: null if removed.
create table snapshot_rows (
  number {sequence},
  kind {text} not null,
  key {text} not null,
  version bigint not null,
  value {json},
  unique (kind, key)
);
create index snapshot_rows_version on snapshot_rows (version);

create table events (
  number {sequence},
  id {text} not null unique,
  at bigint not null,
  split_id {text},
  value {json} not null
);
create index events_split on events (split_id) where split_id is not null;
create index events_at on events (at, id);

create table event_tickers (
  ticker {text} not null,
  event_id {text} not null,
  primary key (ticker, event_id)
) {compact};
create index event_tickers_event on event_tickers (event_id);

-- A destination with waiting deliveries, a pause or a claim. Times are shared times; those that are over are null.
create table queues (
  key {text} primary key,
  platform {text} not null,
  -- Waiting deliveries, those of the attempt included, and the first of them.
  waiting int not null default 0,
  first_arrival bigint,
  -- Ends and lengths of the delays of the attempt, the pause and the last release.
  attempt_due bigint,
  attempt_delay bigint,
  pause_due bigint,
  pause_delay bigint,
  release_due bigint,
  release_delay bigint,
  due_at bigint generated always as ({latest: attempt_due, pause_due, release_due}) stored,
  delayed_at bigint generated always as
    ({latest: attempt_due - attempt_delay, pause_due - pause_delay, release_due - release_delay}) stored,
  pause {json},
  paused_at bigint,
  -- Rate-limit slot that was reserved before the last release.
  slot_at {float},
  -- The process that has claimed the destination.
  holder bigint,
  -- True if a retry was requested since the claim.
  retry_requested bool not null default false
);
create index queues_due on queues (platform, first_arrival) where holder is null and waiting > 0 and due_at is null;
create index queues_later on queues (platform, due_at) where holder is null and waiting > 0 and due_at is not null;
create index queues_delayed on queues (delayed_at) where delayed_at is not null;
create index queues_holder on queues (holder) where holder is not null;
create index queues_paused on queues (paused_at) where paused_at is not null;
create index queues_slot on queues (slot_at) where slot_at is not null;

create table deliveries (
  arrival {sequence},
  id {text} not null unique,
  queue_key {text} not null,
  event_id {text} not null,
  reasons {json} not null,
  mentions {json} not null,
  -- The message that settled the delivery; null while it waits.
  message_id {text},
  -- Of a waiting delivery whose messages failed.
  deferral {json}
);
create index deliveries_deferred on deliveries (arrival) where deferral is not null;
create index deliveries_waiting on deliveries (queue_key, arrival) where message_id is null;

-- People and groups that deliveries mention, by which a purge finds the deliveries.
create table delivery_mentions (
  mention {text} not null,
  delivery_id {text} not null,
  primary key (mention, delivery_id)
) {compact};
create index delivery_mentions_delivery on delivery_mentions (delivery_id);

-- The unsettled message of a destination. Deliveries: their ids.
create table attempts (
  queue_key {text} primary key,
  message_id {text} not null unique,
  deliveries {json} not null,
  body {json} not null,
  reply_to {json},
  created_at bigint not null,
  state {text} not null,
  sends int not null,
  blind_resends int not null,
  not_before {float} not null,
  delay_ms {float},
  problem {text}
);
create index attempts_problem on attempts (created_at) where problem is not null;
create index attempts_uncertain on attempts (queue_key) where state in ('uncertain', 'unfound');

-- Settled messages. Deliveries: their ids.
create table messages (
  number {sequence},
  message_id {text} not null unique,
  queue_key {text} not null,
  at bigint not null,
  deliveries {json} not null,
  result {json} not null,
  has_failed bool not null
);
create index messages_at on messages (at, number);
create index messages_ref on messages (queue_key, (result -> 'ref' ->> 'id'));
create index messages_failed on messages (at, number) where has_failed;

-- Numbers of waiting deliveries, rules, and people with a watchlist. Each number is the sum of its shards, so that transactions seldom
-- wait for each other.
create table counts (
  counter {text} not null,
  shard int not null,
  number bigint not null,
  primary key (counter, shard)
) {compact};

-- Keyed hashes of people who were purged lately: a commit that was prepared before must not restore data about them.
create table purged_people (
  mark {text} primary key,
  platform {text} not null,
  -- Shared time.
  at bigint not null,
  -- Time by the clock of the process, as in the messages that it renders.
  purged_at bigint not null
);
create index purged_people_platform on purged_people (platform, purged_at);

-- The key of the hashes.
create table purge_key (
  is_only_row bool primary key default true check (is_only_row),
  key {text} not null
);

-- People with a watchlist. The row is locked while the watchlist changes.
create table watchlists (
  person {text} primary key,
  size int not null
);

create table watchlist_entries (
  person {text} not null,
  ticker {text} not null,
  primary key (person, ticker)
) {compact};
create index watchlist_entries_ticker on watchlist_entries (ticker, person);

-- Last number of a rule at each destination, including removed rules. The row is locked while the rules change.
create table rule_numbers (
  destination {text} primary key,
  last int not null
);

create table rules (
  destination {text} not null,
  number int not null,
  created_by {text} not null,
  value {json} not null,
  primary key (destination, number)
);
create index rules_created_by on rules (created_by);

-- An event matches only rules that share a key with it.
create table rule_keys (
  key {text} not null,
  destination {text} not null,
  number int not null,
  primary key (key, destination, number)
) {compact};
create index rule_keys_rule on rule_keys (destination, number);

-- Value: the settings that differ from the defaults.
create table destination_settings (
  destination {text} primary key,
  timezone {text},
  has_digest bool not null,
  value {json} not null
);
create index destination_settings_timezone on destination_settings (timezone) where timezone is not null;

-- Records of the kinds that are found by a key alone. Person: whose purge removes the record; null if it is about none.
create table keyed_records (
  kind {text} not null,
  key {text} not null,
  person {text},
  value {json} not null,
  primary key (kind, key)
);
create index keyed_records_person on keyed_records (person) where person is not null;

create table calendars (
  person {text} primary key,
  token {text} not null unique
);

create table used_tokens (
  token {text} primary key,
  until bigint not null
);
create index used_tokens_until on used_tokens (until);

create table sessions (
  number {sequence},
  id {text} not null unique,
  until bigint not null
);

-- Last number of a posting. The row is locked until a posting is committed, so that numbers appear in their order.
create table posting_number (
  is_only_row bool primary key default true check (is_only_row),
  last bigint not null
);
insert into posting_number (last) values (0);

create table postings (
  number bigint primary key,
  message_id {text} not null unique,
  destination {text} not null,
  at bigint not null,
  -- The person who shared an answer with the channel.
  shared_by {text},
  value {json} not null
);
create index postings_shared_by on postings (shared_by) where shared_by is not null;
create index postings_destination on postings (destination, number);
create index postings_at on postings (at);

-- Last revision of each kind of source records. The row is locked until a change is committed, so that revisions appear in their order.
create table source_revisions (
  kind {text} primary key,
  last bigint not null
);
insert into source_revisions (kind, last) values ('release', 0), ('observation', 0), ('source-reads', 0);

-- Writer: the process that changed the record last, which knows the change already. Value: null if removed; processes that follow the
-- records read the removal, until it is pruned.
create table source_records (
  number {sequence},
  kind {text} not null,
  key {text} not null,
  revision bigint not null,
  writer {text} not null,
  value {json},
  removed_at bigint,
  unique (kind, key)
);
create index source_records_revision on source_records (kind, revision);
create index source_records_removed on source_records (removed_at) where removed_at is not null;

-- Clock offset: the difference between the clock of the process that wrote the times and the shared time.
create table source_statuses (
  is_only_row bool primary key default true check (is_only_row),
  statuses {json} not null,
  clock_offset bigint not null
);

create table poll_reports (
  resource {text} primary key,
  report {json} not null,
  clock_offset bigint not null
);

create table documents (
  name {text} primary key,
  content {text} not null
);

create table seen_requests (
  id {text} primary key,
  -- Shared time.
  until bigint not null
);
create index seen_requests_until on seen_requests (until);

create table api_keys (
  position int primary key,
  value {json} not null
);

create table jobs (
  name {text} primary key,
  -- Id of the process that holds the job.
  holder bigint
);
`;

/** Returns the statements in the dialect of a database. */
export function schemaStatements(dialect: Dialect): readonly string[] {
  return SCHEMA.replaceAll(/\{latest: ([^{}]*)\}/g, (_, columns: string) => dialect.latest(...columns.split(", ")))
    .replaceAll(/\{(text|json|float|sequence|compact)\}/g, (_, name: NamedType) => dialect[name])
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

type NamedType = Exclude<keyof Dialect, "latest">;
