import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import {
  boundChunks,
  boundExceededBy,
  FREE_CHUNKS,
  MAX_HEADER_LENGTH,
  MAX_HEADERS,
  MAX_PARAMETERS,
  MAX_PATH_LENGTH,
  MAX_TARGET_LENGTH,
  READ_HEADERS,
} from "./request-bounds.ts";

const SOURCE = fileURLToPath(new URL("../", import.meta.url));

/** Ways to read a header of a request. A platform reads the headers of its own routes in another way, with a bound of its own. */
const READING = /req\.header\("([a-z-]+)"\)|headers\["([a-z-]+)"\]/g;

function headers(count: number): string[] {
  return Array.from({ length: count }, () => ["X-A", "b"]).flat();
}

function parameters(count: number): string {
  return Array(count).fill("a").join("&");
}

it.each<[string, string, readonly string[]]>([
  ["a path of the maximum length", `/${"a".repeat(MAX_PATH_LENGTH - 1)}`, []],
  ["a target of the maximum length", `/?${"a".repeat(MAX_TARGET_LENGTH - 2)}`, []],
  ["the maximum number of parameters", `/?${parameters(MAX_PARAMETERS)}`, []],
  ["the maximum number of headers", "/", headers(MAX_HEADERS)],
  ["a header of the maximum length", "/", ["Authorization", "a".repeat(MAX_HEADER_LENGTH)]],
  ["a long header that splitwatch doesn't read", "/", ["X-Amzn-Oidc-Data", "a".repeat(9_000)]],
  ["long cookies of other services", "/", ["Cookie", "a".repeat(9_000)]],
])("accepts %s", (_, url, rawHeaders) => {
  expect(boundExceededBy({ url, rawHeaders: [...rawHeaders] })).toBeNull();
});

it.each<[string, string, readonly string[], number, string]>([
  ["a longer path", `/${"a".repeat(MAX_PATH_LENGTH)}`, [], 414, "The path has 1025 characters, expected at most 1024."],
  ["a longer target", `/?${"a".repeat(4_095)}`, [], 414, "The address has 4097 characters, expected at most 4096."],
  ["more parameters", `/?${parameters(51)}`, [], 400, "The query has 51 parameters, expected at most 50."],
  ["more headers", "/", headers(101), 431, "The request has 101 headers, expected at most 100."],
  ["a longer header", "/", ["HOST", "a".repeat(4_097)], 431, "host: got 4097 characters, expected at most 4096."],
  [
    "a longer header in two parts",
    "/",
    ["Origin", "a".repeat(2_500), "origin", "a".repeat(2_500)],
    431,
    "origin: got 5000 characters, expected at most 4096.",
  ],
])("refuses %s", (_, url, rawHeaders, ...[status, detail]) => {
  expect(boundExceededBy({ url, rawHeaders: [...rawHeaders] })).toMatchObject({ status, detail, code: "oversized" });
});

it("bounds every header that the source reads", () => {
  const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) => /^(?:http|data-service.server|chat)\b/.test(path) && path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const read = new Set(
    sources.flatMap((path) =>
      [...readFileSync(join(SOURCE, path), "utf8").matchAll(READING)].map((names) => names.slice(1).join("")),
    ),
  );
  expect(read).toContain("authorization");
  expect([...read].filter((name) => name !== "cookie" && !(READ_HEADERS as readonly string[]).includes(name))).toEqual(
    [],
  );
});

/** Whether the parser of a connection calls back for each chunk of a body. */
function hasBodyCallback(socket: object): boolean {
  const { parser } = socket as { readonly parser: object };
  return Object.values(parser).some((value) => typeof value === "function" && value.name === "parserOnBody");
}

it("has Node.js skip chunks beyond the bound or after the answer, and its parser read the bodies of other connections", async () => {
  const counts: number[] = [];
  const skips: boolean[] = [];
  const server = createServer((incoming, outgoing) => {
    boundChunks(incoming, outgoing);
    if (incoming.url === "/refused") {
      outgoing.once("finish", () => skips.push(!hasBodyCallback(incoming.socket)));
      outgoing.writeHead(401).end("no");
      return;
    }
    const push = incoming.push.bind(incoming);
    let count = 0;
    incoming.push = (chunk) => {
      count += 1;
      return push(chunk);
    };
    incoming.socket.once("close", () => counts.push(count));
    void text(incoming).then(
      (body) => outgoing.end(body),
      () => outgoing.destroy(),
    );
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const path of ["/", "/refused", "/", "/refused"]) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    socket.write(head + "1\r\nx\r\n".repeat(10_000));
    await new Promise((resolve) => socket.on("close", resolve).resume());
    const body = "x".repeat(100_000);
    const answers = [1, 2, 3].map(() => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body }));
    for (const answer of answers) expect(await (await answer).text()).toBe(body);
  }
  expect(skips).toEqual([true, true]);
  expect(counts).toHaveLength(2);
  expect(Math.max(...counts)).toBeLessThanOrEqual(FREE_CHUNKS + 2);
});
