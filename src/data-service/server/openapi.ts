import { z } from "zod";
import {
  articleRow,
  articlesAnswer,
  DEFAULT_PAGE_SIZE,
  dayParameter,
  pageNumber,
  pageSize,
  problemAnswer,
  splitRow,
  splitsAnswer,
  wireParameter,
} from "../schema.ts";

type Json = Readonly<Record<string, unknown>>;

const SPLIT_EXAMPLE: z.infer<typeof splitRow> = {
  ticker: "ACME",
  exchange: "NASDAQ",
  company: "Acme Robotics Inc.",
  ratio: "1:20",
  ex_date: "2026-03-10",
  date_announced: "2026-02-27",
};

const ARTICLE_EXAMPLE: z.infer<typeof articleRow> = {
  source: "globenewswire",
  heading: "Acme Robotics Announces 1-for-20 Reverse Stock Split",
  url: "https://wire.example/acme-1",
  content: "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one.",
  date_published: "2026-02-27",
};

/** The OpenAPI 3.1 description of the service, made from the schemas that its answers are made by. */
export function describeService({ limitPerMinute }: { limitPerMinute: number }): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Reverse Stock Split Data Service",
      version: "1",
      description:
        "Current reverse stock splits, and the press releases about them. Read-only: every operation answers GET and HEAD. " +
        "A path that is not listed here answers 404, and an unknown, empty or repeated query parameter 400.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: [{ apiKey: [] }],
    tags: [{ name: "splits" }, { name: "articles" }, { name: "description" }],
    paths: {
      "/v1/splits": pathItem(splitList),
      "/v1/splits/{ticker}": pathItem(splitLookUp),
      "/v1/articles": pathItem(articleSearch),
      "/v1/openapi.json": pathItem(description),
    },
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "query", name: "apiKey", description: "`splitwatch keys add NAME` prints one" },
      },
      schemas: componentSchemas(),
      headers: HEADERS,
      responses: problemResponses(limitPerMinute),
    },
  };
}

/** What differs from one operation to the other. */
interface OperationText {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly open?: true;
  readonly parameters: readonly Json[];
  readonly answers: { readonly schema: Json; readonly example: unknown; readonly description: string };
}

const splitList: OperationText = {
  id: "listSplits",
  tag: "splits",
  summary: "The current reverse splits, by ex date, then ticker",
  parameters: [
    {
      name: "exchange",
      in: "query",
      description:
        "Comma-separated list of exchanges to which the result is restricted; case is ignored, and an exchange without splits adds none",
      schema: { type: "string", minLength: 1 },
      example: "NASDAQ,NYSEAMERICAN",
    },
  ],
  answers: { schema: ref("schemas", "Splits"), example: { data: [SPLIT_EXAMPLE] }, description: "The splits" },
};

const splitLookUp: OperationText = {
  id: "lookUpSplit",
  tag: "splits",
  summary: "The current reverse splits of one ticker",
  parameters: [
    {
      name: "ticker",
      in: "path",
      required: true,
      description: "Symbol of the security; case is ignored, and a slash within it is written %2F",
      schema: { type: "string", minLength: 1 },
      example: "ACME",
    },
  ],
  answers: {
    schema: ref("schemas", "Splits"),
    example: { data: [SPLIT_EXAMPLE] },
    description: "The splits of the ticker; none where it has no current one",
  },
};

const articleSearch: OperationText = {
  id: "searchArticles",
  tag: "articles",
  summary: "Press releases about reverse splits, newest first, then by address",
  parameters: [
    {
      name: "sources",
      in: "query",
      description: "Comma-separated list of news wires to which the result is restricted; case is ignored",
      style: "form",
      explode: false,
      schema: { type: "array", minItems: 1, items: jsonSchema(wireParameter) },
      example: ["globenewswire", "newsfile"],
    },
    dayQuery("from", "Oldest day of publication; not after `to`"),
    dayQuery("to", "Newest day of publication"),
    wholeNumberQuery("page", pageNumber, 0),
    wholeNumberQuery("size", pageSize, DEFAULT_PAGE_SIZE),
  ],
  answers: {
    schema: ref("schemas", "Articles"),
    example: {
      articles: [ARTICLE_EXAMPLE],
      total_results: 1,
      total_pages: 1,
      page_number: 0,
      page_size: DEFAULT_PAGE_SIZE,
    },
    description: "One page of what was found; without articles beyond the last page",
  },
};

