import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici";

/** How long and how much one request may take. Times are real milliseconds: a network does not wait for anybody's clock. */
export interface HttpLimits {
  /** Connections to one origin; further requests queue. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** Until the head of the answer is there. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the body. */
  readonly bodyTimeoutMs: number;
  /** The whole of it, redirects included. */
  readonly totalTimeoutMs: number;
  /** Of the body, as it travels and decoded. */
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

export interface HttpAnswer {
  readonly status: number;
  /** Null where the answer has no such header. The name in any case. */
  readonly header: (name: string) => string | null;
  /** Where a header may come more than once: `set-cookie`. */
  readonly headers: (name: string) => readonly string[];
  /** Decoded. */
  readonly body: Buffer;
}

export type HttpFailure =
  | "unreachable" // no connection, or it broke off
  | "timeout"
  | "bad-answer" // not HTTP, too large, badly encoded, or it leads elsewhere
  | "aborted"; // by the caller, or the connections are closed

/** The message holds no address and the error no cause: an address may hold a key. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly failure: HttpFailure;
  /** A "bad-answer" of more than `maxBytes`. */
  readonly tooLarge: boolean;

  constructor(failure: HttpFailure, message: string, { tooLarge = false } = {}) {
    super(message);
    this.failure = failure;
    this.tooLarge = tooLarge;
  }
}

/** How requests leave this machine. */
export interface HttpClientOptions {
  /** Through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, if they name one. */
  readonly useProxy?: boolean;
  /** Whether a connection to an address that `host` has may be opened. Not asked where a proxy opens it. */
  readonly isAddressAllowed?: (host: string, address: string) => boolean;
}

export interface HttpRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** In place of the general limit. */
  readonly maxBodyBytes?: number;
}

export interface HttpClient {
  /** One try, any status. Redirects are followed within the origin alone. Throws an HttpError and nothing else. */
  get(url: URL, options: { headers?: Readonly<Record<string, string>>; signal: AbortSignal }): Promise<HttpAnswer>;
  /** One request and what comes back, be it a redirect. Throws an HttpError and nothing else. */
  send(url: URL, request: HttpRequest): Promise<HttpAnswer>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** A reader of addresses with its own few connections, kept alive between requests. */
export function createHttpClient(
  userAgent: string,
  changes: Partial<HttpLimits> = {},
  way: HttpClientOptions = {},
): HttpClient {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...changes };
  const agent = createAgent(limits, way);
  const general = { "user-agent": userAgent, "accept-encoding": "gzip, br" };
  const plan = ({
    method = "GET",
    headers,
    maxBodyBytes: maxBytes = limits.maxBodyBytes,
  }: Omit<HttpRequest, "signal">): OneRequest => ({
    agent,
    method,
    headers: { ...general, ...headers },
    maxBytes,
  });
  return {
    get: (url, { headers = {}, signal }) => {
      const one = plan({ headers });
      return withDeadline(limits.totalTimeoutMs, signal, async (either) =>
        decoded(await follow(url, (hop) => sendOnce(hop, one, either)), limits.maxBodyBytes),
      );
    },
    send: (url, { signal, ...asked }) => {
      const one = plan(asked);
      return withDeadline(limits.totalTimeoutMs, signal, async (either) =>
        decoded(await sendOnce(url, one, either), one.maxBytes),
      );
    },
    close: () => agent.destroy(),
  };
}

function createAgent(limits: HttpLimits, { useProxy = false, isAddressAllowed }: HttpClientOptions): Dispatcher {
  const settings = {
    connections: limits.maxConnections,
    connect: { timeout: limits.connectTimeoutMs, ...(isAddressAllowed && { lookup: guardedLookup(isAddressAllowed) }) },
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
  };
  return useProxy ? new EnvHttpProxyAgent(settings) : new Agent(settings);
}

