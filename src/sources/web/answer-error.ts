import { HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { type HttpAnswer, readRetryAfterMs } from "../../http/client.ts";
import { FetchError, type FetchFailure } from "./fetch-error.ts";
import type { RequestKind } from "./host-backoff.ts";

const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;
/** Duration for which Amazon's firewall answers 202, with a challenge, after too many requests. */
const CHALLENGE_RETRY_AFTER_MS = 15 * MINUTE_MS;

/** Duration of EDGAR's block after too many requests. */
const BLOCK_RETRY_AFTER_MS = 10 * MINUTE_MS;

const REFUSED_STATUSES: ReadonlySet<number> = new Set([401, 403, 451]);
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);
const USABLE_STATUSES: ReadonlySet<number> = new Set([200, 203, 204, 304]);

/** Error that an answer represents; null if it is usable or a redirect. */
export function errorOf(
  answer: HttpAnswer,
  { name, kind, now }: { readonly name: string; readonly kind: RequestKind; readonly now: Instant },
): FetchError | null {
  const failure = failureOf(answer, kind);
  if (failure === null) return null;
  const requestedMs = readRetryAfterMs(answer, now, MAX_RETRY_AFTER_MS) ?? null;
  const retryAfterMs = requestedMs ?? defaultRetryAfterMs(answer, failure);
  const outcome =
    failure === "refused" && USABLE_STATUSES.has(answer.status) ? "a challenge page" : String(answer.status);
  return new FetchError(failure, `${name} answered ${outcome}`, { retryAfterMs });
}

function defaultRetryAfterMs(answer: HttpAnswer, failure: FetchFailure): number | null {
  if (answer.status === 202) return CHALLENGE_RETRY_AFTER_MS;
  return failure === "rate-limited" && isBlock(answer) ? BLOCK_RETRY_AFTER_MS : null;
}

function failureOf(answer: HttpAnswer, kind: RequestKind): FetchFailure | null {
  const { status } = answer;
  if (status === 202) return "refused";
  if (isRateLimit(answer)) return "rate-limited";
  if (status >= 500 && !isChallenge(answer)) return "server-error";
  // Any other 4xx means that the host has no robots rules (RFC 9309, 2.3.1.3).
  if (kind === "robots") return null;
  if (REFUSED_STATUSES.has(status) || isChallenge(answer)) return "refused";
  if (GONE_STATUSES.has(status)) return "gone";
  return USABLE_STATUSES.has(status) || (status >= 300 && status < 400) ? null : "unreadable";
}

/** Headers in which bot protection announces a challenge. */
export const CHALLENGE_HEADERS = ["cf-mitigated", "x-amzn-waf-action", "x-datadome"] as const;

const CHALLENGE_TITLES = [
  "just a moment",
  "access denied",
  "access to this page has been denied",
  "attention required!",
  "pardon our interruption",
  "request unsuccessful",
  "robot check",
  "human verification",
  "verify you are human",
  "security check",
] as const;

/** Start of a title. Whole words only: a release of Security Checkpoint Corp. is not a challenge. */
const CHALLENGE_TITLE = new RegExp(String.raw`^\s*(?:${CHALLENGE_TITLES.join("|")})(?!\w)`);
/** Searched for words. Patterns are matched only against parts of it. */
const MAX_SEARCHED_BYTES = 8_192;
/** In characters. */
const MAX_MATCHED_LENGTH = 400;
/** Start of a feed. A title in a feed is the heading of a release, not the title of a challenge page. */
const FEED_START = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:rdf)[\s>]/;

/** Texts of challenges and refusals that some hosts send with status 200. */
const CHALLENGE_WORDS = [
  "incapsula incident",
  "awswafintegration",
  "gokuprops",
  "_cf_chl_opt",
  "triggerinterstitialchallenge",
  "sec-if-cpt",
  "undeclared automated tool",
] as const;
/** Pages with content are longer. */
const MAX_CHALLENGE_BYTES = 16_384;
/** Imperva's script is a challenge only on a page without content: all pages that Imperva protects contain it. */
const IMPERVA_SCRIPT = "_incapsula_resource";
const MAX_SCRIPT_PAGE_BYTES = 4_096;
/** Title or heading of the page that Nasdaq sends, with status 200, for a page that is not available. */
const NOT_AVAILABLE = "page not available";
const HEADING_TAG = /<(?:title|h[1-3])\b[^>]{0,200}>\s*$/;

function isRateLimit(answer: HttpAnswer): boolean {
  return answer.status === 429 || isBlock(answer);
}

/** Whether the answer is EDGAR's notice, with status 403 or 200, of too many requests. */
function isBlock({ body }: HttpAnswer): boolean {
  return body.length <= MAX_CHALLENGE_BYTES && startOf(body).includes("request rate threshold exceeded");
}

/** Start of the body in lower case. */
function startOf(body: Buffer): string {
  return body.toString("latin1", 0, MAX_SEARCHED_BYTES).toLowerCase();
}

/** Whether the answer, of any status, is a bot challenge or Nasdaq's page for an unavailable page. Challenges are never solved. */
function isChallenge({ header, body }: HttpAnswer): boolean {
  const announcement = CHALLENGE_HEADERS.map((name) => header(name)?.toLowerCase() ?? "").join("\n");
  if (["challenge", "captcha", "block"].some((word) => announcement.includes(word))) return true;
  const start = startOf(body);
  if (FEED_START.test(start.slice(0, MAX_MATCHED_LENGTH))) return false;
  if (hasChallengeTitle(start) || isNotAvailable(start)) return true;
  if (body.length <= MAX_SCRIPT_PAGE_BYTES && start.includes(IMPERVA_SCRIPT)) return true;
  return body.length <= MAX_CHALLENGE_BYTES && CHALLENGE_WORDS.some((word) => start.includes(word));
}

function hasChallengeTitle(start: string): boolean {
  const titles = start.split("<title>").slice(1);
  return titles.some((title) => CHALLENGE_TITLE.test(title.slice(0, MAX_MATCHED_LENGTH)));
}

function isNotAvailable(start: string): boolean {
  const before = start.split(NOT_AVAILABLE).slice(0, -1);
  return before.some((text) => HEADING_TAG.test(text.slice(-MAX_MATCHED_LENGTH)));
}
