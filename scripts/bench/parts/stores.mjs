import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importModules } from "./bundle.mjs";
import { log } from "./silent.mjs";

const TICKERS_EACH = 10;
const ALL_TICKERS = 10_000;
const BATCH = 1_000;

/** Runs `work` with a folder that is removed afterwards. */
export async function inFolder(work) {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * The measured store. `fill` writes records to an empty folder, as a restore does, so that `open` reads them as at a start.
 * `folder` and `options` as in `importModules`.
 */
export async function importStores(folder, options) {
  const [{ configuredStore }, { systemClock }] = await importModules(folder, ["store/index", "lib/clock"], options);
  const openStore = (dataDir) => configuredStore({ dataDir }).open({ clock: systemClock, log, holder: "bench" });
  return {
    open: openStore,
    async fill(dataDir, records) {
      async function* all() {
        yield* records;
      }
      await configuredStore({ dataDir }).restore(all(), { holder: "bench" });
    },
    async withOpen(dataDir, work) {
      const store = await openStore(dataDir);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

export function aPerson(n) {
  return { platform: "web", kind: "person", id: String(100_000_000_000_000_000n + BigInt(n) * 7_919n) };
}

/** Four letters for each number below 456,976. */
export function letters(n) {
  return Array.from({ length: 4 }, (_, place) => String.fromCharCode(65 + (Math.floor(n / 26 ** place) % 26))).join("");
}

/** Records of watchlists with ten tickers each. `entries`: number of watched tickers of all people. */
export function* watchlistRecords(entries) {
  for (let n = 0; n < entries / TICKERS_EACH; n += 1)
    yield { kind: "watchlist", value: { person: aPerson(n), tickers: tickersOf(n) } };
}

/** Ten tickers of 10,000. */
function tickersOf(n) {
  return Array.from({ length: TICKERS_EACH }, (_, k) => letters((n * 7 + k * k * 131) % ALL_TICKERS));
}

/** Calls `work` for each number below `count`, a thousand at a time. */
export async function inBatches(count, work) {
  for (let from = 0; from < count; from += BATCH)
    await Promise.all(Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => work(from + n)));
}

/** File to which as many bytes are appended as a store appends, without the store. */
export async function openBareFile(dir) {
  const file = await open(join(dir, "bare.log"), "w");
  return {
    async append(sizeBytes) {
      await file.write(Buffer.alloc(sizeBytes, "a"));
      await file.datasync();
    },
    close: () => file.close(),
  };
}

/** Bytes that this process has written so far. */
export async function writtenBytes() {
  const [, bytes] = /^wchar: (\d+)$/m.exec(await readFile("/proc/self/io", "utf8"));
  return Number(bytes);
}
