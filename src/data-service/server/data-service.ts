import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { clientAddress } from "../../http/client-address.ts";
import { createSlidingWindow } from "../../lib/rate-limiter.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { DATA_HEADER, SAMPLE_DATA } from "../schema.ts";
import { answerJson } from "./json-answer.ts";
import type { KeyHolder, Keyring } from "./keyring.ts";
import { badParameter, problemException } from "./problem-exception.ts";
import { checkLastSegment, checkParameters, type Query, readKey, readQuery } from "./query.ts";
import {
  generateDocument,
  type ParameterIssue,
  ROUTES,
  type Route,
  type ServiceDocument,
  withSampleNote,
} from "./routes.ts";
import { type Catalog, findArticles, findByExchange, findByTicker } from "./served-catalog.ts";

const NOT_READY_RETRY_SECONDS = 2;

export interface DataServiceOptions {
  readonly catalog: Catalog;
  /** True if the catalog contains sample data. Answers with sample data are marked. */
  readonly isSample: () => boolean;
  readonly keys: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of requests per key and minute. */
  readonly limitPerMinute: number;
  /** `excerpt`: answers contain only the start of an article's text, except for the embedded bot. */
  readonly articleTexts?: ArticleTexts;
}

export type ArticleTexts = "full" | "excerpt";

/** State of a request, set by the checks and used by the log line and the operations. */
interface ServiceEnv {
  readonly Variables: { operation?: string; caller?: KeyHolder };
}

type Service = OpenAPIHono<ServiceEnv>;

/** Creates the app for `/v1`: the operations and their OpenAPI document. Other paths under `/v1` return a problem (RFC 9457). */
export function createDataService(options: DataServiceOptions): Hono<ServiceEnv> {
  const { catalog, isSample, limitPerMinute, articleTexts = "full" } = options;
  const service: Service = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result, c) => {
      if (!result.success) throw invalidParameter(result.error.issues, c);
    },
  });
  addMiddleware(service, options);
  const admit = createGate(options);
  for (const route of Object.values(ROUTES)) addChecks(service, route, admit);
  service.openapi(ROUTES.listSplits, (c) =>
    answerJson(c.req.raw, { data: findByExchange(catalog.splits(), c.req.valid("query").exchange) }),
  );
  service.openapi(ROUTES.lookUpSplit, (c) =>
    answerJson(c.req.raw, { data: findByTicker(catalog.splits(), c.req.valid("param").ticker) }),
  );
  service.openapi(ROUTES.searchArticles, (c) => {
    const answer = findArticles(catalog.articles(), c.req.valid("query"));
    const isBot = c.get("caller")?.isRateLimited === false;
    return answerJson(c.req.raw, articleTexts === "full" || isBot ? answer : withExcerpts(answer));
  });
  let document: ServiceDocument | undefined;
  service.openapi(ROUTES.describeService, (c) => {
    document ??= generateDocument(service, limitPerMinute);
    return answerJson(c.req.raw, isSample() ? withSampleNote(document) : document);
  });
  service.all("/v1/*", () => {
    throw problemException("not_found", "There is no such path. /v1/openapi.json describes the service.");
  });
  return service;
}

const EXCERPT_LENGTH = 400;

function withExcerpts(answer: ReturnType<typeof findArticles>): typeof answer {
  const articles = answer.articles.map((article) => ({ ...article, content: excerptOf(article.content) }));
  return { ...answer, articles };
}

/** Start of the text, cut at whitespace. */
function excerptOf(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const start = text.slice(0, EXCERPT_LENGTH);
  return `${start.slice(0, Math.max(start.search(/\s\S*$/), 0)) || start}…`;
}

