import type { Instant } from "../../domain/time/day.ts";
import type { Installation } from "../../ports/state-records.ts";
import type { Installations } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import { SqlKeyedRecords } from "./keyed-records.ts";

export class SqlInstallations implements Installations {
  readonly #database: Database;
  readonly #records: SqlKeyedRecords<"installation">;

  constructor(database: Database) {
    this.#database = database;
    this.#records = new SqlKeyedRecords("installation", database);
  }

  async all(platform: string): Promise<readonly Installation[]> {
    return (await this.#records.all()).filter((installation) => installation.platform === platform);
  }

  find(platform: string, workspaceId: string): Promise<Installation | null> {
    return this.#records.find(`${platform} ${workspaceId}`);
  }

  put(installation: Installation): Promise<void> {
    return this.#records.put(installation);
  }

  replace(before: Installation, next: Installation): Promise<boolean> {
    return this.#records.replace(before, next);
  }

  remove(platform: string, workspaceId: string): Promise<void> {
    return this.#records.remove(`${platform} ${workspaceId}`);
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
