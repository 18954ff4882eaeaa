import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Env } from "hono";
import { WIRES } from "../../domain/article/wire.ts";
import { type Day, parseDay } from "../../domain/time/day.ts";
import {
  articlesAnswer,
  DATA_HEADER,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  problemAnswer,
  SAMPLE_DATA,
  splitsAnswer,
} from "../schema.ts";

/** Details of an invalid parameter. The Zod issue's message is the text after `expected` in `<name>: got <value>, expected …`. */
export interface ParameterIssue {
  /** Invalid part of the value; absent if the whole value is invalid. */
  readonly got?: string;
  readonly allowed?: readonly string[];
}

function invalid(context: z.RefinementCtx, expected: string, issue: ParameterIssue = {}): never {
  context.addIssue({ code: "custom", message: expected, params: { ...issue } });
  return z.NEVER;
}

/** Schema of a comma-separated list. `allowed`: permitted members, case-insensitive; absent if any member is permitted. */
function list(allowed?: readonly string[]) {
  return z.string().transform((text, context): readonly string[] => {
    const members = text.split(",").map((member) => member.trim());
    if (members.includes("")) return invalid(context, "a comma-separated list without empty members");
    const invalidMember = allowed && members.find((member) => !allowed.includes(member.toLowerCase()));
    if (invalidMember === undefined) return members;
    return invalid(context, `any of ${allowed?.join(", ")}`, { got: invalidMember, ...(allowed && { allowed }) });
  });
}

const exchangeList = list().optional().openapi({
  type: "string",
  minLength: 1,
  description: "Comma-separated list of exchanges; case is ignored, and exchanges without splits are skipped",
  example: "NASDAQ,NYSEAMERICAN",
});

const wireList = list(WIRES)
  .optional()
  .openapi({
    param: { style: "form", explode: false },
    type: "array",
    minItems: 1,
    items: { type: "string", enum: [...WIRES] },
    description: "Comma-separated list of news wires; case is ignored",
    example: ["globenewswire", "newsfile"],
  });

function dayParameter(description: string) {
  return z
    .string()
    .transform((text, context): Day => parseDay(text) ?? invalid(context, "a calendar day as YYYY-MM-DD"))
    .optional()
    .openapi({ type: "string", format: "date", description, example: "2026-02-27" });
}

/** Digits only: `10`, not `1e1`, `+10` or `010`. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]*)$/;

function wholeNumber(description: string, limits: { minimum: number; maximum: number; default: number }) {
  const { minimum, maximum } = limits;
  return z
    .string()
    .transform((text, context): number => {
      const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
      const isInRange = value >= minimum && value <= maximum;
      return isInRange ? value : invalid(context, `a whole number from ${minimum} to ${maximum}`);
    })
    .optional()
    .transform((value) => value ?? limits.default)
    .openapi({ type: "integer", ...limits, description: `${description}; digits only` });
}

const articleSearch = z
  .object({
    sources: wireList,
    from: dayParameter("Oldest day of publication, inclusive; not after `to`"),
    to: dayParameter("Newest day of publication, inclusive"),
    page: wholeNumber("Number of the page, counted from 0", {
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
    }),
    size: wholeNumber("Results per page", { minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }),
  })
  .superRefine(({ from, to }, context) => {
    if (!from || !to || from <= to) return;
    context.addIssue({ code: "custom", path: ["from"], message: `a day on or before \`to\` (${to})` });
  });

export type ArticleSearch = z.infer<typeof articleSearch>;

const ticker = z.string().openapi({
  description:
    "Symbol of the security in any case and spelling, such as BRK.B, BRK-B or OAKR.TO; a slash is written %2F",
  example: "ACME",
});

const SAMPLE_HEADER = {
  [DATA_HEADER]: {
    description: `\`${SAMPLE_DATA}\`: the data is sample data with invented companies; absent otherwise`,
    schema: { type: "string" },
  },
} as const;
const ANSWER_HEADERS = {
  ...SAMPLE_HEADER,
  ETag: { description: "Strong validator of the body, one per encoding", schema: { type: "string" } },
  Vary: { description: "`Accept-Encoding`: gzip is served on request", schema: { type: "string" } },
  "Cache-Control": { description: "`private, no-cache`: revalidate with `If-None-Match`", schema: { type: "string" } },
} as const;
const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
} as const;
const ALLOW = { Allow: { description: "`GET, HEAD`", schema: { type: "string" } } } as const;
const AUTHENTICATE = {
  "WWW-Authenticate": { description: "`ApiKey`: the key belongs in the query string", schema: { type: "string" } },
} as const;

function documentedProblem(description: string, headers = {}) {
  return {
    description,
    headers: { ...SAMPLE_HEADER, ...headers },
    content: { "application/problem+json": { schema: problemAnswer } },
  };
}

/** Possible answers of every operation, in addition to 200. */
const COMMON_ANSWERS = {
  304: { description: "The caller's copy is current", headers: ANSWER_HEADERS },
  400: documentedProblem("A parameter is invalid: the answer names it and what is allowed"),
  405: documentedProblem("The method is not GET or HEAD", ALLOW),
  500: documentedProblem("The service failed"),
};

