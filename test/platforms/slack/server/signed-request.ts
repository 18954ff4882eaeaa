import { createHmac } from "node:crypto";
import { startStopwatch } from "../../../support/process-time.ts";

export interface SignedRequest {
  /** For example `http://127.0.0.1:1234/slack/events`. */
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  readonly contentType: string;
  /** Value of the timestamp header, in milliseconds. */
  readonly at: number;
  /** Headers of a repeated request. */
  readonly retry?: { readonly number: number; readonly reason: string };
}

export interface SignedAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds of the process's own time until the response. */
  readonly ms: number;
}

/** Sends a signed request. Slack waits three seconds; this waits longer, to measure late responses. */
export async function sendSigned(request: SignedRequest): Promise<SignedAnswer> {
  const timestamp = String(Math.floor(request.at / 1_000));
  const elapsedMs = startStopwatch();
  const response = await fetch(request.url, {
    method: "POST",
    headers: {
      "content-type": request.contentType,
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signature(request.secret, timestamp, request.body),
      ...(request.retry === undefined
        ? {}
        : { "x-slack-retry-num": String(request.retry.number), "x-slack-retry-reason": request.retry.reason }),
    },
    body: request.body,
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return { status: response.status, text, ms: elapsedMs() };
}

function signature(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}
