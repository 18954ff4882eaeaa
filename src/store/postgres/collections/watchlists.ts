import { sql, type Transaction } from "kysely";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../../domain/alert/destination.ts";
import type { Watcher } from "../../../domain/alert/match.ts";
import { canonicalTicker, storedSpellings, type Ticker } from "../../../domain/split/ticker.ts";
import { PAGE_SIZE, type Watchlists } from "../../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { changeCount, readCount } from "./counters.ts";
import { changeLocked, type LockedStep } from "./locked-change.ts";
import { unmarkPurged } from "./purged-people.ts";

export class PostgresWatchlists implements Watchlists {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(person: Person): Promise<readonly Ticker[]> {
    const rows = await this.#database.db
      .selectFrom("watchlist_entries")
      .select("ticker")
      .where("person", "=", destinationKey(person))
      .orderBy("ticker")
      .execute();
    return [...new Set(rows.map(({ ticker }) => canonicalTicker(ticker as Ticker)))].toSorted();
  }

  add(person: Person, tickers: readonly Ticker[], limit = Number.POSITIVE_INFINITY): Promise<readonly Ticker[]> {
    return this.#change(person, async (transaction, key, size) => {
      await unmarkPurged(transaction, key);
      const { rows } = await sql<{ readonly ticker: Ticker }>`
        select ticker from unnest(${[...new Set(tickers)]}::text[]) with ordinality as added (ticker, place)
        where not exists (
          select from watchlist_entries where person = ${key} and translate(ticker, '-/', '..') = added.ticker collate "C"
        )
        order by place limit ${Number.isFinite(limit) ? Math.max(0, limit - size) : null}
      `.execute(transaction);
      const added = rows.map(({ ticker }) => ticker);
      if (added.length > 0)
        await transaction
          .insertInto("watchlist_entries")
          .columns(["person", "ticker"])
          .expression(sql`select ${key}, unnest(${added}::text[])`)
          .execute();
      return { changed: added, size: size + added.length };
    });
  }

  remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]> {
    return this.#change(person, async (transaction, key, size) => {
      const rows = await transaction
        .deleteFrom("watchlist_entries")
        .where("person", "=", key)
        .where("ticker", "=", sql<string>`any(${tickers.flatMap(storedSpellings)}::text[])`)
        .returning("ticker")
        .execute();
      const removed = new Set(rows.map(({ ticker }) => canonicalTicker(ticker as Ticker)));
      return { changed: [...new Set(tickers)].filter((ticker) => removed.has(ticker)), size: size - rows.length };
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
    // One look-up in the index per ticker.
    const { rows } = await sql<{ readonly tickers: number }>`
      with recursive listed (ticker) as (
        select min(ticker) from watchlist_entries
        union all
        select (select min(ticker) from watchlist_entries where ticker > listed.ticker) from listed
        where listed.ticker is not null
      )
      select count(ticker) as tickers from listed
    `.execute(this.#database.db);
    return { people: await readCount(this.#database.db, "people"), tickers: rows[0]?.tickers ?? 0 };
  }

  /** Locks the watchlist; `step` returns its new size. */
  #change(
    person: Person,
    step: LockedStep<number, { readonly changed: readonly Ticker[]; readonly size: number }>,
  ): Promise<readonly Ticker[]> {
    return changeLocked(this.#database, person, lockWatchlist, async (transaction, key, before) => {
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
