import { sql, type Transaction } from "kysely";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../domain/alert/destination.ts";
import type { Watcher } from "../../domain/alert/match.ts";
import { canonicalTicker, storedSpellings, type Ticker } from "../../domain/split/ticker.ts";
import { inPages } from "../../lib/collections.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import { PAGE_SIZE, type Watchlists } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { changeCount, readCount } from "./counters.ts";
import type { PurgedPeople } from "./purged-people.ts";

/** `last`: the last of the counted tickers; null if there are none. */
interface FoundTickers {
  readonly count: number;
  readonly last: string | null;
}

interface ChangedWatchlist {
  /** The tickers that were added or removed. */
  readonly changed: readonly Ticker[];
  readonly size: number;
}

export class SqlWatchlists implements Watchlists {
  readonly #database: Database;
  readonly #purged: PurgedPeople;

  constructor(database: Database, purged: PurgedPeople) {
    this.#database = database;
    this.#purged = purged;
  }

  async of(person: Person): Promise<readonly Ticker[]> {
    return [...(await tickersOf(this.#database.db, destinationKey(person)))].toSorted();
  }

  add(person: Person, tickers: readonly Ticker[], limit = Number.POSITIVE_INFINITY): Promise<readonly Ticker[]> {
    return this.#change(person, async (transaction, key, size) => {
      await this.#purged.unmark(transaction, key);
      const present = await tickersOf(transaction, key);
      const added = [...new Set(tickers)].filter((ticker) => !present.has(ticker)).slice(0, Math.max(0, limit - size));
      for (const page of inPages(added, PAGE_SIZE))
        await transaction
          .insertInto("watchlist_entries")
          .values(page.map((ticker) => ({ person: key, ticker })))
          .execute();
      return { changed: added, size: size + added.length };
    });
  }

  remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]> {
    return this.#change(person, async (transaction, key, before) => {
      let size = before;
      const removed = new Set<Ticker>();
      for (const page of inPages(tickers.flatMap(storedSpellings), PAGE_SIZE)) {
        const rows = await transaction
          .deleteFrom("watchlist_entries")
          .where("person", "=", key)
          .where("ticker", "in", page)
          .returning("ticker")
          .execute();
        size -= rows.length;
        for (const { ticker } of rows) removed.add(canonicalTicker(ticker as Ticker));
      }
      return { changed: [...new Set(tickers)].filter((ticker) => removed.has(ticker)), size };
    });
  }

  async *watchersOf(tickers: readonly Ticker[]): AsyncGenerator<readonly Watcher[]> {
    for (const ticker of new Set(tickers)) {
      let last = "";
      for (let isEnd = false; !isEnd; ) {
        const people = await this.#watchersAfter(last, ticker);
        if (people.length > 0) yield people.map((key) => ({ person: parsePersonKey(key), ticker }));
        isEnd = people.length < PAGE_SIZE;
        last = people.at(-1) ?? last;
      }
    }
  }

  async #watchersAfter(last: string, ticker: Ticker): Promise<readonly DestinationKey[]> {
    const rows = await this.#database.db
      .selectFrom("watchlist_entries")
      .select("person")
      .where("ticker", "=", ticker)
      .where("person", ">", last)
      .orderBy("person")
      .limit(PAGE_SIZE)
      .execute();
    return rows.map(({ person }) => person as DestinationKey);
  }

  async count(): Promise<{ readonly people: number; readonly tickers: number }> {
    let tickers = 0;
    let last: string | null = "";
    while (last !== null) {
      const found: FoundTickers = await this.#tickersAfter(last);
      tickers += found.count;
      last = found.last;
      await yieldToEventLoop();
    }
    return { people: await readCount(this.#database.db, "people"), tickers };
  }

  /** Counts at most a page of tickers, with one look-up in the index per ticker. */
  async #tickersAfter(ticker: string): Promise<FoundTickers> {
    const { rows } = await sql<FoundTickers>`
      with recursive listed (ticker, number) as (
        select min(ticker), 1 from watchlist_entries where ticker > ${ticker}
        union all
        select (select min(ticker) from watchlist_entries where ticker > listed.ticker), number + 1 from listed
        where listed.ticker is not null and number < ${PAGE_SIZE}
      )
      select count(ticker) as count, max(ticker) as last from listed
    `.execute(this.#database.db);
    return rows[0] ?? { count: 0, last: null };
  }

  /** Locks the watchlist. `step` gets its size. */
  #change(
    person: Person,
    step: (transaction: Transaction<Schema>, key: DestinationKey, size: number) => Promise<ChangedWatchlist>,
  ): Promise<readonly Ticker[]> {
    const key = destinationKey(person);
    return this.#database.transaction(async (transaction) => {
      const before = await lockWatchlist(transaction, key);
      const { changed, size } = await step(transaction, key, before);
      if (size === 0) await transaction.deleteFrom("watchlists").where("person", "=", key).execute();
      else if (size !== before)
        await transaction.updateTable("watchlists").set({ size }).where("person", "=", key).execute();
      await changeCount(transaction, "people", Math.sign(size) - Math.sign(before));
      return changed;
    });
  }
}

/** Locks the watchlist. Returns its size. */
export async function lockWatchlist(transaction: Transaction<Schema>, key: DestinationKey): Promise<number> {
  const { size } = await transaction
    .insertInto("watchlists")
    .values({ person: key, size: 0 })
    .onConflict((conflict) => conflict.column("person").doUpdateSet({ person: key }))
    .returning("size")
    .executeTakeFirstOrThrow();
  return size;
}

async function tickersOf(db: Database["db"], key: DestinationKey): Promise<ReadonlySet<Ticker>> {
  const rows = await db.selectFrom("watchlist_entries").select("ticker").where("person", "=", key).execute();
  return new Set(rows.map(({ ticker }) => canonicalTicker(ticker as Ticker)));
}
