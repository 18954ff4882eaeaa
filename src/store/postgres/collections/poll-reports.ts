import { sql } from "kysely";
import type { PollReport, PollReports, Resource } from "../../../ports/store.ts";
import { type Database, json } from "../database.ts";
import type { LedParts, PostgresJobs } from "./jobs.ts";

/** The last poll of each resource, by any process. */
export class PostgresPollReports implements PollReports {
  readonly #database: Database;
  readonly #jobs: PostgresJobs;

  constructor({ database, jobs }: Pick<LedParts, "database" | "jobs">) {
    this.#database = database;
    this.#jobs = jobs;
  }

  async write(report: PollReport): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await sql`
        insert into poll_reports (resource, report) values (${report.resource}, ${json(report)})
        on conflict (resource) do update set report = excluded.report
      `.execute(transaction);
    });
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    const { rows } = await sql<{ readonly report: PollReport }>`select report from poll_reports`.execute(
      this.#database.db,
    );
    const reports = new Map(rows.map(({ report }) => [report.resource, report]));
    return { splits: reports.get("splits") ?? null, articles: reports.get("articles") ?? null };
  }
}
