import { expect } from "vitest";
import { runSql } from "./postgres-databases.ts";

/** Numbers of rows that contradict others, by kind. */
const CONTRADICTIONS = `
select
  (select count(*) from queues q where waiting <> (
    select count(*) from deliveries d where d.queue_key = q.key and d.message_id is null)) as "wrong counts",
  (select count(*) from queues q where first_arrival is distinct from (
    select min(arrival) from deliveries d where d.queue_key = q.key and d.message_id is null)) as "wrong first arrivals",
  (select count(*) from queues where waiting = 0 and pause is null and holder is null) as "empty queues",
  (select count(*) from deliveries d where message_id is null and not exists (
    select from queues q where q.key = d.queue_key)) as "deliveries without queue",
  (select count(*) from deliveries d where not exists (
    select from events e where e.id = d.event_id)) as "deliveries without event",
  (select count(*) from deliveries d where message_id is not null and not exists (
    select from messages m where m.message_id = d.message_id and d.id in (select json_array_elements_text(m.deliveries)))) as "deliveries without message",
  (select count(*) from messages m cross join json_array_elements_text(m.deliveries) as carried(id) where not exists (
    select from deliveries d where d.id = carried.id and d.message_id = m.message_id)) as "messages without delivery",
  (select count(*) from attempts a cross join json_array_elements_text(a.deliveries) as carried(id) where not exists (
    select from deliveries d where d.id = carried.id and d.queue_key = a.queue_key and d.message_id is null
  )) as "attempts without delivery",
  (select sum(number) from counts where counter = 'rules') - (select count(*) from rules) as "wrong number of rules",
  (select sum(number) from counts where counter = 'people') - (
    select count(distinct person) from watchlist_entries) as "wrong number of people",
  (select sum(number) from counts where counter = 'waiting') - (    select count(*) from deliveries where message_id is null) as "wrong total"`;

/** Expects that queues, attempts, messages and counters fit the deliveries. */
export async function expectConsistentAlerts(url: string): Promise<void> {
  const [result] = await runSql(url, CONTRADICTIONS);
  const counts = Object.entries(result?.rows[0] ?? {}).filter(([, count]) => Number(count) !== 0);
  expect(Object.fromEntries(counts)).toEqual({});
}
