// The store in PostgreSQL beside that in SQLite in the same run: commands and events with up to 1,000,000 watch entries, a durable
// change, polls, a large commit, and the way of a message through the outbox. DATABASE_URL: a server to use instead of one of its own.
import { importModules } from "./parts/bundle.mjs";
import { firstPoll } from "./parts/command-context.mjs";
import { p99, startLoad } from "./parts/command-loads.mjs";
import { deliveriesOf, importDeliverer, outboxEmpty } from "./parts/deliverer.mjs";
import { measurePairs, median } from "./parts/pairs.mjs";
import {
  fillWatchlists,
  openPostgres,
  runSql,
  sequentialScans,
  startPostgres,
  withConnection,
} from "./parts/postgres.mjs";
import { log, metrics } from "./parts/silent.mjs";
import { anAnnouncement, announcements } from "./parts/split-record.mjs";
import { aPerson, importStores, inBatches, inFolder, letters, watchlistRecords } from "./parts/stores.mjs";

const SIZES = [0, 100_000, 1_000_000];
const COMMANDS = ["watch", "show", "list"];
const PER_SECOND = 50;
const ROUNDS = 8;
const SECONDS = 3;
const LARGE_TABLE_ROWS = 10_000;

/** People who watch the ticker of each event, beside those of the sizes. */
const WATCHERS = 100;
const EVENT_PAIRS = 31;

const WARM_UP_CHANGES = 100;
const CHANGE_PAIRS = 101;
const SPLITS = 500;
const RELEASES = 8_000;
const POLL_PAIRS = 31;
const LARGE_COMMIT = { events: 200, destinations: 1_000 };
const COMMIT_PAIRS = 2;
const MESSAGES = 500;
const DELIVERY_ROUNDS = 5;
/** Connections of one process, and durable statements per message: two states of the attempt, outcome, release. */
const CONNECTIONS = 10;
const COMMITS_PER_MESSAGE = 4;

const SQLITE = "SQLite";

export async function measure() {
  const server = await startPostgres();
  try {
    return [
      ...(await measureCommands(server)),
      ...(await measureEvents(server)),
      ...(await withBothStores(server, measureChange)),
      ...(await withBothStores(server, measurePolls)),
      ...(await withBothStores(server, measureLargeCommit)),
      ...(await withBothStores(server, measureDelivery)),
    ];
  } finally {
    await server.stop();
  }
}

async function measureCommands(server) {
  const loads = [];
  for (const size of SIZES) {
    const url = await server.createDatabase();
    const [database, sqlite] = await Promise.all([startLoad(size, PER_SECOND, url), startLoad(size, PER_SECOND)]);
    loads.push({ size, url, database, sqlite, rounds: { database: [], sqlite: [] } });
  }
  const largest = loads.at(-1);
  const scansBefore = await sequentialScans(largest.url, LARGE_TABLE_ROWS);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { database, sqlite, rounds } of loads) {
      const [ofDatabase, ofSqlite] = await Promise.all([database.run(SECONDS), sqlite.run(SECONDS)]);
      rounds.database.push(ofDatabase);
      rounds.sqlite.push(ofSqlite);
    }
  const scans = await sequentialScans(largest.url, LARGE_TABLE_ROWS);
  await Promise.all(loads.flatMap(({ database, sqlite }) => [database.end(), sqlite.end()]));
  const times = COMMANDS.flatMap((name) =>
    loads.map(({ size, rounds }) => {
      const [value, peerValue] = [p99(rounds.database, name), p99(rounds.sqlite, name)];
      const at = `${size.toLocaleString("en-US")} watch entries`;
      return { name: `${name} at ${at}, p99`, unit: "ms", value, peer: SQLITE, peerValue, ratio: value / peerValue };
    }),
  );
  const growth = COMMANDS.map((name) => {
    const [value, peerValue] = [largest, loads[0]].map(({ rounds }) => typical(rounds.database, name));
    const peer = "without watch entries";
    return {
      name: `${name} at 1M watch entries, median`,
      unit: "ms",
      value,
      peer,
      peerValue,
      ratio: value / peerValue,
      atMost: 2,
    };
  });
  return [...times, ...growth, scansFigure("commands at 1M watch entries", scansBefore, scans)];
}

function typical(rounds, name) {
  return median(rounds.flatMap(({ timesMs }) => timesMs[name]));
}

function scansFigure(of, before, after) {
  const tables = Object.keys(after).filter((table) => after[table] > (before[table] ?? 0));
  const value = tables.reduce((sum, table) => sum + after[table] - (before[table] ?? 0), 0);
  if (tables.length > 0) console.log(`${of}: sequential scans of ${tables.join(", ")}`);
  return { name: `${of}: sequential scans of large tables`, unit: "", value, atMost: 0 };
}