/** Looks at what the name stands for at the moment of connecting: a look before that could be answered differently. */
function guardedLookup(isAddressAllowed: (host: string, address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => isAddressAllowed(host, address));
      const [first] = addresses;
      if (!first) done(error ?? Object.assign(new Error("not allowed"), { code: NOT_ALLOWED }), []);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Takes keys, tokens and credentials out of the addresses in a text: `…?apiKey=***&page=0`. */
export function redactUrl(text: string | URL): string {
  return String(text)
    .replace(/([?&](?:api[_-]?key|key|(?:access[_-]?)?token|secret)=)[^&#\s"'<>]*/gi, "$1***")
    .replace(/:\/\/[^/?#\s@]*@/g, "://***@");
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A key in the query string must not travel to a host that it was not meant for, so another origin ends the journey. */
async function follow(start: URL, get: (url: URL) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await get(url);
    const location = REDIRECTS.has(answer.status) ? answer.header("location") : null;
    if (location === null) return answer;
    url = redirectTarget(location, url);
    if (url.origin !== start.origin) {
      throw new HttpError(
        "bad-answer",
        `it redirects to ${url.origin}, another origin; redirects are followed within one`,
      );
    }
  }
  throw new HttpError("bad-answer", `it redirects more than ${MAX_REDIRECTS} times`);
}

function redirectTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new HttpError("bad-answer", "it redirects to something that is no address");
  return new URL(location, from);
}

interface OneRequest {
  readonly agent: Dispatcher;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

async function sendOnce(url: URL, one: OneRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { agent, method, headers, maxBytes } = one;
  const answer = await request(url, { dispatcher: agent, method, headers, signal });
  const body = await readBody(answer.body, maxBytes);
  const valuesOf = (name: string): readonly string[] => [answer.headers[name.toLowerCase()] ?? []].flat();
  return { status: answer.statusCode, header: (name) => valuesOf(name)[0] ?? null, headers: valuesOf, body };
}

async function readBody(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Leaving the loop destroys the body, and the connection with it.
    if (bytes > maxBytes) throw tooMuch(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const DECODERS: ReadonlyMap<string, (coded: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>> = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

async function decoded(answer: HttpAnswer, maxBytes: number): Promise<HttpAnswer> {
  return { ...answer, body: await decode(answer, maxBytes) };
}

/** undici's own decoder is marked experimental; this one stops a decompression bomb at `maxBytes` as well. */
async function decode(answer: HttpAnswer, maxBytes: number): Promise<Buffer> {
  const codings = (answer.header("content-encoding") ?? "").toLowerCase().split(",");
  const applied = codings.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
  let body = answer.body;
  if (body.length === 0) return body;
  for (const coding of applied.toReversed()) {
    const decoder = DECODERS.get(coding);
    if (!decoder || applied.length > 2) {
      throw new HttpError("bad-answer", `got content-encoding ${quoted(applied.join(", "))}, expected gzip or br`);
    }
    body = await decoder(body, { maxOutputLength: maxBytes }).catch((error: unknown) => {
      if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooMuch(maxBytes);
      throw new HttpError("bad-answer", `its ${coding} encoding is damaged or cut short`);
    });
  }
  return body;
}

function tooMuch(maxBytes: number): HttpError {
  return new HttpError("bad-answer", `the answer is larger than ${maxBytes} bytes`, { tooLarge: true });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/** Runs `get` with a signal that aborts with `outer` or after `ms`, and turns whatever it throws into an HttpError. */
async function withDeadline<T>(ms: number, outer: AbortSignal, get: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  const stop = (): void => either.abort();
  const timer = setTimeout(stop, ms);
  outer.addEventListener("abort", stop);
  if (outer.aborted) stop();
  try {
    return await get(either.signal);
  } catch (error) {
    if (outer.aborted) throw new HttpError("aborted", "the request was stopped");
    if (either.signal.aborted) throw new HttpError("timeout", `no whole answer within ${ms} ms`);
    throw toHttpError(error);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", stop);
  }
}

const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped half-way",
  ETIMEDOUT: "no connection in time",
};
const BROKEN_OFF = new Set([
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "HPE_INVALID_EOF_STATE",
  "ECONNRESET",
  "EPIPE",
]);
const NOT_HTTP = /^(?:HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/;
const NOT_ALLOWED = "NOT_ALLOWED";
const PROXY_REFUSED = /^Proxy response \((\d{3})\)/;
const CLOSED = new Set(["UND_ERR_DESTROYED", "UND_ERR_CLOSED", "UND_ERR_ABORTED"]);

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = codeOf(error);
  const late = TIMEOUTS[code];
  if (late) return new HttpError("timeout", late);
  const refused = PROXY_REFUSED.exec(error instanceof Error ? error.message : "");
  if (refused) return new HttpError("unreachable", `the proxy answered ${refused[1]}`);
  if (code === NOT_ALLOWED) return new HttpError("unreachable", "its name leads to an address that is not public");
  if (CLOSED.has(code)) return new HttpError("aborted", "the connections are closed");
  if (BROKEN_OFF.has(code)) return new HttpError("unreachable", `the connection broke off (${code})`);
  if (NOT_HTTP.test(code)) return new HttpError("bad-answer", `the answer is not HTTP (${code})`);
  return new HttpError("unreachable", `no connection (${code})`);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
