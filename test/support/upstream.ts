import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { KEEP_IDLE_CONNECTIONS } from "./idle-connections.ts";
import { type Answer, deliver, type Fault, type UpstreamRequest } from "./upstream-faults.ts";
import { DOCUMENTED, pageOf, type Quirks } from "./upstream-pages.ts";

export { faults as lies, type UpstreamRequest } from "./upstream-faults.ts";

/**
 * A Reverse Stock Split Data Service for tests, on a real socket of 127.0.0.1. It answers as documented from `splits` and
 * `articles`, which a test can change, until a fault is injected.
 *
 *     const upstream = await startUpstream({ splits: [aSplitRow()] });
 *     upstream.splits = [];                              // the next poll sees an empty list
 *     upstream.quirks = { clamp: 10, firstPage: 1 };     // differs from the embedded service where the specification is silent
 *     upstream.injectFault(faults.html);                 // every answer is a web page …
 *     upstream.clearFault();                             // … until now
 *     upstream.injectFault(faults.status(429, { "retry-after": "3" }), { times: 2 });
 *     upstream.injectFault(faults.hang, { path: "/v1/articles" });
 *     await upstream.stop();
 */
export interface Upstream {
  /** The base address, without `/v1` and without a key. */
  readonly url: string;
  key: string;
  /** Rows in the format of the data service; invalid ones are served unchanged. */
  splits: readonly unknown[];
  articles: readonly unknown[];
  quirks: Partial<Quirks>;
  /** Marks answers as sample data. */
  sample: boolean;
  /** Called before each answer, for example to change the rows between two pages. */
  beforeAnswer: (request: UpstreamRequest) => void;
  /** All requests so far, oldest first; a test may clear it. */
  readonly requests: UpstreamRequest[];
  /** Falsifies all answers, the next `times` answers, or those for paths that start with `path`. Replaces an earlier fault. */
  injectFault(fault: Fault, scope?: { times?: number; path?: string }): void;
  clearFault(): void;
  dropConnections(): void;
  stop(): Promise<void>;
}

export interface UpstreamStart {
  readonly key?: string;
  readonly splits?: readonly unknown[];
  readonly articles?: readonly unknown[];
  /** A path prefix of the service: `/proxy`. */
  readonly prefix?: string;
}

export async function startUpstream(start: UpstreamStart = {}): Promise<Upstream> {
  const prefix = start.prefix ?? "";
  let fault: { readonly apply: Fault; readonly path: string; left: number } | null = null;
  const server = createServer(KEEP_IDLE_CONNECTIONS, (request, response) => {
    const received = readRequest(request);
    upstream.requests.push(received);
    upstream.beforeAnswer(received);
    if (upstream.sample) response.setHeader("X-Splitwatch-Data", "sample");
    deliver(answerTo(received), response);
  });

  function answerTo(received: UpstreamRequest): Answer {
    if (!fault || fault.left < 1 || !received.path.slice(prefix.length).startsWith(fault.path)) return truth(received);
    fault.left -= 1;
    // A fault modifies the rows, so the correct answer must not be "not modified".
    return fault.apply(truth({ ...received, headers: {} }), received);
  }

  const truth = (received: UpstreamRequest): Answer => {
    if (!received.path.startsWith(prefix)) return problem(404, "no such path");
    return trueAnswer(upstream, { ...received, path: received.path.slice(prefix.length) });
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    url: `http://127.0.0.1:${port}${prefix}`,
    key: start.key ?? "upstream-test-key",
    splits: start.splits ?? [],
    articles: start.articles ?? [],
    quirks: {},
    sample: false,
    beforeAnswer: () => undefined,
    requests: [],
    injectFault: (apply, { times = Number.POSITIVE_INFINITY, path = "" } = {}) => {
      fault = { apply, path, left: times };
    },
    clearFault: () => {
      fault = null;
    },
    dropConnections: () => server.closeAllConnections(),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return upstream;
}

export const SPLIT_ROW = {
  ticker: "ACME",
  exchange: "NASDAQ",
  company: "Acme Robotics Inc.",
  ratio: "1:20",
  ex_date: "2026-03-10",
  date_announced: "2026-02-27",
} as const;

/** A row of `/v1/splits`, valid unless `parts` says otherwise. */
export function aSplitRow(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...SPLIT_ROW, ...parts };
}

/** A row of `/v1/articles`, valid unless `parts` says otherwise. */
export function anArticleRow(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    source: "globenewswire",
    heading: "Acme Robotics Announces Reverse Stock Split",
    url: "https://wire.example/acme-1",
    content: "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one.",
    date_published: "2026-03-02",
    ...parts,
  };
}

function readRequest(request: IncomingMessage): UpstreamRequest {
  const url = new URL(request.url ?? "/", "http://upstream");
  return { path: url.pathname, query: url.searchParams, headers: request.headers };
}

function trueAnswer(upstream: Upstream, received: UpstreamRequest): Answer {
  if (received.query.get("apiKey") !== upstream.key) return problem(401, "the apiKey is missing or unknown");
  const quirks = { ...DOCUMENTED, ...upstream.quirks };
  if (received.path === "/v1/splits") return found(received, { data: splitsOn(upstream, received.query) }, quirks);
  if (received.path === "/v1/articles") {
    const page = pageOf(upstream.articles, received.query, quirks);
    return typeof page === "number" ? problem(page, "no such page") : found(received, page, quirks);
  }
  const ticker = /^\/v1\/splits\/([^/]+)$/.exec(received.path)?.[1];
  if (ticker === undefined) return problem(404, "no such path");
  const rows = upstream.splits.filter((row) => textOf(row, "ticker") === decodeURIComponent(ticker).toUpperCase());
  return rows.length === 0 && quirks.unknownTicker === 404
    ? problem(404, "no such ticker")
    : found(received, { data: rows }, quirks);
}

function splitsOn(upstream: Upstream, query: URLSearchParams): readonly unknown[] {
  const exchanges = query.get("exchange")?.toUpperCase().split(",");
  return upstream.splits.filter((row) => !exchanges || exchanges.includes(textOf(row, "exchange")));
}

function textOf(row: unknown, field: string): string {
  return String((row as Record<string, unknown> | null)?.[field]);
}

function found(received: UpstreamRequest, body: Readonly<Record<string, unknown>>, quirks: Quirks): Answer {
  const text = JSON.stringify(body);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;
  if (quirks.etag && received.headers["if-none-match"] === etag) return { status: 304, headers: { etag }, body: "" };
  const headers = { "content-type": "application/json", ...(quirks.etag ? { etag } : {}) };
  return { status: 200, headers, body: text };
}

function problem(status: number, detail: string): Answer {
  return { status, headers: { "content-type": "application/problem+json" }, body: JSON.stringify({ status, detail }) };
}
