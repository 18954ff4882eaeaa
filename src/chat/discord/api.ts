import {
  DiscordAPIError,
  RateLimitError,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  type RouteLike,
} from "discord.js";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { brokenCredentials } from "./delivery-errors.ts";
import { INVALID_REQUEST_WARNING_EVERY, MAX_INVALID_REQUESTS, TOKEN_LIMIT } from "./limits.ts";
import { createPacer } from "./pacer.ts";

const TIMEOUT_MS = 10_000;

export interface ApiOptions {
  readonly token: string;
  /** REST base without a version. Null: Discord's own. */
  readonly apiUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

type Method = "get" | "post" | "put" | "patch";

/** Discord's REST interface, one try for each call. What fails is discord.js's own error, or a DeliveryError of ours. */
export interface Api {
  /** With the bot's token, in its turn. */
  call(method: Method, route: RouteLike, options?: RequestData): Promise<unknown>;
  /** Answers to interactions: they carry their own token, and stand outside the limits. */
  answer(method: Method, route: RouteLike, options?: RequestData): Promise<unknown>;
  /** The token was refused. */
  readonly refused: boolean;
  stop(): void;
}

/** One try, an end to waiting, and no queue: a request that would have to wait is refused at once. */
export function restOptions(apiUrl: string | null): Partial<RESTOptions> {
  return {
    version: "10",
    retries: 0,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: () => true,
    invalidRequestWarningInterval: INVALID_REQUEST_WARNING_EVERY,
    ...(apiUrl === null ? {} : { api: apiUrl }),
  };
}

export function createApi({ token, apiUrl, clock, log }: ApiOptions): Api {
  const stopping = new AbortController();
  const pacer = createPacer(clock, TOKEN_LIMIT.everyMs, stopping.signal);
  const rest = new REST(restOptions(apiUrl)).setToken(token);
  const answers = new REST({ ...restOptions(apiUrl), globalRequestsPerSecond: Number.POSITIVE_INFINITY });
  let refused = false;
  let brokenUntil = 0;

  // discord.js counts for the whole process, and tells the one whose request was the hundredth.
  for (const each of [rest, answers]) {
    each.on(RESTEvents.InvalidRequestWarning, ({ count, remainingTime }) => {
      log.warn("discord requests rejected", { count, withinMs: remainingTime });
      if (count >= MAX_INVALID_REQUESTS) brokenUntil = clock.now() + remainingTime;
    });
  }

  function assertOpen(): void {
    if (refused) throw brokenCredentials();
    const wait = brokenUntil - clock.now();
    if (wait <= 0) return;
    throw new DeliveryError("retry", "Discord refused too many requests: splitwatch pauses before it is shut out", {
      retryAfterMs: wait,
      limitKey: TOKEN_LIMIT.key,
    });
  }

  return {
    get refused() {
      return refused;
    },
    async call(method, route, options = {}) {
      await pacer.turn();
      assertOpen();
      try {
        return await rest[method](route, options);
      } catch (error) {
        if (error instanceof DiscordAPIError && error.status === 401) refused = true;
        if (isGlobalLimit(error)) pacer.holdUntil(clock.now() + error.retryAfter);
        throw error;
      }
    },
    answer: (method, route, options = {}) => answers[method](route, { ...options, auth: false }),
    stop() {
      stopping.abort();
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
      answers.clearHashSweeper();
      answers.clearHandlerSweeper();
    },
  };
}

function isGlobalLimit(error: unknown): error is { readonly retryAfter: number } {
  return error instanceof RateLimitError && error.global && Number.isFinite(error.retryAfter);
}
