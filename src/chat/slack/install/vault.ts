import { z } from "zod";
import type { Instant } from "../../../domain/time/day.ts";
import { createSeal } from "../../../lib/encryption.ts";
import type { Installation } from "../../../ports/state-records.ts";

/** What a workspace gave when it took splitwatch in, and what splitwatch is called there. */
export interface Credentials {
  readonly botToken: string;
  /** Where Slack rotates tokens; null: this one does not end. */
  readonly rotation: Rotation | null;
  readonly botName: string;
  /** `https://example.slack.com/`; null where Slack does not say. */
  readonly url: string | null;
}

export interface Rotation {
  /** What the next token is had for. */
  readonly refreshToken: string;
  /** From when on another one is to be had, while this one is still good. */
  readonly renewAt: Instant;
  /** From when on this one is not counted on. */
  readonly endsAt: Instant;
}

/** Credentials as they are stored: for one workspace each, so that a record in another's place opens nothing. */
export interface Vault {
  seal(teamId: string, credentials: Credentials): string;
  /** Null: they were sealed with another ENCRYPTION_KEY, or changed. */
  open(installation: Pick<Installation, "workspaceId" | "credentials">): Credentials | null;
}

const stored: z.ZodType<Credentials> = z.object({
  botToken: z.string(),
  rotation: z.object({ refreshToken: z.string(), renewAt: z.number(), endsAt: z.number() }).nullable(),
  botName: z.string(),
  url: z.string().nullable(),
});

/** For whoever runs splitwatch. `whose`: of what the stored credentials are not opened. */
export function wrongKeyMessage(whose: string): string {
  return `ENCRYPTION_KEY does not open what is stored of ${whose}: set the key that it was stored with`;
}

export function createVault(encryptionKey: string): Vault {
  const seal = createSeal(encryptionKey);
  return {
    seal: (teamId, credentials) => seal.seal(JSON.stringify(credentials), aboutTeam(teamId)),
    open({ workspaceId, credentials }) {
      const text = credentials === null ? null : seal.open(credentials, aboutTeam(workspaceId));
      return text === null ? null : stored.parse(JSON.parse(text));
    },
  };
}

function aboutTeam(teamId: string): string {
  return `slack/${teamId}`;
}
