import { lookup as lookupHost } from "node:dns";
import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Agent, DecoratorHandler, type Dispatcher, request as send } from "undici";
import { linkAbort } from "../lib/abort.ts";
import { quoteValue } from "../lib/error-text.ts";
import { proxyFor } from "../lib/proxies.ts";
import { ProxyingAgent } from "./proxy-connections.ts";

/** Limits of one request. Timeouts are real milliseconds, independent of the injected clock. */
export interface HttpLimits {
  /** Connections per origin; further requests queue. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** Until the response headers are complete. */
  readonly headersTimeoutMs: number;
  /** Between two chunks of the body. */
  readonly bodyTimeoutMs: number;
  /** The whole request, including redirects. */
  readonly totalTimeoutMs: number;
  /** Size of the body, both as transferred and decompressed. */
  readonly maxBodyBytes: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxConnections: 4,
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 10_000,
  totalTimeoutMs: 30_000,
  maxBodyBytes: 32 * 1024 * 1024,
};

const MAX_REDIRECTS = 3;
const MAX_CONTENT_ENCODINGS = 2;

export interface HttpAnswer {
  readonly status: number;
  /** First value of a header, or null. Names are case-insensitive. */
  readonly header: (name: string) => string | null;
  /** All values of a header that may be repeated, such as `set-cookie`. */
  readonly headers: (name: string) => readonly string[];
  /** Decompressed. */
  readonly body: Buffer;
}

export type HttpFailure =
  | "unreachable" // no connection, or it was lost
  | "timeout"
  | "too-large" // more than `maxBodyBytes`
  | "bad-answer" // not HTTP, badly encoded, or an invalid redirect
  | "aborted"; // by the caller's signal or `mayWrite`, or because the client was closed

/** Failure of a request. Neither message nor cause contains an address, because addresses may contain keys. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly failure: HttpFailure;
  /** False if no byte of the request was written. */
  readonly wasWritten: boolean;

  constructor(failure: HttpFailure, message: string, wasWritten = true) {
    super(message);
    this.failure = failure;
    this.wasWritten = wasWritten;
  }
}

export interface HttpClientOptions {
  /** Uses no proxy, for requests to this program. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly isDirect?: boolean;
  /** Called with each address that `host` resolves to, before connecting. Not called for connections that a proxy opens. */
  readonly isAddressAllowed?: (host: string, address: string) => boolean;
}

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** `same-origin`: follows up to 3 redirects within the origin. `manual` (default): returns the redirect. */
  readonly redirect?: "manual" | "same-origin";
  /** Overrides the client's limits. */
  readonly limits?: Partial<Pick<HttpLimits, "totalTimeoutMs" | "maxBodyBytes">>;
  /** Resolves when the headers are complete, with an empty body. The body isn't read, which closes the connection. */
  readonly ignoresBody?: boolean;
  /** Called immediately before the first byte is written to the connection. If it returns false, nothing is written. */
  readonly mayWrite?: () => boolean;
}

export interface HttpClient {
  /** Sends one request without retries and returns the answer with any status. Throws only HttpErrors. */
  request(url: URL, request?: HttpRequest): Promise<HttpAnswer>;
  /** Does the same and returns a standard response, for libraries. */
  fetch(url: URL, request?: Omit<HttpRequest, "redirect">): Promise<Response>;
  /** Does the same for libraries that accept the parts of a response: a standard one costs as much CPU time as the request. */
  fetchParts(url: URL, request?: Omit<HttpRequest, "redirect">): Promise<ResponseParts>;
  /** Aborts requests in progress. */
  close(): Promise<void>;
}

/** The parts of a `Response` whose body was received. */
export interface ResponseParts
  extends Pick<Response, "status" | "statusText" | "ok" | "headers" | "bodyUsed" | "arrayBuffer" | "json" | "text"> {
  readonly body: null;
}

