import type { JsonBody, Negotiated } from "./json-answer.ts";
import type { KeyHolder } from "./keyring.ts";

/** Limit of all cached bodies. Each counts twice: its compressed form is at most about as long. */
const MAX_BYTES = 16 * 2 ** 20;
/** Estimated size of an entry without its body. */
const ENTRY_BYTES = 4_096;

/** An answer as the service sent it, without the headers of the connection. */
export interface SentAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The answer to one request target. */
export interface CachedAnswer {
  /** Pattern of the route, for the log. */
  readonly operation: string;
  readonly body: JsonBody;
  /** False once the rows or their marking have changed. */
  isCurrent(): boolean;
  /** The forms that were requested so far, by `formOf`. */
  readonly sent: Map<AnswerForm, SentAnswer>;
}

export type AnswerForm = `${"gzip" | "plain"} ${200 | 304}`;

/** Form of an answer that a request gets. */
export function formOf({ isGzip, isUnchanged }: Negotiated): AnswerForm {
  return `${isGzip ? "gzip" : "plain"} ${isUnchanged ? 304 : 200}`;
}

/** Answers by request target; undefined is a target whose answer isn't cached. Beyond a limit of bytes, the oldest are removed. */
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

/** Exactly one key, in characters that need no decoding, and the rest of the path and query before and after it. */
const TARGET_WITH_KEY = /^([^?#]*\?(?:[^#]*&)?)apiKey=([\w-]+)(?:&([^#]*))?$/;

/** Separates the key from a path with a query string. Null for unusual spellings, whose answers are not cached. */
export function separateKey(pathAndQuery: string): { readonly key: string; readonly target: string } | null {
  const [, before = "", key, after = ""] = TARGET_WITH_KEY.exec(pathAndQuery) ?? [];
  return key === undefined ? null : { key, target: before + after };
}

/** Name of a caller's answer in the cache: the embedded bot's answers can contain longer texts. */
export function targetFor({ isRateLimited }: KeyHolder, target: string): string {
  return isRateLimited ? target : `bot ${target}`;
}
