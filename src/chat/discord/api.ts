import {
  DiscordAPIError,
  RateLimitError,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  type ResponseLike,
  type RouteLike,
} from "discord.js";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { createHttpClient, type HttpRequest } from "../../http/client.ts";
import { createJumpDetector, systemClock } from "../../lib/clock.ts";
import { LimitBlockedError } from "../../lib/limit-blocked.ts";
import { createRequestWindow, type RequestWindow } from "../../lib/rate-limiter.ts";
import { createSharedSlots } from "../../lib/shared-slots.ts";
import { DeliveryError, MAX_RETRY_AFTER_MS } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { RateSlots } from "../../ports/rate-slots.ts";
import type { Rejection, TokenState } from "../token-state.ts";
import { isTokenRejection, requestsPausedError, TOKEN_REJECTED, tokenRejectedError } from "./delivery-errors.ts";
import { SHARED_LIMIT, TOKEN_WINDOW } from "./destinations.ts";

/** From the call to the end of the answer. Measured in real time, independent of the injected clock. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Practically unlimited: the request window already limits the requests in progress. */
const MAX_CONNECTIONS = 10_000;

/** A page of history has at most 100 messages, each with up to ten embeds of 6,000 characters in total. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const discordHttp = createHttpClient("splitwatch", {
  maxConnections: MAX_CONNECTIONS,
  totalTimeoutMs: REQUEST_TIMEOUT_MS,
  maxBodyBytes: MAX_ANSWER_BYTES,
});

/** Invalid requests after which splitwatch pauses. Discord blocks an IP address after 10,000 within ten minutes. */
export const MAX_INVALID_REQUESTS = 2_000;
export const INVALID_REQUEST_WARNING_INTERVAL = 100;
const INVALID_REQUESTS_WINDOW_MS = 10 * MINUTE_MS;

export interface DiscordSettings {
  readonly token: string;
  /** REST base address without a version; null for Discord's address. */
  readonly apiUrl: string | null;
}

export interface ApiOptions extends DiscordSettings {
  readonly clock: Clock;
  readonly log: Log;
  /** Shared with the gateway. */
  readonly tokenState: TokenState;
  /** Whether messages may still be posted. Checked immediately before the bytes of a message are written. */
  readonly mayPost?: MayPost;
  /** Slots of the requests of all processes. Default: there is one process. */
  readonly rateSlots?: RateSlots;
}

type MayPost = () => boolean;

type Method = "get" | "post" | "put" | "patch";

/** Discord's REST API without retries. Rejects with errors of discord.js. */
export interface Api {
  /** Sends a request with the bot token, within the rate limit. Rejects with a DeliveryError while requests are paused. */
  call(method: Method, route: RouteLike, options?: RequestData): Promise<unknown>;
  /** Answers an interaction, with the interaction's token instead of the bot token. Has no rate limit. */
  answer(method: Method, route: RouteLike, options?: RequestData): Promise<unknown>;
  /**
   * Null while Discord accepts the bot token. While it rejects the token, one request tries the token after each backoff delay, and
   * all other requests fail without being sent.
   */
  readonly rejection: Rejection | null;
  /** Number of requests with the bot token that have a slot of the rate limit. */
  readonly slotsInUse: number;
  stop(): void;
}

/** Options without retries or a queue: a request that would have to wait is rejected immediately. */
export function restOptions(apiUrl: string | null, mayPost?: MayPost): Partial<RESTOptions> {
  return {
    version: "10",
    retries: 0,
    rejectOnRateLimit: () => true,
    // No limit in discord.js: `call` applies the rate limit itself, and `answer` needs none.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    invalidRequestWarningInterval: INVALID_REQUEST_WARNING_INTERVAL,
    makeRequest: (url, init) => sendRequest(url, init, mayPost),
    ...(apiUrl === null ? {} : { api: apiUrl }),
  };
}

type SentRequest = Parameters<RESTOptions["makeRequest"]>[1];

async function sendRequest(url: string, init: SentRequest, mayPost: MayPost = () => true): Promise<ResponseLike> {
  const { contentType, bytes } = await encodeBody(init.body);
  const response = await discordHttp.fetchParts(new URL(url), {
    method: init.method as NonNullable<HttpRequest["method"]>,
    headers: { ...lowerCaseNames(init.headers), ...(contentType !== null && { "content-type": contentType }) },
    ...(bytes !== null && { body: bytes }),
    ...(isMessage(url, init) && { mayWrite: mayPost }),
  });
  limitDelays(response.headers);
  return response;
}

/** discord.js would refuse requests for as long as any answer says. */
function limitDelays(headers: Headers): void {
  for (const name of ["retry-after", "x-ratelimit-reset-after"])
    if (Number(headers.get(name)) * 1_000 > MAX_RETRY_AFTER_MS) headers.set(name, String(MAX_RETRY_AFTER_MS / 1_000));
}

