import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../../domain/alert/destination.ts";
import type { Watcher } from "../../../domain/alert/match.ts";
import { canonicalTicker, type Ticker } from "../../../domain/split/ticker.ts";
import { inPages } from "../../../lib/collections.ts";
import { PAGE_SIZE, type Watchlists } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Row, RowIndex, Table } from "../rows/table.ts";
import type { PurgedPeople } from "./people.ts";

export class LowdbWatchlists implements Watchlists {
  readonly #log: ChangeLog;
  readonly #table: Table<string>;
  readonly #purged: PurgedPeople;
  readonly #watchers: WatcherIndex;

  constructor(log: ChangeLog, purged: PurgedPeople) {
    this.#log = log;
    this.#table = log.tables.watchlists;
    this.#purged = purged;
    this.#watchers = new WatcherIndex();
    this.#table.addIndex(this.#watchers);
  }

  async of(person: Person): Promise<readonly Ticker[]> {
    return tickersIn(this.#table.get(destinationKey(person))).toSorted();
  }

  async add(person: Person, tickers: readonly Ticker[], limit = Number.POSITIVE_INFINITY): Promise<readonly Ticker[]> {
    this.#purged.remove(destinationKey(person));
    return this.#change(person, (list) => {
      const newTickers = [...new Set(tickers)].filter((ticker) => !list.includes(ticker));
      const added = newTickers.slice(0, Math.max(0, limit - list.length));
      return { list: [...list, ...added], changed: added };
    });
  }

  async remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]> {
    return this.#change(person, (list) => {
      const removed = [...new Set(tickers)].filter((ticker) => list.includes(ticker));
      return { list: list.filter((ticker) => !removed.includes(ticker)), changed: removed };
    });
  }

  async *watchersOf(tickers: readonly Ticker[]): AsyncGenerator<readonly Watcher[]> {
    for (const ticker of new Set(tickers)) yield* inPages(this.#peopleWatching(ticker), PAGE_SIZE);
  }

  *#peopleWatching(ticker: Ticker): Generator<Watcher> {
    for (const index of this.#watchers.of(ticker)) {
      const row = this.#table.rowAt(index);
      // The row may have changed since the first page.
      if (row && tickersIn(row.value).includes(ticker))
        yield { person: parsePersonKey(row.key as DestinationKey), ticker };
    }
  }

  async count(): Promise<{ readonly people: number; readonly tickers: number }> {
    return { people: this.#table.size, tickers: this.#watchers.tickerCount };
  }

  #change(
    person: Person,
    step: (list: readonly Ticker[]) => { list: readonly Ticker[]; changed: readonly Ticker[] },
  ): Promise<readonly Ticker[]> {
    const key = destinationKey(person);
    return this.#log.change((transaction) => {
      const { list, changed } = step(tickersIn(transaction.get(this.#table, key)));
      if (list.length === 0) transaction.remove(this.#table, key);
      else if (changed.length > 0) transaction.put(this.#table, key, list.join(" "));
      return changed;
    });
  }
}

/** The tickers of a row, in the canonical form. */
export function tickersIn(list: string | undefined): readonly Ticker[] {
  if (!list) return [];
  const tickers = list.split(" ") as Ticker[];
  return /[-/]/.test(list) ? [...new Set(tickers.map(canonicalTicker))] : tickers;
}

/** Indexes of the rows of each ticker's watchers, in 4 bytes each. */
class WatcherIndex implements RowIndex<string> {
  readonly #byTicker = new Map<Ticker, IntegerSet>();

  get tickerCount(): number {
    return this.#byTicker.size;
  }

  of(ticker: Ticker): Iterable<number> {
    return this.#byTicker.get(ticker)?.values() ?? [];
  }

  changed({ index }: Row<string>, before: string | undefined, after: string | undefined): void {
    const [had, has] = [tickersIn(before), tickersIn(after)];
    for (const ticker of had) if (!has.includes(ticker)) this.#remove(ticker, index);
    for (const ticker of has) if (!had.includes(ticker)) this.#add(ticker, index);
  }

  #add(ticker: Ticker, index: number): void {
    const watchers = this.#byTicker.get(ticker) ?? new IntegerSet();
    watchers.add(index);
    this.#byTicker.set(ticker, watchers);
  }

  #remove(ticker: Ticker, index: number): void {
    const watchers = this.#byTicker.get(ticker);
    watchers?.delete(index);
    if (watchers?.size === 0) this.#byTicker.delete(ticker);
  }
}

const MIN_CAPACITY = 4;

/** Different integers without an order, in an array that grows by half. The caller adds no integer twice. */
class IntegerSet {
  #integers = new Int32Array(MIN_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A copy. */
  values(): Int32Array {
    return this.#integers.slice(0, this.#size);
  }

  add(integer: number): void {
    if (this.#size === this.#integers.length) this.#resize(Math.ceil(this.#size * 1.5));
    this.#integers[this.#size] = integer;
    this.#size += 1;
  }

  /** Moves the last integer to the place of the deleted one. */
  delete(integer: number): void {
    const at = this.#integers.subarray(0, this.#size).indexOf(integer);
    if (at < 0) return;
    this.#size -= 1;
    this.#integers[at] = this.#integers[this.#size] ?? 0;
    if (this.#size > MIN_CAPACITY && this.#size * 4 < this.#integers.length) this.#resize(this.#size * 2);
  }

  #resize(capacity: number): void {
    const integers = new Int32Array(capacity);
    integers.set(this.#integers.subarray(0, this.#size));
    this.#integers = integers;
  }
}
