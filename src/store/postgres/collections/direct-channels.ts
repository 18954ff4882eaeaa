import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { DirectChannels } from "../../../ports/store.ts";
import type { Database } from "../database.ts";

export class PostgresDirectChannels implements DirectChannels {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(person: Person): Promise<string | null> {
    const row = await this.#database.db
      .selectFrom("direct_channels")
      .select("channel_id")
      .where("person", "=", destinationKey(person))
      .executeTakeFirst();
    return row?.channel_id ?? null;
  }

  async save(person: Person, channelId: string): Promise<void> {
    await this.#database.db
      .insertInto("direct_channels")
      .values({ person: destinationKey(person), channel_id: channelId })
      .onConflict((conflict) =>
        conflict
          .column("person")
          .doUpdateSet({ channel_id: channelId })
          .where("direct_channels.channel_id", "<>", channelId),
      )
      .execute();
  }
}
