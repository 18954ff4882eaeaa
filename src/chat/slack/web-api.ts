import { LogLevel, webApi } from "@slack/bolt";
import type { z } from "zod";
import type { Log } from "../../ports/log.ts";

/** Slack's Web API under one token. */
export interface WebApi {
  /** One try. Gives the answer in the shape asked for; throws a CallError and nothing else. */
  call<T>(method: string, args: Readonly<Record<string, unknown>>, shape: z.ZodType<T>): Promise<T>;
}

/** Why a call came to nothing, as far as it decides what is done next. */
export type CallFailure =
  /** Slack answered that it did nothing. `needed`: the scope that is missing. */
  | { readonly kind: "refused"; readonly code: string; readonly needed: string | null }
  | { readonly kind: "rate-limited"; readonly retryAfterMs: number }
  /** It did not get there. */
  | { readonly kind: "unreached"; readonly detail: string }
  /** Nobody knows whether Slack did it. */
  | { readonly kind: "unknown"; readonly detail: string };

export class CallError extends Error {
  override readonly name = "CallError";
  readonly failure: CallFailure;

  constructor(method: string, failure: CallFailure, cause: unknown) {
    super(`${method}: ${describeFailure(failure)}`, { cause });
    this.failure = failure;
  }
}

/** Real milliseconds: a network does not wait for anybody's clock. */
const TIMEOUT_MS = 10_000;

/** Where Slack refuses without saying how long. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

const DEFAULT_API_URL = "https://slack.com/api/";

/** The settings of every client: no retries of its own, which would post twice, and no waiting for a rate limit. */
export function clientOptions(apiUrl: string | null, log: Log): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl ?? DEFAULT_API_URL,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    fetch: timedFetch,
    logger: boltLogger(log),
  };
}

/** `token`: undefined for what an app asks by its own name. */
export function createWebApi(token: string | undefined, apiUrl: string | null, log: Log): WebApi {
  const client = new webApi.WebClient(token, clientOptions(apiUrl, log));
  return {
    async call(method, args, shape) {
      try {
        return shape.parse(await client.apiCall(method, args));
      } catch (error) {
        throw new CallError(method, toCallFailure(error), error);
      }
    },
  };
}

/** Answers to buttons go through it too, and those have no limit of time by themselves. */
const timedFetch: webApi.FetchFunction = async (url, init = {}) => {
  const response = await fetch(url, { ...init, signal: init.signal ?? AbortSignal.timeout(TIMEOUT_MS) });
  const waits = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  if (response.status !== 429 || !Number.isNaN(waits)) return response;
  // The client has no word of its own for a limit without a time.
  return new Response(null, { status: 429, headers: { "retry-after": String(DEFAULT_RETRY_AFTER_MS / 1_000) } });
};

const silent = (): void => undefined;

/** What Bolt and its clients say is for whoever looks closely: what matters is logged where it is decided upon. */
export function boltLogger(log: Log): webApi.WebClientOptions["logger"] & object {
  const said = (...parts: unknown[]): void => log.debug("slack client", { said: parts.map(String).join(" ") });
  return {
    debug: silent,
    info: silent,
    warn: said,
    error: said,
    setLevel: silent,
    getLevel: () => LogLevel.WARN,
    setName: silent,
  };
}

/** These come before a request is on its way. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** With these, Slack says that it broke, not that it did nothing. */
const SERVER_FAILURES = new Set(["fatal_error", "internal_error", "service_unavailable", "request_timeout"]);
const RATE_LIMITED = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return { kind: "rate-limited", retryAfterMs: error.retryAfter * 1_000 };
  }
  if (error instanceof webApi.WebAPIPlatformError) return refusalOf(error.data);
  if (error instanceof webApi.WebAPIHTTPError) return statusFailure(error.statusCode);
  const code = codeOf(error);
  if (NOT_CONNECTED.has(code)) return { kind: "unreached", detail: `no connection (${code})` };
  return { kind: "unknown", detail: code === "TimeoutError" ? "no answer in time" : `the answer was lost (${code})` };
}

function refusalOf(data: webApi.WebAPIPlatformError["data"]): CallFailure {
  const code = data.error;
  // A page of a proxy instead of an answer comes as the "code" as well.
  if (!/^\w{1,80}$/.test(code)) return { kind: "unknown", detail: "the answer was not Slack's" };
  if (SERVER_FAILURES.has(code)) return { kind: "unknown", detail: `Slack answered ${code}` };
  if (RATE_LIMITED.has(code)) {
    const seconds = data.response_metadata?.retryAfter;
    return { kind: "rate-limited", retryAfterMs: seconds === undefined ? DEFAULT_RETRY_AFTER_MS : seconds * 1_000 };
  }
  const needed = "needed" in data && typeof data.needed === "string" ? data.needed : null;
  return { kind: "refused", code, needed };
}

function statusFailure(status: number): CallFailure {
  if (status >= 500 || status === 408) return { kind: "unknown", detail: `Slack answered with status ${status}` };
  return { kind: "unreached", detail: `status ${status} instead of an answer of Slack` };
}

/** The code of the innermost error that has one: fetch wraps those of the connection. */
function codeOf(error: unknown): string {
  let name = "unknown";
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if (inner.name === "TimeoutError") return inner.name;
    if ("code" in inner && typeof inner.code === "string" && !inner.code.startsWith("slack_")) name = inner.code;
    else if (name === "unknown" && inner.name !== "TypeError") name = inner.name;
    if (inner instanceof AggregateError) return codeOf(inner.errors[0]);
  }
  return name;
}

export function describeFailure(failure: CallFailure): string {
  switch (failure.kind) {
    case "refused":
      return failure.needed === null ? failure.code : `${failure.code} (${failure.needed})`;
    case "rate-limited":
      return "Slack asks to wait";
    case "unreached":
    case "unknown":
      return failure.detail;
  }
}

/** Slack's own word for why it did nothing; empty where it gave none. */
export function refusalCode(error: unknown): string {
  return error instanceof CallError && error.failure.kind === "refused" ? error.failure.code : "";
}
