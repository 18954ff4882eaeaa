import { z } from "zod";
import type { Clock } from "../../../ports/clock.ts";
import type { ManyWorkspacesAccess } from "../settings.ts";
import type { WebApi } from "../web-api.ts";
import type { Credentials } from "./registry.ts";

/** Tokens issued for an authorization code or a refresh token. */
export interface OAuthGrant extends Pick<Credentials, "rotation"> {
  /** Null if no bot token was issued. */
  readonly botToken: string | null;
  readonly team: { readonly id: string; readonly name: string } | null;
  /** True if issued for a whole Enterprise organization. */
  readonly isOrgWide: boolean;
}

/** Client of `oauth.v2.access`. Rejects with a CallError. */
export interface OAuthAccess {
  redeem(code: string): Promise<OAuthGrant>;
  renew(refreshToken: string): Promise<OAuthGrant>;
}

export interface OAuthAccessParts {
  readonly client: Pick<ManyWorkspacesAccess, "clientId" | "clientSecret">;
  /** Redirect URI of the authorization request; null if it had none. */
  readonly redirectUri: string | null;
  /** Web API without a token: the method authenticates with the client id and secret. */
  readonly api: WebApi;
  readonly clock: Clock;
}

/**
 * Fractions of a token's lifetime, which is 12 hours. The token is renewed during its last two hours; its use
 * ends shortly before it expires, so that a slow request still arrives in time.
 */
const RENEW_AT_SHARE = 10 / 12;
const EXPIRES_AT_SHARE = 0.998;

const oauthAnswer = z.object({
  access_token: z.string().min(1).optional(),
  token_type: z.string().default("bot"),
  refresh_token: z.string().min(1).optional(),
  /** Token lifetime in seconds. */
  expires_in: z.int().positive().optional(),
  team: z.object({ id: z.string(), name: z.string().default("") }).nullish(),
  is_enterprise_install: z.boolean().default(false),
});

export function createOAuthAccess({ client, redirectUri, api, clock }: OAuthAccessParts): OAuthAccess {
  async function request(grant: Readonly<Record<string, string>>): Promise<OAuthGrant> {
    const requestedAt = clock.now();
    const args = { client_id: client.clientId, client_secret: client.clientSecret, ...grant };
    const answer = await api.call("oauth.v2.access", args, oauthAnswer);
    const { refresh_token: refreshToken, expires_in: seconds } = answer;
    const isRotated = refreshToken !== undefined && seconds !== undefined;
    const lifetimeMs = (seconds ?? 0) * 1_000;
    return {
      botToken: answer.token_type === "bot" ? (answer.access_token ?? null) : null,
      rotation: isRotated
        ? {
            refreshToken,
            renewAt: requestedAt + lifetimeMs * RENEW_AT_SHARE,
            endsAt: requestedAt + lifetimeMs * EXPIRES_AT_SHARE,
          }
        : null,
      team: answer.team ?? null,
      isOrgWide: answer.is_enterprise_install,
    };
  }

  return {
    redeem: (code) => request({ code, ...(redirectUri === null ? {} : { redirect_uri: redirectUri }) }),
    renew: (refreshToken) => request({ grant_type: "refresh_token", refresh_token: refreshToken }),
  };
}
