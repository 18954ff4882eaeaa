import type { Instant } from "../../../domain/time/day.ts";
import type { Sessions } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

interface Session {
  readonly id: string;
  readonly until: Instant;
}

/** Content of `sessions.json`, oldest session first. */
export type SessionsFile = readonly Session[];

export class LowdbSessions implements Sessions {
  readonly #file: StateFile<SessionsFile>;

  constructor(file: StateFile<SessionsFile>) {
    this.#file = file;
  }

  async start(session: Session, now: Instant, max: number): Promise<void> {
    await this.#file.change((sessions) => {
      const others = sessions.filter(({ id, until }) => until > now && id !== session.id);
      return [[...others, session].slice(-max), undefined];
    });
  }

  async isOpen(id: string, now: Instant): Promise<boolean> {
    return this.#file.state.some((session) => session.id === id && session.until > now);
  }

  async end(id: string): Promise<void> {
    await this.#file.change((sessions) => {
      const others = sessions.filter((session) => session.id !== id);
      return [others.length === sessions.length ? sessions : others, undefined];
    });
  }
}
