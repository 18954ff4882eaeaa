import { createHash } from "node:crypto";
import type { HttpAnswer } from "../../http/client.ts";
import type { SourceError } from "../../ports/split-source.ts";
import type { ServiceAddress, ServiceRequest } from "./address.ts";
import { type FetchContext, fetchWithRetries } from "./fetch-answer.ts";
import type { Parsed } from "./records.ts";

export type Parse<T> = (body: unknown, redactedExcerpt: ServiceAddress["redactedExcerpt"]) => Parsed<T>;

export type ResourceAnswer<T> =
  | { readonly kind: "read"; readonly value: T }
  /** A 4xx that is not about the key or the pace. What it means depends on the question. */
  | { readonly kind: "refused"; readonly status: number; readonly error: SourceError };

export type Resource<T> = (question: ServiceRequest, signal: AbortSignal) => Promise<ResourceAnswer<T>>;

interface Kept<T> {
  readonly validators: Readonly<Record<string, string>>;
  readonly hash: string;
  readonly bytes: number;
  readonly value: T;
}

/**
 * Reads one kind of JSON answer. What was read last stays with its validators, up to `keptBytes` of bodies: an answer that
 * says "not modified", or has the same bytes, is not parsed again.
 */
export function createResource<T>(parts: FetchContext, parse: Parse<T>, keptBytes: number): Resource<T> {
  const kept = createKept<T>(keptBytes);
  const { address } = parts;

  return async (question, signal) => {
    const name = `${question.path}?${new URLSearchParams(question.query).toString()}`;
    const known = kept.get(name);
    const answer = await fetchWithRetries(parts, { question, headers: known?.validators ?? {}, signal });
    if (answer.status === 304 && known) return { kind: "read", value: known.value };
    if (answer.status >= 400) return refusal(address, question, answer);
    if (answer.status !== 200) {
      throw address.failure("bad-answer", question, `${address.describe(answer)}; expected 200 with JSON`);
    }
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const parsed: Parsed<T> =
      known?.hash === hash ? { ok: true, value: known.value } : parseBody(answer, parse, address.redactedExcerpt);
    if (!parsed.ok) throw address.failure("bad-answer", question, parsed.problem);
    kept.set(name, { validators: validatorsOf(answer), hash, bytes: answer.body.length, value: parsed.value });
    return { kind: "read", value: parsed.value };
  };
}

function refusal(address: ServiceAddress, question: ServiceRequest, answer: HttpAnswer): ResourceAnswer<never> {
  const kind = answer.status === 404 ? "not-found" : "bad-answer";
  const error = address.failure(kind, question, `${address.describe(answer)}; expected 200 with JSON`);
  return { kind: "refused", status: answer.status, error };
}

function parseBody<T>(
  answer: HttpAnswer,
  parse: Parse<T>,
  redactedExcerpt: ServiceAddress["redactedExcerpt"],
): Parsed<T> {
  const text = decodeText(answer);
  const got = `got ${answer.header("content-type") ?? "no content type"}, ${redactedExcerpt(text) || "nothing"}`;
  try {
    const parsed = parse(JSON.parse(text), redactedExcerpt);
    return parsed.ok ? parsed : { ok: false, problem: `${got}; ${parsed.problem}` };
  } catch (error) {
    // A RangeError: nested so deeply that it cannot be walked through.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, problem: `${got}; expected whole JSON (these ${answer.body.length} bytes are not)` };
  }
}

/** JSON is UTF-8; a service that names another encoding is taken at its word. */
function decodeText(answer: HttpAnswer): string {
  const charset = /charset="?([\w-]+)/i.exec(answer.header("content-type") ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(answer.body);
  } catch {
    return new TextDecoder().decode(answer.body);
  }
}

const VALIDATORS = [
  ["etag", "if-none-match"],
  ["last-modified", "if-modified-since"],
] as const;

function validatorsOf(answer: HttpAnswer): Record<string, string> {
  const validators: Record<string, string> = {};
  for (const [name, condition] of VALIDATORS) {
    const value = answer.header(name);
    // One that could not be sent back would spoil every later request.
    if (value !== null && /^[ -~]{1,300}$/.test(value)) validators[condition] = value;
  }
  return validators;
}

interface KeptAnswers<T> {
  readonly get: (name: string) => Kept<T> | undefined;
  readonly set: (name: string, entry: Kept<T>) => void;
}

/** The answers read last, as many as fit into `budget` bytes. */
function createKept<T>(budget: number): KeptAnswers<T> {
  const entries = new Map<string, Kept<T>>();
  let bytes = 0;

  function drop(name: string): void {
    bytes -= entries.get(name)?.bytes ?? 0;
    entries.delete(name);
  }

  return {
    get: (name) => entries.get(name),
    set: (name, entry) => {
      drop(name);
      entries.set(name, entry);
      bytes += entry.bytes;
      for (const oldest of entries.keys()) {
        if (bytes <= budget) break;
        drop(oldest);
      }
    },
  };
}
