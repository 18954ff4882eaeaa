import { createHmac } from "node:crypto";

export interface SignedRequest {
  /** Where the app listens: `http://127.0.0.1:1234/slack/events`. */
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  readonly contentType: string;
  /** Milliseconds; what the timestamp header says. */
  readonly at: number;
  /** For repeated requests. */
  readonly retry?: { readonly number: number; readonly reason: string };
}

export interface SignedAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Sends a request as Slack signs it. Slack waits three seconds; the test waits longer, to tell how late an answer is. */
export async function sendSigned(request: SignedRequest): Promise<SignedAnswer> {
  const timestamp = String(Math.floor(request.at / 1_000));
  const sentAt = performance.now();
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
  return { status: response.status, text, ms: performance.now() - sentAt };
}

function signature(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}
