import { appendFile, cp, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { announced, aPosting, attemptOf, commitOne, REF, T0 } from "../../../test/contract/store-builders.ts";
import { ALICE, ticker } from "../../../test/support/builders.ts";
import { fillStore } from "../../../test/support/full-state.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { channel, contentOf, openIn, readFiles, StoreFolders } from "../../../test/support/store-folder.ts";
import { destinationKey } from "../../domain/alert/destination.ts";
import { collect } from "../../lib/collections.ts";
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import type { Store } from "../../ports/store.ts";
import { stateRecords } from "../state-chunks.ts";
import { readState } from "./read-state.ts";
import { restoreFolder } from "./restore-folder.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

function recordsAt(dir: string): Promise<readonly StateRecord[]> {
  return collect(stateRecords(readState(dir)));
}

/** Each step writes another file and completes before the next one starts. */
const STEPS: readonly ((store: Store, n: number) => Promise<unknown>)[] = [
  (store, n) => store.watchlists.add(ALICE, [ticker(`T${n}`)]),
  (store, n) => commitOne(store, announced(`s${n}`), channel(`c${n}`)),
  (store, n) => store.directChannels.save({ ...ALICE, id: `p${n}` }, "dm"),
  async (store, n) => {
    const delivery = `s${n}.1>${destinationKey(channel(`c${n}`))}`;
    const attempt = attemptOf(`m${n}`, [], { deliveries: [delivery as never], to: channel(`c${n}`), state: "sending" });
    await store.outbox.saveAttempt(attempt);
  },
  (store, n) => store.postings.post(aPosting(`m${n}`, { to: channel(`c${n}`) })),
  (store, n) => store.outbox.markSent(`m${n}`, REF, T0 + n),
  (store, n) => store.releases.put([aRelease({ url: `https://wire.example/${n}` })]),
  (store, n) => store.observations.put([anObservation({ id: String(n) })]),
];

function valuesOf<K extends StateKind>(records: readonly StateRecord[], kind: K): readonly StateValues[K][] {
  return records.flatMap((record) => (record.kind === kind ? [record.value as StateValues[K]] : []));
}

/** Number of times that each step is in the state, in the order of the steps. */
function stepsIn(records: readonly StateRecord[]): readonly number[] {
  const sent = valuesOf(records, "message").length;
  return [
    valuesOf(records, "watchlist").flatMap(({ tickers }) => tickers).length,
    valuesOf(records, "event").length,
    valuesOf(records, "direct-channel").length,
    valuesOf(records, "attempt").length + sent,
    valuesOf(records, "posting").length,
    sent,
    valuesOf(records, "release").length,
    valuesOf(records, "observation").length,
  ];
}

/** Counts of complete rounds, in which the first steps may have run once more. */
function isPrefix(steps: readonly number[]): boolean {
  const [first = 0] = steps;
  const last = steps.at(-1) ?? 0;
  return first - last <= 1 && steps.every((times, index) => index === 0 || times <= (steps[index - 1] ?? 0));
}

/** Steps without a pause after each read. */
const DENSE_STEPS = 20;

/** Runs the steps in rounds until it is stopped. Slows down until a read succeeds, however fast the disk is. */
class Writer {
  rounds = 0;
  #stepsSinceRead = 0;
  #isStopped = false;
  readonly #done: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(store: Store) {
    this.#done = this.#run(store);
  }

  /** Resolves when one more step is durable. */
  nextStep(): Promise<void> {
    this.#stepsSinceRead = 0;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(store: Store): Promise<void> {
    for (; !this.#isStopped; this.rounds += 1) {
      for (const step of STEPS) {
        await step(store, this.rounds);
        this.#wake();
        this.#stepsSinceRead += 1;
        if (this.#stepsSinceRead > DENSE_STEPS) await pause(this.#stepsSinceRead - DENSE_STEPS);
      }
    }
  }
}

describe("the state of a folder that another process writes", () => {
  it.each([
    ["while its log grows", 1_000_000],
    ["while nearly every write makes a checkpoint", 1],
  ])("is read consistently: %s", async (_, checkpointAboveBytes) => {
    const dir = await folders.make();
    const store = await openIn(dir, { checkpointAboveBytes });
    const writer = new Writer(store);

    const seen: (readonly number[])[] = [];
    // Between two reads a step completes, and the first read may include it: 40 reads return at least 20 different states.
    for (let reads = 0; reads < 40; reads += 1) {
      seen.push(stepsIn(await recordsAt(dir)));
      await writer.nextStep();
    }
    await writer.stop();
    await store.close();

    expect(seen.filter((steps) => !isPrefix(steps))).toEqual([]);
    expect(new Set(seen.map(String)).size).toBeGreaterThanOrEqual(20);
    expect(stepsIn(await recordsAt(dir))).toEqual(STEPS.map(() => writer.rounds));
  });

  it("omits a line that is being written", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    await fillStore(store);
    const before = await recordsAt(dir);
    await appendFile(join(dir, "changes-000001.log"), '89abcdef {"n":9');
    const files = await readFiles(dir);

    expect(await recordsAt(dir)).toEqual(before);
    expect(await readFiles(dir)).toEqual(files);
    await store.close();
  });

  it("is read in chunks of limited size, which share one buffer", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    const text = "x".repeat(50_000);
    await store.releases.put(
      Array.from({ length: 60 }, (_, n) => aRelease({ url: `https://wire.example/${n}`, text })),
    );
    await store.prune(0);
    await store.close();

    const buffers = new Set<ArrayBufferLike>();
    const sizes: number[] = [];
    for await (const { kind, lines } of readState(dir)) {
      if (kind !== "release") continue;
      buffers.add(lines.buffer);
      sizes.push(lines.length);
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(3_000_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
    expect(buffers.size).toBe(1);
  });

  it("has no records if the folder has no state, and an error if it is not a folder", async () => {
    expect(await recordsAt(await folders.make())).toEqual([]);
    expect(await recordsAt(join(await folders.make(), "not-there"))).toEqual([]);
    const dir = await folders.holding(new Map([["a-file", Buffer.from("")]]));
    await expect(recordsAt(join(dir, "a-file"))).rejects.toThrow(
      /^DATA_DIR: got .*a-file, expected a folder .* \(ENOTDIR/,
    );
  });
});

async function* asynchronous(records: Iterable<StateRecord>): AsyncGenerator<StateRecord> {
  yield* records;
}

async function* broken(): AsyncGenerator<StateRecord> {
  yield { kind: "posting-number", value: { last: 3 } };
  throw new Error("the file was changed");
}

/** Adds an API key, which has a file of its own. */
async function* withApiKey(records: AsyncIterable<StateRecord>): AsyncGenerator<StateRecord> {
  yield* records;
  const key = { name: "tester", sha256: "0".repeat(64), created: "2026-03-02T14:00:00.000Z", revoked: null };
  yield { kind: "api-key", value: key };
}

describe("a state that is restored into a folder", () => {
  const OPTIONS = { holder: "a test" };

  async function aFilledFolder(): Promise<string> {
    const store = await openIn(await folders.make());
    await store.close();
    const [from, dir] = [await folders.make(), join(await folders.make(), "deep", "data")];
    const full = await openIn(from);
    await fillStore(full);
    await full.close();
    await restoreFolder(dir, withApiKey(stateRecords(readState(from))), OPTIONS);
    return dir;
  }

  it("is complete once it is committed, wherever the restore is interrupted after that", async () => {
    const dir = await aFilledFolder();
    const content = await contentOf(dir);
    // Readers do not depend on the order of the moves, except that the list is last.
    const names = (await readdir(dir)).filter((name) => name !== "checkpoint.json").toSorted();

    for (let moved = 0; moved <= names.length; moved += 1) {
      const cut = await folders.copyOf(dir);
      await mkdir(join(cut, "restore.whole"));
      for (const name of [...names.slice(moved), "checkpoint.json"])
        await rename(join(cut, name), join(cut, "restore.whole", name));

      await expect(recordsAt(cut)).rejects.toThrow("a restore was interrupted while it moved its files");
      expect(await contentOf(cut)).toEqual(content);
      expect((await readdir(cut)).toSorted()).toEqual([...names, "checkpoint.json"].toSorted());
    }
  });

  it("is written while its records are read, so that memory holds only a part", async () => {
    const dir = await folders.make();
    const written: number[] = [];
    async function* releases(): AsyncGenerator<StateRecord> {
      for (let n = 0; n < 20; n += 1) {
        yield { kind: "release", value: aRelease({ url: `https://wire.example/${n}`, text: "x".repeat(100_000) }) };
        const names = await readdir(join(dir, "restore.tmp"));
        written.push(names.filter((name) => name.startsWith("releases-")).length);
      }
    }
    await restoreFolder(dir, releases(), OPTIONS);

    expect(written).toEqual(written.map((_, n) => Math.floor((n + 1) / 3)));
    const restored = valuesOf(await recordsAt(dir), "release").map(({ url }) => url);
    expect(restored).toEqual(written.map((_, n) => `https://wire.example/${n}`));
  });

  it("does not exist before it is committed", async () => {
    const dir = await aFilledFolder();
    const cut = await folders.make();
    await cp(dir, join(cut, "restore.tmp"), { recursive: true });

    expect(await recordsAt(cut)).toEqual([]);
    const store = await openIn(cut);
    expect(await store.rules.count()).toBe(0);
    await store.close();
    expect(await readdir(cut)).not.toContain("restore.tmp");
  });

  it("is rejected and leaves no file if its records end with an error or are inconsistent", async () => {
    const dir = await folders.make();

    await expect(restoreFolder(dir, broken(), OPTIONS)).rejects.toThrow("the file was changed");
    expect(await readdir(dir)).toEqual([]);
    const [stray] = (await recordsAt(await aFilledFolder())).filter(({ kind }) => kind === "delivery");
    await expect(restoreFolder(dir, asynchronous(stray ? [stray] : []), OPTIONS)).rejects.toThrow(
      "is not among the records",
    );
    expect(await readdir(dir)).toEqual([]);
  });
});
