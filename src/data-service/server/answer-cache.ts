import type { JsonBody, Negotiated } from "./json-answer.ts";
import type { KeyHolder } from "./keyring.ts";

/** Maximum size of all cached answers. Each body counts twice, because its compressed form may be cached, too. */
const MAX_BYTES = 16 * 2 ** 20;
/** Estimated size of an entry without its body. */
const ENTRY_BYTES = 4_096;

/** An answer as the service sent it, without the headers of the connection. */
export interface SentAnswer {
  readonly status: number;
  /** Alternating names and values: `[name, value, name, value]`. */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The answer to one request target. */
export interface CachedAnswer {
  /** Pattern of the route, for the log. */
  readonly operation: string;
  readonly body: JsonBody;
  /** False once the rows have changed, or have become or stopped being sample data. */
  isCurrent(): boolean;
  /** The answers sent so far, one for each form that was requested. */
  readonly sent: Map<AnswerForm, SentAnswer>;
}

export type AnswerForm = `${"gzip" | "plain"} ${200 | 304}`;

/** Form in which a request is answered, such as `gzip 200`. */
export function formOf({ isGzip, isUnchanged }: Negotiated): AnswerForm {
  return `${isGzip ? "gzip" : "plain"} ${isUnchanged ? 304 : 200}`;
}

/** Cached answers by request target. Nothing is cached for the target `undefined`. Above a size limit, the oldest are removed. */
export interface AnswerCache {
  /** Undefined if there is no current answer. */
  find(target: string | undefined): CachedAnswer | undefined;
  add(target: string | undefined, answer: CachedAnswer): void;
  clear(): void;
}

export function createAnswerCache(maxBytes: number = MAX_BYTES): AnswerCache {
  const answers = new Map<string, CachedAnswer>();
  let bytes = 0;

  function remove(target: string): void {
    const answer = answers.get(target);
    if (answer && answers.delete(target)) bytes -= sizeOf(target, answer);
  }

  return {
    find(target) {
      const answer = target === undefined ? undefined : answers.get(target);
      return answer?.isCurrent() ? answer : undefined;
    },
    add(target, answer) {
      if (target === undefined) return;
      remove(target);
      const size = sizeOf(target, answer);
      if (size > maxBytes) return;
      answers.set(target, answer);
      bytes += size;
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) return;
        remove(oldest);
      }
    },
    clear() {
      answers.clear();
      bytes = 0;
    },
  };
}

function sizeOf(target: string, { body }: CachedAnswer): number {
  return ENTRY_BYTES + 2 * (target.length + body.plain.length);
}

/** Parameter with a key that needs no decoding. */
const PLAIN_KEY = /^apiKey=([\w-]+)$/;

/** Separates the key from the rest of the path and query. Null without a key, or if it is encoded; such answers aren't cached. */
export function separateKey(pathAndQuery: string): { readonly key: string; readonly target: string } | null {
  if (pathAndQuery.includes("#")) return null;
  const queryStart = pathAndQuery.indexOf("?") + 1;
  const parameters = queryStart === 0 ? [] : pathAndQuery.slice(queryStart).split("&");
  const position = parameters.findLastIndex((parameter) => PLAIN_KEY.test(parameter));
  const key = PLAIN_KEY.exec(parameters[position] ?? "")?.[1];
  if (key === undefined) return null;
  const before = parameters.slice(0, position).map((parameter) => `${parameter}&`);
  const after = parameters.slice(position + 1).join("&");
  return { key, target: pathAndQuery.slice(0, queryStart) + before.join("") + after };
}

/** Cache key of an answer. The embedded bot has entries of its own, because its answers can contain longer texts. */
export function targetFor({ isRateLimited }: KeyHolder, target: string): string {
  return isRateLimited ? target : `bot ${target}`;
}
