import { type HttpAnswer, type HttpClient, HttpError, readRetryAfterMs } from "../../http/client.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { SourceError, type SourceFailure } from "../../ports/split-source.ts";
import type { ServiceAddress, ServiceRequest } from "./address.ts";

export interface FetchContext {
  readonly http: HttpClient;
  readonly address: ServiceAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** Further tries after the first. */
  readonly retries: number;
  readonly random: () => number;
}

export interface ConditionalRequest {
  readonly question: ServiceRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const WORTH_RETRYING: ReadonlySet<SourceFailure> = new Set([
  "unreachable",
  "timeout",
  "rate-limited",
  "server-error",
  "not-ready",
]);
const FIRST_BACK_OFF_MS = 1_000;
/** A longer wait that the service asks for is the caller's to keep: a poll does not sit it out. */
const LONGEST_WAIT_MS = 30_000;
/** A wrong header must not make us deaf for days. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * The answer where it may mean something: a status below 400, or a 4xx that is not about the key or the pace. Everything else
 * is a SourceError, thrown after the retries that it deserves.
 */
export async function fetchWithRetries(parts: FetchContext, asking: ConditionalRequest): Promise<HttpAnswer> {
  for (let tried = 0; ; tried++) {
    const answer = await fetchOnce(parts, asking);
    if (!(answer instanceof SourceError)) return answer;
    if (tried >= parts.retries || !isWorthRetrying(answer)) throw answer;
    await backOff(parts, asking, answer, tried);
  }
}

async function fetchOnce(
  { http, address, clock }: FetchContext,
  asking: ConditionalRequest,
): Promise<HttpAnswer | SourceError> {
  const { question, signal } = asking;
  try {
    const headers = { accept: "application/json", ...asking.headers };
    const answer = await http.request(address.urlOf(question), { headers, signal, redirect: "same-origin" });
    const kind = failureOf(answer);
    if (kind === null) return answer;
    const advice = kind === "not-allowed" ? "; expected the key to be accepted: check SPLITS_API_KEY" : "";
    return address.failure(
      kind,
      question,
      address.describe(answer) + advice,
      readRetryAfterMs(answer, clock.now(), LONGEST_RETRY_AFTER_MS),
    );
  } catch (error) {
    if (error instanceof HttpError) {
      return address.failure(error.failure === "too-large" ? "bad-answer" : error.failure, question, error.message);
    }
    throw error;
  }
}

function isWorthRetrying({ failure, retryAfterMs }: SourceError): boolean {
  return WORTH_RETRYING.has(failure) && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
}

/** What the service asked for and, so that many clients do not come back at once, a random part of 1 s, then of 2 s, … */
async function backOff(
  parts: FetchContext,
  asking: ConditionalRequest,
  error: SourceError,
  tried: number,
): Promise<void> {
  const { address, clock, log, random } = parts;
  const waitMs = (error.retryAfterMs ?? 0) + Math.floor(random() * FIRST_BACK_OFF_MS * 2 ** tried);
  log.info("data service retry", { failure: error.failure, reason: error.message, waitMs });
  await clock.sleep(waitMs, asking.signal);
  if (asking.signal.aborted) throw address.failure("aborted", asking.question, "the request was aborted");
}

function failureOf({ status, header }: HttpAnswer): SourceFailure | null {
  if (status === 401 || status === 403) return "not-allowed";
  if (status === 429) return "rate-limited";
  if (status === 503 && header("retry-after") !== null) return "not-ready";
  return status >= 500 ? "server-error" : null;
}
