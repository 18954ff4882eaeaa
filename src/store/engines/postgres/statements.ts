import { schemaStatements } from "../../schema-statements.ts";

/** What only several processes need: the processes, the time and the rate-limit slots that they share. */
const SHARED = [
  `create table processes (
    id bigint generated always as identity primary key,
    -- Description of the process for the errors and logs of other processes.
    holder text not null,
    -- Parts of the work that it does; null if it is a command such as rebuild.
    roles text[],
    -- Incremented by each heartbeat.
    beat bigint not null default 0
  ) with (fillfactor = 50)`,

  "alter table queues set (fillfactor = 80)",
  "alter table counts set (fillfactor = 20)",

  `create table shared_time (
    is_only_row bool primary key default true check (is_only_row),
    -- Shared time: the clock of the database plus the correction, which is changed when the clock is set.
    correction_ms bigint not null default 0,
    -- Number of changes.
    changes bigint not null default 0
  )`,
  "insert into shared_time default values",

  `create table rate_slots (
    key text collate "C" primary key,
    -- Time of the next slot at the steady pace; null: none was taken yet.
    next_at float8,
    blocked_until float8 not null default '-infinity'
  ) with (fillfactor = 50)`,

  `-- Releases everything that a process holds, and removes it; false if it is gone, its heart has beaten since, or one of its queues is
  -- being changed, which the next heartbeat frees.
  create function remove_process(gone bigint, last_beat bigint) returns bool language plpgsql as $$
  declare
    keys text[];
  begin
    perform from processes where id = gone and (last_beat is null or beat = last_beat) for update skip locked;
    if not found then
      return false;
    end if;
    keys := array(select key from queues where holder = gone for update skip locked);
    update queues set holder = null, slot_at = null, retry_requested = false where key = any(keys);
    delete from queues where key = any(keys) and waiting = 0 and pause is null;
    if exists (select from queues where holder = gone) then
      return false;
    end if;
    update jobs set holder = null where holder = gone;
    delete from processes where id = gone;
    perform pg_notify('splitwatch', 'jobs ');
    perform pg_notify('splitwatch', 'deliveries ');
    return true;
  end
  $$`,

  `-- Takes slots for several requests, one after the other; the arithmetic is that of src/lib/rate-limiter.ts. The limits of all
  -- requests are in key_of (position of the key), every_ms, bursts and are_shared; limit_counts has their number per request. The commit
  -- doesn't wait for the disk: a crash loses only slots that are not stored elsewhere, and the server's restart takes longer than they last.
  create function reserve_slots(
    keys text[],
    max_waits float8[],
    limit_counts int[],
    key_of int[],
    every_ms float8[],
    bursts int[],
    are_shared bool[],
    now_ms float8
  ) returns table (slot_at float8, is_taken bool) language plpgsql as $$
  declare
    nexts float8[];
    blocks float8[];
    first int := 1;
    last int;
    free_at float8;
    unblocked_at float8;
    start_at float8;
    waits_for_shared bool;
  begin
    perform set_config('synchronous_commit', 'off', true);
    -- A row may be removed between the two statements.
    loop
      insert into rate_slots (key) select k from unnest(keys) k order by k collate "C" on conflict (key) do nothing;
      select array_agg(known.next_at order by known.n), array_agg(known.blocked_until order by known.n)
        into nexts, blocks
        from (
          select wanted.n, s.next_at, s.blocked_until
          from unnest(keys) with ordinality wanted (key, n) join rate_slots s on s.key = wanted.key
          order by s.key
          for update of s
        ) known;
      exit when coalesce(cardinality(nexts), 0) = cardinality(keys);
    end loop;
  
    for request in 1 .. cardinality(max_waits) loop
      last := first + limit_counts[request] - 1;
      free_at := now_ms;
      unblocked_at := now_ms;
      for i in first .. last loop
        start_at := coalesce(nexts[key_of[i]] - (bursts[i] - 1) * every_ms[i], now_ms);
        free_at := greatest(free_at, start_at);
        unblocked_at := greatest(unblocked_at, blocks[key_of[i]]);
      end loop;
      waits_for_shared := false;
      for i in first .. last loop
        start_at := coalesce(nexts[key_of[i]] - (bursts[i] - 1) * every_ms[i], now_ms);
        waits_for_shared := waits_for_shared or (are_shared[i] and start_at = free_at);
      end loop;
      slot_at := greatest(free_at, unblocked_at);
      is_taken := slot_at - now_ms <= max_waits[request] or (waits_for_shared and unblocked_at <= free_at);
      if is_taken then
        for i in first .. last loop
          nexts[key_of[i]] := every_ms[i] +
            greatest(coalesce(nexts[key_of[i]], now_ms + (bursts[i] - 1) * every_ms[i]), slot_at);
        end loop;
      end if;
      return next;
      first := last + 1;
    end loop;
  
    update rate_slots s set next_at = taken.next_at
      from unnest(keys, nexts) taken (key, next_at)
      where s.key = taken.key and s.next_at is distinct from taken.next_at;
  end
  $$`,
];

/** Statements that create the tables and functions. */
export const STATEMENTS: readonly string[] = [
  ...schemaStatements({
    text: 'text collate "C"',
    json: "json",
    float: "float8",
    sequence: "bigint generated by default as identity primary key",
    compact: "",
    latest: (...columns) => `greatest(${columns.join(", ")})`,
  }),
  ...SHARED,
];
