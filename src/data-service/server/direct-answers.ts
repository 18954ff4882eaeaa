import type { IncomingMessage } from "node:http";
import type { AnswerDirectly } from "../../http/server.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type AnswerCache, formOf, separateKey, targetFor } from "./answer-cache.ts";
import type { Gate } from "./gate.ts";
import { negotiate } from "./json-answer.ts";

/** Host that needs no validation: a name or IPv4 address, with a port below 65000 or none. hono checks all others. */
const PLAIN_HOST = /^[\w.-]+(?::[1-5]?\d{1,4}|:6[0-4]\d{3})?$/;

/**
 * Resends answers that the service has sent before and that are still current, without hono. All other requests, including
 * requests that must be refused, are left to the service.
 */
export function createDirectAnswers(parts: {
  readonly answers: AnswerCache;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
}): AnswerDirectly {
  const { answers, gate, clock } = parts;
  return (incoming, outgoing) => {
    const startedAt = clock.monotonic();
    const keyed = isPlainRead(incoming) ? separateKey(incoming.url ?? "") : null;
    const caller = keyed && gate.holderOf(keyed.key);
    const answer = caller && answers.find(targetFor(caller, keyed.target));
    if (!answer) return false;
    const sent = answer.sent.get(formOf(negotiate(incoming.headers, answer.body)));
    if (!sent || gate.count(caller) > 0) return false;
    outgoing.writeHead(sent.status, sent.headers);
    outgoing.end(incoming.method === "HEAD" ? null : sent.body);
    logRequest(parts, startedAt, { operation: answer.operation, status: sent.status, key: caller.name });
    return true;
  };
}

function isPlainRead({ method, headers }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && PLAIN_HOST.test(headers.host ?? "");
}

/** Logs an answered request. `operation`: pattern of its route. */
export function logRequest(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  startedAt: MonotonicTime,
  { operation, status, key }: { readonly operation: string; readonly status: number; readonly key: string | undefined },
): void {
  log.debug("request answered", { operation, status, key, ms: clock.monotonic() - startedAt });
}
