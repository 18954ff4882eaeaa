import { type DestinationKey, destinationKey, type Person } from "../../domain/alert/destination.ts";
import { type CalendarsFile, calendarsWithout } from "./collections/calendars.ts";
import type { SettingsFile } from "./collections/destination-settings.ts";
import type { PeopleFile } from "./collections/direct-channels.ts";
import { type ImportsFile, importsWithout } from "./collections/imports.ts";
import type { LowdbPostings } from "./collections/postings.ts";
import { type RulesFile, rulesWithout } from "./collections/rules.ts";
import type { Absent } from "./collections/unreachable-people.ts";
import type { LowdbWatchlists } from "./collections/watchlists.ts";
import type { StateFile } from "./files/json-file.ts";
import type { Ledger } from "./log/ledger.ts";

/** All that may hold something of a person. */
export interface ForgetParts {
  readonly ledger: Ledger;
  readonly absent: Absent;
  readonly postings: LowdbPostings;
  readonly watchlists: LowdbWatchlists;
  readonly rules: StateFile<RulesFile>;
  readonly people: StateFile<PeopleFile>;
  readonly settings: StateFile<SettingsFile>;
  readonly calendars: StateFile<CalendarsFile>;
  readonly imports: StateFile<ImportsFile>;
}

/**
 * Takes a person out of every file. The ledger's first line makes it certain: what a crash cuts short, the next start
 * completes. When it fails, it may be asked for again.
 */
export async function forgetPerson(person: Person, parts: ForgetParts): Promise<void> {
  const key = destinationKey(person);
  parts.absent.leaves(person);
  const entry = await parts.ledger.beginForget(person);
  await parts.watchlists.forget(person);
  await parts.rules.change((state) => [rulesWithout(state, person), undefined]);
  await parts.people.change((state) => [withoutKey(state, key), undefined]);
  await parts.settings.change((state) => [withoutKey(state, key), undefined]);
  await parts.calendars.change((state) => [calendarsWithout(state, person), undefined]);
  await parts.imports.change((state) => [importsWithout(state, person), undefined]);
  await parts.postings.forget(person, entry.tests);
  await parts.ledger.endForget(entry);
}

/** Completes what a crash cut short. */
export async function completeForgetting(parts: ForgetParts): Promise<void> {
  for (const { person } of parts.ledger.state.forgetting) await forgetPerson(person, parts);
}

/** The same record where the key is not in it. */
function withoutKey<V>(state: Readonly<Record<DestinationKey, V>>, key: DestinationKey): Readonly<Record<string, V>> {
  if (!Object.hasOwn(state, key)) return state;
  const { [key]: _, ...others } = state;
  return others;
}
