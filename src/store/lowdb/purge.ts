import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  type Person,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import { isAnonymous } from "../../domain/alert/personal-data.ts";
import { type CalendarsFile, calendarsWithout } from "./collections/calendars.ts";
import type { SettingsFile } from "./collections/destination-settings.ts";
import { type ImportsFile, importsWithout } from "./collections/imports.ts";
import type { PeopleFile, PurgedPeople } from "./collections/people.ts";
import type { LowdbPostings } from "./collections/postings.ts";
import { type RulesFile, rulesWithout } from "./collections/rules.ts";
import type { LowdbWatchlists } from "./collections/watchlists.ts";
import type { StateFile } from "./files/json-file.ts";
import type { WriteAheadLog } from "./log/write-ahead-log.ts";

/** Collections that may hold data about a person. */
export interface PurgeParts {
  readonly log: WriteAheadLog;
  readonly purged: PurgedPeople;
  readonly postings: LowdbPostings;
  readonly watchlists: LowdbWatchlists;
  readonly rules: StateFile<RulesFile>;
  readonly directChannels: StateFile<PeopleFile>;
  readonly settings: StateFile<SettingsFile>;
  readonly calendars: StateFile<CalendarsFile>;
  readonly imports: StateFile<ImportsFile>;
}

/**
 * Removes a person from every file. Once its first record is in the log, the next start completes a purge that a crash
 * interrupts. After a failure it can be repeated.
 */
export async function purgePerson(person: Person, parts: PurgeParts): Promise<void> {
  const key = destinationKey(person);
  parts.purged.add(person);
  const entry = await parts.log.beginPurge(person);
  await parts.watchlists.purge(person);
  await parts.rules.change((state) => [rulesWithout(state, person), undefined]);
  await parts.directChannels.change((state) => [withoutKey(state, key), undefined]);
  await parts.settings.change((state) => [withoutKey(state, key), undefined]);
  await parts.calendars.change((state) => [calendarsWithout(state, person), undefined]);
  await parts.imports.change((state) => [importsWithout(state, person), undefined]);
  await parts.postings.purge(person, entry.tests);
  await parts.log.finishPurge(entry);
}

/** Completes purges that a crash interrupted. */
export async function completePurges(parts: PurgeParts): Promise<void> {
  for (const { person } of parts.log.state.pendingPurges) await purgePerson(person, parts);
}

/** Returns the state without the key; the same object if it does not have the key. */
function withoutKey<V>(state: Readonly<Record<DestinationKey, V>>, key: DestinationKey): Readonly<Record<string, V>> {
  if (!Object.hasOwn(state, key)) return state;
  const { [key]: _, ...others } = state;
  return others;
}

/** Returns everyone on a platform about whom data is stored outside the history. */
export function findPeople(parts: PurgeParts, platform: string): readonly Person[] {
  const known: readonly Destination[] = [
    ...parts.watchlists.people(),
    ...parts.rules.state.rules.flatMap(({ destination, createdBy }) => [destination, createdBy]),
    ...(Object.keys(parts.directChannels.state) as DestinationKey[]).map(parsePersonKey),
    ...Object.values(parts.settings.state).map(({ to }) => to),
    ...Object.values(parts.calendars.state),
    ...parts.imports.state.map(({ person }) => person),
    ...parts.log.state.queues.destinations(),
  ];
  const people = known.filter(isPerson).filter((person) => person.platform === platform && !isAnonymous(person));
  return [...new Map(people.map((person) => [destinationKey(person), person])).values()];
}
