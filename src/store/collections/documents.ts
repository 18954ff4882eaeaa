import type { Documents } from "../../ports/store.ts";
import { ChangeReports } from "../change-reports.ts";
import type { Database } from "../database.ts";
import type { LedParts, SqlJobs } from "./jobs.ts";

export class SqlDocuments implements Documents {
  readonly #database: Database;
  readonly #jobs: SqlJobs;
  readonly #reports: ChangeReports;
  /** Names of the documents that this process reads. */
  readonly #names = new Set<string>();

  constructor({ database, jobs, notifications }: LedParts) {
    this.#database = database;
    this.#jobs = jobs;
    this.#reports = new ChangeReports(notifications, "documents");
  }

  async read(name: string): Promise<string | null> {
    this.#names.add(name);
    const row = await this.#database.db
      .selectFrom("documents")
      .select("content")
      .where("name", "=", name)
      .executeTakeFirst();
    return row?.content ?? null;
  }

  async write(name: string, content: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await this.#jobs.fence(transaction);
      await transaction
        .insertInto("documents")
        .values({ name, content })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ content }))
        .execute();
      await this.#reports.send(transaction, name);
    });
  }

  onChange(listener: (name: string) => void): () => void {
    return this.#reports.listen((changed) => {
      for (const name of changed === null ? this.#names : [changed]) listener(name);
    });
  }
}