/** Adds error answers, common headers and one log line per request. */
function addMiddleware(service: Service, { isSample, clock, log }: DataServiceOptions): void {
  service.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("request failed", { operation: c.get("operation"), error: error.stack ?? error.message });
    return problemException(
      "internal",
      "The service failed to answer this request. Its log contains the reason.",
    ).getResponse();
  });
  service.use("/v1/*", async (c, next) => {
    const startedAt = clock.monotonic();
    await next();
    // The route's pattern, or `none`, so that logs contain few distinct values.
    const operation = c.get("operation") ?? "none";
    const ms = clock.monotonic() - startedAt;
    log.debug("request answered", { operation, status: c.res.status, key: c.get("caller")?.name, ms });
  });
  service.use("/v1/*", async (c, next) => {
    // Evaluated before the data is read, so that a switch to live data during the request can't leave sample data unmarked.
    const isMarked = isSample();
    await next();
    if (isMarked) c.header(DATA_HEADER, SAMPLE_DATA);
  });
  service.use(
    "/v1/*",
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      // A proxy in front decides whether the site is HTTPS only.
      strictTransportSecurity: false,
    }),
  );
}

/** Adds the checks that precede validation: method, query string, key, request limit, readiness and parameter names. */
function addChecks(service: Service, route: Route, admit: Admit): void {
  const path = route.getRoutingPath();
  const names = "query" in route.request ? Object.keys(route.request.query.shape) : [];
  service.all(path, async (c, next) => {
    c.set("operation", path);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") throw methodNotAllowed();
    const query = readQuery(c.req.url);
    if (!("security" in route)) c.set("caller", admit(query, clientAddress(c)));
    checkParameters(query, names);
    if ("params" in route.request) checkLastSegment(c.req.url, "ticker");
    await next();
  });
}

/** Maximum number of requests with unknown keys per address and minute. Valid keys are accepted even after it is reached. */
const MAX_UNKNOWN_KEYS = 60;

/** Returns the owner of the key. Throws a problem if the key is invalid or over its limit, or if the service has no data yet. */
type Admit = (query: Query, client: string) => KeyHolder;

function createGate({ catalog, keys, clock, limitPerMinute }: DataServiceOptions): Admit {
  const limiter = createSlidingWindow(clock, { max: limitPerMinute, windowMs: MINUTE_MS });
  const unknownKeys = createSlidingWindow(clock, { max: MAX_UNKNOWN_KEYS, windowMs: MINUTE_MS });
  return (query, client) => {
    const key = readKey(query);
    if (key === undefined) throw keyProblem("key_missing", "missing");
    const caller = keys.find(key);
    if (!caller) throw unknownKey(unknownKeys.take(client));
    const waitMs = caller.isRateLimited ? limiter.take(caller.name) : 0;
    if (waitMs > 0) throw rateLimited("This key has reached its limit of requests per minute.", waitMs);
    if (!catalog.ready) throw notReady();
    return caller;
  };
}

function invalidParameter(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  c: Context,
): HTTPException {
  const [issue] = issues;
  const name = String(issue?.path[0]);
  const { got = c.req.query(name) ?? "", allowed } = issue && "params" in issue ? (issue.params as ParameterIssue) : {};
  return badParameter(name, got, issue?.message ?? "a valid value", allowed);
}

function methodNotAllowed(): HTTPException {
  const headers = { Allow: "GET, HEAD" };
  return problemException("method_not_allowed", "The data is read-only: use GET or HEAD.", { headers });
}

function keyProblem(code: "key_missing" | "key_unknown", state: string): HTTPException {
  const detail = `apiKey: ${state}, expected a key that \`splitwatch keys add NAME\` printed`;
  return problemException(code, detail, { parameter: "apiKey", headers: { "WWW-Authenticate": "ApiKey" } });
}

/** `blockedMs`: time until the address may send another unknown key. */
function unknownKey(blockedMs: number): HTTPException {
  return blockedMs > 0
    ? rateLimited("Too many requests with unknown keys.", blockedMs)
    : keyProblem("key_unknown", "unknown or revoked");
}

function rateLimited(reason: string, waitMs: number): HTTPException {
  const seconds = Math.ceil(waitMs / 1_000);
  const headers = { "Retry-After": String(seconds) };
  return problemException("rate_limited", `${reason} Try again in ${seconds} s.`, { headers });
}

function notReady(): HTTPException {
  const detail = "The service has not read its data yet. Try again in a moment.";
  return problemException("not_ready", detail, { headers: { "Retry-After": String(NOT_READY_RETRY_SECONDS) } });
}
