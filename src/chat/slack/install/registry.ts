import { z } from "zod";
import type { Instant } from "../../../domain/time/day.ts";
import { createCipher } from "../../../lib/secrets.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type Installation, installationKey } from "../../../ports/state-records.ts";
import type { Store } from "../../../ports/store.ts";
import { PLATFORM } from "../workspace.ts";

/** Bot token of an installed workspace, the bot's name and the workspace's URL. */
export interface Credentials {
  readonly botToken: string;
  /** Null if token rotation is off: the token doesn't expire. */
  readonly rotation: Rotation | null;
  readonly botName: string;
  /** `https://example.slack.com/`; null if Slack does not report it. */
  readonly url: string | null;
}

export interface Rotation {
  readonly refreshToken: string;
  /** Time from which the token is renewed in the background. */
  readonly renewAt: Instant;
  /** Time from which the token is no longer used. */
  readonly endsAt: Instant;
}

/** Encrypts credentials with the workspace id as additional data: a record moved to another workspace can't be decrypted. */
export interface Vault {
  seal(teamId: string, credentials: Credentials): string;
  /** Returns null if the record was encrypted with another ENCRYPTION_KEY or modified. */
  open(installation: Pick<Installation, "workspaceId" | "credentials">): Credentials | null;
}

const storedCredentials: z.ZodType<Credentials> = z.object({
  botToken: z.string(),
  rotation: z.object({ refreshToken: z.string(), renewAt: z.number(), endsAt: z.number() }).nullable(),
  botName: z.string(),
  url: z.string().nullable(),
});

/** Message for the operator; `subject` names the workspaces. */
export function wrongKeyMessage(subject: string): string {
  return `ENCRYPTION_KEY does not decrypt the stored credentials of ${subject}: set the key that encrypted them`;
}

export function createVault(encryptionKey: string): Vault {
  const cipher = createCipher(encryptionKey);
  return {
    seal: (teamId, credentials) => cipher.encrypt(JSON.stringify(credentials), additionalData(teamId)),
    open({ workspaceId, credentials }) {
      const text = credentials === null ? null : cipher.decrypt(credentials, additionalData(workspaceId));
      return text === null ? null : storedCredentials.parse(JSON.parse(text));
    },
  };
}

function additionalData(teamId: string): string {
  return `slack/${teamId}`;
}

/** State of a workspace. `since`: when it was installed or removed. */
export type WorkspaceEntry =
  | { readonly kind: "unknown" }
  | { readonly kind: "installed"; readonly since: Instant; readonly credentials: Credentials }
  /** Installed, but ENCRYPTION_KEY does not decrypt its credentials. */
  | { readonly kind: "locked"; readonly since: Instant }
  /** `reason`: why it was removed, for users; null if an earlier version removed it. */
  | { readonly kind: "removed"; readonly since: Instant; readonly reason: string | null };

/** Self-installed workspaces with their decrypted credentials. */
export interface Registry {
  read(teamId: string): Promise<WorkspaceEntry>;
  all(): Promise<readonly { readonly teamId: string; readonly entry: WorkspaceEntry }[]>;
  install(teamId: string, credentials: Credentials): Promise<void>;
  /** Replaces the credentials if they still contain this refresh token. Returns the resulting entry. */
  renew(teamId: string, refreshToken: string, next: Credentials): Promise<WorkspaceEntry>;
  /** Ends the installation that began at `since`. If it has already ended, returns false and keeps the stored reason. */
  remove(teamId: string, since: Instant, reason: string): Promise<boolean>;
  delete(teamId: string): Promise<void>;
}

function keyOf(teamId: string): string {
  return installationKey({ platform: PLATFORM, workspaceId: teamId });
}

export function createRegistry(installations: Store["installations"], vault: Vault, clock: Clock): Registry {
  function toEntry(installation: Installation | null): WorkspaceEntry {
    if (installation === null) return { kind: "unknown" };
    const { since, endReason = null } = installation;
    if (installation.credentials === null) return { kind: "removed", since, reason: endReason };
    const credentials = vault.open(installation);
    return credentials === null ? { kind: "locked", since } : { kind: "installed", since, credentials };
  }

  function installationOf(teamId: string, since: Instant, credentials: Credentials): Installation {
    return { platform: PLATFORM, workspaceId: teamId, credentials: vault.seal(teamId, credentials), since };
  }

  const read = async (teamId: string): Promise<WorkspaceEntry> => toEntry(await installations.find(keyOf(teamId)));

  return {
    read,
    async all() {
      const records = (await installations.all()).filter(({ platform }) => platform === PLATFORM);
      return records.map((installation) => ({ teamId: installation.workspaceId, entry: toEntry(installation) }));
    },
    install: (teamId, credentials) => installations.put(installationOf(teamId, clock.now(), credentials)),
    async renew(teamId, refreshToken, next) {
      for (;;) {
        const stored = await installations.find(keyOf(teamId));
        const entry = toEntry(stored);
        if (stored === null || entry.kind !== "installed") return entry;
        if (entry.credentials.rotation?.refreshToken !== refreshToken) return entry;
        if (await installations.replace(stored, installationOf(teamId, entry.since, next)))
          return { ...entry, credentials: next };
      }
    },
    async remove(teamId, since, endReason) {
      for (;;) {
        const stored = await installations.find(keyOf(teamId));
        if (stored === null || stored.credentials === null || stored.since !== since) return false;
        const ended = { platform: PLATFORM, workspaceId: teamId, credentials: null, since: clock.now(), endReason };
        if (await installations.replace(stored, ended)) return true;
      }
    },
    delete: (teamId) => installations.remove(keyOf(teamId)),
  };
}
