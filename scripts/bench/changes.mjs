// One durable change of a user at several sizes of the state, beside an append of as many bytes and its fdatasync: the time, and
// the bytes written. The bytes with checkpoints are those of many changes, divided by their number.
import { countOf } from "./parts/counts.mjs";
import { measurePairs } from "./parts/pairs.mjs";
import { aRule } from "./parts/rules.mjs";
import {
  aPerson,
  importStores,
  inBatches,
  inFolder,
  letters,
  openBareFile,
  watchlistRecords,
  writtenBytes,
} from "./parts/stores.mjs";

const WARM_UP_CHANGES = countOf(200, 1);
const PAIRS = countOf(301, 1);
/** So that no watchlist becomes long. */
const MIN_PEOPLE = 20_000;
const MAX_RATIO = 5;
const MAX_MS = 5;
const MAX_KB = 10;
/** Enough for several checkpoints. */
const MANY_CHANGES = countOf(50_000, 10);
/** First number of a person or channel that the stored state doesn't contain. */
const FIRST_NEW = 2_000_000;

/** Kinds of changes: the stored records, the change with a number, and the sizes of the table. */
const CHANGES = {
  watch: {
    name: "add one watch",
    rows: "watch entries",
    records: watchlistRecords,
    change: addWatch,
    sizes: [0, 100_000, 1_000_000].map((size) => countOf(size, 10)),
    growthSizes: [0, 1_000, 10_000, 100_000, 1_000_000],
  },
  rule: {
    name: "add a rule",
    rows: "rules",
    records: ruleRecords,
    change: (store, n) => store.rules.add(aRule(FIRST_NEW + n, { tickers: [letters(n)] })),
    sizes: [countOf(50_000, 10)],
    growthSizes: [0, 1_000, 10_000, 100_000],
  },
  "direct channel": {
    name: "save a DM channel",
    rows: "DM channels",
    records: directChannelRecords,
    change: (store, n) => store.directChannels.save(aPerson(FIRST_NEW + n), `8${n}`),
    sizes: [countOf(100_000, 10)],
    growthSizes: [0, 1_000, 10_000, 100_000, 1_000_000],
  },
};

export async function measure() {
  const stores = await importStores("changes");
  const figures = [];
  for (const kind of Object.values(CHANGES))
    for (const size of kind.sizes) figures.push(...figuresOf(kind, size, await measureChange(stores, kind, size)));
  return figures;
}

/** Time and written bytes of a change by the number of rows in its table. */
export async function growth() {
  const stores = await importStores("changes");
  const [times, bytes, bare] = [[], [], []];
  for (const kind of Object.values(CHANGES)) {
    const [timeOf, bytesOf] = [[], []];
    for (const size of kind.growthSizes) {
      const measured = await measureChange(stores, kind, size);
      timeOf.push([size, measured.ms]);
      bytesOf.push([size, measured.bytesWithCheckpoints / 1_000]);
      if (kind === CHANGES.watch) bare.push([size, measured.fdatasyncMs]);
    }
    times.push({ name: kind.name, points: timeOf });
    bytes.push({ name: kind.name, points: bytesOf });
  }
  const x = "rows in the table (for a watch: entries of all watchlists)";
  return [
    {
      file: "change-time",
      title: "A durable change",
      x,
      unit: "ms",
      series: [...times, { name: "append and fdatasync", points: bare }],
    },
    { file: "change-bytes", title: "Bytes written per change, with checkpoints", x, unit: "kB", series: bytes },
  ];
}

function figuresOf({ name, rows }, size, { ms, fdatasyncMs, ratio, bytes, bytesWithCheckpoints }) {
  const where = `${name} at ${size.toLocaleString("en-US")} ${rows}`;
  const peer = { peer: "append and fdatasync", peerValue: fdatasyncMs, ratio };
  return [
    { name: where, unit: "ms", value: ms, ...peer, atMost: MAX_RATIO, atMostValue: MAX_MS },
    { name: `${where}: written`, unit: "kB", value: bytes / 1_000, atMost: MAX_KB },
    { name: `${where}: written, with checkpoints`, unit: "kB", value: bytesWithCheckpoints / 1_000, atMost: MAX_KB },
  ];
}

/** Adds a ticker to the watchlist of one of the stored people, or of a new one if there are few. */
function addWatch(store, n, entries) {
  const people = Math.max(MIN_PEOPLE, entries / 10);
  return store.watchlists.add(aPerson((n * 7_919) % people), [letters(200_000 + n)]);
}

function measureChange(stores, { records, change }, size) {
  return inFolder(async (dir) => {
    await stores.fill(dir, records(size));
    const bare = await openBareFile(dir);
    const measured = await stores.withOpen(dir, async (store) => {
      let count = 0;
      const next = () => change(store, count++, size);
      for (let n = 0; n < WARM_UP_CHANGES; n += 1) await next();
      const bytes = await bytesWrittenBy(next);
      const { first, second, ratio } = await measurePairs(
        PAIRS,
        () => timeMs(next),
        () => timeMs(() => bare.append(bytes)),
      );
      const all = await bytesWrittenBy(() => inBatches(MANY_CHANGES, next));
      return { ms: first, fdatasyncMs: second, ratio, bytes, bytesWithCheckpoints: all / MANY_CHANGES };
    });
    await bare.close();
    return measured;
  });
}

async function bytesWrittenBy(work) {
  const before = await writtenBytes();
  await work();
  return (await writtenBytes()) - before;
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function* ruleRecords(count) {
  for (let n = 0; n < count; n += 1)
    yield { kind: "rule", value: { ...aRule(n, { tickers: [letters(n)] }), number: 1 } };
}

function* directChannelRecords(count) {
  for (let n = 0; n < count; n += 1)
    yield { kind: "direct-channel", value: { person: aPerson(n), channelId: `9${n}` } };
}
