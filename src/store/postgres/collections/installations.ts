import { isDeepStrictEqual } from "node:util";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation } from "../../../ports/state-records.ts";
import type { Installations } from "../../../ports/store.ts";
import { type Database, json } from "../database.ts";

export class PostgresInstallations implements Installations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async all(platform: string): Promise<readonly Installation[]> {
    const rows = await this.#database.db
      .selectFrom("installations")
      .select("value")
      .where("platform", "=", platform)
      .execute();
    return rows.map(({ value }) => value);
  }

  async find(platform: string, workspaceId: string): Promise<Installation | null> {
    const row = await this.#database.db
      .selectFrom("installations")
      .select("value")
      .where("platform", "=", platform)
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async put(installation: Installation): Promise<void> {
    const { platform, workspaceId } = installation;
    await this.#database.db
      .insertInto("installations")
      .values({ platform, workspace_id: workspaceId, value: json(installation) })
      .onConflict((conflict) =>
        conflict.columns(["platform", "workspace_id"]).doUpdateSet({ value: json(installation) }),
      )
      .execute();
  }

  replace(before: Installation, next: Installation): Promise<boolean> {
    const { platform, workspaceId } = before;
    return this.#database.transaction(async (transaction) => {
      const stored = await transaction
        .selectFrom("installations")
        .select("value")
        .where("platform", "=", platform)
        .where("workspace_id", "=", workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!isDeepStrictEqual(stored?.value, before)) return false;
      await transaction
        .updateTable("installations")
        .set({ value: json(next) })
        .where("platform", "=", platform)
        .where("workspace_id", "=", workspaceId)
        .execute();
      return true;
    });
  }

  async remove(platform: string, workspaceId: string): Promise<void> {
    await this.#database.db
      .deleteFrom("installations")
      .where("platform", "=", platform)
      .where("workspace_id", "=", workspaceId)
      .execute();
  }

  consumeToken(token: string, now: Instant, until: Instant): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const row = await transaction
        .insertInto("used_tokens")
        .values({ token, until })
        .onConflict((conflict) => conflict.column("token").doNothing())
        .returning("token")
        .executeTakeFirst();
      if (row === undefined) return false;
      await transaction.deleteFrom("used_tokens").where("until", "<=", now).where("token", "<>", token).execute();
      return true;
    });
  }
}
