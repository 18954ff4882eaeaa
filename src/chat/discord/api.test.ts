import { DiscordAPIError, RateLimitError, Routes } from "discord.js";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import { NO_LIMITS } from "../../../test/platforms/discord/rate-limits.ts";
import { type FakeDiscord, startDiscord } from "../../../test/platforms/discord/server.ts";
import type { Channel } from "../../../test/platforms/discord/world.ts";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import { TokenState } from "../token-state.ts";
import { type Api, createApi, INVALID_REQUEST_WARNING_INTERVAL, MAX_INVALID_REQUESTS } from "./api.ts";
import { TOKEN_LIMIT } from "./destinations.ts";

const WINDOW_MS = 10 * MINUTE_MS;

/** Clock whose sleep advances the time immediately, including the time that discord.js reads. */
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => Date.now(),
  sleep(ms) {
    vi.setSystemTime(Date.now() + Math.ceil(ms));
    return Promise.resolve();
  },
};

beforeEach(() => {
  // discord.js counts invalid requests per process: a later window starts at zero, regardless of other tests.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * WINDOW_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

interface TestApi {
  readonly discord: FakeDiscord;
  readonly log: RecordedLog;
  readonly api: Api;
  readonly channel: Channel;
  /** Requests a channel; resolves with `ok` or the error. */
  readonly requestChannel: () => Promise<unknown>;
  /** Answers an interaction, with the same results. */
  readonly answer: () => Promise<unknown>;
}

async function startApi(start: Parameters<typeof startDiscord>[0] = { limits: NO_LIMITS }): Promise<TestApi> {
  const discord = await startDiscord(start);
  onTestFinished(() => discord.stop());
  const log = recordedLog();
  const tokenState = new TokenState("discord", { clock, log });
  const api = createApi({ token: discord.token, apiUrl: discord.apiUrl, clock, log, tokenState });
  onTestFinished(() => api.stop());
  const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
  return {
    discord,
    log,
    api,
    channel,
    requestChannel: () => outcomeOf(api.call("get", Routes.channel(channel.id))),
    answer: () => outcomeOf(api.answer("post", Routes.interactionCallback("1", "token-of-1"), { body: { type: 5 } })),
  };
}

function outcomeOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => "ok",
    (error: unknown) => error,
  );
}

/** 2,000 requests over a real socket. */
const LONG_TIMEOUT = { timeout: 240_000 };

describe("invalid requests", () => {
  it("pause all requests until Discord's window ends, long before its limit", LONG_TIMEOUT, async () => {
    const { discord, log, requestChannel, answer } = await startApi();
    const removeFault = discord.faults.add(faults.refusal(403, 50_001, "Missing Access"));
    for (let sent = 1; sent <= MAX_INVALID_REQUESTS; sent += 1) {
      // discord.js warns alternately at a request of each kind.
      await (sent % (2 * INVALID_REQUEST_WARNING_INTERVAL) === 0 ? answer() : requestChannel());
    }
    expect(discord.requests).toHaveLength(MAX_INVALID_REQUESTS);
    expect(log.count("discord requests rejected")).toBe(MAX_INVALID_REQUESTS / INVALID_REQUEST_WARNING_INTERVAL);

    const paused = await requestChannel();
    expect(paused).toBeInstanceOf(DeliveryError);
    expect(paused).toMatchObject({ failure: "retry", limitKey: TOKEN_LIMIT.key });
    expect(discord.requests).toHaveLength(MAX_INVALID_REQUESTS);

    removeFault();
    const retryAfterMs = (paused as DeliveryError).retryAfterMs ?? 0;
    expect(retryAfterMs).toBeLessThan(WINDOW_MS);
    await clock.sleep(retryAfterMs - MINUTE_MS);
    expect(await requestChannel()).toBeInstanceOf(DeliveryError);
    await clock.sleep(MINUTE_MS);
    expect(await requestChannel()).toBe("ok");
    expect(discord.requests).toHaveLength(MAX_INVALID_REQUESTS + 1);

    // Starts another window, so that later tests in this process start with a new count.
    discord.faults.add(faults.refusal(403, 50_001, "Missing Access"));
    await clock.sleep(WINDOW_MS);
    expect(await requestChannel()).toBeInstanceOf(DiscordAPIError);
  });
});

