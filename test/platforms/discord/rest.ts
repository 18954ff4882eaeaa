import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError, refusals } from "./api-error.ts";
import type { Fault, FaultPicker } from "./faults.ts";
import { createRateLimits, NO_LIMITS, type RateLimits, type Verdict } from "./rate-limits.ts";
import { checkBody, checkFiles } from "./request-check.ts";
import { ROUTES, type Route, type RouteParts } from "./routes.ts";

/** One request, as received and as it was answered. */
export interface Recorded {
  /** Milliseconds of `performance.now`. */
  readonly at: number;
  /** Milliseconds on the server's clock. */
  readonly time: number;
  readonly method: string;
  /** Without the base and the query. */
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  /** Uploaded files. */
  readonly files: readonly SentFile[];
  /** Null until it is answered, and if the connection was reset. */
  status: number | null;
  /** Body of the answer. */
  answer: unknown;
}

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface RestParts extends RouteParts {
  readonly token: string;
  readonly faults: FaultPicker;
  readonly limits: RateLimits;
  /** The server's clock. */
  readonly now: () => number;
  readonly requests: Recorded[];
  readonly violations: string[];
  /** Answers that count against 10,000 in 10 minutes: 401, 403 and 429. */
  readonly invalid: number[];
}

interface Outcome {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const BASE = "/api/v10";

export function restListener(parts: RestParts): RequestListener {
  return (request, response) => {
    void serve(parts, request, response).catch((error: unknown) => {
      parts.violations.push(`the test server failed: ${String(error)}`);
      response.destroy();
    });
  };
}

async function serve(parts: RestParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://discord");
  const path = decodeURIComponent(url.pathname.slice(BASE.length));
  const recorded: Recorded = {
    at: performance.now(),
    time: parts.now(),
    method: request.method ?? "",
    path,
    query: url.search,
    ...(await readBody(request)),
    status: null,
    answer: undefined,
  };
  parts.requests.push(recorded);
  if (!url.pathname.startsWith(`${BASE}/`)) parts.violations.push(`${url.pathname}: not below ${BASE}`);
  if (parts.faults.latencyMs > 0) await pause(parts.faults.latencyMs);
  const fault = parts.faults.pick(recorded);
  const asked = { query: url.searchParams, authorization: request.headers.authorization };
  if (fault?.when === "before") {
    applyFault(parts, fault, { recorded, response });
    // It used the limits of the time at which it arrived.
    const unlimited = { ...parts, limits: createRateLimits(NO_LIMITS, parts.now) };
    if (fault.kind === "later") runAt(parts.now() + fault.ms, parts.now, () => answer(unlimited, recorded, asked));
    return;
  }
  const outcome = answer(parts, recorded, asked);
  if (fault) applyFault(parts, fault, { recorded, response });
  else send(parts, outcome, { recorded, response });
}

async function readBody(request: IncomingMessage): Promise<Pick<Recorded, "body" | "files">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return readForm(bytes, type);
  return { body: jsonIn(bytes.toString("utf8")), files: [] };
}

/** The message is in `payload_json`, its files in `files[0]`, `files[1]`. */
async function readForm(bytes: Buffer, type: string): Promise<Pick<Recorded, "body" | "files">> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const files: SentFile[] = [];
  for (const [key, value] of form) {
    if (typeof value === "string") continue;
    if (key !== `files[${files.length}]`) throw new Error(`${key}: expected files[${files.length}]`);
    files.push({ name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  const payload = form.get("payload_json");
  return { body: typeof payload === "string" ? jsonIn(payload) : undefined, files };
}

function jsonIn(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function answer(
  parts: RestParts,
  recorded: Recorded,
  { query, authorization }: { query: URLSearchParams; authorization: string | undefined },
): Outcome {
  const { method, path, body } = recorded;
  const route = ROUTES.find((each) => each.method === method && each.path.test(path));
  if (!route) {
    parts.violations.push(`${method} ${path}: no such route here`);
    return outcomeOf(refusals.notFound());
  }
  if (!route.open && authorization !== `Bot ${parts.token}`) return outcomeOf(refusals.unauthorized());
  const verdict = parts.limits.take(bucketOf(route, recorded));
  if (verdict.refused) return limited(verdict, verdict.refused);
  try {
    rejectInvalid(parts, route, recorded);
    const ids = (route.path.exec(path) ?? []).slice(1);
    const found = route.run(parts, { ids, query, body });
    return { status: found === null ? 204 : 200, headers: verdict.headers, body: found };
  } catch (error) {
    if (error instanceof ApiError) return { ...outcomeOf(error), headers: verdict.headers };
    throw error;
  }
}

/** Discord limits each route per channel, guild, or webhook with its token, which is that of an interaction. */
function bucketOf(route: Route, { method, path }: Recorded): Parameters<RateLimits["take"]>[0] {
  const major = /^\/(?:(?:channels|guilds)\/[^/]+|(?:webhooks|interactions)\/[^/]+\/[^/]+)/.exec(path)?.[0] ?? "";
  return { bucket: `${method} ${route.path.source} ${major}`, posting: route.posting ?? false, counted: !route.open };
}

function rejectInvalid({ violations }: RestParts, route: Route, { method, path, body, files }: Recorded): void {
  if (!route.body) return;
  const problems = [...checkBody(route.body, body), ...checkFiles(body, files)];
  if (problems.length === 0) return;
  violations.push(...problems.map((problem) => `${method} ${path.replaceAll(/token-of-\d+/g, "…")}: ${problem}`));
  if (problems.some((problem) => problem === "an empty message")) throw refusals.emptyMessage();
  throw refusals.invalidForm(problems);
}

function outcomeOf(error: ApiError): Outcome {
  return { status: error.status, body: error.body };
}

function limited(verdict: Verdict, { retryAfterMs, global }: NonNullable<Verdict["refused"]>): Outcome {
  const seconds = retryAfterMs / 1_000;
  return {
    status: 429,
    headers: {
      ...verdict.headers,
      "retry-after": String(Math.max(1, Math.ceil(seconds))),
      "x-ratelimit-scope": global ? "global" : "user",
      ...(global ? { "x-ratelimit-global": "true" } : {}),
    },
    body: { message: "You are being rate limited.", retry_after: seconds, global },
  };
}

interface Exchange {
  readonly recorded: Recorded;
  readonly response: ServerResponse;
}

const CLOCK_CHECK_MS = 5;

/** Runs `work` once a clock that can skip shows this time. */
function runAt(dueAt: number, now: () => number, work: () => unknown): void {
  const timer = setInterval(() => {
    if (now() < dueAt) return;
    clearInterval(timer);
    work();
  }, CLOCK_CHECK_MS);
  timer.unref();
}

function applyFault(parts: RestParts, fault: Fault, exchange: Exchange): void {
  if (fault.kind === "answer") send(parts, fault.answer, exchange);
  if (fault.kind === "later") send(parts, { status: 504, body: "upstream request timeout" }, exchange);
  if (fault.kind === "reset") exchange.response.socket?.resetAndDestroy();
}

function send(parts: RestParts, { status, headers = {}, body }: Outcome, { recorded, response }: Exchange): void {
  recorded.status = status;
  recorded.answer = body;
  const shared = headers["x-ratelimit-scope"] === "shared";
  if ((status === 401 || status === 403 || status === 429) && !shared) parts.invalid.push(status);
  const empty = status === 204 || body === undefined;
  const isText = typeof body === "string";
  response.writeHead(status, { ...(isText || empty ? {} : { "content-type": "application/json" }), ...headers });
  if (empty) response.end();
  else response.end(isText ? body : JSON.stringify(body));
}
