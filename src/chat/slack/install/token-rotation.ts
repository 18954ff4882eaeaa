import { MINUTE_MS } from "../../../domain/time/day.ts";
import { backoffMs } from "../../../lib/backoff.ts";
import { type RunAsJobParts, runAsJob } from "../../../lib/jobs.ts";
import type { MonotonicTime } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isAppCredentialError, isFinalRenewalError } from "../alerts/delivery-errors.ts";
import { CallError, describeFailure } from "../web-api.ts";
import type { OAuthAccess } from "./oauth-access.ts";
import type { Credentials, Registry, Rotation, WorkspaceEntry } from "./registry.ts";

/** Bot tokens of the workspaces, renewed before they expire. */
export interface Tokens {
  /** Returns the current token. Rejects with a CallError if there is none. */
  current(teamId: string): Promise<string>;
  /** Replaces a token that Slack reports as expired. Rejects with a CallError. */
  renewExpired(teamId: string, expiredToken: string): Promise<string>;
  /** Problem that prevents all renewals, to report to the operator, or null. */
  problem(): string | null;
  /** Resolves when no renewal is running. */
  idle(): Promise<void>;
}

export interface TokensParts extends RunAsJobParts {
  readonly registry: Registry;
  readonly access: OAuthAccess;
  readonly log: Log;
}

/** Delay after a failed renewal while the token is still valid. */
const EARLY_RETRY_MS = MINUTE_MS;
/** Delay after a failed renewal when the token has expired. */
const EXPIRED_RETRY_MS = 5_000;

/**
 * Attempts to renew a token if Slack's answer is lost: Slack accepts a used refresh token for a short grace period.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
const MAX_ATTEMPTS = 3;
const LOST_ANSWER_RETRY = { firstMs: 400, maxMs: 1_000 };

/** Credentials with token rotation. */
type RotatedCredentials = Credentials & { readonly rotation: Rotation };

