import { LogLevel, webApi } from "@slack/bolt";
import type { z } from "zod";
import { createHttpClient, HttpError } from "../../http/client.ts";
import { MAX_RETRY_AFTER_MS } from "../../ports/chat-platform.ts";
import type { Log } from "../../ports/log.ts";
import { WITHHELD } from "../withheld.ts";

/** Slack's Web API with one token. */
export interface WebApi {
  /** Makes one attempt and parses the answer by `schema`. Throws only CallErrors. */
  call<T>(method: string, args: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<T>;
}

/** Failure of a call, classified by the reaction it requires. */
export type CallFailure =
  /** Slack rejected the call and did nothing. `needed`: the missing scope. */
  | { readonly kind: "refused"; readonly code: string; readonly needed: string | null }
  | { readonly kind: "rate-limited"; readonly retryAfterMs: number }
  /** Something else than Slack's API answered, such as a proxy. The request did not reach Slack. */
  | { readonly kind: "intercepted"; readonly status: number }
  /** The request did not reach Slack. */
  | { readonly kind: "unreachable"; readonly detail: string }
  /** The request was not sent, because `mayPost` returned false. */
  | { readonly kind: "withheld" }
  /** Slack may have processed the request. `isTimeout`: it may still process it. */
  | { readonly kind: "unknown"; readonly detail: string; readonly isTimeout?: boolean };

export class CallError extends Error {
  override readonly name = "CallError";
  readonly failure: CallFailure;

  constructor(method: string, failure: CallFailure, cause: unknown) {
    super(`${method}: ${describeFailure(failure)}`, { cause });
    this.failure = failure;
  }
}

/** From the call to the end of the answer. Measured in real time, independent of the injected clock. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Delay after a rate limit without a `Retry-After` header. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

const DEFAULT_API_URL = "https://slack.com/api/";

/**
 * Options of every Slack client. They turn off the client's retries, which could post twice, and its queue, in which one
 * rate-limited channel would delay all calls.
 */
export function clientOptions(apiUrl: string | null, log: Log, mayPost: MayPost = () => true): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl ?? DEFAULT_API_URL,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createFetch(mayPost),
    logger: boltLogger(log),
  };
}

/** Whether messages may still be posted. Checked immediately before the bytes of a message are written. */
export type MayPost = () => boolean;

export interface WebApiOptions {
  readonly apiUrl: string | null;
  readonly log: Log;
  readonly mayPost?: MayPost;
}

/** `token`: undefined for methods that authenticate with the client id and secret. */
export function createWebApi(token: string | undefined, { apiUrl, log, mayPost }: WebApiOptions): WebApi {
  const client = new webApi.WebClient(token, clientOptions(apiUrl, log, mayPost));
  return {
    async call(method, args, schema) {
      try {
        return schema.parse(await client.apiCall(method, args));
      } catch (error) {
        throw new CallError(method, toCallFailure(error), error);
      }
    },
  };
}

/** Practically unlimited: the rate limits already restrict how many messages each workspace sends at a time. */
const MAX_CONNECTIONS = 10_000;

/** A page of history has at most 200 messages, each of at most 40,000 characters and its blocks. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** HTTP client for every request to Slack: Web API calls, response URLs and file uploads. */
export const slackHttp = createHttpClient("splitwatch", {
  maxConnections: MAX_CONNECTIONS,
  totalTimeoutMs: REQUEST_TIMEOUT_MS,
  maxBodyBytes: MAX_ANSWER_BYTES,
});

const POSTING_METHOD = "/chat.postMessage";

function createFetch(mayPost: MayPost): webApi.FetchFunction {
  return async (address, init = {}) => {
    const url = new URL(address);
    // No call has binary arguments, which the client would send as a form.
    if (typeof init.body !== "string") throw new TypeError("expected a text body");
    const response = await slackHttp.fetch(url, {
      method: "POST",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body,
      ...(url.pathname.endsWith(POSTING_METHOD) && { mayWrite: mayPost }),
    });
    const retryAfter = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    if (response.status !== 429 || !Number.isNaN(retryAfter)) return response;
    // The client cannot handle a 429 without this header.
    return new Response(null, { status: 429, headers: { "retry-after": String(DEFAULT_RETRY_AFTER_MS / 1_000) } });
  };
}