/** A new split that a poll finds, from its matching until its alerts are saved. */
async function measureEvents(server) {
  const [{ commitChanges }] = await importModules("postgres-events", ["pipeline/commit"]);
  let count = 0;
  const commitNext = (store) => () => {
    const event = anAnnouncement(++count);
    const parts = { store, log, metrics, canReceive: () => true, wake: () => undefined };
    const events = [{ ...event, record: { ...event.record, ticker: "T1" } }];
    return timeMs(() => commitChanges(parts, { patch: null, events }));
  };
  const pairs = [];
  for (const size of SIZES)
    await withBothStores(
      server,
      async (stores) => {
        const [inDatabase, inSqlite] = [stores.database, stores.sqlite].map(commitNext);
        for (const store of [stores.database, stores.sqlite])
          await inBatches(WATCHERS, (n) => store.watchlists.add(aPerson(size + n), ["T1"]));
        for (const commit of [inDatabase, inSqlite]) await commit();
        pairs.push(await measurePairs(EVENT_PAIRS, inDatabase, inSqlite));
      },
      watchlistRecords(size),
    );
  const name = `event for ${WATCHERS} people`;
  const [least, most] = [pairs[0].first, pairs.at(-1).first];
  const growth = { peer: "without other watch entries", peerValue: least, ratio: most / least, atMost: 2 };
  return [
    ...SIZES.map((size, n) => figure(`${name} beside ${size.toLocaleString("en-US")} watch entries`, pairs[n], SQLITE)),
    { name: `${name} beside 1M watch entries`, unit: "ms", value: most, ...growth },
  ];
}

/** Runs `work` with a store of each kind, which contain the records. */
async function withBothStores(server, work, records = []) {
  return inFolder(async (dir) => {
    const url = await server.createDatabase();
    const stores = await importStores("postgres-peer");
    const content = [...records];
    await stores.fill(dir, content);
    const sqlite = await stores.open(dir);
    const database = await openPostgres("postgres", url);
    await fillWatchlists(url, content);
    try {
      return await work({ sqlite, database, url, server });
    } finally {
      await database.close();
      await sqlite.close();
    }
  });
}

/** A watch beside the smallest commit of the same server, and beside SQLite. */
async function measureChange({ sqlite, database, url }) {
  let count = 0;
  const add = (store) => () => timeMs(() => store.watchlists.add(aPerson(++count), [letters(count)]));
  return withConnection(url, async (query) => {
    await query("create table bench (at timestamptz)");
    for (let n = 0; n < WARM_UP_CHANGES; n += 1) await add(database)();
    for (let n = 0; n < WARM_UP_CHANGES; n += 1) await add(sqlite)();
    const bareInsert = () => timeMs(() => query("insert into bench values (now())"));
    const withBare = await measurePairs(CHANGE_PAIRS, add(database), bareInsert);
    const withSqlite = await measurePairs(CHANGE_PAIRS, add(database), add(sqlite));
    return [
      figure("add one watch", withBare, "insert of one row with its own commit"),
      figure("add one watch", withSqlite, SQLITE),
    ].map((one, n) => (n === 0 ? { ...one, name: `${one.name}, beside a bare insert` } : one));
  });
}

async function measurePolls({ sqlite, database }) {
  for (const store of [sqlite, database]) await store.snapshot.commit(firstPoll(SPLITS, RELEASES));
  const changeInDatabase = () => timeMs(() => changeOneSplit(database));
  const changeInSqlite = () => timeMs(() => changeOneSplit(sqlite));
  for (const change of [changeInDatabase, changeInSqlite]) await change();
  return [
    figure(
      "read of an unchanged snapshot of 500 splits",
      await measurePairs(POLL_PAIRS, read(database), read(sqlite)),
      SQLITE,
    ),
    figure(
      "commit and read of one changed split",
      await measurePairs(POLL_PAIRS, changeInDatabase, changeInSqlite),
      SQLITE,
    ),
  ];
}

function read(store) {
  return () => timeMs(() => store.snapshot.read());
}

async function changeOneSplit(store) {
  const { splits, ...rest } = await store.snapshot.read();
  const [split] = splits.values();
  const header = Object.fromEntries(Object.keys(firstPoll(0, 0).patch.header).map((key) => [key, rest[key]]));
  const changed = { ...split, revision: split.revision + 1 };
  const patch = { header, replaces: false, splits: [changed], removedSplits: [], articles: [], removedArticles: [] };
  await store.snapshot.commit({ patch, events: [], deliveries: [] });
  await store.snapshot.read();
}