/** HTTP client with its own connection pool, kept alive between requests. */
export function createHttpClient(
  userAgent: string,
  overrides: Partial<HttpLimits> = {},
  options: HttpClientOptions = {},
): HttpClient {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...overrides };
  const dispatcher = createDispatcher(limits, options);
  const defaultHeaders = { "user-agent": userAgent, "accept-encoding": "gzip, br" };

  async function exchange(url: URL, request?: HttpRequest): Promise<ReceivedAnswer> {
    try {
      return await exchangeOnce(url, request);
    } catch (error) {
      throw options.isDirect ? error : namingProxy(error, url);
    }
  }

  function exchangeOnce(
    url: URL,
    { signal, limits: requestLimits, redirect, mayWrite = () => true, ignoresBody = false, ...init }: HttpRequest = {},
  ): Promise<ReceivedAnswer> {
    const { totalTimeoutMs, maxBodyBytes } = { ...limits, ...requestLimits };
    const writing: Writing = { mayWrite, hasBegun: false };
    const checked = withWriteCheck(dispatcher, writing);
    return withTimeoutSignal({ timeoutMs: totalTimeoutMs, callerSignal: signal, writing }, async (deadline) => {
      const headers = { ...defaultHeaders, ...init.headers };
      const sendTo = (target: URL): Promise<ReceivedAnswer> =>
        sendOnce(
          target,
          { method: "GET", ...init, headers, dispatcher: checked, signal: deadline },
          ignoresBody ? null : maxBodyBytes,
        );
      if (redirect !== "same-origin") return sendTo(url);
      return (await followRedirects(url, sendTo, { max: MAX_REDIRECTS, check: assertSameOrigin })).answer;
    });
  }

  return {
    request: exchange,
    fetch: async (url, request) => toResponse(await exchange(url, request)),
    fetchParts: async (url, request) => toResponseParts(await exchange(url, request)),
    close: () => dispatcher.destroy(),
  };
}

/** Names the proxy, which may be the cause of a failed connection. */
function namingProxy(error: unknown, url: URL): unknown {
  const proxy = proxyFor(url);
  if (proxy === null || !(error instanceof HttpError)) return error;
  if (error.failure !== "unreachable" && error.failure !== "timeout") return error;
  return new HttpError(error.failure, `${error.message}, through ${proxy.name}`, error.wasWritten);
}

/** Whether the first byte of a request may be written, and was. */
interface Writing {
  readonly mayWrite: () => boolean;
  hasBegun: boolean;
}

function withWriteCheck(dispatcher: Dispatcher, writing: Writing): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, new WriteCheck(handler, writing)));
}

/** Checks and records the beginning of a request: undici calls `onRequestStart` and then writes the bytes, without a pause. */
class WriteCheck extends DecoratorHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #writing: Writing;

  constructor(handler: Dispatcher.DispatchHandler, writing: Writing) {
    super(handler);
    this.#handler = handler;
    this.#writing = writing;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    if (!this.#writing.mayWrite()) {
      controller.abort(new HttpError("aborted", "the request was not sent"));
      return;
    }
    this.#handler.onRequestStart?.(controller, context);
    this.#writing.hasBegun ||= !controller.aborted;
  }
}

function createDispatcher(limits: HttpLimits, { isDirect = false, isAddressAllowed }: HttpClientOptions): Dispatcher {
  const settings = {
    connections: limits.maxConnections,
    // Limits and the check of the first byte count requests per connection.
    allowH2: false,
    connect: {
      timeout: limits.connectTimeoutMs,
      ...(isAddressAllowed && { lookup: filteredLookup(isAddressAllowed) }),
    },
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
  };
  return isDirect ? new Agent(settings) : new ProxyingAgent(settings);
}

const ADDRESS_REFUSED = "ADDRESS_REFUSED";

