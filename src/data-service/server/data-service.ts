import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { clientAddress } from "../../http/client-address.ts";
import type { AnswerDirectly } from "../../http/server.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type ArticleRow, DATA_HEADER, SAMPLE_DATA, type SplitRow } from "../schema.ts";
import {
  type AnswerCache,
  type CachedAnswer,
  createAnswerCache,
  formOf,
  separateKey,
  targetFor,
} from "./answer-cache.ts";
import { createDirectAnswers, logRequest } from "./direct-answers.ts";
import { createGate, type Gate } from "./gate.ts";
import { answerJson, createJsonBody, type Negotiated, negotiate } from "./json-answer.ts";
import type { KeyHolder, Keyring } from "./keyring.ts";
import { badParameter, problemException } from "./problem-exception.ts";
import { checkLastSegment, checkParameters, readQuery } from "./query.ts";
import {
  generateDocument,
  type ParameterIssue,
  ROUTES,
  type Route,
  type ServiceDocument,
  withSampleNote,
} from "./routes.ts";
import { type Catalog, findArticles, findByExchange, findByTicker } from "./served-catalog.ts";

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

/** State of a request, set by the middleware, the checks and the operations. */
interface ServiceEnv {
  readonly Variables: { operation?: string; caller?: KeyHolder; isMarked?: boolean; answered?: Answered };
}

/** The answer of an operation, and the form of it that the caller accepts. */
interface Answered extends Negotiated {
  readonly answer: CachedAnswer;
}

type Service = OpenAPIHono<ServiceEnv>;

export interface DataService extends Hono<ServiceEnv> {
  /** Fast path: resends cached answers, which equal the answers of the app. */
  readonly answerDirectly: AnswerDirectly;
}

/** Creates the app for `/v1`: the operations and their OpenAPI document. Other paths under `/v1` return a problem (RFC 9457). */
export function createDataService(options: DataServiceOptions): DataService {
  const { catalog, isSample, clock, log, limitPerMinute, articleTexts = "full" } = options;
  const answers = createAnswerCache();
  catalog.onChange(() => answers.clear());
  const answer = createAnswer(answers, isSample);
  const splits = (): readonly SplitRow[] => catalog.splits();
  const articles = (): readonly ArticleRow[] => catalog.articles();
  const service: Service = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result, c) => {
      if (!result.success) throw invalidParameter(result.error.issues, c);
    },
  });
  addMiddleware(service, options);
  const gate = createGate(options);
  for (const route of Object.values(ROUTES)) addChecks(service, route, gate);
  service.openapi(ROUTES.listSplits, (c) =>
    answer(c, splits, (rows) => ({ data: findByExchange(rows, c.req.valid("query").exchange) })),
  );
  service.openapi(ROUTES.lookUpSplit, (c) =>
    answer(c, splits, (rows) => ({ data: findByTicker(rows, c.req.valid("param").ticker) })),
  );
  service.openapi(ROUTES.searchArticles, (c) =>
    answer(c, articles, (rows) => {
      const page = findArticles(rows, c.req.valid("query"));
      const isBot = c.get("caller")?.isRateLimited === false;
      return articleTexts === "full" || isBot ? page : withExcerpts(page);
    }),
  );
  let document: ServiceDocument | undefined;
  const describe = (): ServiceDocument => (document ??= generateDocument(service, limitPerMinute));
  service.openapi(ROUTES.describeService, (c) =>
    answer(c, describe, (parts) => (c.get("isMarked") ? withSampleNote(parts) : parts)),
  );
  service.all("/v1/*", () => {
    throw problemException("not_found", "There is no such path. /v1/openapi.json describes the service.");
  });
  return Object.assign(service, { answerDirectly: createDirectAnswers({ answers, gate, clock, log }) });
}

/** Answers an operation with JSON that stays cached until `rowsOf` returns other rows. */
type AnswerOperation = <T>(
  c: Context<ServiceEnv>,
  rowsOf: () => T,
  makeValue: (rows: T) => unknown,
) => Promise<Response>;

function createAnswer(answers: AnswerCache, isSample: () => boolean): AnswerOperation {
  return (c, rowsOf, makeValue) => {
    const target = cacheTarget(c);
    const answer = answers.find(target) ?? makeAnswer();
    answers.add(target, answer);
    const negotiated = negotiate(c.req.header(), answer.body);
    c.set("answered", { answer, ...negotiated });
    return answerJson(answer.body, negotiated);

    function makeAnswer(): CachedAnswer {
      const rows = rowsOf();
      const isMarked = c.get("isMarked");
      return {
        operation: c.get("operation") ?? "none",
        body: createJsonBody(makeValue(rows)),
        isCurrent: () => rowsOf() === rows && isSample() === isMarked,
        sent: new Map(),
      };
    }
  };
}

/** Undefined if the answer must not be cached, because `separateKey` doesn't find the key that the operation needs. */
function cacheTarget(c: Context<ServiceEnv>): string | undefined {
  const caller = c.get("caller");
  const target = c.req.url.replace(ORIGIN, "");
  if (caller === undefined) return target === c.get("operation") ? target : undefined;
  const keyed = separateKey(target);
  return keyed ? targetFor(caller, keyed.target) : undefined;
}

const ORIGIN = /^[^/]*\/\/[^/]*/;

/** Caches an answer as it was sent, so that `answerDirectly` can resend it. */
async function recordSent({ answer, isGzip, isUnchanged }: Answered, { status, headers }: Response): Promise<void> {
  const bytes = isGzip ? answer.body.gzip() : answer.body.plain;
  const sent = { status, headers: [...headers].flat(), body: isUnchanged ? null : await bytes };
  answer.sent.set(formOf({ isGzip, isUnchanged }), sent);
}

const EXCERPT_LENGTH = 400;

function withExcerpts(answer: ReturnType<typeof findArticles>): typeof answer {
  const articles = answer.articles.map((article) => ({ ...article, content: excerptOf(article.content) }));
  return { ...answer, articles };
}

/** Start of the text, cut at whitespace. */
export function excerptOf(text: string): string {
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
    const answered = c.get("answered");
    if (answered && !c.error) await recordSent(answered, c.res);
    // The route's pattern, or `none`, so that logs contain few distinct values.
    const operation = c.get("operation") ?? "none";
    logRequest({ clock, log }, startedAt, { operation, status: c.res.status, key: c.get("caller")?.name });
  });
  service.use("/v1/*", async (c, next) => {
    // Evaluated before the data is read, so that a switch to live data during the request can't leave sample data unmarked.
    const isMarked = isSample();
    c.set("isMarked", isMarked);
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
function addChecks(service: Service, route: Route, gate: Gate): void {
  const path = route.getRoutingPath();
  const names = "query" in route.request ? Object.keys(route.request.query.shape) : [];
  service.all(path, async (c, next) => {
    c.set("operation", path);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") throw methodNotAllowed();
    const query = readQuery(c.req.url);
    if (!("security" in route)) c.set("caller", gate.admit(query, clientAddress(c)));
    checkParameters(query, names);
    if ("params" in route.request) checkLastSegment(c.req.url, "ticker");
    await next();
  });
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
