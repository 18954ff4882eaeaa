import { randomBytes } from "node:crypto";
import type { SlackTeam } from "./team.ts";
import type { Json } from "./workspace.ts";

/** Rotated tokens are valid for twelve hours. */
export const TOKEN_LIFETIME_MS = 12 * 60 * 60_000;

/** How long a used refresh token is still accepted: Slack's "short grace period". */
export const REFRESH_GRACE_MS = 60_000;

const MAX_LIVE_TOKENS = 2;

const CODE_LIFETIME_MS = 10 * 60_000;

/** OAuth server: authorization codes, tokens and renewals. */
export interface SlackOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether issued tokens expire and have a refresh token. */
  rotates: boolean;
  /** Lifetime of a rotated token. */
  lifetimeMs: number;
  /** Fields that replace those of the response to an installation or renewal, for example for an org-wide installation. */
  answerOverrides: Json;
  /** Returns the authorization code for a user who allows the requested scopes. */
  grant(team: SlackTeam, asked: { readonly redirectUri: string | null; readonly scope: string }): string;
  /** `oauth.v2.access` */
  access(args: Json, authorization: string): Json;
  /** Returns the token's workspace or the error code by which it is refused; null for an unknown token. */
  authenticate(token: string): { readonly team: SlackTeam } | { readonly refused: string } | null;
  /** Tokens that are valid now. */
  validTokens(team: SlackTeam): readonly string[];
  /** Refuses further calls with the workspace's tokens with this error code. */
  revoke(team: SlackTeam, refused?: string): void;
}

interface Code {
  readonly team: SlackTeam;
  readonly redirectUri: string | null;
  readonly scope: string;
  readonly until: number;
}

interface Token {
  readonly team: SlackTeam;
  readonly until: number;
  refused: string | null;
}

interface Refresh {
  readonly team: SlackTeam;
  usedAt: number | null;
}

export function createOAuth(now: () => number): SlackOAuth {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, Token>();
  const refreshes = new Map<string, Refresh>();

  function issue(team: SlackTeam): Json {
    const { workspace, scopes } = team;
    const expiring = oauth.rotates;
    const token = `${expiring ? "xoxe.xoxb-1-" : "xoxb-"}${secret()}`;
    const until = expiring ? now() + oauth.lifetimeMs : Number.POSITIVE_INFINITY;
    tokens.set(token, { team, until, refused: null });
    for (const old of oauth.validTokens(team).slice(0, -MAX_LIVE_TOKENS)) Object.assign(tokens.get(old) ?? {}, REVOKED);
    const answer = {
      ok: true,
      app_id: workspace.bot.appId,
      team: { id: workspace.team.id, name: workspace.team.name },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: [...workspace.people.keys()][0] },
      access_token: token,
      token_type: "bot",
      scope: [...scopes].join(","),
      bot_user_id: workspace.bot.userId,
    };
    if (!expiring) return answer;
    const refresh = `xoxe-1-${secret()}`;
    refreshes.set(refresh, { team, usedAt: null });
    return { ...answer, refresh_token: refresh, expires_in: oauth.lifetimeMs / 1_000 };
  }

  function redeem(code: string, redirectUri: string | null): Json {
    const known = codes.get(code);
    if (known === undefined || known.until < now()) return refused("invalid_code");
    codes.delete(code);
    if (known.redirectUri !== redirectUri) return refused("bad_redirect_uri");
    const { scopes } = known.team;
    scopes.clear();
    for (const scope of known.scope.split(",")) scopes.add(scope);
    for (const channel of known.team.workspace.channels.values())
      if (channel.kind === "direct") channel.botIsMember = true;
    return { ...issue(known.team), ...oauth.answerOverrides };
  }

  function renew(refresh: string): Json {
    const known = refreshes.get(refresh);
    if (known === undefined) return refused("invalid_refresh_token");
    if (known.usedAt !== null && now() - known.usedAt > REFRESH_GRACE_MS) return refused("invalid_refresh_token");
    known.usedAt ??= now();
    return { ...issue(known.team), ...oauth.answerOverrides };
  }

  const oauth: SlackOAuth = {
    clientId: "1234567890.9876543210",
    clientSecret: secret(),
    rotates: false,
    lifetimeMs: TOKEN_LIFETIME_MS,
    answerOverrides: {},
    grant(team, { redirectUri, scope }) {
      const code = `${secret()}.${secret()}`;
      codes.set(code, { team, redirectUri, scope, until: now() + CODE_LIFETIME_MS });
      return code;
    },
    access(args, authorization) {
      const [id, given] = credentialsOf(args, authorization);
      if (id !== oauth.clientId) return refused("invalid_client_id");
      if (given !== oauth.clientSecret) return refused("bad_client_secret");
      if (args.grant_type === "refresh_token") return renew(String(args.refresh_token));
      return redeem(String(args.code), typeof args.redirect_uri === "string" ? args.redirect_uri : null);
    },
    authenticate(token) {
      const known = tokens.get(token);
      if (known === undefined) return null;
      if (known.refused !== null) return { refused: known.refused };
      return known.until <= now() ? { refused: "token_expired" } : { team: known.team };
    },
    validTokens: (team) =>
      [...tokens].flatMap(([token, known]) =>
        known.team.workspace === team.workspace && known.refused === null && known.until > now() ? [token] : [],
      ),
    revoke(team, code = "account_inactive") {
      for (const known of tokens.values()) if (known.team.workspace === team.workspace) known.refused = code;
      for (const [refresh, known] of refreshes) if (known.team.workspace === team.workspace) refreshes.delete(refresh);
      // Slack removes the bot from all channels, and a new installation does not add it again.
      for (const channel of team.workspace.channels.values()) channel.botIsMember = false;
    },
  };
  return oauth;
}

const REVOKED = { refused: "token_revoked" };

function credentialsOf(args: Json, authorization: string): readonly unknown[] {
  const basic = /^Basic (.+)$/.exec(authorization)?.[1];
  if (basic === undefined) return [args.client_id, args.client_secret];
  return Buffer.from(basic, "base64").toString("utf8").split(":");
}

function refused(error: string): Json {
  return { ok: false, error };
}

function secret(): string {
  return randomBytes(16).toString("hex");
}
