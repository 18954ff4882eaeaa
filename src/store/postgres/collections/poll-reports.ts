import { sql } from "kysely";
import type { PollReport, PollReports, Resource } from "../../../ports/store.ts";
import type { ProcessClock } from "../../process-clock.ts";
import { type Database, json } from "../database.ts";
import type { PostgresJobs, TimedParts } from "./jobs.ts";

interface ReportRow {
  readonly report: PollReport;
  readonly clock_offset: number;
}

/** The last poll of each resource, by any process; its times are converted to the clock of this process. */
export class PostgresPollReports implements PollReports {
  readonly #database: Database;
  readonly #jobs: PostgresJobs;
  readonly #clock: ProcessClock;

  constructor({ database, jobs, processClock }: TimedParts) {
    this.#database = database;
    this.#jobs = jobs;
    this.#clock = processClock;
  }

  async write(report: PollReport): Promise<void> {
    const { offset } = this.#clock;
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await sql`
        insert into poll_reports (resource, report, clock_offset) values (${report.resource}, ${json(report)}, ${offset})
        on conflict (resource) do update set report = excluded.report, clock_offset = excluded.clock_offset
      `.execute(transaction);
    });
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    const { rows } = await sql<ReportRow>`select report, clock_offset from poll_reports`.execute(this.#database.db);
    const reports = new Map(rows.map((row) => [row.report.resource, this.#reportOf(row)]));
    return { splits: reports.get("splits") ?? null, articles: reports.get("articles") ?? null };
  }

  #reportOf({ report, clock_offset }: ReportRow): PollReport {
    const toLocal = this.#clock.fromOffset(clock_offset);
    return { ...report, at: toLocal(report.at), lastCompleteAt: toLocal(report.lastCompleteAt) };
  }
}
