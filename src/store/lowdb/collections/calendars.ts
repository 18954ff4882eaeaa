import { randomBytes } from "node:crypto";
import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { Calendars } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/**
 * Content of `calendars.json`: owners by token. Tokens are not hashed: people can display their address again, and a token
 * grants access only to a watchlist, which is stored in the same folder.
 */
export type CalendarsFile = Readonly<Record<string, Person>>;

/** 160 bits, written as hexadecimal digits, which no platform interprets as markup. */
const TOKEN_BYTES = 20;

export class LowdbCalendars implements Calendars {
  readonly #file: StateFile<CalendarsFile>;

  constructor(file: StateFile<CalendarsFile>) {
    this.#file = file;
  }

  async tokenOf(person: Person): Promise<string> {
    // Reading an existing token also works on a full disk.
    const savedToken = tokenIn(this.#file.state, person);
    if (savedToken !== undefined) return savedToken;
    return this.#file.change((state) => {
      const existing = tokenIn(state, person);
      if (existing !== undefined) return [state, existing];
      const token = randomBytes(TOKEN_BYTES).toString("hex");
      return [{ ...state, [token]: { platform: person.platform, kind: person.kind, id: person.id } }, token];
    });
  }

  async personOf(token: string): Promise<Person | null> {
    return Object.hasOwn(this.#file.state, token) ? (this.#file.state[token] ?? null) : null;
  }

  async revoke(person: Person): Promise<boolean> {
    return this.#file.change((state) => {
      const remaining = calendarsWithout(state, person);
      return [remaining, remaining !== state];
    });
  }
}

/** Content without the person's calendar; the same object if the person has none. */
export function calendarsWithout(state: CalendarsFile, person: Person): CalendarsFile {
  const token = tokenIn(state, person);
  if (token === undefined) return state;
  const { [token]: _, ...remaining } = state;
  return remaining;
}

function tokenIn(state: CalendarsFile, person: Person): string | undefined {
  const key = destinationKey(person);
  return Object.keys(state).find((token) => {
    const owner = state[token];
    return owner !== undefined && destinationKey(owner) === key;
  });
}