export class RotatingTokens implements Tokens {
  readonly #parts: TokensParts;
  /** Renewals of this process that are in progress, by workspace. */
  readonly #renewals = new Map<string, Promise<string>>();
  readonly #failures = new Map<string, { readonly at: MonotonicTime; readonly error: CallError }>();
  readonly #invalidRefreshTokens = new Set<string>();
  /** Renewed credentials that could not be stored, by the refresh token they were issued for. */
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
    const isExpired = now >= credentials.rotation.endsAt;
    const failure = this.#failureWithin(isExpired ? EXPIRED_RETRY_MS : EARLY_RETRY_MS, teamId);
    if (isExpired) {
      if (failure !== null) throw failure;
      return this.#renewOnce(teamId, credentials);
    }
    // Renews in the background while the token is valid.
    const isInvalid = this.#invalidRefreshTokens.has(credentials.rotation.refreshToken);
    if (failure === null && !isInvalid) void this.#renewOnce(teamId, credentials).catch(() => undefined);
    return credentials.botToken;
  }

  async renewExpired(teamId: string, expiredToken: string): Promise<string> {
    const { credentials } = await this.#installed(teamId);
    if (credentials.botToken !== expiredToken) return credentials.botToken;
    if (!isRotated(credentials)) throw refusal("token_expired");
    return this.#renewOnce(teamId, credentials);
  }

  problem(): string | null {
    return this.#problem;
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#renewals.values());
  }

  async #installed(teamId: string): Promise<Extract<WorkspaceEntry, { kind: "installed" }>> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind !== "installed") throw refusal("token_revoked");
    return entry;
  }

  #failureWithin(delayMs: number, teamId: string): CallError | null {
    const failure = this.#failures.get(teamId);
    return failure === undefined || this.#parts.clock.monotonic() - failure.at >= delayMs ? null : failure.error;
  }

  #renewOnce(teamId: string, credentials: RotatedCredentials): Promise<string> {
    const running = this.#renewals.get(teamId);
    if (running !== undefined) return running;
    // A second renewal at the same time, by another process too, would invalidate the tokens of the first.
    const renewal = runAsJob(this.#parts, `slack token ${teamId}`, () => this.#renew(teamId, credentials))
      .catch((error: unknown) => {
        const failure = this.#handleFailure(teamId, credentials, asCallError(error));
        this.#failures.set(teamId, { at: this.#parts.clock.monotonic(), error: failure });
        throw failure;
      })
      .finally(() => this.#renewals.delete(teamId));
    this.#renewals.set(teamId, renewal);
    return renewal;
  }

  async #renew(teamId: string, credentials: RotatedCredentials): Promise<string> {
    const { registry, log } = this.#parts;
    const { refreshToken } = credentials.rotation;
    const stored = (await this.#installed(teamId)).credentials;
    // Another process has renewed the token, or the app was installed again.
    if (stored.rotation?.refreshToken !== refreshToken) return stored.botToken;
    if (this.#invalidRefreshTokens.has(refreshToken)) throw refusal("token_expired");
    const next = this.#unsaved.get(refreshToken) ?? (await this.#requestTokens(teamId, credentials));
    this.#unsaved.set(refreshToken, next);
    // If the app was installed again during the renewal, the newer credentials are kept.
    const entry = await registry.renew(teamId, refreshToken, next);
    this.#unsaved.delete(refreshToken);
    if (entry.kind !== "installed") throw refusal("token_revoked");
    this.#failures.delete(teamId);
    this.#problem = null;
    log.info("slack token rotated", { workspace: teamId });
    return entry.credentials.botToken;
  }

  async #requestTokens(teamId: string, credentials: RotatedCredentials, attempt = 1): Promise<Credentials> {
    const { access, clock } = this.#parts;
    try {
      const { botToken, rotation, team } = await access.renew(credentials.rotation.refreshToken);
      if (botToken === null || rotation === null || (team !== null && team.id !== teamId)) throw unusableAnswer();
      return { ...credentials, botToken, rotation };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || asCallError(error).failure.kind !== "unknown") throw error;
      await clock.sleep(backoffMs(attempt, LOST_ANSWER_RETRY));
      return this.#requestTokens(teamId, credentials, attempt + 1);
    }
  }

  /** Returns the error for the calls that needed the token. They can be retried, unless the app must be installed again. */
  #handleFailure(teamId: string, { rotation }: RotatedCredentials, error: CallError): CallError {
    const { log } = this.#parts;
    const reason = describeFailure(error.failure);
    if (isFinalRenewalError(error)) {
      if (!this.#invalidRefreshTokens.has(rotation.refreshToken)) {
        const action = "install splitwatch there again";
        log.error("slack token rotation failed", { workspace: teamId, reason, action });
      }
      this.#invalidRefreshTokens.add(rotation.refreshToken);
      return refusal("token_expired");
    }
    if (isAppCredentialError(error)) {
      this.#problem = `Slack rejects all token renewals (${reason}): check SLACK_CLIENT_ID and SLACK_CLIENT_SECRET`;
      log.error("slack token rotation failed", { workspace: teamId, reason: this.#problem });
    } else log.warn("slack token rotation failed", { workspace: teamId, reason });
    const detail = `the token could not be renewed: ${reason}`;
    return new CallError("oauth.v2.access", { kind: "unreachable", detail }, error);
  }
}

function isRotated(credentials: Credentials): credentials is RotatedCredentials {
  return credentials.rotation !== null;
}

/** A renewal must return a bot token of the same workspace and the next refresh token. */
function unusableAnswer(): CallError {
  const detail = "the answer contains no usable bot token";
  return new CallError("oauth.v2.access", { kind: "unknown", detail }, null);
}

function refusal(code: string): CallError {
  return new CallError("oauth.v2.access", { kind: "refused", code, needed: null }, null);
}
