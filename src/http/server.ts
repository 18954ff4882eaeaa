import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Log } from "../ports/log.ts";
import type { AnsweredRequest } from "../ports/metrics.ts";
import { type ProblemDetails, problemMessage } from "./problem.ts";
import { boundChunks, boundExceededBy } from "./request-bounds.ts";

/** Request handler: a Hono app, or any object with the same `fetch`. */
export interface FetchApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
}

/** Called when an answer, or its connection, has ended. */
export type OnAnswer = (answered: AnsweredRequest) => void;

/** Answers a request in place of the app, and returns true; or returns false, so that the app answers it. */
export type AnswerDirectly = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

export interface HttpServer {
  /** `http://127.0.0.1:8080`, with the actual port if 0 was requested. */
  readonly address: string;
  /** Stops accepting connections, waits for requests in progress, and aborts those that exceed the drain timeout. */
  close(): Promise<void>;
}

/** The server cannot listen on its address. The message names the address, the variable and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";

  /** True if another program, or another splitwatch, listens at the address. */
  get isInUse(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";
  }
}

/** Limits. A client that exceeds a timeout is disconnected, so that slow clients don't occupy all connections. */
export interface ServerLimits {
  /** Further connections are closed immediately: connections and open files share one limit of the operating system. */
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long `close` waits for requests in progress. */
  readonly drainTimeoutMs: number;
}

/** Twice the default limit of live streams. Many systems allow a process 4,096 open files and connections. */
const MAX_CONNECTIONS = 2_000;

const DEFAULT_LIMITS: ServerLimits = {
  maxConnections: MAX_CONNECTIONS,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  drainTimeoutMs: 3_000,
};

/** Starts a server. Rejects with a ListenError if the address is not available. */
export async function listen(options: {
  readonly app: FetchApp;
  readonly answerDirectly?: AnswerDirectly | undefined;
  readonly host: string;
  readonly port: number;
  /** Environment variable of the port, named in errors. Default: PORT. */
  readonly portVariable?: string;
  readonly log: Log;
  readonly limits?: Partial<ServerLimits>;
  readonly onAnswer?: OnAnswer;
  /** First parts of paths that are counted on their own. */
  readonly areas?: ReadonlySet<string>;
}): Promise<HttpServer> {
  const { app, answerDirectly = () => false, host, port, portVariable = "PORT", log, onAnswer } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  });
  server.maxConnections = limits.maxConnections;
  const handleRequest = requestListener(app, log);
  server.on("request", (incoming, outgoing) => {
    if (onAnswer) observe(incoming, outgoing, { onAnswer, areas: options.areas });
    const problem = boundExceededBy(incoming);
    if (problem !== null) return refuse(outgoing, problem);
    boundChunks(incoming, outgoing);
    if (namesForeignHost(incoming)) {
      outgoing.writeHead(400, { "content-type": "text/plain; charset=UTF-8" });
      outgoing.end("The address in the request line names another host than the Host header, expected the same\n");
    } else if (!answerDirectly(incoming, outgoing)) void handleRequest(incoming, outgoing);
  });
  await bind(server, host, port, portVariable);
  server.on("error", (error) => log.error("http server failed", { error }));
  const { port: actualPort } = server.address() as AddressInfo;
  return { address: `http://${hostAndPort(host, actualPort)}`, close: () => drain(server, limits.drainTimeoutMs) };
}

/** Checks the address before a long startup. Rejects with a ListenError if it is not available. */
export async function assertPortFree(
  { host, port }: { readonly host: string; readonly port: number },
  portVariable = "PORT",
): Promise<void> {
  const server = createServer();
  await bind(server, host, port, portVariable);
  await new Promise((resolve) => server.close(resolve));
}

const STREAM = "/api/stream";

function observe(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { onAnswer, areas }: { readonly onAnswer: OnAnswer; readonly areas: ReadonlySet<string> | undefined },
): void {
  const startedAt = performance.now();
  outgoing.once("close", () => {
    const path = /^[^?#]*/.exec(incoming.url ?? "")?.[0] ?? "";
    const [, first = ""] = path.split("/", 2);
    const ms = path === STREAM ? null : performance.now() - startedAt;
    onAnswer({ area: areas?.has(first) ? first : "page", status: outgoing.statusCode, ms });
  });
}

function refuse(outgoing: ServerResponse, problem: ProblemDetails): void {
  const { status, headers, body } = problemMessage(problem);
  outgoing.writeHead(status, headers).end(body);
}

type RequestListener = ReturnType<typeof getRequestListener>;

function requestListener(app: FetchApp, log: Log): RequestListener {
  return getRequestListener((request, bindings) => app.fetch(request, bindings as HttpBindings), {
    errorHandler(error) {
      if (error instanceof RequestError) return new Response("Bad request\n", { status: 400 });
      log.error("request failed", { error });
      return new Response("Internal error\n", { status: 500 });
    },
  });
}

/** True if the request line has a complete address (`GET http://host/path`) whose host isn't that of the Host header. */
function namesForeignHost({ url: target = "", headers: { host = "" } }: IncomingMessage): boolean {
  if (!/^https?:\/\//i.test(target)) return false;
  const expected = `${target.slice(0, target.indexOf(":"))}://${host}`;
  return !URL.canParse(target) || !URL.canParse(expected) || new URL(target).host !== new URL(expected).host;
}

function bind(server: Server, host: string, port: number, portVariable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const explain = LISTEN_PROBLEMS[error.code ?? ""] ?? listenProblem;
      const message = explain(host, hostAndPort(host, port), error);
      reject(new ListenError(message.replaceAll(/\bPORT\b/g, portVariable), { cause: error }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

type ListenProblem = (host: string, address: string, error: Error) => string;

const LISTEN_PROBLEMS: Readonly<Record<string, ListenProblem>> = {
  EADDRINUSE: (_, address) =>
    `PORT: ${address} is in use by another program; end it, or set PORT to a free port (0 picks any)`,
  EACCES: (_, address) => `PORT: not allowed to listen on ${address}; set PORT to a port from 1024 on`,
  EADDRNOTAVAIL: (host, address) =>
    `HOST: ${host} is not an address of this machine (tried ${address}); set HOST to an address of this machine, such as 127.0.0.1`,
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
};

function noSuchHost(host: string, address: string): string {
  return `HOST: the name ${host} does not resolve to an address (tried ${address}); set HOST to an address, such as 127.0.0.1`;
}

function listenProblem(_: string, address: string, error: Error): string {
  return `HOST, PORT: cannot listen on ${address}: ${error.message}`;
}

async function drain(server: Server, drainTimeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Keep-alive would hold a connection open after its last request.
  const idleSweep = setInterval(() => server.closeIdleConnections(), 50);
  const abortTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await closed;
  clearInterval(idleSweep);
  clearTimeout(abortTimer);
}

/** `127.0.0.1:8080`, `[::1]:8080` */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Address to connect to for a server that listens at `address`: wildcard addresses become loopback ones. */
export function connectableAddress(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
