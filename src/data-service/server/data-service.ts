import { type Context, Hono } from "hono";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { answerJson } from "./answer.ts";
import type { Catalog } from "./catalog.ts";
import type { Keyring } from "./keyring.ts";
import { describeService } from "./openapi.ts";
import { operationsOn } from "./operations.ts";
import { Problem } from "./problem.ts";
import { type Query, readKey, readParameters, readQuery } from "./query.ts";
import { createRateLimit } from "./rate-limit.ts";

const NOT_READY_RETRY_SECONDS = 2;
const DESCRIPTION_PATH = "/v1/openapi.json";

export interface DataServiceOptions {
  readonly catalog: Catalog;
  readonly keys: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests per key within a minute. */
  readonly limitPerMinute: number;
}

/** What is known of a request when its answer is logged. */
interface ServiceEnv {
  readonly Variables: { operation?: string; caller?: string };
}

/** Everything under `/v1`: the three operations and their description; an RFC 9457 problem for all else. */
export function createDataService(options: DataServiceOptions): Hono<ServiceEnv> {
  const { catalog, clock, log, limitPerMinute } = options;
  const admit = createGate(options.keys, createRateLimit({ clock, perMinute: limitPerMinute }));
  const description = describeService({ limitPerMinute });
  const service = new Hono<ServiceEnv>();

  service.onError((error, c) => {
    if (error instanceof Problem) return error.toResponse();
    log.error("request failed", { operation: c.get("operation"), error: error.stack ?? error.message });
    return new Problem("internal", "The service failed at this request. Its log says why.").toResponse();
  });
  service.use("/v1/*", async (c, next) => {
    const startedAt = clock.now();
    await next();
    setSafetyHeaders(c);
    // The path's pattern, or `none` where no path matched: a fixed, small set.
    const operation = c.get("operation") ?? "none";
    log.debug("request answered", {
      operation,
      status: c.res.status,
      key: c.get("caller"),
      ms: clock.now() - startedAt,
    });
  });

  serve(service, DESCRIPTION_PATH, (c) => {
    readParameters(readQuery(c.req.url), []);
    return description;
  });
  for (const operation of operationsOn(catalog)) {
    serve(service, operation.path, (c) => {
      const query = readQuery(c.req.url);
      c.set("caller", admit(query));
      if (!catalog.ready) throw notReady();
      return operation.answer(query, c.req.url);
    });
  }
  service.all("/v1/*", () => {
    throw new Problem("not_found", "There is no such path. /v1/openapi.json describes those that there are.");
  });
  return service;
}

/** Answers GET, and so HEAD; any other method is told so. */
function serve(service: Hono<ServiceEnv>, path: string, answer: (c: Context<ServiceEnv>) => unknown): void {
  service.get(path, (c) => {
    c.set("operation", path);
    return answerJson(c.req.raw, answer(c));
  });
  service.all(path, (c) => {
    c.set("operation", path);
    const headers = { Allow: "GET, HEAD" };
    throw new Problem("method_not_allowed", "The data is read-only: GET and HEAD are the methods.", { headers });
  });
}

/** Lets a request with a good key pass, within its limit; gives the name of the key. */
function createGate(keys: Keyring, limit: ReturnType<typeof createRateLimit>): (query: Query) => string {
  return (query) => {
    const key = readKey(query);
    if (key === undefined) throw keyProblem("key_missing", "missing");
    const caller = keys.find(key);
    if (!caller) throw keyProblem("key_unknown", "not known here, or revoked");
    const turn = caller.limited ? limit.take(caller.name) : { ok: true as const };
    if (!turn.ok) throw rateLimited(turn.retryAfterSeconds);
    return caller.name;
  };
}

/** The key stands in the address: no page that links from here may pass it on. */
function setSafetyHeaders(c: Context): void {
  c.res.headers.set("X-Content-Type-Options", "nosniff");
  c.res.headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  c.res.headers.set("Referrer-Policy", "no-referrer");
  c.res.headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

function keyProblem(code: "key_missing" | "key_unknown", what: string): Problem {
  const detail = `apiKey: ${what}, expected a key that \`splitwatch keys add NAME\` printed`;
  return new Problem(code, detail, { parameter: "apiKey", headers: { "WWW-Authenticate": "ApiKey" } });
}

function rateLimited(retryAfterSeconds: number): Problem {
  const detail = `This key has used up its requests of the last minute. Try again in ${retryAfterSeconds} s.`;
  return new Problem("rate_limited", detail, { headers: { "Retry-After": String(retryAfterSeconds) } });
}

function notReady(): Problem {
  const detail = "The service has not read its data yet. Try again in a moment.";
  return new Problem("not_ready", detail, { headers: { "Retry-After": String(NOT_READY_RETRY_SECONDS) } });
}