/** discord.js passes an object. `Headers` would take longer than the rest of the preparation. */
function lowerCaseNames(headers: SentRequest["headers"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function isMessage(url: string, { method }: SentRequest): boolean {
  return method === "POST" && /\/channels\/\d+\/messages$/.test(url);
}

/** `contentType`: null if the request's headers contain it. */
async function encodeBody(
  body: SentRequest["body"],
): Promise<{ readonly contentType: string | null; readonly bytes: string | Uint8Array | null }> {
  if (body instanceof FormData) return encodeForm(body);
  return { contentType: null, bytes: typeof body === "string" || body instanceof Uint8Array ? body : null };
}

async function encodeForm(form: FormData): Promise<{ readonly contentType: string; readonly bytes: Uint8Array }> {
  const response = new Response(form);
  const contentType = response.headers.get("content-type") ?? "";
  return { contentType, bytes: new Uint8Array(await response.arrayBuffer()) };
}

export function createApi({ token, apiUrl, clock, log, tokenState, mayPost, rateSlots }: ApiOptions): Api {
  const stopping = new AbortController();
  /** Shared by all requests: sends, searches and new direct messages. */
  const tokenWindow = createTokenWindow(rateSlots, { clock, signal: stopping.signal });
  const rest = new REST(restOptions(apiUrl, mayPost)).setToken(token);
  // discord.js keeps a queue for each interaction's token until the sweep, which is hourly by default.
  const interactionRest = new REST({ ...restOptions(apiUrl), handlerSweepInterval: MINUTE_MS });

  // discord.js counts the invalid requests of all clients together. The client that sends every hundredth one emits the warning.
  for (const client of [rest, interactionRest]) {
    client.on(RESTEvents.InvalidRequestWarning, ({ count, remainingTime }) => {
      log.warn("discord requests rejected", { count, resetsInMs: remainingTime });
      if (count >= MAX_INVALID_REQUESTS) void tokenWindow.block(Math.min(remainingTime, INVALID_REQUESTS_WINDOW_MS));
    });
  }

  const withCurrentLimits = createLimitReset([rest, interactionRest]);

  async function send(request: SendRequest): Promise<unknown> {
    const tokenRetryMs = tokenState.beginTry();
    if (tokenRetryMs > 0) throw tokenRejectedError(tokenRetryMs);
    const { rejections } = tokenState;
    try {
      const answer = await withCurrentLimits(request);
      tokenState.accept(rejections);
      return answer;
    } catch (error) {
      if (error instanceof DiscordAPIError) noteRefusal(error, rejections);
      // discord.js removes the token after status 401, also if it can't read the answer.
      rest.setToken(token);
      if (isGlobalLimit(error)) await tokenWindow.block(error.retryAfter);
      throw error;
    }
  }

  function noteRefusal(error: DiscordAPIError, rejections: number): void {
    if (isTokenRejection(error)) tokenState.reject(TOKEN_REJECTED);
    else tokenState.accept(rejections);
  }

  return {
    get rejection() {
      return tokenState.rejection;
    },
    get slotsInUse() {
      return tokenWindow.slotsInUse;
    },
    async call(method, route, options = {}) {
      try {
        return await tokenWindow.run(() => send(() => rest[method](route, options)));
      } catch (error) {
        throw error instanceof LimitBlockedError ? requestsPausedError(error) : error;
      }
    },
    answer(method, route, options = {}) {
      return withCurrentLimits(() => interactionRest[method](route, { ...options, auth: false }));
    },
    stop() {
      stopping.abort();
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
      interactionRest.clearHashSweeper();
      interactionRest.clearHandlerSweeper();
    },
  };
}

function createTokenWindow(
  rateSlots: RateSlots | undefined,
  parts: { readonly clock: Clock; readonly signal: AbortSignal },
): RequestWindow {
  const shared = rateSlots?.areShared === true ? createSharedSlots(rateSlots, SHARED_LIMIT, parts) : null;
  return createRequestWindow(TOKEN_WINDOW, { ...parts, shared });
}

type SendRequest = () => Promise<unknown>;

/**
 * Returns a function that sends a request. If the system clock was set back, it first deletes the rate limits that discord.js
 * stored: they end at a system time that is now too far in the future.
 */
function createLimitReset(clients: readonly REST[]): (send: SendRequest) => Promise<unknown> {
  const detectJump = createJumpDetector(systemClock);

  function dropOutdatedLimits(): void {
    if (detectJump() >= 0) return;
    for (const client of clients) {
      client.handlers.clear();
      client.globalReset = -1;
      client.globalRemaining = client.options.globalRequestsPerSecond;
    }
  }

  return async (send) => {
    dropOutdatedLimits();
    try {
      return await withoutOutdatedDelay(send);
    } finally {
      // Records that the clock was set forward during the request. Otherwise its later correction isn't detected, and the limits
      // from the answer last too long.
      dropOutdatedLimits();
    }
  };
}

/**
 * Sends the request. If the system clock is set back meanwhile, the delay that discord.js computes is too long: rejects with an error
 * that has no delay.
 */
async function withoutOutdatedDelay(send: SendRequest): Promise<unknown> {
  const detectJump = createJumpDetector(systemClock);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RateLimitError) || detectJump() >= 0) throw error;
    throw new DeliveryError("retry", "the system clock changed while Discord limited requests", { cause: error });
  }
}

function isGlobalLimit(error: unknown): error is { readonly retryAfter: number } {
  return error instanceof RateLimitError && error.global && Number.isFinite(error.retryAfter);
}
