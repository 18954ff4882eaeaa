import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Installations } from "../../../ports/store.ts";

/** How long somebody may take from the button to Slack's question answered. */
export const STATE_LIFETIME_MS = 10 * MINUTE_MS;

/** What goes to Slack and comes back: it shows that the same browser began here, not long ago, and once. */
export interface InstallState {
  /** For a browser that holds `browser` as its cookie. */
  issue(browser: string): string;
  /** Uses it up. False: it is none of ours, another browser's, too old, or was used. */
  redeem(state: string, browser: string): Promise<boolean>;
}

export interface InstallStateParts {
  readonly secret: string;
  readonly used: Pick<Installations, "consumeToken">;
  readonly clock: Clock;
}

export function newBrowser(): string {
  return randomBytes(18).toString("base64url");
}

/** `<end>.<random>.<HMAC of both and the browser under the secret>`: it holds over a restart and is written down when used. */
export function createInstallState({ secret, used, clock }: InstallStateParts): InstallState {
  function written(end: string, random: string, browser: string): string {
    const signed = createHmac("sha256", secret).update(`splitwatch slack install ${end} ${random} ${browser}`);
    return `${end}.${random}.${signed.digest("base64url")}`;
  }

  return {
    issue(browser) {
      const end = (clock.now() + STATE_LIFETIME_MS).toString(36);
      const random = randomBytes(18).toString("base64url");
      return written(end, random, browser);
    },
    async redeem(state, browser) {
      const [end = "", random = ""] = state.split(".");
      if (browser === "" || !sameText(state, written(end, random, browser))) return false;
      const now = clock.now();
      const until: Instant = Number.parseInt(end, 36);
      if (until <= now || until > now + STATE_LIFETIME_MS) return false;
      return used.consumeToken(`slack-state.${random}`, now, until);
    },
  };
}

/** Takes as long whatever differs: both sides are hashed to one length first. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
