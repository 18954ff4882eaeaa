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
  /** The destination where it was shown, which receives its rules. */
  destination: destinationSchema,
  /** The person or channel whose settings it changes. */
  settingsOf: destinationSchema,
  until: instantSchema,
  /** `applying`: what to add is decided; applying it again is idempotent, so an interrupted import is completed. */
  state: z.enum(["shown", "applying", "applied", "undone"]),
  tickers: z.array(tickerSchema),
  rules: z.array(ruleFilterSchema),
  settings: portableSettingsSchema,
  settingsBefore: portableSettingsSchema,
  /** The numbers of the rules that it added. */
  ruleNumbers: z.array(countSchema),
});

/** An import awaiting confirmation: the entries to add and, once it is applied, the entries that it added. */
export type PendingImport = Infer<typeof pendingImportSchema>;

/** Period in which an import can be applied, and then undone. */
export const IMPORT_TIMEOUT_MS = HOUR_MS;

export function isOwnedBy(pending: PendingImport, requester: Person, at: Destination): boolean {
  return isSameDestination(pending.person, requester) && isSameDestination(pending.destination, at);
}
