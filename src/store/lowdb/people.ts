import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  type Person,
} from "../../core/destination.ts";
import { isNameless } from "../../core/forget.ts";
import type { ForgetParts } from "./forget.ts";

/** Everybody on a platform of whom something is kept that is not yet history. */
export function peopleIn(parts: ForgetParts, platform: string): readonly Person[] {
  const known: readonly Destination[] = [
    ...parts.watchlists.people(),
    ...parts.rules.state.rules.flatMap(({ destination, createdBy }) => [destination, createdBy]),
    ...(Object.keys(parts.people.state) as DestinationKey[]).map(personOf),
    ...Object.values(parts.settings.state).map(({ to }) => to),
    ...Object.values(parts.calendars.state),
    ...parts.imports.state.map(({ person }) => person),
    ...parts.ledger.state.queues.destinations(),
  ];
  const people = known.filter(isPerson).filter((person) => person.platform === platform && !isNameless(person));
  return [...new Map(people.map((person) => [destinationKey(person), person])).values()];
}

export function personOf(key: DestinationKey): Person {
  return { ...destinationOf(key), kind: "person" };
}

/** The inverse of `destinationKey`: only the id may hold colons. */
export function destinationOf(key: DestinationKey): Destination {
  const [platform = "", kind = ""] = key.split(":", 2);
  return { platform, kind: kind === "person" ? kind : "channel", id: key.slice(`${platform}:${kind}:`.length) };
}
