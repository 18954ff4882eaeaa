import { expect, it } from "vitest";
import { announced, attemptOf, deliveryOf, REF, T0 } from "../../../../test/contract/store-builders.ts";
import { aRule, aSplit, ticker } from "../../../../test/support/builders.ts";
import { announcedEvent } from "../../../../test/support/command-bench.ts";
import { membersOf } from "../../../../test/support/pages.ts";
import { freshDatabase } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { openProcess } from "../../../../test/support/postgres-process.ts";
import type { Destination, Person } from "../../../domain/alert/destination.ts";
import { matchKeysOfFilter } from "../../../domain/alert/match-keys.ts";
import type { Store } from "../../../ports/store.ts";

const ROWS = 100_000;
const EVENTS = 1_000;
const TICKERS = 5_000;
const CHANNELS_PER_SERVER = 10;
const POSTED_CHANNELS = 20;
/** Tables with more rows are large. */
const LARGE_ROWS = 10_000;
/** Rows that an operation may read in a large table and its indexes: each concerns few destinations. */
const MAX_READ_ROWS = 600;

const PLATFORMS = ["web"];
const TICKER = ticker("T7");
const EVENT = announced("e7", { ticker: TICKER });

/** Channel `n` belongs to server `n / 10`. */
function channelAt(n: number): Destination {
  return { platform: "web", kind: "channel", id: `s${Math.floor(n / CHANNELS_PER_SERVER)}/${n}` };
}

function personAt(n: number): Person {
  return { platform: "web", kind: "person", id: `p${n}` };
}

const CHANNEL = `'web:channel:s' || n / ${CHANNELS_PER_SERVER} || '/' || n`;
const PERSON = "'web:person:p' || n";
const TICKER_OF_ROW = `'T' || n % ${TICKERS}`;
const EVENT_OF_ROW = `'e' || n % ${EVENTS} || '.1'`;
const keyPrefix = matchKeysOfFilter(aRule({ tickers: [TICKER] }))
  .join()
  .slice(0, -TICKER.length);

function text(value: unknown): string {
  return `'${JSON.stringify(value)}'`;
}

/** Every second channel waits for the end of a hold; a tenth of the people got a message. */
const FILL = [
  `insert into events (id, at, split_id, value)
    select 'e' || n || '.1', ${T0}, 'e' || n, ${text(EVENT)} from generate_series(0, ${EVENTS - 1}) n`,
  `insert into event_tickers (ticker, event_id)
    select 'T' || n, 'e' || n || '.1' from generate_series(0, ${EVENTS - 1}) n`,
  `insert into deliveries (id, queue_key, event_id, reasons, mentions)
    select ${EVENT_OF_ROW} || '>' || ${CHANNEL}, ${CHANNEL}, ${EVENT_OF_ROW}, '["rule 1"]', ('["<@p' || n || '>"]')::json
    from generate_series(0, ${ROWS - 1}) n order by n`,
  `insert into queues (key, platform, waiting, first_arrival, release_due, release_delay)
    select ${CHANNEL}, 'web', 1, n + 1, case when n % 2 = 1 then due end, case when n % 2 = 1 then 3600000 end
    from generate_series(0, ${ROWS - 1}) n, (select (extract(epoch from now()) * 1000)::int8 + 3600000 as due) as later`,
  `update queues set slot_at = 1e15 where key = any(array(select ${CHANNEL} from generate_series(0, ${ROWS - 1}, 1000) n))`,
  `insert into postings (number, message_id, destination, at, value)
    select n, 'p' || n, 'web:channel:busy/' || n % ${POSTED_CHANNELS}, ${T0}, '{}' from generate_series(1, ${ROWS}) n`,
  `insert into deliveries (id, queue_key, event_id, reasons, mentions, message_id)
    select ${EVENT_OF_ROW} || '>' || ${PERSON}, ${PERSON}, ${EVENT_OF_ROW}, '["watchlist"]', '[]', 'm' || n
    from generate_series(0, ${ROWS / 5 - 1}) n`,
  `insert into messages (message_id, queue_key, at, deliveries, result, has_failed)
    select 'm' || n, ${PERSON}, ${T0}, to_json(array[${EVENT_OF_ROW} || '>' || ${PERSON}]),
      ${text({ kind: "sent", ref: REF, blindResends: 0 })}, false
    from generate_series(0, ${ROWS / 5 - 1}) n`,
  `insert into rule_keys (key, destination, number)
    select '${keyPrefix}' || ${TICKER_OF_ROW}, ${CHANNEL}, 1 from generate_series(0, ${ROWS - 1}) n`,
  `insert into delivery_mentions (mention, delivery_id)
    select '<@p' || n || '>', ${EVENT_OF_ROW} || '>' || ${CHANNEL} from generate_series(0, ${ROWS - 1}) n`,
  `insert into rules (destination, number, created_by, value)
    select ${CHANNEL}, 1, ${PERSON}, ${text({ ...aRule(), number: 1 })}
    from generate_series(0, ${ROWS - 1}) n`,
  "insert into rule_numbers (destination, last) select destination, number from rules",
  `insert into watchlists (person, size) select ${PERSON}, 1 from generate_series(0, ${ROWS - 1}) n`,
  `insert into watchlist_entries (person, ticker) select ${PERSON}, ${TICKER_OF_ROW} from generate_series(0, ${ROWS - 1}) n`,
  `insert into destination_settings (destination, timezone, has_digest, value)
    select ${CHANNEL}, 'Asia/Tokyo', true, '{"digest":true,"timezone":"Asia/Tokyo"}' from generate_series(1, ${ROWS / 5}) n`,
  "vacuum analyze",
];

