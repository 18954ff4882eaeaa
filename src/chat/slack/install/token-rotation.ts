import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isAppCredentialError, isFinalRenewalError } from "../alerts/delivery-errors.ts";
import { CallError, describeFailure } from "../web-api.ts";
import type { OAuthAccess } from "./oauth-access.ts";
import type { Entry, Registry } from "./registry.ts";
import type { Credentials, Rotation } from "./vault.ts";

/** The tokens of the workspaces, renewed before they end. */
export interface Tokens {
  /** The one to call with. Fails with a CallError that says why there is none now. */
  current(teamId: string): Promise<string>;
  /** Another one than that which Slack says has ended. Fails likewise. */
  renewExpired(teamId: string, ended: string): Promise<string>;
  /** What keeps all tokens from being renewed, for whoever runs splitwatch; null: nothing does. */
  problem(): string | null;
  /** Resolves when nothing is being renewed. */
  idle(): Promise<void>;
}

export interface TokensParts {
  readonly registry: Registry;
  readonly access: OAuthAccess;
  readonly clock: Clock;
  readonly log: Log;
}

/** While the token is good, and when it is over: then everything that is to be sent there asks. */
const EARLY_RETRY_MS = MINUTE_MS;
const EXPIRED_RETRY_MS = 5_000;

/**
 * Slack takes a refresh token again for a short while after it was used: an answer that was lost is asked for anew before
 * that is over. https://docs.slack.dev/authentication/using-token-rotation
 */
const LOST_ANSWER_RETRY_MS: readonly number[] = [200, 1_000];

/** Credentials that can be renewed. */
type Rotated = Credentials & { readonly rotation: Rotation };

export class RotatingTokens implements Tokens {
  readonly #parts: TokensParts;
  /** One at a time for each workspace: two would each make the other's tokens void. */
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #failures = new Map<string, { readonly at: Instant; readonly error: CallError }>();
  /** Refresh tokens that are of no use any more. */
  readonly #spent = new Set<string>();
  /** What Slack gave and could not be written down, by the refresh token that it was given for. */
  readonly #unsaved = new Map<string, Credentials>();
  #problem: string | null = null;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  async current(teamId: string): Promise<string> {
    const { credentials } = await this.#installed(teamId);
    if (!isRotated(credentials)) return credentials.botToken;
    const now = this.#parts.clock.now();
    if (now < credentials.rotation.renewAt) return credentials.botToken;
    const isOver = now >= credentials.rotation.endsAt;
    const failed = this.#failedWithin(isOver ? EXPIRED_RETRY_MS : EARLY_RETRY_MS, teamId);
    if (isOver) {
      if (failed !== null) throw failed;
      return this.#renewed(teamId, credentials);
    }
    // Nobody waits for the next one while this one is good.
    const isSpent = this.#spent.has(credentials.rotation.refreshToken);
    if (failed === null && !isSpent) void this.#renewed(teamId, credentials).catch(() => undefined);
    return credentials.botToken;
  }

  async renewExpired(teamId: string, ended: string): Promise<string> {
    const { credentials } = await this.#installed(teamId);
    if (credentials.botToken !== ended) return credentials.botToken;
    if (!isRotated(credentials)) throw refused("token_expired");
    return this.#renewed(teamId, credentials);
  }

  problem(): string | null {
    return this.#problem;
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  async #installed(teamId: string): Promise<Extract<Entry, { kind: "installed" }>> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind !== "installed") throw refused("token_revoked");
    return entry;
  }

  #failedWithin(ms: number, teamId: string): CallError | null {
    const failure = this.#failures.get(teamId);
    return failure === undefined || this.#parts.clock.now() - failure.at >= ms ? null : failure.error;
  }

  #renewed(teamId: string, credentials: Rotated): Promise<string> {
    const underWay = this.#underWay.get(teamId);
    if (underWay !== undefined) return underWay;
    const renewing = this.#renew(teamId, credentials)
      .catch((error: unknown) => {
        const failed = this.#failed(teamId, credentials, asCallError(error));
        this.#failures.set(teamId, { at: this.#parts.clock.now(), error: failed });
        throw failed;
      })
      .finally(() => this.#underWay.delete(teamId));
    this.#underWay.set(teamId, renewing);
    return renewing;
  }

  async #renew(teamId: string, credentials: Rotated): Promise<string> {
    const { registry, log } = this.#parts;
    const { refreshToken } = credentials.rotation;
    if (this.#spent.has(refreshToken)) throw refused("token_expired");
    const next = this.#unsaved.get(refreshToken) ?? (await this.#ask(teamId, credentials));
    this.#unsaved.set(refreshToken, next);
    // Where it was installed anew meanwhile, that stands: what was just given belongs to what is gone.
    const entry = await registry.renew(teamId, refreshToken, next);
    this.#unsaved.delete(refreshToken);
    if (entry.kind !== "installed") throw refused("token_revoked");
    this.#failures.delete(teamId);
    this.#problem = null;
    log.info("slack token rotated", { workspace: teamId });
    return entry.credentials.botToken;
  }

  async #ask(teamId: string, credentials: Rotated, waitsMs = LOST_ANSWER_RETRY_MS): Promise<Credentials> {
    const { access, clock } = this.#parts;
    try {
      const { botToken, rotation, team } = await access.renew(credentials.rotation.refreshToken);
      if (botToken === null || rotation === null || (team !== null && team.id !== teamId)) throw senseless();
      return { ...credentials, botToken, rotation };
    } catch (error) {
      const [waitMs, ...later] = waitsMs;
      if (waitMs === undefined || asCallError(error).failure.kind !== "unknown") throw error;
      await clock.sleep(waitMs);
      return this.#ask(teamId, credentials, later);
    }
  }

  /** What that means for a call: none was made, so it can be made later. */
  #failed(teamId: string, { rotation }: Rotated, error: CallError): CallError {
    const { log } = this.#parts;
    const why = describeFailure(error.failure);
    if (isFinalRenewalError(error)) {
      if (!this.#spent.has(rotation.refreshToken))
        log.error("slack token rotation failed", {
          workspace: teamId,
          reason: why,
          action: "install splitwatch there again",
        });
      this.#spent.add(rotation.refreshToken);
      return refused("token_expired");
    }
    if (isAppCredentialError(error)) {
      this.#problem = `Slack renews no workspace's token (${why}): look at SLACK_CLIENT_ID and SLACK_CLIENT_SECRET`;
      log.error("slack token rotation failed", { workspace: teamId, reason: this.#problem });
    } else log.warn("slack token rotation failed", { workspace: teamId, reason: why });
    return new CallError("oauth.v2.access", { kind: "unreached", detail: `its token is not renewed: ${why}` }, error);
  }
}

function isRotated(credentials: Credentials): credentials is Rotated {
  return credentials.rotation !== null;
}

/** What would take the place of a token that is good has to be one: for the bot, of the same workspace, to be renewed again. */
function senseless(): CallError {
  return new CallError("oauth.v2.access", { kind: "unknown", detail: "the answer holds no token in its place" }, null);
}

function refused(code: string): CallError {
  return new CallError("oauth.v2.access", { kind: "refused", code, needed: null }, null);
}
