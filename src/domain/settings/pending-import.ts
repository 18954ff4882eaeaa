import { z } from "zod";
import {
  type Destination,
  destinationSchema,
  isSameDestination,
  type Person,
  personSchema,
} from "../alert/destination.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { tickerSchema } from "../split/ticker.ts";
import { HOUR_MS, instantSchema } from "../time/day.ts";
import { portableSettingsSchema } from "./destination-settings.ts";
import { ruleFilterSchema } from "./rule.ts";

export const pendingImportSchema = z.object({
  /** Random, so that it cannot be guessed. */
  id: z.string(),
  person: personSchema,
  /** Destination that shows the import and receives its rules. */
  destination: destinationSchema,
  /** Person or channel whose settings the import changes. */
  settingsOf: destinationSchema,
  /** Time until which the import can be applied; once it is applied, until which it can be undone. */
  until: instantSchema,
  /** `applying`: the entries to add are final. Applying them is idempotent, so that an interrupted import can be completed. */
  state: z.enum(["shown", "applying", "applied", "undone"]),
  tickers: z.array(tickerSchema),
  rules: z.array(ruleFilterSchema),
  settings: portableSettingsSchema,
  settingsBefore: portableSettingsSchema,
  /** Numbers of the rules that the import added. */
  ruleNumbers: z.array(countSchema),
});

/** An import awaiting confirmation: the entries to add and, once it is applied, the entries that it added. */
export type PendingImport = Infer<typeof pendingImportSchema>;

/** Period in which an import can be applied, and then undone. */
export const IMPORT_TIMEOUT_MS = HOUR_MS;

export function isOwnedBy(pending: PendingImport, requester: Person, destination: Destination): boolean {
  return isSameDestination(pending.person, requester) && isSameDestination(pending.destination, destination);
}
