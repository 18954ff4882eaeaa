import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { HOUR_MS } from "../../domain/time/day.ts";
import { type HttpAnswer, type HttpClient, HttpError, readRetryAfterMs, redactUrl } from "../../http/client.ts";
import { validatorsOf } from "../../http/validators.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { excerpt } from "../../lib/external-text.ts";
import { isJsonObject, parseJson } from "../../lib/json.ts";
import { createRedactor } from "../../lib/redact.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { SourceError, type SourceFailure } from "../../ports/split-source.ts";
import { DATA_HEADER, SAMPLE_DATA } from "../schema.ts";
import type { Parsed } from "./json-list.ts";

/** A request to the service. `path` starts with `/v1`. */
export interface ServiceRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Receives whether the data of an answer is sample data, and the answer's headers by name. */
export type AcceptsData = (isSample: boolean, header: HttpAnswer["header"]) => boolean;

export interface ResourceOptions {
  readonly http: HttpClient;
  /** Base address without `/v1`; may contain a path and a trailing slash. */
  readonly baseUrl: string;
  /** Null if the service needs no key. */
  readonly apiKey: string | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of retries after the first attempt. */
  readonly retries: number;
  readonly random: () => number;
  /** Maximum total size of the bodies whose values are cached. */
  readonly cacheBytes: number;
  /** Called for each answer with data. Returns false to reject the data, which fails the request. */
  readonly acceptsData: AcceptsData;
  /**
   * Time after which an answer is requested without validators, in case the service or a cache before it wrongly answers 304. Default:
   * an hour.
   */
  readonly revalidationMs?: number;
}

/** Parses UTF-8 JSON. Throws a SyntaxError if the body isn't JSON. `toExcerpt` shortens text for messages and redacts the key. */
export type Parse<T> = (body: Buffer, toExcerpt: (text: string) => string) => Promise<Parsed<T>>;

export type ResourceAnswer<T> =
  | { readonly kind: "read"; readonly value: T; readonly bytes: number }
  /** A 4xx status other than 401, 403 and 429. Its meaning depends on the request. */
  | { readonly kind: "refused"; readonly status: number; readonly error: SourceError };

/** Reads one kind of JSON answer. Rejects with a SourceError on any failure other than `refused`. */
export type Resource<T> = (request: ServiceRequest, signal: AbortSignal) => Promise<ResourceAnswer<T>>;

const RETRYABLE: ReadonlySet<SourceFailure> = new Set([
  "unreachable",
  "timeout",
  "rate-limited",
  "server-error",
  "not-ready",
]);
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
/** A request is not retried if the `Retry-After` of its answer is longer; the error then contains the value. */
const MAX_RETRY_WAIT_MS = 30_000;
/** Longer values of `Retry-After` are implausible and reduced to this value. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const MAX_QUOTED_BYTES = 4_000;
const DEFAULT_REVALIDATION_MS = HOUR_MS;

interface CachedAnswer<T> {
  readonly validators: Readonly<Record<string, string>>;
  readonly hash: string;
  readonly bytes: number;
  readonly value: T;
  readonly receivedAt: MonotonicTime;
}

/** Creates a resource. Caches answers with their validators, so that an unchanged answer isn't parsed again. */
export function createResource<T>(options: ResourceOptions, parse: Parse<T>): Resource<T> {
  const { cacheBytes, revalidationMs = DEFAULT_REVALIDATION_MS } = options;
  const cache = createCache<T>(cacheBytes);
  const address = createServiceAddress(options.baseUrl, options.apiKey);

  return async (request, signal) => {
    const cacheKey = `${request.path}?${new URLSearchParams(request.query).toString()}`;
    const cached = cache.get(cacheKey);
    const receivedAt = options.clock.monotonic();
    const recent = ifRecent(cached, receivedAt, revalidationMs);
    const conditional = { request, headers: recent?.validators ?? {}, signal };
    const answer = await fetchWithRetries(address, options, conditional);
    const rejection = dataRejection(answer, options);
    if (rejection !== null) throw address.failure("bad-answer", request, rejection);
    if (answer.status === 304 && recent) return { kind: "read", value: recent.value, bytes: answer.body.length };
    if (answer.status !== 200) return refusal(address, request, answer);
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const isUnchanged = cached?.hash === hash;
    const parsed: Parsed<T> = isUnchanged
      ? { ok: true, value: cached.value }
      : await parseBody(answer, parse, address.toExcerpt);
    if (!parsed.ok) throw address.failure("bad-answer", request, parsed.problem);
    const bytes = answer.body.length;
    cache.set(cacheKey, { validators: validatorsOf(answer), hash, bytes, value: parsed.value, receivedAt });
    return { kind: "read", value: parsed.value, bytes };
  };
}

