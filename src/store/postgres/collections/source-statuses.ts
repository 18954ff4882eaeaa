import { sql } from "kysely";
import type { SourceStatus, SourceStatuses } from "../../../ports/source-status.ts";
import type { ProcessClock } from "../../process-clock.ts";
import { ChangeReports } from "../change-reports.ts";
import { type Database, json } from "../database.ts";
import type { LedParts, PostgresJobs, TimedParts } from "./jobs.ts";

interface StatusesRow {
  readonly statuses: readonly SourceStatus[];
  readonly clock_offset: number;
}

/** The last statuses that any process wrote; their times are converted to the clock of this process. */
export class PostgresSourceStatuses implements SourceStatuses {
  readonly #database: Database;
  readonly #jobs: PostgresJobs;
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
        update source_statuses set statuses = ${json(statuses)}, clock_offset = ${offset}
      `.execute(transaction);
      await this.#reports.statement("").execute(transaction);
    });
  }

  async read(): Promise<readonly SourceStatus[]> {
    const { rows } = await sql<StatusesRow>`
      select statuses, clock_offset from source_statuses
    `.execute(this.#database.db);
    const [row] = rows;
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
