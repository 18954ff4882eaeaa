import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** Handles a request instead of the wire. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

const MEGABYTE = 1024 * 1024;
const DRIP_MS = 20;

/** Eight entities that expand to a hundred million words. */
export const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "haha">${[
  "b",
  "c",
  "d",
  "e",
  "f",
  "g",
  "h",
  "i",
]
  .map((name, at) => `<!ENTITY ${name} "${`&${"abcdefgh"[at]};`.repeat(10)}">`)
  .join("")}]>
      <rss version="2.0"><channel><item><title>&i;</title><link>https://wire.example/1</link></item></channel></rss>`;

/** Faults of a wire. */
export const faults = {
  status:
    (status: number, headers: Readonly<Record<string, string>> = {}, body = "no"): Fault =>
    (_, response) => {
      response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
    },
  body:
    (body: string | Buffer, type = "text/xml; charset=utf-8", headers: Readonly<Record<string, string>> = {}): Fault =>
    (_, response) => {
      response.writeHead(200, { "content-type": type, ...headers }).end(body);
    },
  html: (): Fault => faults.body("<!DOCTYPE html><html><body><h1>Under maintenance</h1></body></html>", "text/html"),
  challenge: (): Fault =>
    faults.body("<html><head><title>Just a moment...</title></head><body>Please wait</body></html>", "text/html"),
  brokenXml: (): Fault => faults.body('<?xml version="1.0"?><rss version="2.0"><channel><item><title>Half'),
  entityBomb: (): Fault => faults.body(ENTITY_BOMB),
  /** An answer of the given size without Content-Length. */
  huge:
    (bytes = 20 * MEGABYTE): Fault =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const piece = Buffer.alloc(64 * 1024, "<p>many words</p> ");
      let left = bytes;
      const go = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= piece.length;
          if (!response.write(piece)) {
            response.once("drain", go);
            return;
          }
        }
        response.end();
      };
      go();
    },
  /** An answer without an end, as fast as it is read. */
  endless: (): Fault => faults.huge(Number.POSITIVE_INFINITY),
  /** An answer without an end, a byte now and then. */
  drips: (): Fault => (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("."), DRIP_MS);
    response.once("close", () => clearInterval(timer));
  },
  gzipBomb: (bytes = 12 * MEGABYTE): Fault => {
    const packed = gzipSync(Buffer.alloc(bytes, " "));
    return (_, response) => {
      response.writeHead(200, { "content-type": "text/xml", "content-encoding": "gzip" }).end(packed);
    };
  },
  redirect:
    (to: string, status = 302): Fault =>
    (_, response) => {
      response.writeHead(status, { location: to }).end();
    },
  redirectLoop: (): Fault => (request, response) => {
    response.writeHead(302, { location: request.url ?? "/" }).end();
  },
  hangsBeforeTheHead: (): Fault => () => undefined,
  hangsInTheBody: (): Fault => (_, response) => {
    response.writeHead(200, { "content-type": "text/xml" });
    response.write('<?xml version="1.0"?><rss');
  },
  breaksOff: (): Fault => (request) => {
    request.socket.destroy();
  },
} as const;
