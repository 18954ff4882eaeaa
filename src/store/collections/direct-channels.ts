import { destinationKey, type Person } from "../../domain/alert/destination.ts";
import type { DirectChannels } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import { SqlKeyedRecords } from "./keyed-records.ts";

export class SqlDirectChannels implements DirectChannels {
  readonly #records: SqlKeyedRecords<"direct-channel">;

  constructor(database: Database) {
    this.#records = new SqlKeyedRecords("direct-channel", database);
  }

  async of(person: Person): Promise<string | null> {
    return (await this.#records.find(destinationKey(person)))?.channelId ?? null;
  }

  async save(person: Person, channelId: string): Promise<void> {
    if ((await this.of(person)) !== channelId) await this.#records.put({ person, channelId });
  }
}