describe("a limit of Discord", () => {
  it("ends in time when the system clock is set back", async () => {
    const limits = { ...NO_LIMITS, others: { requests: 1, perMs: 200 } };
    const { requestChannel } = await startApi({ limits, now: () => performance.now() });
    await waitUntil("the limit is reached", async () => (await requestChannel()) instanceof RateLimitError);
    vi.setSystemTime(Date.now() - 60 * MINUTE_MS);
    await vi.waitFor(async () => expect(await requestChannel()).toBe("ok"), { timeout: 10_000 });
  });

  it("ends in time when the system clock is wrong only while the request is answered", async () => {
    const limits = { ...NO_LIMITS, others: { requests: 1, perMs: 200 } };
    let errorMs = 0;
    const { requestChannel } = await startApi({
      limits,
      now: () => performance.now(),
      limitTime() {
        vi.setSystemTime(Date.now() + errorMs);
        errorMs = 0;
        return performance.now();
      },
    });
    // discord.js learns from the first answer which limit applies.
    expect(await requestChannel()).toBe("ok");
    errorMs = 120 * MINUTE_MS;
    await requestChannel();
    expect(errorMs).toBe(0);
    vi.setSystemTime(Date.now() - 120 * MINUTE_MS);
    await vi.waitFor(async () => expect(await requestChannel()).toBe("ok"), { timeout: 10_000 });
  });

  it("delays no request for longer that waits for another one while the system clock is set back", async () => {
    const limits = { ...NO_LIMITS, others: { requests: 1, perMs: 200 } };
    const { discord, requestChannel } = await startApi({ limits, now: () => performance.now() });
    expect(await requestChannel()).toBe("ok");
    vi.setSystemTime(Date.now() + MINUTE_MS);
    discord.faults.add(faults.hang, { times: 1 });
    const [hanging, waiting] = [requestChannel(), requestChannel()];
    await waitUntil("the first request hangs", () => discord.requests.length === 2);
    vi.setSystemTime(Date.now() - 120 * MINUTE_MS);
    discord.dropConnections();
    expect(await hanging).toBeInstanceOf(Error);
    expect(await waiting).toMatchObject({ failure: "retry", retryAfterMs: null });
    await vi.waitFor(async () => expect(await requestChannel()).toBe("ok"), { timeout: 10_000 });
  });
});

it("keeps the token after an answer with status 401 that it can't read", async () => {
  const { discord, requestChannel } = await startApi();
  const headers = { "content-type": "application/json" };
  discord.faults.add(faults.answer({ status: 401, headers, body: "<html>" }), { times: 1 });
  expect(await requestChannel()).toBeInstanceOf(SyntaxError);
  expect(await requestChannel()).toBe("ok");
});

describe("a long limit of Discord", () => {
  it("of one channel delays its requests for an hour at most", async () => {
    const { discord, requestChannel } = await startApi();
    const headers = {
      "retry-after": "10000000",
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset-after": "10000000",
    };
    discord.faults.add(faults.answer({ status: 429, headers, body: { message: "Limited" } }), { times: 1 });
    expect(await requestChannel()).toBeInstanceOf(RateLimitError);
    await clock.sleep(59 * MINUTE_MS);
    expect(await requestChannel()).toBeInstanceOf(RateLimitError);
    expect(discord.requests).toHaveLength(1);
    await clock.sleep(2 * MINUTE_MS);
    expect(await requestChannel()).toBe("ok");
  });

  it("of all requests delays them for an hour at most, without waiting", async () => {
    const { discord, requestChannel } = await startApi();
    const headers = { "retry-after": "10000000", "x-ratelimit-global": "true", "x-ratelimit-scope": "global" };
    discord.faults.add(faults.answer({ status: 429, headers, body: { message: "Limited" } }), { times: 1 });
    expect(await requestChannel()).toBeInstanceOf(RateLimitError);
    const paused = await requestChannel();
    expect(paused).toMatchObject({ failure: "retry", limitKey: TOKEN_LIMIT.key });
    const { retryAfterMs } = paused as DeliveryError;
    expect([Number(retryAfterMs) > 59 * MINUTE_MS, Number(retryAfterMs) < 61 * MINUTE_MS]).toEqual([true, true]);
    expect(discord.requests).toHaveLength(1);
    await clock.sleep(Number(retryAfterMs));
    expect(await requestChannel()).toBe("ok");
  });
});

describe("files", () => {
  it("are sent with the message", async () => {
    const { discord, api, channel } = await startApi();
    const file = { name: "ABCD.png", data: Buffer.from("not a picture"), contentType: "image/png" };
    const body = {
      content: "ABCD",
      nonce: "1",
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
      attachments: [{ id: "0", filename: file.name }],
    };
    await api.call("post", Routes.channelMessages(channel.id), { body, files: [file] });
    expect(discord.requests.at(-1)).toMatchObject({
      body,
      files: [{ name: "ABCD.png", type: "image/png", bytes: file.data }],
    });
    expect(discord.violations).toEqual([]);
  });
});
