import { BoundedMap } from "../../lib/collections.ts";
import { storableName } from "../../ports/state-records.ts";

/** Names that are kept; a shard has at most 2,500 servers. */
const MAX_GUILDS = 50_000;

/** Names of servers as the gateway stated them. Interactions don't contain them. */
export class GuildNames {
  readonly #names = new BoundedMap<string, string>(MAX_GUILDS);

  set(guildId: string, name: string): void {
    this.#names.set(guildId, storableName(name));
  }

  /** Null if the gateway hasn't stated it. */
  of(guildId: string): string | null {
    return this.#names.get(guildId) ?? null;
  }
}
