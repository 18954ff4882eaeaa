import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { StatementReaderTools } from "../../src/sources/official/official-source.ts";
import { createHostQueue } from "../../src/sources/web/host-queue.ts";
import { createWeb } from "../../src/sources/web/web.ts";
import { directReader } from "./direct-reader.ts";
import type { Fault } from "./http-faults.ts";
import { KEEP_IDLE_CONNECTIONS } from "./idle-connections.ts";
import { SkippingClock } from "./skipping-clock.ts";

export interface SourceRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface SourceAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** HTTP server on loopback that behaves like a source, with a web client for its reader. */
export interface SourceServer {
  readonly origin: string;
  readonly tools: StatementReaderTools & { readonly clock: SkippingClock };
  /** Requests in the order of arrival, without those for robots rules. */
  readonly received: readonly SourceRequest[];
  /** Applies the fault to all further requests except those for robots rules, or to those with a path; null ends it. */
  break(fault: Fault | null, applies?: (path: string) => boolean): void;
  close(): Promise<void>;
}

const LIMITS = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, totalTimeoutMs: 5_000 };

/** Starts a server without robots rules that answers requests with `answer`. */
export async function startSourceServer(
  answer: (request: SourceRequest) => SourceAnswer | Promise<SourceAnswer>,
  { everyMs = 60_000 }: { readonly everyMs?: number } = {},
): Promise<SourceServer> {
  const received: SourceRequest[] = [];
  let broken: { readonly fault: Fault; readonly applies: (path: string) => boolean } | null = null;
  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = message;
    const request = { method, path, headers, body: await text(message) };
    received.push(request);
    if (broken?.applies(path)) return broken.fault(message, response);
    const { status = 200, type = "application/json", headers: more = {}, body = "" } = await answer(request);
    response.writeHead(status, { "content-type": type, ...more }).end(body);
  };
  const server = createServer(KEEP_IDLE_CONNECTIONS, (message, response) => {
    if (message.url === "/robots.txt") response.writeHead(404).end();
    else void respond(message, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new SkippingClock();
  const web = createWeb({
    clock,
    queue: createHostQueue(clock),
    reader: directReader,
    userAgentFor: () => "splitwatch/0.0.0 (+ops@example.com)",
    configured: [origin],
    limits: LIMITS,
  });
  return {
    origin,
    tools: { web, reader: directReader, clock, everyMs, recordedObservations: () => [], lastReadAt: null },
    received,
    break: (fault, applies = () => true) => {
      broken = fault && { fault, applies };
    },
    async close() {
      await web.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