const DEFERRAL = {
  failures: 1,
  textRefusals: 0,
  since: T0,
  reason: "no",
  maxGroup: 1,
  isTextOnly: false,
  mayBePosted: false,
  notBefore: T0,
  delayMs: 0,
};

/** What the program does often, or for one destination, person, server or event. */
const OPERATIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "start of the only process, which removes slots": async () => undefined,
  claim: async ({ claims }) => expect(await claims.claimDue({ limit: 10, platforms: PLATFORMS })).toHaveLength(10),
  "whether a destination is due": async ({ claims }) => expect(await claims.isAnyDue(PLATFORMS)).toBe(true),
  "destinations by state": async ({ claims }) => expect((await claims.countDestinations()).due).toBeGreaterThan(0),
  "time of the next claim": async ({ claims }) => expect(await claims.nextDueMs(PLATFORMS)).toBeGreaterThan(0),
  "deliveries of a destination": async ({ outbox }) => {
    expect(await outbox.waiting([channelAt(2_007)])).toHaveLength(1);
    expect(await outbox.waiting([1, 2, 3].map(channelAt))).toHaveLength(3);
  },
  "message of a destination": async ({ claims, outbox }) => {
    const [waiting] = await outbox.waiting([channelAt(4_007)]);
    if (!waiting) throw new Error("a delivery waits in each channel");
    const attempt = attemptOf("m-new", [waiting.delivery]);
    await outbox.saveAttempt(attempt);
    expect(await outbox.markSent("m-new", REF, T0)).toHaveLength(1);
    await claims.release(channelAt(4_007));
  },
  "deferral of a message": async ({ outbox }) => {
    const [waiting] = await outbox.waiting([channelAt(5_007)]);
    if (!waiting) throw new Error("a delivery waits in each channel");
    await outbox.saveAttempt(attemptOf("m-deferred", [waiting.delivery]));
    await outbox.defer("m-deferred", new Map([[waiting.delivery.id, DEFERRAL]]), DEFERRAL);
    expect(await outbox.waiting([channelAt(5_007)])).toMatchObject([{ deferral: DEFERRAL }]);
  },
  "pauses of a server": async ({ pauses }) => {
    await pauses.pause(channelAt(6_007), "left", T0);
    expect(await pauses.on("web", "s600/")).toHaveLength(1);
    await pauses.resume(channelAt(6_007));
  },
  "existing deliveries": async ({ outbox }) => {
    const ids = Array.from({ length: 100 }, (_, n) => deliveryOf(EVENT, channelAt(n)).id);
    const [id = ids[0], ...others] = await outbox.existing(ids);
    expect(others).toEqual([]);
    expect(id && (await outbox.outcome(id))).not.toBeNull();
  },
  history: async ({ history }) => {
    expect(await history.forTicker(TICKER, [channelAt(7)])).toMatchObject([{ deliveries: [{}] }]);
    expect(await history.firstMessage(personAt(7), EVENT.splitId)).toEqual(REF);
  },
  "match by ticker": async ({ rules, watchlists }) => {
    const event = announcedEvent(aSplit({ ticker: TICKER }));
    expect(await membersOf(rules.candidates([event]))).toHaveLength(ROWS / TICKERS);
    expect(await membersOf(watchlists.watchersOf([TICKER]))).toHaveLength(ROWS / TICKERS);
  },
  commit: async ({ snapshot }) => {
    const event = announced("new");
    const deliveries = [1, 2, 3].map((n) => deliveryOf(event, channelAt(n)));
    await snapshot.commit({ patch: null, events: [event], deliveries });
  },
  "settings, rules and watchlist": async ({ destinationSettings, rules, watchlists }) => {
    await destinationSettings.change(channelAt(8_007), { digest: true });
    await rules.add(aRule({ destination: channelAt(8_007), minRatio: 3 }));
    expect(await rules.countCreatedBy(personAt(8_007))).toBe(1);
    expect(await watchlists.add(personAt(8_007), [ticker("ACME")])).toHaveLength(1);
  },
  "channels of a server": async (store) => {
    expect(await store.rules.destinations("web", "s700/")).toHaveLength(CHANNELS_PER_SERVER);
    expect(await store.destinations("web", "s700/")).toHaveLength(CHANNELS_PER_SERVER);
  },
  "channels with postings": async (store) =>
    expect(await store.destinations("web", "busy/")).toHaveLength(POSTED_CHANNELS),
  "counts and summary": async ({ outbox, rules }) => {
    await outbox.summary();
    await outbox.waitingCount();
    await rules.count();
  },
  "retention of nothing": (store) => store.prune(T0 - 1),
  inspection: async ({ inspection }) => {
    const all = { destination: null, ticker: null, after: null, limit: 50 };
    expect((await inspection.messages({ ...all, failedOnly: false })).items).toHaveLength(50);
    await inspection.messages({ ...all, failedOnly: true });
    expect((await inspection.queues({ ...all, state: "waiting" })).items).toHaveLength(50);
    expect((await inspection.channelRules(all)).items).toHaveLength(50);
  },
  purge: (store) => store.purgePerson(personAt(9_007)),
};

