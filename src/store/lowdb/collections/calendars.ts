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
    // Reading an existing token works on a full disk too.
    const saved = tokenIn(this.#file.state, person);
    if (saved !== undefined) return saved;
    return this.#file.change((state) => {
      const known = tokenIn(state, person);
      if (known !== undefined) return [state, known];
      const token = randomBytes(TOKEN_BYTES).toString("hex");
      return [{ ...state, [token]: { platform: person.platform, kind: person.kind, id: person.id } }, token];
    });
  }

  async personOf(token: string): Promise<Person | null> {
    return Object.hasOwn(this.#file.state, token) ? (this.#file.state[token] ?? null) : null;
  }

  async revoke(person: Person): Promise<boolean> {
    return this.#file.change((state) => {
      const others = calendarsWithout(state, person);
      return [others, others !== state];
    });
  }
}

/** The content without the person's calendar; the same object if they have none. */
export function calendarsWithout(state: CalendarsFile, person: Person): CalendarsFile {
  const token = tokenIn(state, person);
  if (token === undefined) return state;
  const { [token]: _, ...others } = state;
  return others;
}

function tokenIn(state: CalendarsFile, person: Person): string | undefined {
  const key = destinationKey(person);
  return Object.keys(state).find((token) => {
    const owner = state[token];
    return owner !== undefined && destinationKey(owner) === key;
  });
}
