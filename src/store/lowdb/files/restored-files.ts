import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../../domain/diff/snapshot.ts";
import type { StateKind, StateRecord, StateValues } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import type { ReleaseEntry } from "../collections/releases.ts";
import type { LedgerEntry } from "../log/ledger-entry.ts";
import { LedgerState } from "../log/ledger-state.ts";
import { snapshotFileOf } from "../log/snapshot-file.ts";
import { Journal } from "../log/write-ahead-log.ts";
import { realDisk } from "./disk.ts";
import { makeMissing, readFiles, type StoreFiles } from "./folder.ts";

/** So many releases go into one write: all of them together may be more than one text can hold. */
const RELEASES_PER_WRITE = 200;

/** The store's files in a new folder, made of records. Releases are written as they come, all else at the end. */
export class FilledFiles {
  readonly #files: StoreFiles;
  readonly #releases: Journal<ReleaseEntry>;
  readonly #records = new Map<StateKind, unknown[]>();
  #unwritten: ReleaseEntry[] = [];

  private constructor(files: StoreFiles, releases: Journal<ReleaseEntry>) {
    this.#files = files;
    this.#releases = releases;
  }

  static async begin(dir: string): Promise<FilledFiles> {
    const files = await readFiles(realDisk, dir);
    await makeMissing(realDisk, files);
    const { path, read } = files.releases;
    return new FilledFiles(files, await Journal.continue<ReleaseEntry>(realDisk, path, read));
  }

  async add({ kind, value }: StateRecord): Promise<void> {
    if (kind === "release") {
      this.#unwritten.push({ kept: value });
      if (this.#unwritten.length >= RELEASES_PER_WRITE) await this.#writeReleases();
      return;
    }
    const known = this.#records.get(kind);
    if (known) known.push(value);
    else this.#records.set(kind, [value]);
  }

  /** After it all that was added is on disk. */
  async finish(): Promise<void> {
    await this.#writeReleases();
    await this.#writePostings();
    await this.#writeLedger();
    this.#takeWishes();
    const { journal: _, postings: __, releases: ___, ...json } = this.#files;
    for (const { low } of Object.values(json)) await low.write();
  }

  async close(): Promise<void> {
    await this.#releases.close();
  }

  async #writeReleases(): Promise<void> {
    if (this.#unwritten.length > 0) await this.#releases.append(this.#unwritten);
    this.#unwritten = [];
  }

  async #writePostings(): Promise<void> {
    const postings = this.#all("posting").toSorted((a, b) => a.number - b.number);
    const given = [...this.#all("posting-number").map(({ last }) => last), postings.at(-1)?.number ?? 0];
    await rewriteLog(this.#files.postings, Math.max(...given), postings);
  }

  async #writeLedger(): Promise<void> {
    const [header = headerOf(EMPTY_SNAPSHOT)] = this.#all("snapshot");
    const [splits, past, articles] = [this.#all("split"), this.#all("past-split"), this.#all("article")];
    const [events, messages] = [this.#all("event"), this.#all("message")];
    const state = new LedgerState({ commit: 0, header, splits, past, articles }, { commit: 0, events, messages });
    state.replay(this.#openEntries(state));
    this.#files.snapshot.low.data = snapshotFileOf(state.snapshot, state.commit);
    const settled = state.archive.since(Number.NEGATIVE_INFINITY, []);
    this.#files.history.low.data = { commit: state.commit, ...settled };
    await rewriteLog(this.#files.journal, state.commit, state.openEntries());
  }

  #openEntries({ archive }: LedgerState): readonly LedgerEntry[] {
    const deliveries = this.#all("delivery");
    const orphan = deliveries.find(({ eventId }) => !archive.event(eventId));
    if (orphan) throw new StoreError(`delivery ${orphan.id}: its event ${orphan.eventId} is not among the records`);
    return [
      ...this.#all("forgetting").map((forgetting): LedgerEntry => ({ kind: "forget", ...forgetting })),
      { kind: "commit", number: 1, patch: null, events: [], deliveries },
      ...this.#all("attempt").map((attempt): LedgerEntry => ({ kind: "attempt", attempt })),
      ...this.#all("pause").map((pause): LedgerEntry => ({ kind: "pause", ...pause })),
    ];
  }

  /** What people and channels asked for. */
  #takeWishes(): void {
    const files = this.#files;
    const lastNumbers = byPlace(this.#all("rule-number"), ({ at, last }) => [at, last]);
    files.rules.low.data = { rules: this.#all("rule"), lastNumbers };
    files.watchlists.low.data = byPlace(this.#all("watchlist"), ({ person, tickers }) => [person, tickers.join(" ")]);
    files.people.low.data = byPlace(this.#all("direct-channel"), ({ person, channelId }) => [person, channelId]);
    files.calendars.low.data = Object.fromEntries(this.#all("calendar").map(({ token, person }) => [token, person]));
    files.settings.low.data = byPlace(this.#all("destination-settings"), (entry) => [entry.to, entry]);
    files.imports.low.data = this.#all("import");
    const used = Object.fromEntries(this.#all("used-once").map(({ token, until }) => [token, until]));
    files.installations.low.data = { installations: this.#all("installation"), used };
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
  const log = await Journal.continue(realDisk, path, read);
  try {
    await log.rewrite(mark, lines);
  } finally {
    await log.close();
  }
}

function byPlace<T, V>(records: readonly T[], entryOf: (record: T) => [Destination, V]): Record<DestinationKey, V> {
  const entries = records.map((record) => {
    const [to, value] = entryOf(record);
    return [destinationKey(to), value] as const;
  });
  return Object.fromEntries(entries);
}