interface Reads {
  readonly table: string;
  /** Sequential scans, and rows that they and the indexes returned. */
  readonly scans: number;
  readonly rows: number;
}

async function readsOf(url: string): Promise<readonly Reads[]> {
  const [result] = await runSql(
    url,
    `select t.relname as table, t.seq_scan::int as scans,
      (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as rows
    from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
    where t.n_live_tup > ${LARGE_ROWS} group by t.relname, t.seq_scan, t.seq_tup_read order by 1`,
  );
  return (result?.rows ?? []) as readonly Reads[];
}

it("reads few rows of large tables through indexes, and scans none", { timeout: 120_000 }, async () => {
  const url = await freshDatabase();
  await runSql(url, ...FILL);
  const found: Record<string, readonly Reads[]> = {};
  const large = (await readsOf(url)).map(({ table }) => table);
  expect(large).toHaveLength(11);
  for (const [name, run] of Object.entries(OPERATIONS)) {
    const before = new Map((await readsOf(url)).map((reads) => [reads.table, reads]));
    const { store } = await openProcess(url);
    await run(store);
    // The statistics of a connection are complete when it is closed.
    await store.close();
    found[name] = (await readsOf(url)).flatMap(({ table, scans, rows }) => {
      const earlier = before.get(table) ?? { scans: 0, rows: 0 };
      const read = { table, scans: scans - earlier.scans, rows: rows - earlier.rows };
      return read.scans > 0 || read.rows > MAX_READ_ROWS ? [read] : [];
    });
  }
  const expected = Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, []]));
  expect(found).toEqual(expected);
});
