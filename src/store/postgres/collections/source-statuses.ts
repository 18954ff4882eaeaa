import { sql } from "kysely";
import type { SourceStatus, SourceStatuses } from "../../../ports/source-status.ts";
import { ChangeReports } from "../change-reports.ts";
import { type Database, json } from "../database.ts";
import type { LedParts, PostgresJobs } from "./jobs.ts";

/** The last statuses that any process wrote. */
export class PostgresSourceStatuses implements SourceStatuses {
  readonly #database: Database;
  readonly #jobs: PostgresJobs;
  readonly #reports: ChangeReports;

  constructor({ database, jobs, notifications }: LedParts) {
    this.#database = database;
    this.#jobs = jobs;
    this.#reports = new ChangeReports(notifications, "statuses");
  }

  async write(statuses: readonly SourceStatus[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await sql`update source_statuses set statuses = ${json(statuses)}`.execute(transaction);
      await this.#reports.statement("").execute(transaction);
    });
  }

  async read(): Promise<readonly SourceStatus[]> {
    const { rows } = await sql<{ readonly statuses: readonly SourceStatus[] }>`
      select statuses from source_statuses
    `.execute(this.#database.db);
    return rows[0]?.statuses ?? [];
  }

  onChange(listener: () => void): () => void {
    return this.#reports.listen(() => listener());
  }
}
