import type { Attempt, MessageRef } from "../../domain/alert/delivery.ts";
import { createHttpClient, type HttpAnswer, type HttpClient, HttpError, readRetryAfterMs } from "../../http/client.ts";
import { DeliveryError, MAX_RETRY_AFTER_MS } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import { WITHHELD } from "../withheld.ts";
import type { Endpoint } from "./settings.ts";
import { signedHeaders } from "./signature.ts";

/** From the call to the answer's headers. Measured in real time. The Standard Webhooks specification advises 15 to 30 s. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Delay after a 429 without `Retry-After`. */
const DEFAULT_RETRY_AFTER_MS = 30_000;

/** An endpoint has at most one unanswered message. */
const MAX_CONNECTIONS = 2;

export interface SenderOptions {
  readonly version: string;
  readonly clock: Clock;
  /** Whether messages may still be sent. Checked immediately before the bytes of a message are written. */
  readonly maySend: () => boolean;
  /** Default: `REQUEST_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
}

export interface Sender {
  /** Sends once. Rejects with a DeliveryError unless the answer's status is 2xx. */
  send(endpoint: Endpoint, attempt: Attempt): Promise<MessageRef>;
  close(): Promise<void>;
}

export function createWebhookClient(version: string, timeoutMs = REQUEST_TIMEOUT_MS): HttpClient {
  const limits = { maxConnections: MAX_CONNECTIONS, headersTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs };
  return createHttpClient(`splitwatch/${version}`, limits);
}

export function createSender({ version, clock, maySend, timeoutMs }: SenderOptions): Sender {
  const http = createWebhookClient(version, timeoutMs);
  return {
    async send({ name, url, keys }, { messageId, body }) {
      const text = JSON.stringify(body);
      const headers = {
        "content-type": "application/json",
        ...signedHeaders(messageId, clock.now(), text, keys),
      };
      const request = { method: "POST", headers, body: text, ignoresBody: true, mayWrite: maySend } as const;
      const answer = await http.request(url, request).catch((error: unknown) => {
        throw toDeliveryError(error);
      });
      const problem = problemOf(answer, limitKey(name), clock.now());
      if (problem !== null) throw problem;
      return { id: messageId, link: null };
    },
    close: () => http.close(),
  };
}

/** Key of the rate limit of an endpoint. */
export function limitKey(name: string): string {
  return `webhook:${name}`;
}

function toDeliveryError(error: unknown): DeliveryError {
  if (!(error instanceof HttpError)) throw error;
  if (error.failure === "aborted" && !error.wasWritten) return new DeliveryError("retry", WITHHELD, { cause: error });
  const reason = `the webhook didn't answer: ${error.message}`;
  return new DeliveryError(error.wasWritten ? "unknown-outcome" : "retry", reason, { cause: error });
}

/** Statuses that are about a message if the receiver accepts others. */
const MESSAGE_STATUSES: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/**
 * What the receiver's status says about the message; null if it accepted the message. A message is given up only if the receiver
 * accepts others: one that refuses all messages by mistake would lose them.
 */
function problemOf(answer: HttpAnswer, limit: string, now: number): DeliveryError | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const reason = `the webhook answered ${status}`;
  const retryAfterMs = readRetryAfterMs(answer, now, MAX_RETRY_AFTER_MS);
  if (status === 429) {
    return new DeliveryError("retry", `${reason}: it limits how fast splitwatch sends`, {
      retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS,
      limitKey: limit,
    });
  }
  if (MESSAGE_STATUSES.has(status)) return new DeliveryError("unrecognized", `${reason}: ${adviceFor(status)}`);
  if (status === 410) return new DeliveryError("gone", `${reason}: it no longer accepts messages`);
  // The receiver may have processed the message before it failed.
  if (status >= 500 || status === 408 || status === 425)
    return new DeliveryError("unknown-outcome", reason, retryAfterMs === undefined ? {} : { retryAfterMs });
  return new DeliveryError("not-allowed", `${reason}: ${adviceFor(status)}`);
}

function adviceFor(status: number): string {
  if (status < 400) return "redirects aren't followed; set the final address in webhook.endpoints";
  if (status === 401 || status === 403) return "check its key in WEBHOOK_SECRETS and its access rules";
  if (status === 404 || status === 405) return "check its address in webhook.endpoints";
  return "it refuses the message; see the receiver's log";
}
