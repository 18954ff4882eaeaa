import { randomBytes } from "node:crypto";
import type { SlackTeam } from "./team.ts";
import type { Json } from "./workspace.ts";

/** Slack's tokens last twelve hours where they are rotated. */
export const TOKEN_LIFETIME_MS = 12 * 60 * 60_000;

/** How long a refresh token that was used is still good: Slack calls it a short grace period. */
export const GRACE_MS = 60_000;

const MOST_LIVE_TOKENS = 2;

const CODE_LIFETIME_MS = 10 * 60_000;

/** The app's way into workspaces. */
export interface SlackOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Tokens expire and come with a refresh token. */
  rotates: boolean;
  /** For how long each of them is good then. */
  lifetimeMs: number;
  /** What an installation or a renewal answers differently: an org-wide install, say. */
  answersBesides: Json;
  /** Somebody in the workspace allows the app what it asks for: the code that Slack sends back with them. */
  grant(team: SlackTeam, asked: { readonly redirectUri: string | null; readonly scope: string }): string;
  /** `oauth.v2.access` */
  access(args: Json, authorization: string): Json;
  /** Whose token it is, or the code by which it is refused; null: it is none of these. */
  check(token: string): { readonly team: SlackTeam } | { readonly refused: string } | null;
  /** The tokens that are good now. */
  live(team: SlackTeam): readonly string[];
  /** From then on calls with a token of the workspace are refused by that code. */
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
    for (const old of oauth.live(team).slice(0, -MOST_LIVE_TOKENS)) Object.assign(tokens.get(old) ?? {}, REVOKED);
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
    return { ...issue(known.team), ...oauth.answersBesides };
  }

  function renew(refresh: string): Json {
    const known = refreshes.get(refresh);
    if (known === undefined) return refused("invalid_refresh_token");
    if (known.usedAt !== null && now() - known.usedAt > GRACE_MS) return refused("invalid_refresh_token");
    known.usedAt ??= now();
    return { ...issue(known.team), ...oauth.answersBesides };
  }

  const oauth: SlackOAuth = {
    clientId: "1234567890.9876543210",
    clientSecret: secret(),
    rotates: false,
    lifetimeMs: TOKEN_LIFETIME_MS,
    answersBesides: {},
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
    check(token) {
      const known = tokens.get(token);
      if (known === undefined) return null;
      if (known.refused !== null) return { refused: known.refused };
      return known.until <= now() ? { refused: "token_expired" } : { team: known.team };
    },
    live: (team) =>
      [...tokens].flatMap(([token, known]) =>
        known.team.workspace === team.workspace && known.refused === null && known.until > now() ? [token] : [],
      ),
    revoke(team, code = "account_inactive") {
      for (const known of tokens.values()) if (known.team.workspace === team.workspace) known.refused = code;
      for (const [refresh, known] of refreshes) if (known.team.workspace === team.workspace) refreshes.delete(refresh);
      // The bot is gone from every channel, and nobody puts it back when it is installed again.
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
