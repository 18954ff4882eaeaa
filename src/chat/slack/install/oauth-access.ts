import { z } from "zod";
import type { Clock } from "../../../ports/clock.ts";
import type { ManyWorkspacesAccess } from "../settings.ts";
import type { WebApi } from "../web-api.ts";
import type { Credentials } from "./vault.ts";

/** What Slack gives for a code or for a refresh token. */
export interface OAuthGrant extends Pick<Credentials, "rotation"> {
  /** Null: there is none for the bot. */
  readonly botToken: string | null;
  readonly team: { readonly id: string; readonly name: string } | null;
  /** It is for a whole organization instead of one workspace. */
  readonly isOrgWide: boolean;
}

/** `oauth.v2.access`. Fails with a CallError. */
export interface OAuthAccess {
  redeem(code: string): Promise<OAuthGrant>;
  renew(refreshToken: string): Promise<OAuthGrant>;
}

export interface OAuthAccessParts {
  readonly client: Pick<ManyWorkspacesAccess, "clientId" | "clientSecret">;
  /** As it was named when the code was asked for; null: it was not. */
  readonly redirectUri: string | null;
  /** Without a token: the app asks by its own name. */
  readonly api: WebApi;
  readonly clock: Clock;
}

/** Shares of a token's life, which is twelve hours: two are left to try in, and a token that is nearly over may end on its way. */
const RENEW_AT_SHARE = 10 / 12;
const EXPIRES_AT_SHARE = 0.998;

const answer = z.object({
  access_token: z.string().min(1).optional(),
  token_type: z.string().default("bot"),
  refresh_token: z.string().min(1).optional(),
  /** Seconds. */
  expires_in: z.int().positive().optional(),
  team: z.object({ id: z.string(), name: z.string().default("") }).nullish(),
  is_enterprise_install: z.boolean().default(false),
});

export function createOAuthAccess({ client, redirectUri, api, clock }: OAuthAccessParts): OAuthAccess {
  async function access(grant: Readonly<Record<string, string>>): Promise<OAuthGrant> {
    const askedAt = clock.now();
    const args = { client_id: client.clientId, client_secret: client.clientSecret, ...grant };
    const given = await api.call("oauth.v2.access", args, answer);
    const { refresh_token: refreshToken, expires_in: seconds } = given;
    const isRotated = refreshToken !== undefined && seconds !== undefined;
    const lifeMs = (seconds ?? 0) * 1_000;
    return {
      botToken: given.token_type === "bot" ? (given.access_token ?? null) : null,
      rotation: isRotated
        ? { refreshToken, renewAt: askedAt + lifeMs * RENEW_AT_SHARE, endsAt: askedAt + lifeMs * EXPIRES_AT_SHARE }
        : null,
      team: given.team ?? null,
      isOrgWide: given.is_enterprise_install,
    };
  }

  return {
    redeem: (code) => access({ code, ...(redirectUri === null ? {} : { redirect_uri: redirectUri }) }),
    renew: (refreshToken) => access({ grant_type: "refresh_token", refresh_token: refreshToken }),
  };
}
