import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export interface UpstreamRequest {
  /** Without the query. */
  readonly path: string;
  /** Including `apiKey`. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /**
   * How it is sent. `whole`: correctly. `cut`: the connection closes half-way through the body. `silent`: nothing is sent.
   * `trickle`: the head immediately, then a byte now and then. `endless`: the body again and again, without an end.
   * `reset`: the connection is reset before a byte is sent.
   */
  readonly manner?: "whole" | "cut" | "silent" | "trickle" | "endless" | "reset";
}

/** Modifies a correct answer. */
export type Fault = (truth: Answer, request: UpstreamRequest) => Answer;

const PAGE = "<!doctype html><html><head><title>Welcome</title></head><body>Please log in</body></html>";

/** Faults of an upstream. Those with a parameter or a state are functions that return a fault. */
export const faults = {
  /** No rows. */
  empty: withRows(() => []),
  /** The first half of the rows. */
  halved: withRows((rows) => rows.slice(0, Math.floor(rows.length / 2))),
  reversed: withRows((rows) => rows.toReversed()),
  /** Every row twice. */
  doubled: withRows((rows) => rows.flatMap((row) => [row, row])),
  /** The given rows. */
  rows: (change: (rows: readonly unknown[]) => readonly unknown[]): Fault => withRows(change),
  /** Every second answer has no rows. */
  flapping: (): Fault => {
    let answers = 0;
    return (truth, request) => (answers++ % 2 === 0 ? faults.empty(truth, request) : truth);
  },
  /** Half of the JSON, with a matching content length. */
  cutJson: ((truth) => ({ ...truth, body: half(truth.body) })) as Fault,
  /** Half of the JSON; then the connection closes. */
  cutConnection: ((truth) => ({ ...truth, manner: "cut" })) as Fault,
  /** Any other body. */
  body: (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Fault => {
    return () => ({ status: 200, headers: { "content-type": "application/json", ...headers }, body });
  },
  html: (() => ({ status: 200, headers: { "content-type": "text/html" }, body: PAGE })) as Fault,
  status: (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Fault => {
    return () => ({ status, headers: { "content-type": "application/json", ...headers }, body });
  },
  /** Redirects to an address or path with the same query, as many services do. */
  redirect: (to: string, status = 302): Fault => {
    return (_, { query }) => ({ status, headers: { location: `${to}?${query.toString()}` }, body: "" });
  },
  /** Never answers. */
  hang: ((truth) => ({ ...truth, manner: "silent" })) as Fault,
  trickle: ((truth) => ({ ...truth, manner: "trickle" })) as Fault,
  endless: ((truth) => ({ ...truth, manner: "endless" })) as Fault,
  reset: ((truth) => ({ ...truth, manner: "reset" })) as Fault,
  /** The correct answer, compressed. */
  gzip: ((truth) => packed(truth, gzipSync(truth.body))) as Fault,
  /** Compressed and truncated. */
  cutGzip: ((truth) => packed(truth, half(gzipSync(truth.body)))) as Fault,
  /** A small body that decompresses to `bytes` blanks. */
  gzipBomb: (bytes: number): Fault => {
    const body = gzipSync(Buffer.alloc(bytes, " "));
    return (truth) => packed(truth, body);
  },
};

/** Sends an answer. */
export function deliver(answer: Answer, response: ServerResponse): void {
  const { manner = "whole", body } = answer;
  if (manner === "silent") return;
  if (manner === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const length =
    answer.status === 304 || manner === "endless" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  if (manner === "whole") response.end(body);
  if (manner === "cut") response.write(half(body), () => response.socket?.destroy());
  if (manner === "trickle") trickle(Buffer.from(body), response);
  if (manner === "endless") repeatEndlessly(Buffer.from(body), response);
}

const MIN_PIECE_BYTES = 64 * 1024;
/** Statuses whose body Node drops: a write never has to wait. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** Sends the body repeatedly, as fast as it is read, until the connection is closed. */
function repeatEndlessly(body: Buffer, response: ServerResponse): void {
  if (WITHOUT_BODY.has(response.statusCode)) {
    response.end();
    return;
  }
  const piece = Buffer.alloc(Math.max(MIN_PIECE_BYTES, body.length), body.length === 0 ? " " : body);
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", send);
  send();
}

const TRICKLE_MS = 20;

function trickle(body: Buffer, response: ServerResponse): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= body.length) response.end();
  }, TRICKLE_MS);
  response.once("close", () => clearInterval(timer));
}

function withRows(change: (rows: readonly unknown[]) => readonly unknown[]): Fault {
  return (truth) => {
    if (truth.status !== 200) return truth;
    const body = JSON.parse(truth.body.toString()) as Record<string, unknown>;
    const field = "data" in body ? "data" : "articles";
    const rows = change(body[field] as unknown[]);
    const { etag: _, ...headers } = truth.headers;
    return { ...truth, headers, body: JSON.stringify({ ...body, [field]: rows }) };
  };
}

function packed(truth: Answer, body: Buffer): Answer {
  return { ...truth, headers: { ...truth.headers, "content-encoding": "gzip" }, body };
}

function half(body: string | Buffer): Buffer {
  const whole = Buffer.from(body);
  return whole.subarray(0, Math.floor(whole.length / 2));
}