async function measureLargeCommit({ sqlite, database, url, server }) {
  const { events, destinations } = LARGE_COMMIT;
  const perDelivery = 1_000 / (events * destinations);
  let from = 0;
  const commit = (store) => async () => {
    from += events;
    const change = deliveriesOf(announcements(from, events), destinations);
    return (await timeMs(() => store.snapshot.commit(change))) * perDelivery;
  };
  const before = await usage(url, server);
  const result = await measurePairs(COMMIT_PAIRS, commit(database), commit(sqlite));
  const used = difference(before, await usage(url, server));
  const name = `commit of ${events} events for ${destinations} destinations`;
  const count = COMMIT_PAIRS * events * destinations;
  return [
    { ...figure(`${name}, per delivery`, result, SQLITE), unit: "µs" },
    ...serverFigures(`${name}, per delivery`, used, count, "µs"),
  ];
}

/** Messages through the deliverer to a platform that answers immediately: claim, composition, attempt, outcome, release. */
async function measureDelivery({ sqlite, database, url, server }) {
  const start = await importDeliverer("postgres-delivery");
  const [ofDatabase, ofSqlite] = [database, sqlite].map((store) => sender(start(store), store));
  for (const one of [ofDatabase, ofSqlite]) await one.announce();
  const cpu = [];
  const used = [];
  const onDatabase = async () => {
    const [before, cpuBefore] = [await usage(url, server), process.cpuUsage()];
    const ms = await timeMs(() => ofDatabase.announce());
    const { user, system } = process.cpuUsage(cpuBefore);
    cpu.push((user + system) / 1_000 / MESSAGES);
    used.push(difference(before, await usage(url, server)));
    return ms / MESSAGES;
  };
  const withSqlite = await measurePairs(
    DELIVERY_ROUNDS,
    onDatabase,
    async () => (await timeMs(() => ofSqlite.announce())) / MESSAGES,
  );
  const withCommits = await withBareCommits(url, (bare) => measurePairs(DELIVERY_ROUNDS, onDatabase, bare));
  for (const one of [ofDatabase, ofSqlite]) await one.stop();
  const total = { bytes: 0, cpuMs: 0 };
  for (const { bytes, cpuMs } of used) {
    total.bytes += bytes;
    total.cpuMs += cpuMs;
  }
  return [
    throughput("messages through the outbox", withSqlite, SQLITE),
    throughput(
      "messages through the outbox, beside bare commits",
      withCommits,
      `${COMMITS_PER_MESSAGE} commits of a row each, on ${CONNECTIONS} connections`,
    ),
    { name: "message through the outbox, CPU of the process", unit: "ms", value: median(cpu) },
    ...serverFigures("message through the outbox", total, MESSAGES * used.length, "ms"),
  ];
}

/** Calls `work` with a function that returns the time of as many commits as a message takes. */
async function withBareCommits(url, work) {
  await runSql(url, "create table bench (at timestamptz)");
  const queries = [];
  const open = (left) =>
    left === 0
      ? work(() => commitsMs(queries))
      : withConnection(url, (query) => {
          queries.push(query);
          return open(left - 1);
        });
  return open(CONNECTIONS);
}

async function commitsMs(queries) {
  const each = (MESSAGES * COMMITS_PER_MESSAGE) / queries.length;
  const commit = async (query) => {
    for (let n = 0; n < each; n += 1) await query("insert into bench values (now())");
  };
  return (await timeMs(() => Promise.all(queries.map(commit)))) / MESSAGES;
}

function throughput(name, { first, second, ratio }, peer) {
  return { name, unit: "messages/s", value: 1_000 / first, peer, peerValue: 1_000 / second, ratio: 1 / ratio };
}

/** Sends one alert to many destinations at a time. */
function sender(deliverer, store) {
  let announced = 0;
  return {
    async announce() {
      await store.snapshot.commit(deliveriesOf(announcements(++announced, 1), MESSAGES));
      deliverer.wake();
      await outboxEmpty(store);
    },
    stop: () => deliverer.stop(),
  };
}

/** What the server has used so far. */
async function usage(url, server) {
  const [{ bytes }] = await runSql(url, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes");
  return { bytes, cpuMs: await server.cpuMs() };
}

function difference(before, after) {
  return { bytes: after.bytes - before.bytes, cpuMs: after.cpuMs - before.cpuMs };
}

function serverFigures(name, { bytes, cpuMs }, count, unit) {
  const written = { name: `${name}, write-ahead log of the database`, unit: "kB", value: bytes / 1_000 / count };
  if (!Number.isFinite(cpuMs)) return [written];
  const value = (cpuMs * (unit === "µs" ? 1_000 : 1)) / count;
  return [{ name: `${name}, CPU of the database`, unit, value }, written];
}

function figure(name, { first, second, ratio }, peer) {
  return { name, unit: "ms", value: first, peer, peerValue: second, ratio };
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
