import type { Low } from "lowdb";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../../domain/alert/destination.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import type { Watchlists } from "../../../ports/store.ts";
import { WriteQueue } from "../files/write-queue.ts";
import type { PurgedPeople } from "./people.ts";

/** Content of `watchlists.json`: space-separated tickers per person, which need a twentieth of the space of objects. */
export type WatchlistsFile = Record<DestinationKey, string>;

/** Changes the lists of the next write. */
type Step = (next: NextLists) => void;

export class LowdbWatchlists implements Watchlists {
  readonly #low: Low<WatchlistsFile>;
  readonly #purged: PurgedPeople;
  readonly #queue: WriteQueue<Step>;
  /** The durable lists. During a write, `#low.data` already has the next lists. */
  readonly #lists: Map<DestinationKey, string>;
  readonly #watchers = new Map<Ticker, Set<DestinationKey>>();

  constructor(low: Low<WatchlistsFile>, purged: PurgedPeople) {
    this.#low = low;
    this.#purged = purged;
    this.#lists = new Map(Object.entries(low.data) as [DestinationKey, string][]);
    for (const [key, list] of this.#lists) this.#indexTickers(key, tickersIn(list));
    this.#queue = new WriteQueue((steps) => this.#apply(steps));
  }

  async of(person: Person): Promise<readonly Ticker[]> {
    return tickersIn(this.#lists.get(destinationKey(person))).toSorted();
  }

  async add(person: Person, tickers: readonly Ticker[], limit = Number.POSITIVE_INFINITY): Promise<readonly Ticker[]> {
    this.#purged.remove(destinationKey(person));
    return this.#change(destinationKey(person), (list) => {
      const newTickers = [...new Set(tickers)].filter((ticker) => !list.includes(ticker));
      const added = newTickers.slice(0, Math.max(0, limit - list.length));
      return { list: [...list, ...added], changed: added };
    });
  }

  async remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]> {
    return this.#change(destinationKey(person), (list) => {
      const removed = [...new Set(tickers)].filter((ticker) => list.includes(ticker));
      return { list: list.filter((ticker) => !removed.includes(ticker)), changed: removed };
    });
  }

  async purge(person: Person): Promise<void> {
    await this.#change(destinationKey(person), (list) => ({ list: [], changed: list }));
  }

  async watchersOf(
    tickers: readonly Ticker[],
  ): Promise<readonly { readonly person: Person; readonly ticker: Ticker }[]> {
    return [...new Set(tickers)].flatMap((ticker) =>
      [...(this.#watchers.get(ticker) ?? [])].map((key) => ({ person: parsePersonKey(key), ticker })),
    );
  }

  people(): readonly Person[] {
    return [...this.#lists.keys()].map(parsePersonKey);
  }

  async count(): Promise<{ readonly people: number; readonly tickers: number }> {
    return { people: this.#lists.size, tickers: this.#watchers.size };
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #change(
    key: DestinationKey,
    step: (list: readonly Ticker[]) => { list: readonly Ticker[]; changed: readonly Ticker[] },
  ): Promise<readonly Ticker[]> {
    let changed: readonly Ticker[] = [];
    await this.#queue.submit((next) => {
      const result = step(tickersIn(next.get(key) ?? this.#lists.get(key)));
      if (result.changed.length > 0) next.set(key, result.list.join(" "));
      changed = result.changed;
    });
    return changed;
  }

  async #apply(steps: readonly Step[]): Promise<void> {
    const next: NextLists = new Map();
    for (const step of steps) step(next);
    if (next.size === 0) return;
    for (const [key, list] of next) this.#put(key, list);
    try {
      await this.#low.write();
    } catch (error) {
      for (const key of next.keys()) this.#put(key, this.#lists.get(key) ?? "");
      throw error;
    }
    for (const [key, list] of next) this.#index(key, list);
  }

  #put(key: DestinationKey, list: string): void {
    if (list === "") delete this.#low.data[key];
    else this.#low.data[key] = list;
  }

  #index(key: DestinationKey, list: string): void {
    for (const ticker of tickersIn(this.#lists.get(key))) {
      const watchers = this.#watchers.get(ticker);
      watchers?.delete(key);
      if (watchers?.size === 0) this.#watchers.delete(ticker);
    }
    if (list === "") this.#lists.delete(key);
    else this.#lists.set(key, list);
    this.#indexTickers(key, tickersIn(list));
  }

  #indexTickers(key: DestinationKey, tickers: readonly Ticker[]): void {
    for (const ticker of tickers) {
      const watchers = this.#watchers.get(ticker);
      if (watchers) watchers.add(key);
      else this.#watchers.set(ticker, new Set([key]));
    }
  }
}

/** Lists changed by the next write; an empty string removes the list. */
type NextLists = Map<DestinationKey, string>;

export function tickersIn(list: string | undefined): readonly Ticker[] {
  return list ? (list.split(" ") as Ticker[]) : [];
}
