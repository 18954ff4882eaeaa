import type { PollReport, PollReports, Resource } from "../../ports/store.ts";
import { type Database, json } from "../database.ts";
import type { ProcessClock } from "../process-clock.ts";
import type { Schema } from "../schema.ts";
import type { SqlJobs, TimedParts } from "./jobs.ts";

/** The last poll of each resource, by any process; its times are converted to the clock of this process. */
export class SqlPollReports implements PollReports {
  readonly #database: Database;
  readonly #jobs: SqlJobs;
  readonly #clock: ProcessClock;

  constructor({ database, jobs, processClock }: TimedParts) {
    this.#database = database;
    this.#jobs = jobs;
    this.#clock = processClock;
  }

  async write(report: PollReport): Promise<void> {
    const { resource } = report;
    const row = { report: json(report), clock_offset: this.#clock.offset };
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await transaction
        .insertInto("poll_reports")
        .values({ resource, ...row })
        .onConflict((conflict) => conflict.column("resource").doUpdateSet(row))
        .execute();
    });
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    const rows = await this.#database.db.selectFrom("poll_reports").select(["report", "clock_offset"]).execute();
    const reports = new Map(rows.map((row) => [row.report.resource, this.#reportOf(row)]));
    return { splits: reports.get("splits") ?? null, articles: reports.get("articles") ?? null };
  }

  #reportOf({ report, clock_offset }: Omit<Schema["poll_reports"], "resource">): PollReport {
    const toLocal = this.#clock.fromOffset(clock_offset);
    return { ...report, at: toLocal(report.at), lastCompleteAt: toLocal(report.lastCompleteAt) };
  }
}
