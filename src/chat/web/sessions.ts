import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";

export type Verdict = "right" | "wrong" | "too-many-guesses";

/** Who may see the page where ADMIN_TOKEN guards it. */
export interface Sessions {
  /** Whether this is the token. */
  checkToken(token: string): Verdict;
  checkCookie(value: string): "right" | "wrong";
  /** The value of a new session's cookie: it cannot be turned back into the token. */
  issueCookie(): string;
}

export const SESSION_MS = 30 * DAY_MS;

/** So many wrong guesses may come at once; after that, one in `GUESS_EVERY_MS`, whoever makes it. */
const GUESSES_AT_ONCE = 20;
const GUESS_EVERY_MS = 1_000;

/**
 * A cookie is `<end of the session>.<random>.<HMAC of both under the token>`: it holds over a restart and in every process
 * that has the token, and another token ends it.
 */
export function createSessions(adminToken: string, clock: Clock): Sessions {
  const brake = createGuessBrake(clock);

  function sign(text: string): string {
    return createHmac("sha256", adminToken).update(`splitwatch session ${text}`).digest("base64url");
  }

  return {
    checkToken(token) {
      if (!brake.mayGuess()) return "too-many-guesses";
      if (sameText(token, adminToken)) return "right";
      brake.wrongGuess();
      return "wrong";
    },
    // Without the brake: nobody guesses an HMAC, and an outdated cookie must hold up neither its owner nor others.
    checkCookie(value) {
      const [end = "", random = "", signature = ""] = value.split(".");
      if (!(Number.parseInt(end, 36) > clock.now())) return "wrong";
      return sameText(signature, sign(`${end}.${random}`)) ? "right" : "wrong";
    },
    issueCookie() {
      const start = `${(clock.now() + SESSION_MS).toString(36)}.${randomBytes(12).toString("base64url")}`;
      return `${start}.${sign(start)}`;
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

/** A bucket of guesses that fills up again with time. */
function createGuessBrake(clock: Clock): { mayGuess(): boolean; wrongGuess(): void } {
  let left = GUESSES_AT_ONCE;
  let countedAt: Instant = clock.now();

  function refill(): void {
    left = Math.min(GUESSES_AT_ONCE, left + (clock.now() - countedAt) / GUESS_EVERY_MS);
    countedAt = clock.now();
  }

  return {
    mayGuess() {
      refill();
      return left >= 1;
    },
    wrongGuess() {
      left -= 1;
    },
  };
}
