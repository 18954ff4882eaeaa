import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { describe, expect, it } from "vitest";
import { HttpError as RequestError } from "../../http/client.ts";
import { isRepeatable, toDeliveryError } from "./delivery-errors.ts";
import { channelOf, personOf } from "./destinations.ts";

const CHANNEL = channelOf("1", "2");
const PERSON = personOf("3");

function refusal(status: number, code: number, message = "no"): DiscordAPIError {
  return new DiscordAPIError({ code, message }, code, status, "POST", "https://discord.example/x", {});
}

function limit(parts: Partial<ConstructorParameters<typeof RateLimitError>[0]>): RateLimitError {
  return new RateLimitError({
    global: false,
    hash: "h",
    limit: 5,
    majorParameter: "2",
    method: "POST",
    retryAfter: 1_500,
    route: "/channels/:id/messages",
    scope: "user",
    sublimitTimeout: 0,
    timeToReset: 1_500,
    url: "https://discord.example/x",
    ...parts,
  });
}

it.each([
  ["a lost answer", new HTTPError(502, "Bad Gateway", "POST", "https://discord.example/x", {}), true],
  ["a rate limit", limit({}), true],
  ["a lost connection", new RequestError("unreachable", "no", true), true],
  ["a refusal", refusal(404, 10_062), false],
  ["a defect", new TypeError("no"), false],
])("%s shows if Discord may accept the request", (_, error, expected) => {
  expect(isRepeatable(error)).toBe(expected);
});

describe("an error response", () => {
  it("is explained by the beginning of its first line, without control characters", () => {
    const { message } = toDeliveryError(refusal(400, 99_999, `no\u001b[2J\u202E${"x".repeat(10_000)}\nmore`), CHANNEL);
    expect(message).toBe(`Discord refused the message: no[2J${"x".repeat(200 - "no[2J".length)} (99999)`);
  });

  it.each([
    [404, 10_003, "gone"],
    [404, 10_004, "gone"],
    [404, 10_013, "gone"],
    [404, 10_008, "unknown-outcome"],
    [404, 0, "unrecognized"],
    [404, 99_999, "unrecognized"],
    [403, 50_001, "not-allowed"],
    [403, 50_007, "not-allowed"],
    [403, 50_013, "not-allowed"],
    [403, 50_278, "not-allowed"],
    [400, 50_083, "not-allowed"],
    [400, 160_005, "not-allowed"],
    [403, 99_999, "unrecognized"],
    [403, 40_003, "retry"],
    [400, 20_016, "retry"],
    [400, 50_035, "refused"],
    [400, 200_000, "refused"],
    [413, 40_005, "refused"],
    [400, 0, "unrecognized"],
    [403, 240_000, "refused"],
    [403, 40_333, "intercepted"],
    [503, 130_000, "retry"],
    [401, 0, "broken-credentials"],
  ])("with status %i and code %i is classified as %s", (status, code, failure) => {
    const error = toDeliveryError(refusal(status, code), CHANNEL);
    expect(error.failure).toBe(failure);
    expect(error.message).toMatch(/^[A-Za-z].{10,}/);
  });

  it.each([400, 401, 403, 404, 405, 407, 413, 421, 451])(
    "with status %i and no code of Discord is a proxy's",
    (status) => {
      for (const code of [undefined, "blocked"]) {
        const answer = { message: "blocked by policy", code: code as unknown as number };
        const error = new DiscordAPIError(answer, answer.code, status, "POST", "https://discord.example/x", {});
        expect(toDeliveryError(error, CHANNEL).failure).toBe("intercepted");
      }
    },
  );

  it("with status 408 and no code may have been written after the message was posted", () => {
    const error = new DiscordAPIError({ message: "", code: 0 }, undefined as unknown as number, 408, "POST", "x", {});
    expect(toDeliveryError(error, CHANNEL).failure).toBe("unknown-outcome");
  });

  it("that denies access is retried for a person, but not for a channel", () => {
    expect(toDeliveryError(refusal(403, 50_001), PERSON).failure).toBe("retry");
    expect(toDeliveryError(refusal(403, 50_001), CHANNEL).failure).toBe("not-allowed");
  });
});

describe("a rate limit", () => {
  it.each([
    [{}, 1_500, "discord:discord:channel:1/2"],
    [{ retryAfter: 0 }, 5_000, "discord:discord:channel:1/2"],
    [{ retryAfter: Number.NaN }, 5_000, "discord:discord:channel:1/2"],
    [{ retryAfter: 1e12 }, 3_600_000, "discord:discord:channel:1/2"],
    [{ global: true }, 1_500, "discord:token"],
    [{ scope: "global" as const }, 1_500, "discord:token"],
    [{ scope: "shared" as const }, 1_500, "discord:discord:channel:1/2"],
  ])("%o sets the delay", (parts, retryAfterMs, limitKey) => {
    expect(toDeliveryError(limit(parts), CHANNEL)).toMatchObject({ failure: "retry", retryAfterMs, limitKey });
  });
});

describe("a failed connection", () => {
  it.each([
    [new RequestError("unreachable", "no connection", false), "retry"],
    [new RequestError("timeout", "no connection in time", false), "retry"],
    [new RequestError("aborted", "the request was not sent", false), "retry"],
    [new RequestError("unreachable", "the connection was lost", true), "unknown-outcome"],
    [new RequestError("timeout", "no complete answer", true), "unknown-outcome"],
    [new HTTPError(503, "Service Unavailable", "POST", "https://discord.example/x", {}), "unknown-outcome"],
    [new Error("not JSON"), "unknown-outcome"],
    ["odd", "unknown-outcome"],
  ])("of type %s is classified as %s", (error, failure) => {
    expect(toDeliveryError(error, CHANNEL).failure).toBe(failure);
  });
});