/** Possible answers of operations that require a key, in addition to 200. */
const KEYED_ANSWERS = {
  ...COMMON_ANSWERS,
  401: documentedProblem("The key is missing or unknown", AUTHENTICATE),
  429: documentedProblem("The key has reached its limit of requests per minute", RETRY_AFTER),
  503: documentedProblem("The service has not read its data yet", RETRY_AFTER),
};

function json<T extends z.ZodType>(description: string, schema: T) {
  return { description, headers: ANSWER_HEADERS, content: { "application/json": { schema } } };
}

const conditional = z.object({
  "If-None-Match": z
    .string()
    .optional()
    .openapi({ description: "Entity tags of earlier answers; 304 if one is current" }),
});

/** Operations of the service, used to validate requests and to generate the OpenAPI document. */
export const ROUTES = {
  listSplits: createRoute({
    method: "get",
    path: "/v1/splits",
    operationId: "listSplits",
    tags: ["splits"],
    summary: "The current reverse splits, by ex date, then ticker",
    request: { query: z.object({ exchange: exchangeList }), headers: conditional },
    responses: { 200: json("The splits", splitsAnswer), ...KEYED_ANSWERS },
  }),
  lookUpSplit: createRoute({
    method: "get",
    path: "/v1/splits/{ticker}",
    operationId: "lookUpSplit",
    tags: ["splits"],
    summary: "The current reverse splits of one ticker",
    request: { params: z.object({ ticker }), headers: conditional },
    responses: { 200: json("The splits; empty if the ticker has none", splitsAnswer), ...KEYED_ANSWERS },
  }),
  searchArticles: createRoute({
    method: "get",
    path: "/v1/articles",
    operationId: "searchArticles",
    tags: ["articles"],
    summary: "Press releases about reverse splits, newest first, then by URL",
    request: { query: articleSearch, headers: conditional },
    responses: {
      200: json("One page of results; empty beyond the last page", articlesAnswer),
      ...KEYED_ANSWERS,
    },
  }),
  describeService: createRoute({
    method: "get",
    path: "/v1/openapi.json",
    operationId: "describeService",
    tags: ["description"],
    summary: "This document",
    security: [],
    request: { headers: conditional },
    responses: { 200: json("OpenAPI 3.1", z.looseObject({ openapi: z.string() })), ...COMMON_ANSWERS },
  }),
} as const;

export type Route = (typeof ROUTES)[keyof typeof ROUTES];

export type ServiceDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** Generates the OpenAPI 3.1 document of a service on which the routes are registered. */
export function generateDocument<E extends Env>(service: OpenAPIHono<E>, limitPerMinute: number): ServiceDocument {
  const registry = service.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "query",
    name: "apiKey",
    description: "API key, created with `splitwatch keys add NAME`",
  });
  for (const route of Object.values(ROUTES)) registry.registerPath(headRoute(route));
  return service.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Reverse Stock Split Data Service",
      version: "1",
      description:
        "Current reverse stock splits, and the press releases about them. Read-only: every operation answers GET and HEAD. " +
        "Any other path answers 404, and an unknown, empty or repeated query parameter 400. " +
        `More than ${limitPerMinute} requests with one key within a minute answer 429.`,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: [{ apiKey: [] }],
    tags: [
      { name: "splits", description: "Current reverse stock splits" },
      { name: "articles", description: "Press releases about reverse stock splits" },
      { name: "description", description: "This document" },
    ],
  });
}

/** Adds a sample-data note to the document. */
export function withSampleNote({ info, ...document }: ServiceDocument): ServiceDocument {
  const note =
    "The service currently serves sample data: companies, tickers and releases are invented. " +
    `Every answer has the header \`${DATA_HEADER}: ${SAMPLE_DATA}\`.`;
  return { ...document, info: { ...info, description: `${note} ${info.description}` } };
}

/** HEAD route of a GET route, with the same answers without bodies. */
function headRoute(route: Route) {
  const statuses = Object.keys(route.responses);
  return {
    ...route,
    method: "head",
    operationId: `${route.operationId}Head`,
    responses: Object.fromEntries(statuses.map((status) => [status, { description: "As GET, without a body" }])),
  } as const;
}
