import { sql } from "kysely";
import type { SourceStatus, SourceStatuses } from "../../ports/source-status.ts";
import { ChangeReports } from "../change-reports.ts";
import { type Database, json } from "../database.ts";
import type { ProcessClock } from "../process-clock.ts";
import type { LedParts, SqlJobs, TimedParts } from "./jobs.ts";

/** The last statuses that any process wrote; their times are converted to the clock of this process. */
export class SqlSourceStatuses implements SourceStatuses {
  readonly #database: Database;
  readonly #jobs: SqlJobs;
  readonly #reports: ChangeReports;
  readonly #clock: ProcessClock;

  constructor({ database, jobs, notifications, processClock }: LedParts & TimedParts) {
    this.#database = database;
    this.#jobs = jobs;
    this.#reports = new ChangeReports(notifications, "statuses");
    this.#clock = processClock;
  }

  async write(statuses: readonly SourceStatus[]): Promise<void> {
    const { offset } = this.#clock;
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await sql`
        insert into source_statuses (statuses, clock_offset) values (${json(statuses)}, ${offset})
        on conflict (is_only_row) do update set statuses = excluded.statuses, clock_offset = excluded.clock_offset
      `.execute(transaction);
      await this.#reports.send(transaction, "");
    });
  }

  async read(): Promise<readonly SourceStatus[]> {
    const row = await this.#database.db
      .selectFrom("source_statuses")
      .select(["statuses", "clock_offset"])
      .executeTakeFirst();
    if (row === undefined) return [];
    const toLocal = this.#clock.fromOffset(row.clock_offset);
    return row.statuses.map((status) => ({
      ...status,
      since: toLocal(status.since),
      lastReadAt: toLocal(status.lastReadAt),
      lastOkAt: toLocal(status.lastOkAt),
      lastNewAt: toLocal(status.lastNewAt),
      lastGapAt: toLocal(status.lastGapAt),
    }));
  }

  onChange(listener: () => void): () => void {
    return this.#reports.listen(() => listener());
  }
}
