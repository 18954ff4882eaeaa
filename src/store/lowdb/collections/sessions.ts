import type { Instant } from "../../../domain/time/day.ts";
import type { Sessions } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";

export class LowdbSessions implements Sessions {
  readonly #log: ChangeLog;
  readonly #table: Table<Instant>;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#table = log.tables.sessions;
  }

  async start(session: { readonly id: string; readonly until: Instant }, now: Instant, max: number): Promise<void> {
    await this.#log.change((transaction) => {
      const others = [...transaction.entries(this.#table)].filter(([id]) => id !== session.id);
      const open = others.filter(([, until]) => until > now).toSorted(([, a], [, b]) => a - b);
      const kept = new Set(max > 1 ? open.slice(1 - max).map(([id]) => id) : []);
      for (const [id] of others) if (!kept.has(id)) transaction.remove(this.#table, id);
      transaction.put(this.#table, session.id, session.until);
    });
  }

  async isOpen(id: string, now: Instant): Promise<boolean> {
    return (this.#table.get(id) ?? Number.NEGATIVE_INFINITY) > now;
  }

  async end(id: string): Promise<void> {
    await this.#log.change((transaction) => transaction.remove(this.#table, id));
  }
}
