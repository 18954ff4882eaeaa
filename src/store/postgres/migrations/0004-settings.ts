/** What people and channels have set, and the state of the web page and of self-installed workspaces. */
export const SETTINGS = `
-- People with a watchlist. The row is locked while the watchlist changes.
create table watchlists (
  person text collate "C" primary key,
  size int not null
);

create table watchlist_entries (
  person text collate "C" not null,
  ticker text collate "C" not null,
  primary key (person, ticker)
);
create index watchlist_entries_ticker on watchlist_entries (ticker, person);

-- Last number of a rule at each destination, including removed rules. The row is locked while the rules change.
create table rule_numbers (
  destination text collate "C" primary key,
  last int not null
);

create table rules (
  destination text collate "C" not null,
  number int not null,
  -- An event matches only rules that share a key with it.
  keys text[] collate "C" not null,
  created_by text collate "C" not null,
  value json not null,
  primary key (destination, number)
);
create index rules_keys on rules using gin (keys);
create index rules_created_by on rules (created_by);

create table destination_settings (
  destination text collate "C" primary key,
  timezone text collate "C",
  -- The values that differ from the defaults.
  value json not null
);
create index destination_settings_timezone on destination_settings (timezone) where timezone is not null;

create table imports (
  id text collate "C" primary key,
  -- Order of imports that expire at the same time.
  number bigint not null generated always as identity,
  person text collate "C" not null,
  until bigint not null,
  state text not null,
  value json not null
);
create index imports_person on imports (person);
create index imports_until on imports (until);

create table installations (
  platform text collate "C" not null,
  workspace_id text collate "C" not null,
  value json not null,
  primary key (platform, workspace_id)
);

create table used_tokens (
  token text collate "C" primary key,
  until bigint not null
);
create index used_tokens_until on used_tokens (until);

create table sessions (
  id text collate "C" primary key,
  -- Order of sessions that end at the same time.
  number bigint not null generated always as identity,
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
  message_id text collate "C" not null unique,
  destination text collate "C" not null,
  at bigint not null,
  -- The person who shared an answer with the channel.
  shared_by text collate "C",
  value json not null
);
create index postings_shared_by on postings (shared_by) where shared_by is not null;
create index postings_destination on postings (destination, number);
create index postings_at on postings (at);
`;
