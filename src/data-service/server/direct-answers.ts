import type { IncomingMessage } from "node:http";
import type { AnswerDirectly } from "../../http/server.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type AnswerCache, type CachedAnswer, formOf, separateKey, targetFor } from "./answer-cache.ts";
import type { Gate } from "./gate.ts";
import { negotiate } from "./json-answer.ts";
import type { KeyHolder } from "./keyring.ts";

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
    const { answer, caller } = isPlainRead(incoming) ? find(incoming.url ?? "") : NOTHING_FOUND;
    if (!answer) return false;
    const sent = answer.sent.get(formOf(negotiate(incoming.headers, answer.body)));
    if (!sent || (caller && gate.count(caller) > 0)) return false;
    outgoing.writeHead(sent.status, sent.headers);
    outgoing.end(incoming.method === "HEAD" ? null : sent.body);
    logRequest(parts, startedAt, { operation: answer.operation, status: sent.status, key: caller?.name });
    return true;
  };

  function find(url: string): FoundAnswer {
    // Without a query there is no key: only answers of operations that need none are cached under such an address.
    if (!url.includes("?")) return { answer: answers.find(url), caller: undefined };
    const keyed = separateKey(url);
    const caller = keyed ? gate.holderOf(keyed.key) : undefined;
    return caller && keyed ? { answer: answers.find(targetFor(caller, keyed.target)), caller } : NOTHING_FOUND;
  }
}

interface FoundAnswer {
  readonly answer: CachedAnswer | undefined;
  /** Undefined if the operation needs no key. */
  readonly caller: KeyHolder | undefined;
}

const NOTHING_FOUND: FoundAnswer = { answer: undefined, caller: undefined };

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
