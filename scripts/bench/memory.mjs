// Memory of the store with 100,000 watchlists of ten tickers each, beside the same watchlists packed: the ids of the people, one
// string of tickers for each, and for each ticker an array of its watchers. Both after garbage collection, above those without any.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { measurePairs } from "./parts/pairs.mjs";
import { importStores, inFolder, watchlistRecords } from "./parts/stores.mjs";

const HEAP = fileURLToPath(new URL("parts/heap.mjs", import.meta.url));
const ENTRIES = 1_000_000;
const PAIRS = 3;
const GROWTH_SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const MAX_MB = 35;

const run = promisify(execFile);

export async function measure() {
  const { first, second, ratio } = await measureWatches(await importStores("memory"), ENTRIES);
  const peer = { peer: "packed", peerValue: second, ratio };
  return [{ name: "memory of 100,000 watchers × 10 tickers", unit: "MB", value: first, ...peer, atMostValue: MAX_MB }];
}

/** Memory of a watch entry by their number. */
export async function growth() {
  const stores = await importStores("memory");
  const [own, packed] = [[], []];
  for (const entries of GROWTH_SIZES) {
    const { first, second } = await measureWatches(stores, entries);
    own.push([entries, (first * 1_000_000) / entries]);
    packed.push([entries, (second * 1_000_000) / entries]);
  }
  const series = [
    { name: "file store", points: own },
    { name: "packed", points: packed },
  ];
  const target = { name: "target at 1M", value: (MAX_MB * 1_000_000) / ENTRIES };
  return [{ file: "memory", title: "Memory per watch entry", x: "watch entries", unit: "bytes", series, target }];
}

function measureWatches(stores, entries) {
  return inFolder((full) =>
    inFolder(async (empty) => {
      await stores.fill(full, watchlistRecords(entries));
      await stores.fill(empty, []);
      return measurePairs(
        PAIRS,
        async () => (await heapMb("store", full)) - (await heapMb("store", empty)),
        async () => (await heapMb("packed", entries)) - (await heapMb("packed", 0)),
      );
    }),
  );
}

async function heapMb(...args) {
  const { stdout } = await run(process.execPath, ["--expose-gc", HEAP, ...args.map(String)]);
  return Number(stdout) / 1_000_000;
}