const description: OperationText = {
  id: "describeService",
  tag: "description",
  summary: "This document",
  open: true,
  parameters: [],
  answers: { schema: { type: "object" }, example: { openapi: "3.1.0" }, description: "OpenAPI 3.1" },
};

const PROBLEM_NAMES = {
  400: "BadParameter",
  401: "KeyRefused",
  405: "MethodNotAllowed",
  429: "RateLimited",
  500: "Internal",
  503: "NotReady",
} as const;

const KEYED_ONLY: readonly string[] = ["401", "429", "503"];

const HEADERS = {
  ETag: { description: "Strong validator of the body, one per encoding", schema: { type: "string" } },
  Vary: { description: "`Accept-Encoding`: gzip is served to those who ask for it", schema: { type: "string" } },
  CacheControl: { description: "`private, no-cache`: ask each time, with `If-None-Match`", schema: { type: "string" } },
  RetryAfter: { description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
  Allow: { description: "`GET, HEAD`", schema: { type: "string" } },
  Authenticate: { description: "`ApiKey`: the key goes into the query string", schema: { type: "string" } },
};

function pathItem(operation: OperationText): Json {
  return { get: operationOf(operation), head: headOf(operation) };
}

function operationOf({ id, tag, summary, open, parameters, answers }: OperationText): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(open ? { security: [] } : {}),
    parameters: [...parameters, IF_NONE_MATCH],
    responses: {
      200: {
        description: answers.description,
        headers: CACHE_HEADERS,
        content: { "application/json": { schema: answers.schema, example: answers.example } },
      },
      304: { description: "The caller has this content already", headers: CACHE_HEADERS },
      ...problemRefs(open === true),
    },
  };
}

/** As GET, but for the bodies. */
function headOf(operation: OperationText): Json {
  const get = operationOf(operation);
  const responses = Object.keys(get.responses as Json).map((status) => [status, { description: "As GET, no body" }]);
  return { ...get, operationId: `${operation.id}Head`, responses: Object.fromEntries(responses) };
}

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  description: "Entity tags of earlier answers; 304 where one still holds",
  schema: { type: "string" },
};

const CACHE_HEADERS = {
  ETag: ref("headers", "ETag"),
  Vary: ref("headers", "Vary"),
  "Cache-Control": ref("headers", "CacheControl"),
};

function problemRefs(open: boolean): Json {
  const statuses = Object.entries(PROBLEM_NAMES).filter(([status]) => !(open && KEYED_ONLY.includes(status)));
  return Object.fromEntries(statuses.map(([status, name]) => [status, ref("responses", name)]));
}

function problemResponses(limitPerMinute: number): Json {
  const retryAfter = { "Retry-After": ref("headers", "RetryAfter") };
  return {
    [PROBLEM_NAMES[400]]: problem("A parameter is wrong: the answer names it and what is allowed"),
    [PROBLEM_NAMES[401]]: problem("The key is missing or unknown", {
      "WWW-Authenticate": ref("headers", "Authenticate"),
    }),
    [PROBLEM_NAMES[405]]: problem("Another method than GET and HEAD", { Allow: ref("headers", "Allow") }),
    [PROBLEM_NAMES[429]]: problem(`More than ${limitPerMinute} requests with one key within a minute`, retryAfter),
    [PROBLEM_NAMES[500]]: problem("The service failed"),
    [PROBLEM_NAMES[503]]: problem("The service has not read its data yet", retryAfter),
  };
}

function problem(text: string, headers: Json = {}): Json {
  return {
    description: text,
    headers,
    content: { "application/problem+json": { schema: ref("schemas", "Problem") } },
  };
}

function dayQuery(name: string, text: string): Json {
  return { name, in: "query", description: text, schema: jsonSchema(dayParameter) };
}

function wholeNumberQuery(name: string, schema: z.ZodType, byDefault: number): Json {
  return {
    name,
    in: "query",
    description: "Written in digits alone",
    schema: { ...jsonSchema(schema), default: byDefault },
  };
}

function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

function jsonSchema(schema: z.ZodType): Json {
  return withoutMarks(z.toJSONSchema(schema));
}

function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  registry.add(splitRow, { id: "Split" });
  registry.add(splitsAnswer, { id: "Splits" });
  registry.add(articleRow, { id: "Article" });
  registry.add(articlesAnswer, { id: "Articles" });
  registry.add(problemAnswer, { id: "Problem" });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    metadata: z.globalRegistry,
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutMarks(schema)]));
}

/** zod marks each schema as a document of its own; here they are parts of one. */
function withoutMarks(schema: Json): Json {
  const { $schema: _, $id: __, ...part } = schema;
  return part;
}
