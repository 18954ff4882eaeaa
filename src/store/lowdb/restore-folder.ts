import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { destinationKey } from "../../domain/alert/destination.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../domain/diff/snapshot.ts";
import { writeDurably } from "../../lib/durable-file.ts";
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { observationKey, releaseKey, StoreError, sourceReadsKey } from "../../ports/store.ts";
import type { CompanionFile, RestoreOptions } from "../store-definition.ts";
import { installationKey } from "./collections/installations.ts";
import { fillRules } from "./collections/rules.ts";
import { asStoreError, realDisk } from "./files/disk.ts";
import {
  commitStaging,
  createMissing,
  dropStaging,
  lockFolder,
  makeStaging,
  readFiles,
  type StoreFiles,
  storeFileNames,
  tidyFolder,
} from "./files/folder.ts";
import { AppendOnlyLog } from "./log/append-only-log.ts";
import { type LogRecord, ReplayedState } from "./log/replayed-state.ts";
import { snapshotFileOf } from "./log/snapshot-file.ts";
import { createRows } from "./rows/checkpoint.ts";

/**
 * Writes the records atomically into a folder that has no state yet; creates the folder if needed. Failures are StoreErrors
 * that say what to do; an error thrown by `records` is passed on unchanged.
 */
export async function restoreFolder(
  dir: string,
  records: AsyncIterable<StateRecord>,
  { holder, companion }: RestoreOptions,
): Promise<void> {
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    await asStoreError(dir, async () => {
      const completed = await tidyFolder(dir);
      await assertEmpty(dir, companion, completed);
    });
    await stage(dir, companion, records);
    await asStoreError(dir, () => commitStaging(dir));
  } finally {
    await lock.release();
  }
}

async function stage(dir: string, companion: CompanionFile, records: AsyncIterable<StateRecord>): Promise<void> {
  try {
    const staging = await asStoreError(dir, () => makeStaging(dir));
    const files = await asStoreError(dir, () => RestoredFiles.begin(staging));
    for await (const record of records) files.add(record);
    await asStoreError(dir, () => files.finish());
    const text = companion.text();
    if (text !== null) await asStoreError(dir, () => writeDurably(join(staging, companion.name), text));
  } catch (error) {
    // A partial restore must not fill the disk. If this fails, the next start or restore removes it.
    await dropStaging(dir).catch(() => undefined);
    throw error;
  }
}

async function assertEmpty(dir: string, companion: CompanionFile, completed: boolean): Promise<void> {
  const others = (await readdir(dir)).filter((name) => name === companion.name);
  const stateFiles = [...(await storeFileNames(dir)), ...others].toSorted();
  if (stateFiles.length === 0) return;
  const reason = completed ? " An earlier restore that was interrupted is now complete." : "";
  throw new StoreError(
    `DATA_DIR: got ${dir}, which already holds a state (${shortened(stateFiles)}), expected a folder without one.${reason} ` +
      `Move it away (mv ${dir} ${dir}.old), or give another DATA_DIR. Nothing was changed`,
  );
}

const MAX_NAMES_SHOWN = 25;

