import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  type Person,
  parsePersonKey,
} from "../../../domain/alert/destination.ts";
import { isAnonymous } from "../../../domain/alert/personal-data.ts";
import type { ForgetParts } from "../purge-person.ts";

/** Everybody on a platform of whom something is kept that is not yet history. */
export function peopleIn(parts: ForgetParts, platform: string): readonly Person[] {
  const known: readonly Destination[] = [
    ...parts.watchlists.people(),
    ...parts.rules.state.rules.flatMap(({ destination, createdBy }) => [destination, createdBy]),
    ...(Object.keys(parts.people.state) as DestinationKey[]).map(parsePersonKey),
    ...Object.values(parts.settings.state).map(({ to }) => to),
    ...Object.values(parts.calendars.state),
    ...parts.imports.state.map(({ person }) => person),
    ...parts.ledger.state.queues.destinations(),
  ];
  const people = known.filter(isPerson).filter((person) => person.platform === platform && !isAnonymous(person));
  return [...new Map(people.map((person) => [destinationKey(person), person])).values()];
}
