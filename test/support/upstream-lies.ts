import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export interface UpstreamRequest {
  /** Without the query. */
  readonly path: string;
  /** `apiKey` included. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /**
   * How it goes over the wire. `whole`: as it should. `cut`: the connection closes half-way through the body. `silent`: nothing
   * is ever sent. `trickle`: the head at once, then a byte now and then. `reset`: the connection breaks before a byte is sent.
   */
  readonly manner?: "whole" | "cut" | "silent" | "trickle" | "reset";
}

/** Makes a false answer of the true one. */
export type Lie = (truth: Answer, request: UpstreamRequest) => Answer;

const PAGE = "<!doctype html><html><head><title>Welcome</title></head><body>Please log in</body></html>";

/** What an upstream may do instead of telling the truth. Those that need a number or a state are functions that make a lie. */
export const lies = {
  /** No rows. */
  empty: withRows(() => []),
  /** The first half of the rows. */
  halved: withRows((rows) => rows.slice(0, Math.floor(rows.length / 2))),
  reversed: withRows((rows) => rows.toReversed()),
  /** Every row twice. */
  doubled: withRows((rows) => rows.flatMap((row) => [row, row])),
  /** Whatever rows are wanted. */
  rows: (change: (rows: readonly unknown[]) => readonly unknown[]): Lie => withRows(change),
  /** Every second answer has no rows. */
  flapping: (): Lie => {
    let answers = 0;
    return (truth, request) => (answers++ % 2 === 0 ? lies.empty(truth, request) : truth);
  },
  /** Half of the JSON, told to be whole. */
  cutJson: ((truth) => ({ ...truth, body: half(truth.body) })) as Lie,
  /** Half of the JSON; the connection closes where the other half should come. */
  cutConnection: ((truth) => ({ ...truth, manner: "cut" })) as Lie,
  /** Any other body. */
  body: (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Lie => {
    return () => ({ status: 200, headers: { "content-type": "application/json", ...headers }, body });
  },
  html: (() => ({ status: 200, headers: { "content-type": "text/html" }, body: PAGE })) as Lie,
  status: (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Lie => {
    return () => ({ status, headers: { "content-type": "application/json", ...headers }, body });
  },
  /** To an address, or to a path of its own; the query goes along, as with many real services. */
  redirect: (to: string, status = 302): Lie => {
    return (_, { query }) => ({ status, headers: { location: `${to}?${query.toString()}` }, body: "" });
  },
  /** Never answers. */
  hang: ((truth) => ({ ...truth, manner: "silent" })) as Lie,
  trickle: ((truth) => ({ ...truth, manner: "trickle" })) as Lie,
  reset: ((truth) => ({ ...truth, manner: "reset" })) as Lie,
  /** The true answer, packed. */
  gzip: ((truth) => packed(truth, gzipSync(truth.body))) as Lie,
  /** Packed, and cut short. */
  cutGzip: ((truth) => packed(truth, half(gzipSync(truth.body)))) as Lie,
  /** A small body that unpacks to `bytes` blanks. */
  gzipBomb: (bytes: number): Lie => {
    const body = gzipSync(Buffer.alloc(bytes, " "));
    return (truth) => packed(truth, body);
  },
};

/** Sends an answer in its manner. */
export function deliver(answer: Answer, response: ServerResponse): void {
  const { manner = "whole", body } = answer;
  if (manner === "silent") return;
  if (manner === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const length = answer.status === 304 ? {} : { "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  if (manner === "whole") response.end(body);
  if (manner === "cut") response.write(half(body), () => response.socket?.destroy());
  if (manner === "trickle") trickle(Buffer.from(body), response);
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

function withRows(change: (rows: readonly unknown[]) => readonly unknown[]): Lie {
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