/** Returns the cached answer if a 304 can confirm it. */
function ifRecent<T>(
  cached: CachedAnswer<T> | undefined,
  now: MonotonicTime,
  revalidationMs: number,
): CachedAnswer<T> | undefined {
  return cached && now - cached.receivedAt < revalidationMs ? cached : undefined;
}

/** Reason why the data of an answer is rejected; null if it is accepted. */
function dataRejection({ status, header }: HttpAnswer, { acceptsData }: ResourceOptions): string | null {
  const isSample = header(DATA_HEADER) === SAMPLE_DATA;
  if (status >= 400 || acceptsData(isSample, header)) return null;
  return isSample ? "got sample data, expected live data as before" : "got live data, expected sample data as before";
}

function refusal(address: ServiceAddress, request: ServiceRequest, answer: HttpAnswer): ResourceAnswer<never> {
  const kind = answer.status === 404 ? "not-found" : "bad-answer";
  const error = address.failure(kind, request, `${address.describe(answer)}; expected 200 with JSON`);
  if (answer.status < 400) throw error;
  return { kind: "refused", status: answer.status, error };
}

/** Builds URLs of the service, and messages about it that don't contain its key. */
interface ServiceAddress {
  /** Contains the key. */
  readonly urlOf: (request: ServiceRequest) => URL;
  /** Creates an error that names the request. The message is `GET <url>: <problem>`. */
  readonly failure: (
    kind: SourceFailure,
    request: ServiceRequest,
    problem: string,
    retryAfterMs?: number,
  ) => SourceError;
  readonly toExcerpt: (text: string) => string;
  /** `got 401 Unauthorized: {"error":"Unknown API Key"}` */
  readonly describe: (answer: HttpAnswer) => string;
}

