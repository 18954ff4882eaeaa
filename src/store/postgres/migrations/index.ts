import { BASE } from "./0001-base.ts";
import { PROCESSES } from "./0002-processes.ts";
import { ALERTS } from "./0003-alerts.ts";
import { SETTINGS } from "./0004-settings.ts";
import { RATE_SLOTS } from "./0005-rate-slots.ts";
import { RECORDS } from "./0006-records.ts";
import { SLOT_INDEX } from "./0007-slot-index.ts";
import { ROLES } from "./0008-roles.ts";
import { SENDS } from "./0009-sends.ts";
import { CLOCK_OFFSETS } from "./0010-clock-offsets.ts";
import { LOCKS } from "./0011-locks.ts";
import { PURGE_KEY } from "./0012-purge-key.ts";

/** A step of the schema. A released migration is never changed: its checksum is recorded. */
export interface Migration {
  /** Number and title: `0001-base`. */
  readonly name: string;
  /** SQL statements. */
  readonly statements: string;
}

/** All migrations, oldest first. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001-base", statements: BASE },
  { name: "0002-processes", statements: PROCESSES },
  { name: "0003-alerts", statements: ALERTS },
  { name: "0004-settings", statements: SETTINGS },
  { name: "0005-rate-slots", statements: RATE_SLOTS },
  { name: "0006-records", statements: RECORDS },
  { name: "0007-slot-index", statements: SLOT_INDEX },
  { name: "0008-roles", statements: ROLES },
  { name: "0009-sends", statements: SENDS },
  { name: "0010-clock-offsets", statements: CLOCK_OFFSETS },
  { name: "0011-locks", statements: LOCKS },
  { name: "0012-purge-key", statements: PURGE_KEY },
];