/** DNS lookup of the connection itself, with an address check. A separate earlier lookup could return other addresses. */
function filteredLookup(isAllowed: (host: string, address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookupHost(host, { ...options, all: true }, (error, results) => {
      const addresses = error ? [] : results.filter(({ address }) => isAllowed(host, address));
      const [first] = addresses;
      if (!first) callback(error ?? Object.assign(new Error("address refused"), { code: ADDRESS_REFUSED }), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Replaces keys, tokens and credentials in the addresses of a text: `…?apiKey=***&page=0`. */
export function redactUrl(text: string | URL): string {
  return String(text)
    .replace(/([?&](?:api[_-]?key|key|(?:access[_-]?)?token|secret)=)[^&#\s"'<>]*/gi, "$1***")
    .replace(/:\/\/[^/?#\s@]*@/g, "://***@");
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface RedirectRules {
  readonly max: number;
  /** Throws if the request must not be sent to `target`. */
  readonly check: (target: URL, from: URL) => void;
}

/** Sends to `start` and follows redirects. Returns the last answer and its address; throws an HttpError on a bad redirect. */
export async function followRedirects<T extends HttpAnswer>(
  start: URL,
  sendTo: (url: URL) => Promise<T>,
  { max, check }: RedirectRules,
): Promise<{ readonly answer: T; readonly url: URL }> {
  let url = start;
  for (let redirects = 0; redirects <= max; redirects++) {
    const answer = await sendTo(url);
    if (!REDIRECT_STATUSES.has(answer.status)) return { answer, url };
    const location = answer.header("location") ?? "";
    if (location === "" || !URL.canParse(location, url.href))
      throw new HttpError("bad-answer", "it redirects to an invalid address");
    const target = new URL(location, url);
    check(target, url);
    url = target;
  }
  throw new HttpError("bad-answer", `it redirects more than ${max} times`);
}

/** A key in the query string must not reach another host. */
function assertSameOrigin(target: URL, from: URL): void {
  if (target.origin === from.origin) return;
  throw new HttpError("bad-answer", `it redirects to ${target.origin}; redirects to another origin aren't followed`);
}

type SentRequest = Parameters<typeof send>[1] & { readonly method: NonNullable<HttpRequest["method"]> };

interface ReceivedAnswer extends HttpAnswer {
  readonly allHeaders: IncomingHttpHeaders;
}

/** `maxBodyBytes`: null if the body is not read. */
async function sendOnce(url: URL, request: SentRequest, maxBodyBytes: number | null): Promise<ReceivedAnswer> {
  const { statusCode: status, headers: allHeaders, body: stream } = await send(url, request);
  const headers = (name: string): readonly string[] => [allHeaders[name.toLowerCase()] ?? []].flat();
  const answer = { status, header: (name: string) => headers(name)[0] ?? null, headers, allHeaders };
  if (maxBodyBytes === null) {
    stream.on("error", () => undefined).destroy();
    return { ...answer, body: Buffer.alloc(0) };
  }
  const transferred = await readBody(stream, maxBodyBytes);
  const body = await decompress(transferred, headers("content-encoding").join(","), maxBodyBytes);
  return { ...answer, body };
}

function toResponse(answer: ReceivedAnswer): Response {
  const { status, body } = answer;
  return new Response(body.length === 0 ? null : body, {
    status,
    statusText: STATUS_CODES[status] ?? "",
    headers: headerPairs(answer),
  });
}

function toResponseParts(answer: ReceivedAnswer): ResponseParts {
  const { status, body } = answer;
  const text = (): string => body.toString("utf8");
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    ok: status >= 200 && status < 300,
    headers: new Headers(headerPairs(answer)),
    body: null,
    bodyUsed: false,
    arrayBuffer: async () => new Uint8Array(body).buffer,
    json: async () => JSON.parse(text()),
    text: async () => text(),
  };
}

function headerPairs({ headers, allHeaders }: ReceivedAnswer): [string, string][] {
  return Object.keys(allHeaders).flatMap((name) => headers(name).map((value): [string, string] => [name, value]));
}

async function readBody(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const DECODERS: ReadonlyMap<string, (coded: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>> = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Uses zlib, because undici's `fetch` accepts truncated bodies, and undici's decompress interceptor is experimental. */
async function decompress(encoded: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const names = contentEncoding.split(",").map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== "" && name !== "identity");
  let body = encoded;
  if (body.length === 0) return body;
  for (const encoding of encodings.toReversed()) {
    const decode = DECODERS.get(encoding);
    if (!decode || encodings.length > MAX_CONTENT_ENCODINGS) {
      const receivedEncodings = quoteValue(encodings.join(", "));
      throw new HttpError("bad-answer", `got content-encoding ${receivedEncodings}, expected gzip or br`);
    }
    body = await decode(body, { maxOutputLength: maxBytes }).catch((error: unknown) => {
      if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
      throw new HttpError("bad-answer", `its ${encoding} encoding is damaged or cut short`);
    });
  }
  return body;
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError("too-large", `the answer is larger than ${maxBytes} bytes`);
}

interface Deadline {
  readonly timeoutMs: number;
  readonly callerSignal: AbortSignal | undefined;
  readonly writing: Writing;
}

/** Runs `work` with a signal that aborts with `callerSignal` or after `timeoutMs`; converts every error to an HttpError. */
async function withTimeoutSignal<T>(
  { timeoutMs, callerSignal, writing }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const combined = linkAbort(...(callerSignal ? [callerSignal] : []));
  const timer = setTimeout(combined.abort, timeoutMs);
  const failed = (failure: HttpFailure, message: string): HttpError =>
    new HttpError(failure, message, writing.hasBegun);
  try {
    return await work(combined.signal);
  } catch (error) {
    if (callerSignal?.aborted) throw failed("aborted", "the request was aborted");
    if (combined.signal.aborted) throw failed("timeout", `no complete answer within ${timeoutMs} ms`);
    const { failure, message } = toHttpError(error);
    throw failed(failure, message);
  } finally {
    clearTimeout(timer);
    combined.unlink();
  }
}

const TIMEOUT_MESSAGES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stalled",
  ETIMEDOUT: "no connection in time",
};
const CONNECTION_LOST_CODES = new Set([
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "HPE_INVALID_EOF_STATE",
  "ECONNRESET",
  "EPIPE",
]);
const NOT_HTTP_CODE = /^(?:HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/;
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|VERIFY|ALTNAME|ISSUER/;
/** Node's codes of a server that doesn't speak TLS. */
const NOT_TLS_CODES = new Set(["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);
const PROXY_REFUSED = /^Proxy response \((\d{3})\)/;
const CLIENT_CLOSED_CODES = new Set(["UND_ERR_DESTROYED", "UND_ERR_CLOSED", "UND_ERR_ABORTED"]);

function connectionProblem(code: string): string {
  if (CERTIFICATE_CODE.test(code))
    return `its certificate isn't trusted (${code}); NODE_EXTRA_CA_CERTS can name its authority`;
  if (NOT_TLS_CODES.has(code)) return `it doesn't speak TLS: use http instead of https (${code})`;
  return `no connection (${code})`;
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = codeOf(error);
  const timeout = TIMEOUT_MESSAGES[code];
  if (timeout) return new HttpError("timeout", timeout);
  const proxyStatus = PROXY_REFUSED.exec(error instanceof Error ? error.message : "")?.[1];
  if (proxyStatus) return new HttpError("unreachable", `the proxy answered ${proxyStatus}`);
  if (code === ADDRESS_REFUSED) return new HttpError("unreachable", "its host name has no public address");
  if (CLIENT_CLOSED_CODES.has(code)) return new HttpError("aborted", "the HTTP client is closed");
  if (CONNECTION_LOST_CODES.has(code)) return new HttpError("unreachable", `the connection was lost (${code})`);
  if (NOT_HTTP_CODE.test(code)) return new HttpError("bad-answer", `the answer is not HTTP (${code})`);
  return new HttpError("unreachable", connectionProblem(code));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/**
 * Delay that a `Retry-After` header requests, at most `maxMs`. A date in the header is compared with the answer's `Date`
 * header, because the clocks may differ. Undefined if the header is missing or invalid.
 */
export function readRetryAfterMs({ header }: HttpAnswer, now: number, maxMs: number): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  const senderNow = Date.parse(header("date") ?? "");
  const untilDate = Date.parse(text) - (Number.isNaN(senderNow) ? now : senderNow);
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : untilDate;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxMs);
}
