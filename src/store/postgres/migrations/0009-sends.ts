/** A settled message contains the number of times that it was sent. The function is otherwise that of `0003-alerts`. */
export const SENDS = `
-- Settles a message, unless it is settled. 'ref': null if it has failed. The first row contains the outcome, the others the events of
-- the message if it is sent.
create or replace function settle_message(me bigint, message text, settled_at bigint, ref json, reason text)
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
      case when has_failed then json_build_object('kind', 'failed', 'reason', reason, 'sends', a.sends)
      else json_build_object('kind', 'sent', 'ref', ref, 'sends', a.sends, 'blindResends', a.blind_resends) end,
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
