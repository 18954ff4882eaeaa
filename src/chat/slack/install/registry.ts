import type { Instant } from "../../../domain/time/day.ts";
import { createMutex } from "../../../lib/mutex.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Installation } from "../../../ports/state-records.ts";
import type { Installations } from "../../../ports/store.ts";
import { PLATFORM } from "../workspace.ts";
import type { Credentials, Vault } from "./vault.ts";

/** What is known of a workspace. `since`: when it took splitwatch in, or left. */
export type Entry =
  | { readonly kind: "unknown" }
  | { readonly kind: "installed"; readonly since: Instant; readonly credentials: Credentials }
  /** It is installed, but ENCRYPTION_KEY does not open what is stored of it. */
  | { readonly kind: "locked"; readonly since: Instant }
  | { readonly kind: "left"; readonly since: Instant };

/** The workspaces that took splitwatch in by themselves, with their credentials in clear. */
export interface Registry {
  read(teamId: string): Promise<Entry>;
  all(): Promise<readonly { readonly teamId: string; readonly entry: Entry }[]>;
  install(teamId: string, credentials: Credentials): Promise<void>;
  /** Puts `next` in the place of the credentials that hold this refresh token, where they still stand. Gives what stands then. */
  renew(teamId: string, refreshToken: string, next: Credentials): Promise<Entry>;
  /** Ends the installation that began at `since`; false where it is not there any more. */
  remove(teamId: string, since: Instant): Promise<boolean>;
  delete(teamId: string): Promise<void>;
}

export function createRegistry(installations: Installations, vault: Vault, clock: Clock): Registry {
  function entryOf(installation: Installation | null): Entry {
    if (installation === null) return { kind: "unknown" };
    const { since } = installation;
    if (installation.credentials === null) return { kind: "left", since };
    const credentials = vault.open(installation);
    return credentials === null ? { kind: "locked", since } : { kind: "installed", since, credentials };
  }

  function put(teamId: string, since: Instant, credentials: Credentials | null): Promise<void> {
    const sealed = credentials === null ? null : vault.seal(teamId, credentials);
    return installations.put({ platform: PLATFORM, workspaceId: teamId, credentials: sealed, since });
  }

  const read = async (teamId: string): Promise<Entry> => entryOf(await installations.find(PLATFORM, teamId));

  /** What is looked at before a change still holds when it is written. */
  const inTurn = createMutex();

  return {
    read,
    async all() {
      const known = await installations.all(PLATFORM);
      return known.map((installation) => ({ teamId: installation.workspaceId, entry: entryOf(installation) }));
    },
    install: (teamId, credentials) => inTurn(() => put(teamId, clock.now(), credentials)),
    renew: (teamId, refreshToken, next) =>
      inTurn(async () => {
        const entry = await read(teamId);
        if (entry.kind !== "installed" || entry.credentials.rotation?.refreshToken !== refreshToken) return entry;
        await put(teamId, entry.since, next);
        return { ...entry, credentials: next };
      }),
    remove: (teamId, since) =>
      inTurn(async () => {
        const entry = await read(teamId);
        if (entry.kind === "unknown" || entry.kind === "left" || entry.since !== since) return false;
        await put(teamId, clock.now(), null);
        return true;
      }),
    delete: (teamId) => inTurn(() => installations.remove(PLATFORM, teamId)),
  };
}