const ignore = (): void => undefined;

/** Writes warnings and errors of Bolt and its clients at debug level: the code that handles an error logs it. */
export function boltLogger(log: Log): webApi.WebClientOptions["logger"] & object {
  const debug = (...parts: unknown[]): void => log.debug("slack client", { text: parts.map(String).join(" ") });
  return {
    debug: ignore,
    info: ignore,
    warn: debug,
    error: debug,
    setLevel: ignore,
    getLevel: () => LogLevel.WARN,
    setName: ignore,
  };
}

/** Codes with which opening a WebSocket fails. */
const CONNECT_ERRORS = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes of an internal failure of Slack, which may have processed the request. */
const SERVER_FAILURE_CODES = new Set(["fatal_error", "internal_error", "service_unavailable", "request_timeout"]);
const RATE_LIMIT_CODES = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return toRateLimit(error.retryAfter);
  }
  if (error instanceof webApi.WebAPIPlatformError) return toRefusal(error.data);
  if (error instanceof webApi.WebAPIHTTPError) return toStatusFailure(error.statusCode);
  if (error instanceof webApi.WebAPIRequestError && error.original instanceof HttpError)
    return toRequestFailure(error.original);
  const code = rootCauseCode(error);
  return CONNECT_ERRORS.has(code)
    ? { kind: "unreachable", detail: `no connection (${code})` }
    : { kind: "unknown", detail: `connection lost (${code})` };
}

function toRateLimit(seconds: unknown): CallFailure {
  const requestedMs = typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : DEFAULT_RETRY_AFTER_MS;
  return { kind: "rate-limited", retryAfterMs: Math.min(requestedMs, MAX_RETRY_AFTER_MS) };
}

function toRequestFailure({ failure, message, wasWritten }: HttpError): CallFailure {
  const isTimeout = failure === "timeout";
  if (wasWritten) return { kind: "unknown", detail: isTimeout ? "the request timed out" : message, isTimeout };
  // No other request has a signal, so only `mayPost` aborts.
  return failure === "aborted" ? { kind: "withheld" } : { kind: "unreachable", detail: message };
}

function toRefusal(data: webApi.WebAPIPlatformError["data"]): CallFailure {
  const code = data.error;
  // The client also reports the text of a proxy's error page as an error code.
  if (!/^\w{1,80}$/.test(code)) return { kind: "unknown", detail: "the answer is not from Slack" };
  if (SERVER_FAILURE_CODES.has(code)) return { kind: "unknown", detail: `Slack answered ${code}` };
  if (RATE_LIMIT_CODES.has(code)) return toRateLimit(data.response_metadata?.retryAfter);
  const needed = "needed" in data && typeof data.needed === "string" ? data.needed : null;
  return { kind: "refused", code, needed };
}

function toStatusFailure(status: number): CallFailure {
  if (status >= 500 || status === 408)
    return {
      kind: "unknown",
      detail: `Slack answered with status ${status}`,
      isTimeout: status === 408 || status === 504,
    };
  return { kind: "intercepted", status };
}

/** Returns the code of the innermost error that has one: the clients wrap errors in other errors. */
function rootCauseCode(error: unknown): string {
  let code = "unknown";
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if ("code" in inner && typeof inner.code === "string" && !inner.code.startsWith("slack_")) code = inner.code;
    else if (code === "unknown" && inner.name !== "TypeError") code = inner.name;
    if (inner instanceof AggregateError) return rootCauseCode(inner.errors[0]);
  }
  return code;
}

export function describeFailure(failure: CallFailure): string {
  switch (failure.kind) {
    case "refused":
      return failure.needed === null ? failure.code : `${failure.code} (${failure.needed})`;
    case "rate-limited":
      return "rate limited by Slack";
    case "withheld":
      return WITHHELD;
    case "intercepted":
      return `status ${failure.status} from something other than Slack's API`;
    case "unreachable":
    case "unknown":
      return failure.detail;
  }
}

/** Slack's error code of a refused call; "" for any other error. */
export function refusalCode(error: unknown): string {
  return error instanceof CallError && error.failure.kind === "refused" ? error.failure.code : "";
}