function shortened(names: readonly string[]): string {
  const others = names.length - MAX_NAMES_SHOWN;
  return names.slice(0, MAX_NAMES_SHOWN).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

/** Collects records and writes them as the files of a new folder. */
class RestoredFiles {
  readonly #dir: string;
  readonly #files: StoreFiles;
  readonly #records = new Map<StateKind, unknown[]>();

  private constructor(dir: string, files: StoreFiles) {
    this.#dir = dir;
    this.#files = files;
  }

  static async begin(dir: string): Promise<RestoredFiles> {
    const files = await readFiles(realDisk, dir);
    await createMissing(realDisk, dir, files);
    return new RestoredFiles(dir, files);
  }

  add({ kind, value }: StateRecord): void {
    const values = this.#records.get(kind);
    if (values) values.push(value);
    else this.#records.set(kind, [value]);
  }

  /** Makes all added records durable. */
  async finish(): Promise<void> {
    await this.#writePostings();
    await this.#writeSnapshotAndLog();
    await this.#writeRows();
    for (const file of Object.values(this.#files)) if ("low" in file) await file.low.write();
  }

  async #writePostings(): Promise<void> {
    const postings = this.#all("posting").toSorted((a, b) => a.number - b.number);
    const numbers = [...this.#all("posting-number").map(({ last }) => last), postings.at(-1)?.number ?? 0];
    await rewriteLog(this.#files.postings, Math.max(...numbers), postings);
  }

  async #writeSnapshotAndLog(): Promise<void> {
    const [header = headerOf(EMPTY_SNAPSHOT)] = this.#all("snapshot");
    const [splits, past, articles] = [this.#all("split"), this.#all("past-split"), this.#all("article")];
    const [events, messages] = [this.#all("event"), this.#all("message")];
    const state = new ReplayedState({ commit: 0, header, splits, past, articles }, { commit: 0, events, messages });
    state.replay(this.#openRecords(state));
    this.#files.snapshot.low.data = snapshotFileOf(state.snapshot, state.commit);
    const settled = state.archive.contentSince(Number.NEGATIVE_INFINITY, []);
    this.#files.history.low.data = { commit: state.commit, ...settled };
    await rewriteLog(this.#files.journal, state.commit, state.openRecords());
  }

  #openRecords({ archive }: ReplayedState): readonly LogRecord[] {
    const deliveries = this.#all("delivery");
    const orphan = deliveries.find(({ eventId }) => !archive.event(eventId));
    if (orphan) throw new StoreError(`delivery ${orphan.id}: its event ${orphan.eventId} is not among the records`);
    return [
      ...this.#all("forgetting").map((forgetting): LogRecord => ({ kind: "forget", ...forgetting })),
      { kind: "commit", number: 1, patch: null, events: [], deliveries },
      ...this.#all("attempt").map((attempt): LogRecord => ({ kind: "attempt", attempt })),
      ...this.#all("pause").map((pause): LogRecord => ({ kind: "pause", ...pause })),
    ];
  }

  async #writeRows(): Promise<void> {
    const { rows } = this.#files;
    const { tables } = rows;
    const lastNumbers = this.#all("rule-number").map(({ at, last }) => [destinationKey(at), last] as const);
    fillRules(tables.rules, this.#all("rule"), Object.fromEntries(lastNumbers));
    for (const { person, tickers } of this.#all("watchlist"))
      tables.watchlists.put(destinationKey(person), tickers.join(" "));
    for (const { person, channelId } of this.#all("direct-channel"))
      tables.directChannels.put(destinationKey(person), channelId);
    for (const { person, token } of this.#all("calendar")) tables.calendars.put(destinationKey(person), token);
    for (const entry of this.#all("destination-settings")) tables.settings.put(destinationKey(entry.to), entry);
    for (const pending of this.#all("import")) tables.imports.put(pending.id, pending);
    for (const installation of this.#all("installation"))
      tables.installations.put(installationKey(installation), installation);
    for (const { token, until } of this.#all("used-once")) tables.usedTokens.put(token, until);
    for (const release of this.#all("release")) tables.releases.put(releaseKey(release), release);
    for (const observation of this.#all("observation"))
      tables.observations.put(observationKey(observation), observation);
    for (const reads of this.#all("source-reads")) tables.sourceReads.put(sourceReadsKey(reads), reads);
    await createRows(realDisk, this.#dir, rows);
  }

  #all<K extends StateKind>(kind: K): readonly StateValues[K][] {
    return (this.#records.get(kind) ?? []) as StateValues[K][];
  }
}

async function rewriteLog(
  { path, read }: StoreFiles["postings" | "journal"],
  mark: number,
  lines: readonly unknown[],
): Promise<void> {
  const log = await AppendOnlyLog.continue(realDisk, path, read);
  try {
    await log.rewrite(mark, lines);
  } finally {
    await log.close();
  }
}
