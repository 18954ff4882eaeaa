import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { WIRES, type Wire } from "../../src/domain/article/article.ts";
import type { NewswireSettings } from "../../src/sources/newswires/settings.ts";
import type { Fault } from "./wire-faults.ts";
import { type FakeRelease, SHAPES } from "./wire-shapes.ts";

export { type Fault, faults } from "./wire-faults.ts";
export type { FakeRelease as StandInRelease } from "./wire-shapes.ts";

export type FaultTarget = "feed" | "page" | "robots";

/** A request that a stand-in has seen. */
export interface ReceivedRequest {
  readonly what: FaultTarget | "other";
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

/** One wire on a port of its own: a feed, pages and robots rules in the wire's shape. */
export interface FakeWire {
  readonly wire: Wire;
  /** `http://127.0.0.1:40001` */
  readonly address: string;
  readonly feed: string;
  /** Puts a release on top of the feed; its page's address. One with the id of an earlier one corrects that. */
  publish(release: Partial<FakeRelease> & { readonly id: string }): string;
  /** From the next request on; null: all is well again. */
  break(what: FaultTarget, fault: Fault | null): void;
  /** `User-agent: *` and so on; null: there is no such file. */
  robots(text: string | null): void;
  readonly seen: readonly ReceivedRequest[];
  /** The most requests that were under way at once. */
  readonly mostAtOnce: number;
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

const TOKEN = "stand-in-token";

export async function startFakeWire(wire: Wire): Promise<FakeWire> {
  const shape = SHAPES[wire];
  const releases = new Map<string, FakeRelease>();
  const broken = new Map<FaultTarget, Fault>();
  const seen: ReceivedRequest[] = [];
  let robots: string | null = null;
  let address = "";
  let atOnce = 0;
  let mostAtOnce = 0;

  const server = createServer((request, response) => {
    atOnce++;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    const { method = "", url: path = "", headers } = request;
    const what = whatIs(path);
    response.once("close", () => {
      atOnce--;
      seen.push({ what, method, path, headers, status: response.statusCode });
    });
    const fault = what === "other" ? undefined : broken.get(what);
    if (fault) fault(request, response);
    else answer(what, request, response);
  });

  function whatIs(path: string): ReceivedRequest["what"] {
    if (path === "/robots.txt") return "robots";
    if (path.split("?")[0] === shape.feedPath.split("?")[0]) return "feed";
    return releaseAt(path) ? "page" : "other";
  }

  function releaseAt(path: string): FakeRelease | undefined {
    return [...releases.values()].find((release) => shape.pagePath(release) === path.split("?")[0]);
  }

  function answer(what: ReceivedRequest["what"], request: IncomingMessage, response: ServerResponse): void {
    const release = releaseAt(request.url ?? "");
    if (what === "feed") sendFeed(request, response);
    else if (what === "page" && release) send(request, response, { type: "text/html", body: shape.page(release) });
    else if (what === "robots" && robots !== null) send(request, response, { type: "text/plain", body: robots });
    else if (wire === "accesswire" && request.url === "/newsroom") sendNewsroom(response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("not found");
  }

  function sendFeed(request: IncomingMessage, response: ServerResponse): void {
    if (wire === "accesswire" && !mayAsk(request)) {
      response.writeHead(400).end();
      return;
    }
    const newestFirst = [...releases.values()].toReversed();
    send(request, response, { type: shape.feedType, body: shape.feed(newestFirst, address) });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    wire,
    address,
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
    seen,
    get mostAtOnce() {
      return mostAtOnce;
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Settings for these wires; the others have no feed. */
export function settingsFor(standIns: readonly FakeWire[], everyMs = 60_000): NewswireSettings {
  const feedsOf = (wire: Wire): readonly string[] =>
    standIns.filter((standIn) => standIn.wire === wire).map((standIn) => standIn.feed);
  return {
    wires: Object.fromEntries(
      WIRES.map((wire) => [wire, { feeds: feedsOf(wire), everyMs }]),
    ) as NewswireSettings["wires"],
    feeds: [],
  };
}

/** The listing is asked as the wire's own page asks it: with the token from the page, and its cookie. */
function mayAsk({ method, headers }: IncomingMessage): boolean {
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

/** Packed, with an ETag, and a 304 to who has it. */
function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { type, body }: { readonly type: string; readonly body: string },
): void {
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  if (headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { "content-type": type, "content-encoding": "gzip", etag }).end(gzipSync(body));
}
