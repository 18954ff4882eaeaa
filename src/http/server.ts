import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Log } from "../ports/log.ts";
import { hostAndPort } from "./host-address.ts";

/** What answers requests: a Hono app, or anything with its `fetch`. */
export interface FetchApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
}

export interface HttpServer {
  /** `http://127.0.0.1:8080`, with the port that was taken where 0 was asked for. */
  readonly address: string;
  /** Takes no new connection, lets requests under way end, and cuts off what lasts too long. */
  close(): Promise<void>;
}

/** The address cannot be listened on. The message names it, the variable to change, and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** A client that is slower than this is cut off: a few slow ones must not use up all connections. In milliseconds. */
export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long `close` waits for answers under way. */
  readonly drainTimeoutMs: number;
}

const LIMITS: ServerLimits = { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, drainTimeoutMs: 3_000 };

/** Fails with a ListenError. */
export async function listen(options: {
  readonly app: FetchApp;
  readonly host: string;
  readonly port: number;
  /** The variable that the port was read from, for whoever has to change it. */
  readonly portVariable?: string;
  readonly log: Log;
  readonly limits?: Partial<ServerLimits>;
}): Promise<HttpServer> {
  const { app, host, port, portVariable = "PORT", log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  });
  const answer = requestListener(app, log);
  server.on("request", (incoming, outgoing) => void answer(incoming, outgoing));
  await bind(server, host, port, portVariable);
  server.on("error", (error) => log.error("http server failed", { error }));
  const { port: taken } = server.address() as AddressInfo;
  return { address: `http://${hostAndPort(host, taken)}`, close: () => drain(server, limits.drainTimeoutMs) };
}

/** Fails with a ListenError where the address could not be listened on now: told before a long start, not after it. */
export async function assertPortFree({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer();
  await bind(server, host, port, "PORT");
  await new Promise((resolve) => server.close(resolve));
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

function bind(server: Server, host: string, port: number, portVariable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const explain = LISTEN_PROBLEMS[error.code ?? ""] ?? otherListenProblem;
      const told = explain(host, hostAndPort(host, port), error);
      reject(new ListenError(told.replaceAll(/\bPORT\b/g, portVariable), { cause: error }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

type ListenProblem = (host: string, place: string, error: Error) => string;

const LISTEN_PROBLEMS: Readonly<Record<string, ListenProblem>> = {
  EADDRINUSE: (_, place) =>
    `PORT: ${place} is in use by another program; end it, or set PORT to a free port (0 takes any)`,
  EACCES: (_, place) => `PORT: not allowed to listen on ${place}; set PORT to a port from 1024 on`,
  EADDRNOTAVAIL: (host, place) =>
    `HOST: ${host} is not an address of this machine (asked for ${place}); set HOST to one of its own, or to 127.0.0.1`,
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
};

function noSuchHost(host: string, place: string): string {
  return `HOST: no address is known for the name ${host} (asked for ${place}); set HOST to an address, such as 127.0.0.1`;
}

function otherListenProblem(_: string, place: string, error: Error): string {
  return `HOST, PORT: cannot listen on ${place}: ${error.message}`;
}

async function drain(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that answers its last request now would be kept open for the next one.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
