import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { waitUntil } from "../support/wait-until.ts";

const TOKEN = "the-token-of-this-test";

/** A page that only this machine reaches, and one with ADMIN_TOKEN. */
let open: RunningApp;
let guarded: RunningApp;
const folders: Awaited<ReturnType<typeof temporaryFolder>>[] = [];

beforeAll(async () => {
  open = await start();
  guarded = await start({ ADMIN_TOKEN: TOKEN });
});

afterAll(async () => {
  await Promise.all([open.stop(), guarded.stop()]);
  for (const folder of folders) await folder.remove();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<RunningApp> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return startApp({ dataDir: join(folder.path, "state"), env });
}

function connectTo(app: RunningApp): Socket {
  const { hostname, port } = new URL(app.address);
  return connect(Number(port), hostname);
}

interface Received {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly text: string;
}

/** Sends the bytes as they are, and reads until the connection ends. */
async function send(app: RunningApp, bytes: string | Buffer): Promise<Received> {
  const socket = connectTo(app);
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  // The server may close the connection before it has read everything.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write(bytes);
  await closed;
  const text = Buffer.concat(parts).toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

interface Request {
  readonly method?: string;
  readonly path?: string;
  /** Header lines; the Host header is added if there is none. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

function bytesOf({ method = "GET", path = "/", headers = [], body = "" }: Request): Buffer {
  const hasHost = headers.some((header) => header.toLowerCase().startsWith("host"));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(hasHost ? [] : ["Host: 127.0.0.1"]),
    ...headers,
    ...(body.length > 0 ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
}

/** An answer without what differs between two equal requests. */
function withoutDate(text: string): string {
  return text.replace(/^date: .*$/im, "");
}

const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";

/** The app answers as before, and no request was an internal error. */
async function expectUnharmed(...apps: readonly RunningApp[]): Promise<void> {
  for (const app of apps) {
    expect((await app.get("/healthz")).status).toBe(200);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  }
}

const PATHS = ["/", "/assets/style.css", "/api/overview", "/api/command", "/api/stream", "/login", "/logout"];
const OTHER_PATHS = ["/v1/splits", "/calendar/all.ics", "/healthz", "/metrics", "/slack/events", "/nothing", "*"];

describe("a hostile request", () => {
  it.each(["TRACE", "CONNECT", "OPTIONS", "PROPFIND", "DELETE", "PATCH", "get", "X"])(
    "with the method %s is answered with less than 500, or its connection is closed",
    async (method) => {
      for (const app of [open, guarded])
        for (const path of [...PATHS, ...OTHER_PATHS]) {
          const { status } = await send(app, bytesOf({ method, path }));
          expect({ path, isRefused: status < 500 }).toEqual({ path, isRefused: true });
        }
      await expectUnharmed(open, guarded);
    },
  );

  it.each([
    "/assets/../package.json",
    "/assets/..%2fplatform.ts",
    "/assets/..%2f..%2f..%2f..%2fpackage.json",
    "/assets/%2e%2e/api.ts",
    "/assets/..%5c..%5cpackage.json",
    "/assets/%00",
    "/assets/__proto__",
    "/assets/constructor",
    "/assets/sign-in.html",
    "/assets/index.html",
    "//etc/passwd",
    "/../../../../etc/passwd",
    "/calendar/..%2f..%2fkeys.json",
    "/calendar/%ff",
    "/%",
    "/%ff%fe",
    "/api/messages/%ff",
    "/api/messages/..%2f..",
    "/api/messages/__proto__",
    "/api/messages?channel=%00",
    "/api/messages?after=99999999999999999999",
    "/v1/splits/%00?apiKey=x",
    "/v1/splits?apiKey=%ff",
    `/${"x".repeat(15_000)}`,
  ])("for the path %s is answered with 4xx and reveals no file", async (path) => {
    const { status, text } = await send(open, bytesOf({ path }));
    expect({ status, isRefused: status >= 400 && status < 500 }).toEqual({ status, isRefused: true });
    expect(text).not.toMatch(/devDependencies|root:|<!doctype html>/i);
    await expectUnharmed(open);
  });

  it.each<[string, readonly string[]]>([
    ["a foreign Host", ["Host: evil.example"]],
    ["a Host that starts with a loopback name", ["Host: 127.0.0.1.evil.example"]],
    ["a Host with a user part", ["Host: 127.0.0.1@evil.example"]],
    ["a Host that ends with a loopback name", ["Host: evil.example#127.0.0.1"]],
    ["an empty Host", ["Host: "]],
    ["a decimal loopback address", ["Host: 2130706433"]],
    ["two Hosts", ["Host: evil.example", "Host: 127.0.0.1"]],
    ["a forwarded foreign Host", ["Host: 127.0.0.1", "X-Forwarded-Host: evil.example"]],
  ])("with %s doesn't reach the page without ADMIN_TOKEN", async (_, headers) => {
    for (const path of ["/", "/api/overview", "/api/stream"]) {
      const { status } = await send(open, bytesOf({ path, headers }));
      expect([400, 403]).toContain(status);
    }
    const body = '{"name":"eve","line":"watch ACME"}';
    const { status } = await send(
      open,
      bytesOf({ method: "POST", path: "/api/command", headers: [...headers, JSON_TYPE], body }),
    );
    expect([400, 403]).toContain(status);
    await expectUnharmed(open);
  });

  it("with the absolute URL of another site and a loopback Host causes no internal error", async () => {
    const { status } = await send(open, bytesOf({ path: "http://evil.example/api/overview" }));
    expect([200, 400, 403]).toContain(status);
    await expectUnharmed(open);
  });

  it.each<[string, readonly string[], number[]]>([
    ["32 kB of headers", [`X-Long: ${"x".repeat(32_000)}`], [431]],
    ["thousands of headers", Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`), [431]],
    ["a line break in a header", ["X-A: b\rX-C: d"], [400]],
    ["a null byte in a header", ["X-A: b\u0000"], [400]],
    ["both length and chunks", [JSON_TYPE, "Content-Length: 3", "Transfer-Encoding: chunked"], [400]],
    ["two lengths", [JSON_TYPE, "Content-Length: 3", "Content-Length: 4"], [400]],
    ["a negative length", [JSON_TYPE, "Content-Length: -1"], [400]],
    ["an unknown expectation", ["Expect: magic"], [417]],
    ["101 headers", Array.from({ length: 101 }, (_, n) => `X-${n}: 1`), [431]],
    ["a forwarded address behind 2,000 headers", [...Array(2_000).fill("a:b"), "X-Forwarded-For: 192.0.2.1"], [431]],
    ["Bearer and 15,700 blanks", [`Authorization: Bearer${" ".repeat(15_700)}\u00a0`], [431]],
    ["5,000 blanks within a token", [`Authorization: Bearer a${" ".repeat(5_000)}b`], [431]],
    ["5,000 tags in If-None-Match", [`If-None-Match: ${'"a",'.repeat(1_500)}`], [431]],
    ["a long condition in two headers", Array(2).fill(`If-None-Match: "${"x".repeat(3_000)}"`), [431]],
    ["a chain of 1,000 forwarded addresses", [`X-Forwarded-For: ${"::1, ".repeat(1_000)}`], [431]],
    ["a long Origin", [`Origin: http://${"a.".repeat(3_000)}`], [431]],
    ["a long Host", [`Host: ${"a".repeat(5_000)}`], [431]],
    ["many cookies", [`Cookie: ${"splitwatch_session=x; ".repeat(400)}`], [401]],
    ["a cookie that isn't decodable", ["Cookie: splitwatch_session=%E0%A4%A"], [401]],
    ["a cookie of the earlier form", ["Cookie: splitwatch_session=zzzzzzzz.abc.def"], [401]],
    ["a long wrong token", [`Authorization: Bearer ${"x".repeat(4_000)}`], [401]],
    ["12 kB of cookies", [`Cookie: ${"a=%ffa; ".repeat(1_500)}splitwatch_session=${"%ffa".repeat(500)}`], [401]],
    ["a token of another scheme", [`Authorization: Basic ${TOKEN}`], [401]],
  ])("with %s is refused", async (_, headers, expected) => {
    const { status } = await send(guarded, bytesOf({ path: "/api/overview", headers }));
    expect(expected).toContain(status);
    await expectUnharmed(guarded);
  });

  it.each([
    "X-HTTP-Method-Override: POST",
    "X-HTTP-Method: POST",
    "X-Method-Override: DELETE",
    "X-Original-URL: /api/overview",
    "X-Rewrite-URL: /api/overview",
  ])("with %s is answered as without it", async (header) => {
    for (const app of [open, guarded]) {
      const texts = [];
      for (const headers of [[], [header]])
        texts.push((await send(app, bytesOf({ path: "/api/command?name=eve&line=watch+ACME", headers }))).text);
      expect(withoutDate(texts[1] ?? "")).toBe(withoutDate(texts[0] ?? ""));
    }
    await expectUnharmed(open, guarded);
  });

  it.each([
    `bytes=0-`,
    "bytes=-1",
    "bytes=99999999999999999999-",
    `bytes=${"0-1,".repeat(3_000)}0-1`,
    "bytes=5-2",
    "lines=1-2",
  ])("with the range %.30s receives the whole answer", async (range) => {
    for (const path of ["/assets/style.css", "/calendar/all.ics", "/v1/openapi.json"]) {
      const { status, text } = await send(open, bytesOf({ path, headers: [`Range: ${range}`] }));
      expect([status, text.includes("Content-Range")]).toEqual([200, false]);
    }
    await expectUnharmed(open);
  });

  it.each([
    `"${"x".repeat(4_000)}"`,
    `"${'","'.repeat(1_300)}"`,
    "W/".repeat(2_000),
    '"'.repeat(4_001),
    `W/"unterminated`,
    ",".repeat(4_000),
    "\u00e9\u00ff",
    "(a+)+$",
  ])("with the condition %.30s receives the whole answer", async (condition) => {
    for (const path of ["/", "/assets/style.css", "/calendar/all.ics", "/calendar/upcoming.svg", "/v1/openapi.json"])
      for (const name of ["If-None-Match", "If-Match", "If-Modified-Since", "If-Range"]) {
        const { status } = await send(open, bytesOf({ path, headers: [`${name}: ${condition}`] }));
        expect({ path, name, status }).toEqual({ path, name, status: 200 });
      }
    await expectUnharmed(open);
  });

  it.each<[string, string, number]>([
    ["1,750 keys before a #", `/healthz?${"&apiKey=e".repeat(1_750)}#`, 414],
    ["a parameter 7,900 times", `/v1/splits?${"a&".repeat(7_900)}`, 414],
    ["51 parameters", `/v1/splits?${"a&".repeat(50)}a`, 400],
    ["51 parameters of the page", `/api/messages?${"name=a&".repeat(50)}a`, 400],
    ["51 parameters of a feed", `/feeds/alerts.atom?${"ticker=a&".repeat(50)}a`, 400],
    ["a query of 4,100 characters", `/calendar/all.ics?${"a".repeat(4_100)}`, 414],
    ["a path of 1,025 characters", `/${"a".repeat(1_024)}`, 414],
    ["undecodable segments", "/%ff".repeat(300), 414],
    ["a long absolute address", `http://127.0.0.1/${"a/".repeat(2_500)}`, 414],
  ])("for %s is refused before its route is known, and the connection is closed", async (_, path, status) => {
    for (const app of [open, guarded])
      for (const method of ["GET", "HEAD", "POST"]) {
        const { text, ...received } = await send(app, bytesOf({ method, path }));
        expect({ method, ...received }).toEqual({ method, status });
        expect(text).toMatch(/^connection: close\r$/im);
        expect(text).toContain("application/problem+json");
        expect(text.length).toBeLessThan(600);
      }
    await expectUnharmed(open, guarded);
  });

  it("can't add a header to an answer", async () => {
    const evil = "x%0d%0aSet-Cookie:%20splitwatch_session=evil";
    for (const path of [`/assets/${evil}`, `/api/messages?name=${evil}`, `/calendar/${evil}.ics`, `/${evil}`]) {
      const { text } = await send(open, bytesOf({ path, headers: [`Origin: http://evil.example`] }));
      expect(text).not.toMatch(/^set-cookie/im);
      expect(text).not.toMatch(/^access-control/im);
    }
  });
});

const DEPTH = 500_000;

function postCommand(body: string | Buffer): Promise<Received> {
  return send(open, bytesOf({ method: "POST", path: "/api/command", headers: [JSON_TYPE], body }));
}

describe("a hostile body", () => {
  it.each<[string, string | Buffer]>([
    ["deeply nested lists", "[".repeat(DEPTH)],
    ["deeply nested complete lists", "[".repeat(DEPTH) + "]".repeat(DEPTH)],
    ["deeply nested objects", `${'{"a":'.repeat(DEPTH / 4)}1${"}".repeat(DEPTH / 4)}`],
    ["a deeply nested name", `{"name":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)},"line":"list"}`],
    ["a deeply nested unknown field", `{"name":"eve","line":"list","x":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`],
    ["thousands of fields", `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join(",")}}`],
    ["a prototype", '{"__proto__":{"name":"eve"},"line":"list"}'],
    ["null", "null"],
    ["a number", "1e999"],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ["lone surrogates as a name", '{"name":"\\ud800","line":"list"}'],
    ["a name with a line break", '{"name":"a\\nb","line":"list"}'],
    ["a file that is no file", '{"name":"eve","line":"import","file":{"name":{},"base64":[]}}'],
    ["a compressed body", Buffer.from("1f8b0800000000000003ab56ca4bcc4d55b252", "hex")],
  ])("of %s is answered with 400", async (_, body) => {
    const { status, text } = await postCommand(body);
    expect(status).toBe(400);
    expect(text).toContain("application/problem+json");
    expect(text.length).toBeLessThan(2_000);
    await expectUnharmed(open);
  });

  it("above the limit is answered with 413, also in chunks", async () => {
    const large = `{"name":"eve","line":"import ${"x".repeat(10_000_000)}"}`;
    expect((await postCommand(large)).status).toBe(413);
    const chunk = `40000\r\n${"x".repeat(0x40000)}\r\n`;
    const head = bytesOf({ method: "POST", path: "/api/command", headers: [JSON_TYPE, "Transfer-Encoding: chunked"] });
    expect((await send(open, Buffer.concat([head, Buffer.from(chunk.repeat(40))]))).status).toBe(413);
    await expectUnharmed(open);
  });

  it.each(["GET", "POST"])(
    "of a %s that continues in chunks of a byte ends the connection within 5 seconds",
    async (method) => {
      const headers = ["Host: 127.0.0.1", FORM_TYPE, "Transfer-Encoding: chunked"];
      for (const path of ["/login", "/healthz", "/v1/splits", "/slack/events"]) {
        const head = `${[`${method} ${path} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n`;
        // Without the last chunk, only the server ends the connection.
        const { status } = await send(guarded, head + "1\r\nx\r\n".repeat(2_000));
        expect(status).not.toBe(408);
      }
      await expectUnharmed(guarded);
    },
    5_000,
  );

  it("in chunks of the size that programs use is read", async () => {
    const body = JSON.stringify({ name: "eve", line: `import ${"x".repeat(40_000)}` });
    for (const size of [500, 4_000, 16_000]) {
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, n) =>
        body.slice(n * size, (n + 1) * size),
      );
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
      const headers = [JSON_TYPE, "Transfer-Encoding: chunked"];
      const head = bytesOf({ method: "POST", path: "/api/command", headers });
      expect((await send(open, Buffer.concat([head, Buffer.from(`${chunks}0\r\n\r\n`)]))).status).toBe(200);
    }
  });

  it("that ends before its announced length leaves no error in the log", async () => {
    const socket = connectTo(open);
    socket.write(bytesOf({ method: "POST", path: "/api/command", headers: [JSON_TYPE, "Content-Length: 100"] }));
    socket.end('{"name":"eve",');
    const outcomes = ["request failed", "request aborted by the client"];
    await waitUntil("the request ends", async () => outcomes.some((event) => open.log.count(event) > 0));
    expect(open.log.count("request aborted by the client")).toBe(1);
    await expectUnharmed(open);
  });

  it.each<[string, string, string]>([
    ["a form without a boundary", "multipart/form-data", "token=x"],
    ["a broken part", "multipart/form-data; boundary=x", "--x\r\nbroken"],
    ["thousands of parts", "multipart/form-data; boundary=x", "--x\r\n\r\n".repeat(1_500)],
    [
      "a file as token",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="token"; filename="a"\r\n\r\nx\r\n--x--\r\n',
    ],
    ["many tokens", "application/x-www-form-urlencoded", "token=x&".repeat(1_500)],
    ["nested fields", "application/x-www-form-urlencoded", `token${"[a]".repeat(2_000)}=x`],
    ["a prototype", "application/x-www-form-urlencoded", "__proto__=x&constructor=y"],
  ])("of the sign-in form with %s is answered with 401", async (_, type, body) => {
    const request = bytesOf({ method: "POST", path: "/login", headers: [`Content-Type: ${type}`], body });
    expect([401, 429]).toContain((await send(guarded, request)).status);
    await expectUnharmed(guarded);
  });
});

it("a foreign site can't use a visitor's session", async () => {
  const signIn = await send(
    guarded,
    bytesOf({ method: "POST", path: "/login", headers: [FORM_TYPE], body: `token=${TOKEN}` }),
  );
  const cookie = `Cookie: ${/^set-cookie: ([^;]+)/im.exec(signIn.text)?.[1] ?? ""}`;
  const body = '{"name":"eve","line":"watch ACME"}';
  const post = (path: string, headers: readonly string[]): Promise<Received> =>
    send(guarded, bytesOf({ method: "POST", path, headers: [cookie, JSON_TYPE, ...headers], body }));
  expect((await post("/api/command", [])).status).toBe(200);
  for (const header of ["Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"])
    for (const path of ["/api/command", "/api/share", "/api/complete", "/logout"])
      expect((await post(path, [header])).status).toBe(403);
  expect((await post("/api/command", [])).status).toBe(200);
  await expectUnharmed(guarded);
});

it("simultaneous sign-ins each start a session of their own, and simultaneous sign-outs end only theirs", async () => {
  const form = bytesOf({ method: "POST", path: "/login", headers: [FORM_TYPE], body: `token=${TOKEN}` });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(guarded, form)));
  const cookies = answers.map(({ text }) => `Cookie: ${/^set-cookie: ([^;]+)/im.exec(text)?.[1] ?? ""}`);
  expect(new Set(cookies).size).toBe(20);
  const ended = cookies.slice(0, 10);
  await Promise.all(
    [...ended, ...ended].map((cookie) =>
      send(guarded, bytesOf({ method: "POST", path: "/logout", headers: [cookie] })),
    ),
  );
  const read = (cookie: string): Promise<Received> =>
    send(guarded, bytesOf({ path: "/api/overview", headers: [cookie] }));
  const statuses = (await Promise.all(cookies.map(read))).map(({ status }) => status);
  expect(statuses).toEqual(cookies.map((cookie) => (ended.includes(cookie) ? 401 : 200)));
  await expectUnharmed(guarded);
});

it("guessed calendar addresses all get the same answer, and nothing is logged", async () => {
  const logged = open.log.lines.length;
  const answers = new Set<number>();
  for (let guess = 0; guess < 50; guess += 1)
    answers.add((await open.get(`/calendar/${guess.toString(16).padStart(40, "0")}.ics`)).status);
  expect([...answers]).toEqual([404]);
  expect(open.log.lines).toHaveLength(logged);
});

it("an unexpected error is logged, and neither sent to the client nor printed", async () => {
  const app = await start();
  onTestFinished(() => app.stop());
  await app.poll();
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const time = vi.spyOn(app.clock, "now").mockImplementation(() => {
    throw new Error("the secret of the clock");
  });
  onTestFinished(() => {
    for (const spy of [printed, time]) spy.mockRestore();
  });
  const { status, text } = await app.get("/readyz");
  time.mockRestore();
  expect([status, JSON.parse(text)]).toEqual([500, expect.objectContaining({ status: 500, code: "internal" })]);
  expect(text).not.toContain("secret");
  expect(app.log.count("request failed")).toBe(1);
  expect(printed).not.toHaveBeenCalled();
});
