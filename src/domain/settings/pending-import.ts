import { type Destination, destinationKey, type Person } from "../alert/destination.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Instant } from "../time/day.ts";
import type { PortableSettings } from "./portable-settings.ts";
import type { RuleFilter } from "./rule.ts";

/**
 * An import that somebody was shown: what it would add, and later what it added. `applying`: what is to be added is settled;
 * whoever finds it so adds it again, which changes nothing.
 */
export interface PendingImport {
  /** Cannot be guessed. */
  readonly id: string;
  readonly person: Person;
  /** Where it was shown, and where its rules go. */
  readonly destination: Destination;
  /** Whose settings it changes: the person's, or the channel's. */
  readonly settingsOf: Destination;
  readonly until: Instant;
  readonly state: "shown" | "applying" | "applied" | "undone";
  readonly tickers: readonly Ticker[];
  readonly rules: readonly RuleFilter[];
  readonly settings: PortableSettings;
  /** The settings that were there before. */
  readonly settingsBefore: PortableSettings;
  /** The numbers that its rules were given. */
  readonly ruleNumbers: readonly number[];
}

/** How long it may be applied, and then undone. */
export const IMPORT_TIMEOUT_MS = 60 * 60_000;

export function isOwnedBy({ person, destination }: PendingImport, asker: Person, at: Destination): boolean {
  return destinationKey(person) === destinationKey(asker) && destinationKey(destination) === destinationKey(at);
}
