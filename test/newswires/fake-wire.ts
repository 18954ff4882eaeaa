import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { WIRES, type Wire } from "../../src/domain/article/wire.ts";
import type { NewswireSettings } from "../../src/sources/newswires/settings.ts";
import type { Fault } from "../support/http-faults.ts";
import { KEEP_IDLE_CONNECTIONS } from "../support/idle-connections.ts";
import { type FakeRelease, SHAPES } from "./wire-shapes.ts";

export { type Fault, faults } from "../support/http-faults.ts";
export type { FakeRelease as StandInRelease } from "./wire-shapes.ts";

export type FaultTarget = "feed" | "list" | "page" | "robots";

/** A request that a fake wire received. */
export interface ReceivedRequest {
  readonly target: FaultTarget | "other";
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

/** HTTP server with a feed, pages and robots rules in the format of one wire. */
export interface FakeWire {
  readonly wire: Wire;
  /** `http://127.0.0.1:40001` */
  readonly address: string;
  readonly feed: string;
  /** Adds a release at the top of the feed and returns the address of its page. The id of an earlier one corrects it. */
  publish(release: Partial<FakeRelease> & { readonly id: string }): string;
  /** Applies the fault to all further requests; null ends it. */
  break(what: FaultTarget, fault: Fault | null): void;
  /** Content of robots.txt; null: there is none. */
  robots(text: string | null): void;
  /** Number of releases that the feed shows; default: all. */
  feedSize: number;
  readonly received: readonly ReceivedRequest[];
  /** Maximum number of concurrent requests. */
  readonly maxInFlight: number;
  close(): Promise<void>;
}

const DELVEX: Omit<FakeRelease, "id"> = {
  company: "Delvex Therapeutics, Inc.",
  tag: "Nasdaq:DLVX",
  heading: "Delvex Therapeutics Announces 1-for-20 Reverse Stock Split",
  teaser:
    "Delvex Therapeutics, Inc. (Nasdaq: DLVX) today announced a 1-for-20 reverse stock split of its common stock.",
  body: `<p>The common stock will begin trading on a split-adjusted basis when the market opens on March 9, 2026, under the
    new CUSIP number 24703X208.</p><p>No fractional shares will be issued. Any fraction will be rounded up to the nearest whole share.</p>`,
  published: new Date("2026-03-02T13:30:00Z"),
};

const TOKEN = "test-token";

export async function startFakeWire(wire: Wire): Promise<FakeWire> {
  const shape = SHAPES[wire];
  const releases = new Map<string, FakeRelease>();
  const broken = new Map<FaultTarget, Fault>();
  const seen: ReceivedRequest[] = [];
  let robots: string | null = null;
  let address = "";
  let inFlight = 0;
  let maxInFlight = 0;

  const server = createServer(KEEP_IDLE_CONNECTIONS, (request, response) => {
    inFlight++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    const { method = "", url: path = "", headers } = request;
    const what = targetOf(path);
    response.once("close", () => {
      inFlight--;
      seen.push({ target: what, method, path, headers, status: response.statusCode });
    });
    const fault = what === "other" ? undefined : broken.get(what);
    if (fault) fault(request, response);
    else answer(what, request, response);
  });

  function targetOf(path: string): ReceivedRequest["target"] {
    if (path === "/robots.txt") return "robots";
    if (path.split("?")[0] === shape.list?.path) return "list";
    if (path.split("?")[0] === shape.feedPath.split("?")[0]) return "feed";
    return releaseAt(path) ? "page" : "other";
  }

  function releaseAt(path: string): FakeRelease | undefined {
    return [...releases.values()].find((release) => shape.pagePath(release) === path.split("?")[0]);
  }

  function answer(what: ReceivedRequest["target"], request: IncomingMessage, response: ServerResponse): void {
    const release = releaseAt(request.url ?? "");
    if (what === "feed") sendFeed(request, response);
    else if (what === "list" && shape.list) send(request, response, { type: "text/html", body: listPage(request.url) });
    else if (what === "page" && release) send(request, response, { type: "text/html", body: shape.page(release) });
    else if (what === "robots" && robots !== null) send(request, response, { type: "text/plain", body: robots });
    else if (wire === "accesswire" && request.url === "/newsroom") sendNewsroom(response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("not found");
  }

  function sendFeed(request: IncomingMessage, response: ServerResponse): void {
    if (wire === "accesswire" && !hasCredentials(request)) {
      response.writeHead(400).end();
      return;
    }
    const shown = newestFirst().slice(0, fakeWire.feedSize);
    send(request, response, { type: shape.feedType, body: shape.feed(shown, address) });
  }

  const newestFirst = (): readonly FakeRelease[] => [...releases.values()].toReversed();

  function listPage(path = ""): string {
    const { searchParams } = new URL(path, address);
    const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("pagesize"))];
    return shape.list?.page(newestFirst().slice((page - 1) * size, page * size)) ?? "";
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fakeWire: FakeWire = {
    wire,
    address,
    feedSize: Number.POSITIVE_INFINITY,
    feed: address + shape.feedPath,
    publish: (changes) => {
      const release = { ...DELVEX, ...releases.get(changes.id), ...changes };
      releases.set(release.id, release);
      return address + shape.pagePath(release);
    },
    break: (what, fault) => {
      if (fault) broken.set(what, fault);
      else broken.delete(what);
    },
    robots: (text) => {
      robots = text;
    },
    received: seen,
    get maxInFlight() {
      return maxInFlight;
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
  return fakeWire;
}

/** Settings with the feeds of these wires only. */
export function settingsFor(fakeWires: readonly FakeWire[], everyMs = 60_000): NewswireSettings {
  const feedsOf = (wire: Wire): readonly string[] =>
    fakeWires.filter((fakeWire) => fakeWire.wire === wire).map((fakeWire) => fakeWire.feed);
  return {
    wires: Object.fromEntries(
      WIRES.map((wire) => [wire, { feeds: feedsOf(wire), everyMs, daytimeEveryMs: everyMs }]),
    ) as NewswireSettings["wires"],
    feeds: [],
    userAgents: {},
  };
}

/** Whether the request has the token and the cookie of the newsroom's page. */
function hasCredentials({ method, headers }: IncomingMessage): boolean {
  return (
    method === "POST" &&
    headers["x-csrf-token-headername"] === TOKEN &&
    headers["x-requested-with"] === "XMLHttpRequest" &&
    headers.cookie === `.AspNetCore.Antiforgery=${TOKEN}`
  );
}

function sendNewsroom(response: ServerResponse): void {
  response
    .writeHead(200, { "content-type": "text/html", "set-cookie": `.AspNetCore.Antiforgery=${TOKEN}; path=/; httponly` })
    .end(`<html><body><form><input name="AntiforgeryFieldname" type="hidden" value="${TOKEN}" /></form></body></html>`);
}

/** Sends a compressed answer with an ETag, or a 304. */
function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { type, body }: { readonly type: string; readonly body: string },
): void {
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  if (headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { "content-type": type, "content-encoding": "gzip", etag }).end(gzipSync(body));
}
