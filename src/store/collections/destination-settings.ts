import { sql } from "kysely";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import {
  DEFAULT_SETTINGS,
  type DestinationSettings,
  overridesIn,
  withDefaults,
} from "../../domain/settings/destination-settings.ts";
import { type DestinationSettingsStore, PAGE_SIZE } from "../../ports/store.ts";
import { ChangeReports } from "../change-reports.ts";
import { type Database, json, lockName, pagesOf } from "../database.ts";
import type { Notifications } from "../notifications.ts";
import { distinctValues } from "./distinct-values.ts";
import { endReleaseDelay } from "./queues.ts";

export class SqlDestinationSettings implements DestinationSettingsStore {
  readonly #database: Database;
  readonly #notifications: Notifications;
  readonly #reports: ChangeReports;

  constructor(database: Database, notifications: Notifications) {
    this.#database = database;
    this.#notifications = notifications;
    this.#reports = new ChangeReports(notifications, "settings");
  }

  async of(to: Destination): Promise<DestinationSettings> {
    return settingsAt(this.#database.db, destinationKey(to));
  }

  async change(
    to: Destination,
    patch: Partial<DestinationSettings>,
  ): Promise<{ readonly before: DestinationSettings; readonly after: DestinationSettings }> {
    const key = destinationKey(to);
    const result = await this.#database.transaction(async (transaction) => {
      await lockName(transaction, `settings ${key}`);
      const before = await settingsAt(transaction, key);
      const after = { ...before, ...patch };
      const value = overridesIn(after);
      if (JSON.stringify(value) === JSON.stringify(overridesIn(before))) return { before, after: before };
      // Locks the queue before the settings, as a purge does.
      await endReleaseDelay(transaction, this.#notifications, key);
      await transaction.deleteFrom("destination_settings").where("destination", "=", key).execute();
      if (Object.keys(value).length > 0)
        await transaction
          .insertInto("destination_settings")
          .values({ destination: key, timezone: after.timezone, has_digest: after.digest, value: json(value) })
          .execute();
      await this.#reports.send(transaction, key);
      return { before, after };
    });
    if (result.after !== result.before) this.#reports.notify(key);
    return result;
  }

  async *all(): AsyncGenerator<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]> {
    const rows = this.#database.db
      .selectFrom("destination_settings")
      .select(["destination", "value"])
      .stream(PAGE_SIZE);
    for await (const page of pagesOf(rows, PAGE_SIZE))
      yield page.map(({ destination, value }) => ({
        to: parseDestinationKey(destination as DestinationKey),
        settings: withDefaults(value),
      }));
  }

  async timezones(): Promise<readonly string[]> {
    const zones = distinctValues("destination_settings", "timezone");
    const { rows } = await sql<Pick<DestinationSettings, "timezone">>`
      select value as timezone from (${zones}) as zones
    `.execute(this.#database.db);
    // Node may not know a time zone that an earlier version stored.
    return rows.flatMap((row) => withDefaults(row).timezone ?? []);
  }

  onChange(listener: (destination: Destination) => void): () => void {
    // Nothing is missed in a gap of the reports: the process that changes settings rechecks the destination in the store.
    return this.#reports.listen((key) => {
      if (key !== null) listener(parseDestinationKey(key as DestinationKey));
    });
  }
}

async function settingsAt(db: Database["db"], key: DestinationKey): Promise<DestinationSettings> {
  const row = await db
    .selectFrom("destination_settings")
    .select("value")
    .where("destination", "=", key)
    .executeTakeFirst();
  return row === undefined ? DEFAULT_SETTINGS : withDefaults(row.value);
}
