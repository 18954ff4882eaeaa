import { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { HttpError, type HttpFailure } from "../../../http/client.ts";
import { CallError, toCallFailure } from "../web-api.ts";
import { toDeliveryError } from "./delivery-errors.ts";

function failureFor(error: unknown): ReturnType<typeof toDeliveryError> {
  const context = { botName: "splitbot", limitKey: () => "slack:T1" };
  return toDeliveryError(new CallError("chat.postMessage", toCallFailure(error), error), context);
}

function refusal(code: string, extra: object = {}): Error {
  return new webApi.WebAPIPlatformError({ ok: false, error: code, ...extra });
}

function requestError(failure: HttpFailure, wasWritten: boolean): Error {
  return new webApi.WebAPIRequestError(new HttpError(failure, "no answer", wasWritten));
}

describe("a delivery error from Slack", () => {
  it.each([
    ["channel_not_found", "gone"],
    ["is_archived", "gone"],
    ["user_disabled", "gone"],
    ["not_in_channel", "not-allowed"],
    ["restricted_action", "not-allowed"],
    ["messages_tab_disabled", "not-allowed"],
    ["invalid_auth", "broken-credentials"],
    ["token_revoked", "broken-credentials"],
    ["account_inactive", "broken-credentials"],
    ["missing_scope", "not-allowed"],
    ["msg_blocks_too_long", "refused"],
    ["invalid_blocks", "refused"],
    ["fatal_error", "unknown-outcome"],
    ["internal_error", "unknown-outcome"],
    ["service_unavailable", "unknown-outcome"],
    ["request_timeout", "unknown-outcome"],
    ["ratelimited", "retry"],
    ["team_added_to_org", "retry"],
    ["an_unknown_code", "unrecognized"],
    ["accesslimited", "not-allowed"],
    ["restricted_action_thread_locked", "refused"],
    ["<html>a proxy's page</html>", "unknown-outcome"],
  ])("with code %s is classified as %s", (code, failure) => {
    expect(failureFor(refusal(code)).failure).toBe(failure);
  });

  it.each([
    [new webApi.WebAPIHTTPError(502, "Bad Gateway", {}, ""), "unknown-outcome"],
    [new webApi.WebAPIHTTPError(404, "Not Found", {}, ""), "intercepted"],
    [new webApi.WebAPIHTTPError(451, "Unavailable For Legal Reasons", {}, ""), "intercepted"],
    [requestError("unreachable", false), "retry"],
    [requestError("timeout", false), "retry"],
    [requestError("aborted", false), "retry"],
    [requestError("unreachable", true), "unknown-outcome"],
    [requestError("timeout", true), "unknown-outcome"],
    [requestError("bad-answer", true), "unknown-outcome"],
    [requestError("too-large", true), "unknown-outcome"],
    [new TypeError("terminated"), "unknown-outcome"],
  ])("of type %s is classified as %s", (error, failure) => {
    expect(failureFor(error).failure).toBe(failure);
  });

  it("contains the delay of Retry-After and the limit key", () => {
    expect(failureFor(new webApi.WebAPIRateLimitedError(30))).toMatchObject({
      failure: "retry",
      retryAfterMs: 30_000,
      limitKey: "slack:T1",
    });
    expect(failureFor(refusal("ratelimited"))).toMatchObject({ retryAfterMs: 5_000 });
  });

  it.each([
    [999_999_999, 3_600_000],
    [Number.POSITIVE_INFINITY, 3_600_000],
    [-30, 5_000],
    ["soon", 5_000],
  ])("with a Retry-After of %s has a delay of %d ms", (retryAfter, retryAfterMs) => {
    expect(failureFor(refusal("ratelimited", { response_metadata: { retryAfter } }))).toMatchObject({ retryAfterMs });
  });

  it.each(["channel_not_found", "is_archived", "is_inactive", "not_in_channel"])(
    "with code %s is about a channel that may return",
    (code) => {
      expect(failureFor(refusal(code)).mayReturn).toBe(true);
    },
  );

  it.each([
    ["not_in_channel", {}, "/invite @splitbot"],
    ["missing_scope", { needed: "chat:write" }, "chat:write"],
    ["is_archived", {}, "archived"],
    ["is_inactive", {}, "archived"],
    ["invalid_blocks", {}, "invalid_blocks"],
  ])("explains the remedy for %s", (code, extra, words) => {
    expect(failureFor(refusal(code, extra)).message).toContain(words);
  });
});