function createServiceAddress(baseUrl: string, apiKey: string | null): ServiceAddress {
  const base = parseBaseUrl(baseUrl);
  // A service may repeat the key in its error messages.
  const redact = createRedactor(apiKey === null ? [] : [apiKey]);

  function urlOf({ path, query }: ServiceRequest): URL {
    const url = new URL(base.pathname.replace(/(?<!\/)\/+$/, "") + path, base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (apiKey !== null) url.searchParams.set("apiKey", apiKey);
    return url;
  }

  // Redacts before shortening, because a truncated key would not be recognized.
  const toExcerpt = (text: string): string => excerpt(redact(text.slice(0, MAX_QUOTED_BYTES)));

  return {
    urlOf,
    toExcerpt,
    failure: (kind, request, problem, retryAfterMs) => {
      const message = `GET ${redactUrl(urlOf(request))}: ${problem}`;
      return new SourceError(kind, message, retryAfterMs === undefined ? {} : { retryAfterMs });
    },
    describe: (answer) => {
      const status = `got ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`.trimEnd();
      const text = answer.body.toString("utf8", 0, MAX_QUOTED_BYTES);
      const body = toExcerpt(problemDetail(answer, text) ?? text);
      return body === "" ? status : `${status}: ${body}`;
    },
  };
}

/** Detail of a problem document (RFC 9457); undefined for any other answer. */
function problemDetail(answer: HttpAnswer, text: string): string | undefined {
  if (!answer.header("content-type")?.startsWith("application/problem+json")) return undefined;
  const problem = parseJson(text);
  return isJsonObject(problem) && typeof problem.detail === "string" ? problem.detail : undefined;
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Error(
    `data service: got the base address "${redactUrl(text)}", expected one such as https://splits.example`,
  );
}

interface ConditionalRequest {
  readonly request: ServiceRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Returns an answer with a status below 400, or a 4xx other than 401, 403 and 429. Throws a SourceError after the last retry. */
async function fetchWithRetries(
  address: ServiceAddress,
  options: ResourceOptions,
  conditional: ConditionalRequest,
): Promise<HttpAnswer> {
  for (let retries = 0; ; retries++) {
    const answer = await fetchOnce(address, options, conditional);
    if (!(answer instanceof SourceError)) return answer;
    const isRetryable = RETRYABLE.has(answer.failure) && (answer.retryAfterMs ?? 0) <= MAX_RETRY_WAIT_MS;
    if (retries >= options.retries || !isRetryable) throw answer;
    // Random jitter, so that many clients don't retry at the same moment.
    const waitMs = (answer.retryAfterMs ?? 0) + Math.floor(options.random() * backoffMs(retries + 1, BACKOFF));
    options.log.info("data service retry", { failure: answer.failure, reason: answer.message, waitMs });
    await options.clock.sleep(waitMs, conditional.signal);
    if (conditional.signal.aborted) throw address.failure("aborted", conditional.request, "the request was aborted");
  }
}

async function fetchOnce(
  address: ServiceAddress,
  { http, clock }: ResourceOptions,
  { request, headers, signal }: ConditionalRequest,
): Promise<HttpAnswer | SourceError> {
  try {
    const answer = await http.request(address.urlOf(request), {
      headers: { accept: "application/json", ...headers },
      signal,
      redirect: "same-origin",
    });
    const kind = failureOf(answer);
    if (kind === null) return answer;
    const advice = kind === "not-allowed" ? "; expected the key to be accepted: check SPLITS_API_KEY" : "";
    const retryAfterMs = readRetryAfterMs(answer, clock.now(), MAX_RETRY_AFTER_MS);
    return address.failure(kind, request, address.describe(answer) + advice, retryAfterMs);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return address.failure(error.failure === "too-large" ? "bad-answer" : error.failure, request, error.message);
  }
}

function failureOf({ status, header }: HttpAnswer): SourceFailure | null {
  if (status === 401 || status === 403) return "not-allowed";
  if (status === 429) return "rate-limited";
  if (status === 503 && header("retry-after") !== null) return "not-ready";
  return status >= 500 ? "server-error" : null;
}

async function parseBody<T>(
  answer: HttpAnswer,
  parse: Parse<T>,
  toExcerpt: ServiceAddress["toExcerpt"],
): Promise<Parsed<T>> {
  const body = toUtf8(answer);
  const start = toExcerpt(body.toString("utf8", 0, MAX_QUOTED_BYTES));
  const got = `got ${answer.header("content-type") ?? "no content type"}, ${start || "nothing"}`;
  try {
    const parsed = await parse(body, toExcerpt);
    return parsed.ok ? parsed : { ok: false, problem: `${got}; ${parsed.problem}` };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: `${got}; expected complete JSON (${answer.body.length} bytes received)` };
  }
}

/** Converts the body to UTF-8 if the service declares another encoding. */
function toUtf8(answer: HttpAnswer): Buffer {
  const charset = /charset="?([\w-]+)/i.exec(answer.header("content-type") ?? "")?.[1] ?? "utf-8";
  if (/^utf-?8$/i.test(charset)) return answer.body;
  try {
    return Buffer.from(new TextDecoder(charset).decode(answer.body));
  } catch {
    return answer.body;
  }
}

interface AnswerCache<T> {
  readonly get: (key: string) => CachedAnswer<T> | undefined;
  readonly set: (key: string, entry: CachedAnswer<T>) => void;
}

/** Creates a cache of the latest answers, up to `maxBytes` of bodies. */
function createCache<T>(maxBytes: number): AnswerCache<T> {
  const entries = new Map<string, CachedAnswer<T>>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    get: (key) => entries.get(key),
    set: (key, entry) => {
      remove(key);
      entries.set(key, entry);
      bytes += entry.bytes;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}
