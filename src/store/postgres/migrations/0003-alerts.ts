/**
 * Snapshot, events, and their way to the destinations. Transactions lock rows in this order, so that none waits for each other: process,
 * snapshot, queue, attempt, delivery, counter. Commits, purges and prunes lock the snapshot, so that one of them runs at a time. Of
 * several queues, only rows that are not locked are taken.
 */
export const ALERTS = `
create table snapshot (
  is_only_row bool primary key default true check (is_only_row),
  -- Null before the first commit.
  header json,
  version bigint not null default 0,
  -- A reader of an older version must read all rows: some were removed without a trace.
  complete_from bigint not null default 0
);
insert into snapshot default values;

-- Splits, past splits and articles of the snapshot.
create table snapshot_rows (
  kind text collate "C" not null,
  key text collate "C" not null,
  number bigint not null generated always as identity,
  -- Version of the snapshot that changed the row last.
  version bigint not null,
  -- Null: removed.
  value json,
  primary key (kind, key)
);
create index snapshot_rows_version on snapshot_rows (version);

create table events (
  id text collate "C" primary key,
  number bigint not null generated always as identity,
  at bigint not null,
  split_id text collate "C",
  tickers text[] collate "C" not null,
  value json not null
);
create index events_split on events (split_id) where split_id is not null;
create index events_tickers on events using gin (tickers);
create index events_at on events (at, id);

-- A destination with waiting deliveries, a pause or a claim. Times are shared times; those that are over are null.
create table queues (
  key text collate "C" primary key,
  platform text collate "C" not null,
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
  due_at bigint generated always as (greatest(attempt_due, pause_due, release_due)) stored,
  delayed_at bigint generated always as
    (greatest(attempt_due - attempt_delay, pause_due - pause_delay, release_due - release_delay)) stored,
  pause json,
  paused_at bigint,
  -- Rate-limit slot that was reserved before the last release.
  slot_at float8,
  -- The process that has claimed the destination.
  holder bigint,
  -- True if a retry was requested since the claim.
  retry_requested bool not null default false
) with (fillfactor = 80);
create index queues_due on queues (platform, first_arrival) where holder is null and waiting > 0 and due_at is null;
create index queues_later on queues (platform, due_at) where holder is null and waiting > 0 and due_at is not null;
create index queues_delayed on queues (delayed_at) where delayed_at is not null;
create index queues_unlimited on queues (attempt_due) where attempt_due is not null and attempt_delay is null;
create index queues_holder on queues (holder) where holder is not null;
create index queues_paused on queues (paused_at) where paused_at is not null;

create table deliveries (
  id text collate "C" primary key,
  queue_key text collate "C" not null,
  event_id text collate "C" not null,
  arrival bigint not null generated always as identity,
  reasons json not null,
  mentions text[] not null,
  -- The message that settled the delivery; null while it waits.
  message_id text collate "C"
);
create index deliveries_waiting on deliveries (queue_key, arrival) where message_id is null;
create index deliveries_mentions on deliveries using gin (mentions) where mentions <> '{}';

-- The unsettled message of a destination.
create table attempts (
  queue_key text collate "C" primary key,
  message_id text collate "C" not null unique,
  deliveries text[] collate "C" not null,
  body json not null,
  reply_to json,
  created_at bigint not null,
  state text not null,
  sends int not null,
  blind_resends int not null,
  not_before float8 not null,
  delay_ms float8,
  problem text
);
create index attempts_problem on attempts (created_at) where problem is not null;
create index attempts_uncertain on attempts (queue_key) where state = 'uncertain';

-- Settled messages.
create table messages (
  message_id text collate "C" primary key,
  queue_key text collate "C" not null,
  number bigint not null generated always as identity,
  at bigint not null,
  deliveries text[] collate "C" not null,
  result json not null,
  has_failed bool not null
);
create index messages_at on messages (at);
create index messages_queue on messages (queue_key);
create index messages_failed on messages (at, number) where has_failed;

-- Numbers of waiting deliveries, rules, and people with a watchlist. Each connection changes other rows, so that none waits for another.
create table counts (
  counter text collate "C" not null,
  shard int not null,
  number bigint not null default 0,
  primary key (counter, shard)
) with (fillfactor = 20);
insert into counts (counter, shard)
select counter, shard from unnest(array['waiting', 'rules', 'people']) as counter, generate_series(0, 63) as shard;

-- People who were purged lately: a commit that was prepared before must not restore data about them.
create table purged_people (
  person text collate "C" primary key,
  at bigint not null
);

create table poll_reports (
  resource text collate "C" primary key,
  report json not null
);

create function change_count(of_counter text, added bigint) returns void language sql as $$
  update counts set number = number + added where counter = of_counter and shard = pg_backend_pid() % 64
$$;

-- Ends the claims of the given queues, whose slots have passed, and removes those that contain nothing.
create function free_queues(keys text[]) returns void language plpgsql as $$
begin
  update queues set holder = null, slot_at = null, retry_requested = false where key = any(keys);
  delete from queues where key = any(keys) and holder is null and waiting = 0 and pause is null;
end
$$;

create or replace function remove_process(gone bigint, last_beat bigint) returns bool language plpgsql as $$
begin
  perform from processes where id = gone and (last_beat is null or beat = last_beat) for update skip locked;
  if not found then
    return false;
  end if;
  perform free_queues(array(select key from queues where holder = gone for update skip locked));
  -- The next heartbeat frees those that are being changed now.
  if exists (select from queues where holder = gone) then
    return false;
  end if;
  update jobs set holder = null where holder = gone;
  delete from processes where id = gone;
  perform pg_notify('splitwatch', 'jobs ');
  perform pg_notify('splitwatch', 'deliveries ');
  return true;
end
$$;

-- Claims queues with due deliveries, longest wait first. 'kept': all claims that the process knows, to release others; null if there are
-- none.
create function claim_queues(me bigint, platforms text[], max int, now_ms bigint, kept text[])
returns table (
  key text, slot_at float8, message_id text, deliveries text[], body json, reply_to json, created_at bigint, state text,
  sends int, blind_resends int, not_before float8, delay_ms float8, problem text
) language plpgsql as $$
#variable_conflict use_column
begin
  perform from processes where id = me for key share;
  if not found then
    return;
  end if;
  if kept is not null then
    perform free_queues(array(
      select key from queues where holder = me and key <> all(kept) for update skip locked
    ));
  end if;
  update queues set
    attempt_due = case when attempt_due > now_ms then attempt_due end,
    attempt_delay = case when attempt_due > now_ms then attempt_delay end,
    pause_due = case when pause_due > now_ms then pause_due end,
    pause_delay = case when pause_due > now_ms then pause_delay end,
    release_due = case when release_due > now_ms then release_due end,
    release_delay = case when release_due > now_ms then release_delay end
  where key in (
    select later.key
    from unnest(platforms) as wanted(platform)
    cross join lateral (
      select key from queues
      where platform = wanted.platform and holder is null and waiting > 0 and due_at <= now_ms
      order by due_at limit 10000 for update skip locked
    ) as later
  );
  return query
  with due as materialized (
    select oldest.key, oldest.first_arrival
    from unnest(platforms) as wanted(platform)
    cross join lateral (
      select key, first_arrival from queues
      where platform = wanted.platform and holder is null and waiting > 0 and due_at is null
      order by first_arrival limit max for update skip locked
    ) as oldest
    order by oldest.first_arrival limit max
  ), claimed as (
    update queues set holder = me, retry_requested = false
    from due where queues.key = due.key
    returning queues.key, queues.first_arrival, queues.slot_at
  )
  select
    claimed.key, claimed.slot_at, a.message_id, a.deliveries, a.body, a.reply_to, a.created_at, a.state,
    a.sends, a.blind_resends, a.not_before, a.delay_ms, a.problem
  from claimed left join attempts a on a.queue_key = claimed.key
  order by claimed.first_arrival;
end
$$;

-- Claims one queue. False if another process holds it.
create function claim_queue(me bigint, queue text, on_platform text)
returns bool language plpgsql as $$
begin
  perform from processes where id = me for key share;
  if not found then
    return false;
  end if;
  insert into queues (key, platform, holder) values (queue, on_platform, me)
  on conflict (key) do update set
    holder = me,
    retry_requested = queues.retry_requested and queues.holder = me
  where queues.holder is null or queues.holder = me;
  return found;
end
$$;

-- True if the process may change a queue: it has claimed it, or nobody has and the process is not declared dead.
create function may_change_queue(me bigint, queue_holder bigint) returns bool language plpgsql as $$
begin
  return coalesce(queue_holder = me, exists (select from processes where id = me));
end
$$;

-- Ends a claim and delays the next one, which has the given slot. False if another process holds the queue.
create function release_queue(me bigint, queue text, due bigint, delay bigint, slot float8) returns bool language plpgsql as $$
declare
  q queues;
begin
  select * into q from queues where key = queue for update;
  if not found then
    return true;
  elsif not may_change_queue(me, q.holder) then
    return false;
  elsif q.waiting = 0 and q.pause is null then
    delete from queues where key = queue;
  else
    update queues set
      holder = null, slot_at = slot, retry_requested = false,
      release_due = coalesce(due, release_due), release_delay = case when due is null then release_delay else delay end
    where key = queue;
  end if;
  return true;
end
$$;

-- Saves an attempt. Returns why it was refused; null if it was saved.
create function save_attempt(
  me bigint, new attempts, due bigint, delay bigint
) returns text language plpgsql as $$
declare
  queue_holder bigint;
  current attempts;
  missing text;
begin
  select holder into queue_holder from queues where key = new.queue_key for update;
  if not may_change_queue(me, queue_holder) then
    return 'claimed';
  elsif exists (select from messages where message_id = new.message_id) then
    return 'settled';
  end if;
  select * into current from attempts where queue_key = new.queue_key;
  if current.message_id <> new.message_id then
    return 'in progress ' || current.message_id;
  end if;
  select wanted.id into missing
  from unnest(new.deliveries) with ordinality as wanted(id, n)
  where not exists (
    select from deliveries d where d.id = wanted.id and d.queue_key = new.queue_key and d.message_id is null
  )
  order by n limit 1;
  if found or cardinality(new.deliveries) = 0 then
    return 'not waiting ' || coalesce(missing, '(none)');
  end if;
  insert into attempts select new.*
  on conflict (queue_key) do update set
    deliveries = new.deliveries, body = new.body, reply_to = new.reply_to, created_at = new.created_at, state = new.state,
    sends = new.sends, blind_resends = new.blind_resends, not_before = new.not_before, delay_ms = new.delay_ms,
    problem = new.problem;
  -- A delay that was saved before does not start again.
  if current.not_before is distinct from new.not_before then
    update queues set attempt_due = due, attempt_delay = delay
    where key = new.queue_key and (attempt_due, attempt_delay) is distinct from (due, delay);
  end if;
  return null;
end
$$;

-- Settles a message, unless it is settled. 'ref': null if it has failed. The first row contains the outcome, the others the events of
-- the message if it is sent.
create function settle_message(me bigint, message text, settled_at bigint, ref json, reason text)
returns table (outcome text, event json) language plpgsql as $$
#variable_conflict use_column
declare
  queue_holder bigint;
  a attempts;
  has_failed bool := ref is null;
  settled bigint;
begin
  select * into a from attempts where message_id = message;
  if found then
    select holder into queue_holder from queues where key = a.queue_key for update;
    if not may_change_queue(me, queue_holder) then
      return query select 'claimed', null::json;
      return;
    end if;
    select * into a from attempts where message_id = message;
  end if;
  if a.message_id is null then
    if not exists (select from messages where message_id = message) then
      return query select 'unknown', null::json;
      return;
    end if;
  else
    update deliveries set message_id = message
    where id = any(a.deliveries) and queue_key = a.queue_key and message_id is null;
    get diagnostics settled = row_count;
    insert into messages (message_id, queue_key, at, deliveries, result, has_failed) values (
      message, a.queue_key, settled_at, a.deliveries,
      case when has_failed then json_build_object('kind', 'failed', 'reason', reason)
      else json_build_object('kind', 'sent', 'ref', ref, 'blindResends', a.blind_resends) end,
      has_failed
    );
    delete from attempts where queue_key = a.queue_key;
    update queues set
      waiting = waiting - settled,
      first_arrival = (
        select arrival from deliveries where queue_key = a.queue_key and message_id is null order by arrival limit 1
      ),
      attempt_due = null, attempt_delay = null,
      pause = case when has_failed then pause end,
      paused_at = case when has_failed then paused_at end,
      pause_due = case when has_failed then pause_due end,
      pause_delay = case when has_failed then pause_delay end
    where key = a.queue_key;
    delete from queues where key = a.queue_key and holder is null and waiting = 0 and pause is null;
    perform change_count('waiting', -settled);
  end if;
  return query select 'settled', null::json;
  return query
  select null, e.value
  from messages m
  cross join unnest(m.deliveries) with ordinality as carried(id, n)
  join deliveries d on d.id = carried.id
  join events e on e.id = d.event_id
  where m.message_id = message and not m.has_failed
  order by n;
end
$$;
`;
