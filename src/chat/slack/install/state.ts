import { createHmac, randomBytes } from "node:crypto";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import { isSameSecret } from "../../../lib/secrets.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { UsedTokens } from "../../../ports/store.ts";

/** Time limit from opening the install page to returning from Slack. */
export const STATE_LIFETIME_MS = 10 * MINUTE_MS;

/** OAuth state: proves that this browser started the installation less than STATE_LIFETIME_MS ago, and is valid only once. */
export interface InstallState {
  /** `browser`: the value of the browser's cookie. */
  issue(browser: string): string;
  /** Marks the state as used. Returns false if it is invalid, expired, already used or issued to another browser. */
  redeem(state: string, browser: string): Promise<boolean>;
}

export interface InstallStateParts {
  readonly secret: string;
  readonly tokens: UsedTokens;
  readonly clock: Clock;
}

export function randomToken(): string {
  return randomBytes(18).toString("base64url");
}

/** Format: `<expiry>.<random>.<HMAC of both and of the browser>`. A state stays valid after a restart; used states are stored. */
export function createInstallState({ secret, tokens, clock }: InstallStateParts): InstallState {
  function sign(expiry: string, random: string, browser: string): string {
    const signature = createHmac("sha256", secret).update(`splitwatch slack install ${expiry} ${random} ${browser}`);
    return `${expiry}.${random}.${signature.digest("base64url")}`;
  }

  return {
    issue: (browser) => sign((clock.now() + STATE_LIFETIME_MS).toString(36), randomToken(), browser),
    async redeem(state, browser) {
      const [expiry = "", random = ""] = state.split(".");
      if (browser === "" || !isSameSecret(state, sign(expiry, random, browser))) return false;
      const now = clock.now();
      const expiresAt: Instant = Number.parseInt(expiry, 36);
      if (expiresAt <= now || expiresAt > now + STATE_LIFETIME_MS) return false;
      return tokens.consume(`slack-state.${random}`, now, expiresAt);
    },
  };
}
