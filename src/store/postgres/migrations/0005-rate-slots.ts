/** Slots of the platforms' rate limits. */
export const RATE_SLOTS = `
create table rate_slots (
  key text collate "C" primary key,
  -- Time of the next slot at the steady pace; null: none was taken yet.
  next_at float8,
  blocked_until float8 not null default '-infinity'
) with (fillfactor = 50);

-- Takes slots for several requests, one after the other; the arithmetic is that of src/lib/rate-limiter.ts. The limits of all
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
$$;
`;
