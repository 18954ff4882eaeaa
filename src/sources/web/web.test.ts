import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { directReader } from "../../../test/support/direct-reader.ts";
import { type Fault, faults } from "../../../test/support/http-faults.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { SkippingClock } from "../../../test/support/skipping-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { HttpLimits } from "../../http/client.ts";
import { useProxies } from "../../lib/proxies.ts";
import type { Clock } from "../../ports/clock.ts";
import { FetchError, type FetchFailure } from "./fetch-error.ts";
import { createHostQueue } from "./host-queue.ts";
import { type AnswerListener, createWeb, type Web, type WebRequest } from "./web.ts";

const MEGABYTE = 1024 * 1024;

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** User agents by host; set by the tests. */
const AGENTS: Record<string, string> = {};

interface Site {
  readonly address: string;
  /** `GET /feed` */
  readonly seen: string[];
  answer: Fault;
  robots: Fault;
}

async function openSite(answer: Fault = faults.body("hello")): Promise<Site> {
  const site = { address: "", seen: [] as string[], answer, robots: faults.status(404) };
  const listener: RequestListener = (request, response) => {
    site.seen.push(`${request.method} ${request.url}`);
    const reply = request.url === "/robots.txt" ? site.robots : site.answer;
    reply(request, response);
  };
  site.address = await listen(createServer(listener));
  return site;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(() => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const userAgentFor = (host: string): string => AGENTS[host] ?? "splitwatch/0.0.0 (+https://bot.example)";

function openWeb(
  clock: Clock,
  configured: readonly string[],
  limits: Partial<HttpLimits> = {},
  queue = createHostQueue(clock),
): Web {
  const web = createWeb({ clock, queue, reader: directReader, userAgentFor, configured, limits });
  opened.push(() => web.close());
  return web;
}

function aRequest(changes: Partial<WebRequest> = {}): WebRequest {
  return { kind: "feed", paceMs: 2_000, signal: new AbortController().signal, ...changes };
}

async function failureOf(answer: Promise<unknown>): Promise<FetchError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
}

const pages = (site: Site): string[] => site.seen.filter((line) => !line.endsWith("/robots.txt"));

describe("a request", () => {
  it("sends a user agent and accepts compressed answers", async () => {
    const site = await openSite((request, response) => {
      response.end(JSON.stringify([request.headers["user-agent"], request.headers["accept-encoding"]]));
    });
    const answer = await openWeb(new SkippingClock(), [site.address]).request(`${site.address}/feed`, aRequest());

    expect(JSON.parse(answer.body.toString())).toEqual(["splitwatch/0.0.0 (+https://bot.example)", "gzip, br"]);
  });

  it("sends the user agent for its host, and a body", async () => {
    const site = await openSite((request, response) => {
      const body: Buffer[] = [];
      request.on("data", (chunk: Buffer) => body.push(chunk));
      request.on("end", () => {
        response.end(JSON.stringify([request.headers["user-agent"], request.method, Buffer.concat(body).toString()]));
      });
    });
    AGENTS[new URL(site.address).host] = "splitwatch ada@example.com";
    const web = openWeb(new SkippingClock(), [site.address]);
    const answer = await web.request(`${site.address}/api`, aRequest({ method: "POST", body: '{"limit":1}' }));

    expect(JSON.parse(answer.body.toString())).toEqual(["splitwatch ada@example.com", "POST", '{"limit":1}']);
    expect(web.requestCount).toBe(2);
  });

  it("has the size limit of its options", async () => {
    const site = await openSite(faults.body("12345678"));
    const web = openWeb(new SkippingClock(), [site.address]);
    const error = await failureOf(web.request(`${site.address}/feed`, aRequest({ maxBytes: 7 })));

    expect(error).toMatchObject({ failure: "too-large", message: expect.stringContaining("larger than 7 bytes") });
  });

  it("resolves with 204, which some APIs return for an empty list", async () => {
    const site = await openSite(faults.status(204, {}, ""));
    const answer = await openWeb(new SkippingClock(), [site.address]).request(`${site.address}/api`, aRequest());

    expect([answer.status, answer.body.length]).toEqual([204, 0]);
  });

  it.each<[string, Fault, FetchFailure, string]>([
    ["401", faults.status(401), "refused", "answered 401"],
    ["403", faults.status(403), "refused", "answered 403"],
    ["451", faults.status(451), "refused", "answered 451"],
    ["a challenge page", faults.challenge(), "refused", "answered a challenge page"],
    ["a challenge with 503", faults.status(503, { "cf-mitigated": "challenge" }), "refused", "answered 503"],
    [
      "a firewall's page with 200",
      faults.body("<html><body>Request unsuccessful. Incapsula incident ID: 1</body></html>", "text/html"),
      "refused",
      "answered a challenge page",
    ],
    [
      "a refusal of the agent with 200",
      faults.body("<html><h1>Your Request Originates from an Undeclared Automated Tool</h1></html>", "text/html"),
      "refused",
      "answered a challenge page",
    ],
    ["404", faults.status(404), "gone", "answered 404"],
    ["410", faults.status(410), "gone", "answered 410"],
    ["429", faults.status(429), "rate-limited", "answered 429"],
    ["202", faults.status(202), "refused", "answered 202"],
    ["500", faults.status(500), "server-error", "answered 500"],
    ["400", faults.status(400), "unreadable", "answered 400"],
    ["a lost connection", faults.breaksOff(), "unreachable", "the connection was lost"],
    ["a redirect loop", faults.redirectLoop(), "unreadable", "redirects more than 5 times"],
    ["a redirect to a file", faults.redirect("file:///etc/passwd"), "unreadable", "file: is not http: or https:"],
    ["a redirect into the network", faults.redirect("http://10.1.2.3/"), "unreadable", "10.1.2.3 is not a public"],
    [
      "a redirect to the cloud metadata address",
      faults.redirect("http://169.254.169.254/x"),
      "unreadable",
      "is not a public",
    ],
    [
      "a redirect to an IPv4-mapped IPv6 address",
      faults.redirect("http://[::ffff:10.0.0.1]/"),
      "unreadable",
      "is not a public",
    ],
    ["a redirect to an invalid address", faults.redirect("http://["), "unreadable", "redirects to an invalid address"],
    ["a gzip bomb", faults.gzipBomb(), "too-large", "the answer is larger than 5242880 bytes"],
    ["an endless answer", faults.endless(), "too-large", "the answer is larger than 5242880 bytes"],
  ])("that gets %s fails with a message without the query", async (_, fault, failure, message) => {
    const site = await openSite(fault);
    const web = openWeb(new SkippingClock(), [site.address]);

    const error = await failureOf(web.request(`${site.address}/feed?key=secret-key`, aRequest()));

    expect(error).toMatchObject({ failure, message: expect.stringContaining(message) });
    expect(error.message).not.toContain("secret-key");
  });

  it.each<[string, Fault]>([
    ["before its head", faults.hangsBeforeTheHead()],
    ["in its body", faults.hangsInTheBody()],
    ["while a byte arrives now and then", faults.drips()],
  ])("times out if the answer hangs %s", async (_, fault) => {
    const site = await openSite(fault);
    const web = openWeb(new SkippingClock(), [site.address], {
      headersTimeoutMs: 80,
      bodyTimeoutMs: 80,
      totalTimeoutMs: 400,
    });

    expect(await failureOf(web.request(`${site.address}/feed`, aRequest()))).toMatchObject({ failure: "timeout" });
  });

  it("accepts larger pages than feeds", async () => {
    const site = await openSite(faults.huge(7 * 1024 * 1024));
    const web = openWeb(new SkippingClock(), [site.address]);

    const page = await web.request(`${site.address}/page`, aRequest({ kind: "page" }));

    expect(page.body.length).toBe(7 * 1024 * 1024);
  });

  it("follows redirects, returns the final address, and sends no validators to another site", async () => {
    const other = await openSite((request, response) => {
      response.end(request.headers["if-none-match"] ?? "none");
    });
    const site = await openSite((request, response) => {
      const to = request.url === "/old" ? "/new" : `${other.address}/there`;
      faults.redirect(to)(request, response);
    });
    const web = openWeb(new SkippingClock(), [site.address]);

    const answer = await web.request(`${site.address}/old`, aRequest({ headers: { "if-none-match": '"1"' } }));

    expect(answer.url.href).toBe(`${other.address}/there`);
    expect(answer.body.toString()).toBe("none");
    expect(pages(site)).toEqual(["GET /old", "GET /new"]);
  });

  it("does not connect to this machine if no configured feed is on it", async () => {
    const site = await openSite();
    const web = openWeb(new SkippingClock(), ["https://feed.example/rss"]);

    expect(await failureOf(web.request(`${site.address}/x`, aRequest()))).toMatchObject({ failure: "unreadable" });
    expect(
      await failureOf(web.request(`${site.address.replace("127.0.0.1", "localhost")}/x`, aRequest())),
    ).toMatchObject({
      failure: "unreachable",
      message: expect.stringContaining("no public address"),
    });
    expect(site.seen).toEqual([]);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://2130706433/",
    "http://0/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://168.63.129.16/",
    "http://[::127.0.0.1]/",
    "http://[fec0::1]/",
    "file:///etc/passwd",
  ])("does not request %s", async (to) => {
    const web = openWeb(new SkippingClock(), ["https://feed.example/rss"]);

    expect((await failureOf(web.request(to, aRequest()))).message).toMatch(/ is not requested: .* is not /);
  });
});

describe("a listener for answers", () => {
  it("receives usable and refused answers, and neither redirects, robots rules nor answers with credentials", async () => {
    const site = await openSite((request, response) => {
      const { url = "" } = request;
      if (url === "/robots.txt") response.writeHead(404).end();
      else if (url === "/moved") response.writeHead(302, { location: "/feed" }).end();
      else response.writeHead(url.startsWith("/refused") ? 403 : 200).end(`body of ${url}`);
    });
    const clock = new SkippingClock();
    const queue = createHostQueue(clock);
    const received: string[] = [];
    const onAnswer: AnswerListener = ({ url, kind, answer }) =>
      void received.push(`${kind} ${answer.status} ${url.pathname}: ${answer.body.toString()}`);
    const web = createWeb({ clock, queue, reader: directReader, userAgentFor, configured: [site.address], onAnswer });
    opened.push(() => web.close());
    await web.request(`${site.address}/moved`, aRequest());
    await web.request(`${site.address}/token`, aRequest({ holdsCredentials: true }));
    await failureOf(web.request(`${site.address}/refused`, aRequest({ kind: "page" })));
    await failureOf(web.request(`${site.address}/refused-token`, aRequest({ holdsCredentials: true })));
    expect(received).toEqual([
      "feed 200 /feed: body of /feed",
      "page 403 /refused: body of /refused",
      "feed 403 /refused-token: body of /refused-token",
    ]);
  });
});

describe("an endless answer", () => {
  it.each<[string, Partial<WebRequest>, number]>([
    ["a feed", { kind: "feed" }, 5 * MEGABYTE],
    ["a page", { kind: "page" }, 10 * MEGABYTE],
    ["a file with a limit of its own", { kind: "page", maxBytes: MEGABYTE }, MEGABYTE],
  ])("to a request for %s is aborted at the size limit", async (_form, kind, maxBytes) => {
    let sent = 0;
    const site = await openSite((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const piece = Buffer.alloc(64 * 1024, "word ");
      const go = (): void => {
        do sent += piece.length;
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", go);
      go();
    });
    const web = openWeb(new SkippingClock(), [site.address]);

    const error = await failureOf(web.request(`${site.address}/page`, aRequest(kind)));

    expect(error.failure).toBe("too-large");
    // Plus the bytes in the socket buffers.
    expect(sent).toBeLessThan(maxBytes + 10 * MEGABYTE);
  });
});

async function openProxy(answer: string): Promise<{ readonly address: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    socket.end(answer);
  });
  const address = await listen(server);
  return { address, asked };
}

describe("a proxy", () => {
  afterEach(() => useProxies({}));

  it.each(["HTTP_PROXY", "HTTPS_PROXY"])("from %s is used, and its refusal is reported", async (name) => {
    const proxy = await openProxy("HTTP/1.1 403 Forbidden\r\n\r\n");
    useProxies({ [name]: proxy.address });
    const web = openWeb(new SkippingClock(), []);

    const feed = `${name === "HTTP_PROXY" ? "http" : "https"}://feed.example/rss`;
    const error = await failureOf(web.request(feed, aRequest()));

    expect(proxy.asked[0]).toMatch(/^feed\.example/);
    expect(error).toMatchObject({ failure: "unreachable", message: expect.stringContaining("the proxy answered 403") });
  });

  it("is not used for hosts in NO_PROXY", async () => {
    const proxy = await openProxy("HTTP/1.1 403 Forbidden\r\n\r\n");
    const site = await openSite();
    useProxies({ HTTP_PROXY: proxy.address, NO_PROXY: "127.0.0.1" });

    await openWeb(new SkippingClock(), [site.address]).request(`${site.address}/feed`, aRequest());

    expect(proxy.asked).toEqual([]);
    expect(pages(site)).toEqual(["GET /feed"]);
  });
});

describe("requests to one host", () => {
  it("are sent one at a time, with a pause after each", async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    const site = await openSite((_, response) => {
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      setImmediate(() => {
        inFlight--;
        response.end("ok");
      });
    });
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);

    await Promise.all([1, 2, 3, 4].map((page) => web.request(`${site.address}/${page}`, aRequest())));

    expect(maxInFlight).toBe(1);
    expect(clock.slept.filter((ms) => ms === 2_000).length).toBeGreaterThanOrEqual(3);
    expect(pages(site)).toHaveLength(4);
  });

  it("wait for the pause, and are not sent after an abort", async () => {
    const site = await openSite();
    const clock = new ManualClock();
    const web = openWeb(clock, [site.address]);
    const stop = new AbortController();
    await web.request(`${site.address}/1`, aRequest({ paceMs: 0 }));

    const second = web.request(`${site.address}/2`, aRequest({ paceMs: 10_000 }));
    const third = failureOf(web.request(`${site.address}/3`, aRequest({ paceMs: 10_000, signal: stop.signal })));
    await clock.advance(9_999);
    expect(pages(site)).toEqual(["GET /1"]);
    stop.abort();
    await third;
    await clock.advance(1);
    await second;

    expect(pages(site)).toEqual(["GET /1", "GET /2"]);
    expect(clock.sleepers).toBe(0);
  });

  it("back off up to half an hour after failures, and start over after a success", async () => {
    const site = await openSite(faults.status(500));
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const ask = (): Promise<unknown> => web.request(`${site.address}/feed`, aRequest({ paceMs: 0 }));
    const pausesMs: (number | null)[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      await failureOf(ask());
      const held = await failureOf(ask());
      pausesMs.push(held.retryAfterMs);
      clock.skip(held.retryAfterMs ?? 0);
    }
    expect(pausesMs.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(pausesMs.at(-1)).toBe(30 * MINUTE_MS);
    expect(pages(site)).toHaveLength(12);

    site.answer = faults.body("ok");
    await ask();
    site.answer = faults.status(500);
    await failureOf(ask());
    expect((await failureOf(ask())).retryAfterMs).toBe(5_000);
  });

  it("back off up to four minutes while the host is unreachable", async () => {
    const site = await openSite(faults.breaksOff());
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const ask = (): Promise<unknown> => web.request(`${site.address}/feed`, aRequest({ paceMs: 0 }));
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await failureOf(ask())).failure).toBe("unreachable");
      clock.skip(4 * MINUTE_MS);
    }
    await failureOf(ask());
    expect((await failureOf(ask())).retryAfterMs).toBe(4 * MINUTE_MS);
  });

  it.each<[string, () => Record<string, string>]>([
    ["seconds", () => ({ "retry-after": "600" })],
    [
      "a date",
      () => ({ "retry-after": new Date(1_000_600_000).toUTCString(), date: new Date(1_000_000_000).toUTCString() }),
    ],
  ])("wait for a Retry-After in %s", async (_, headers) => {
    const site = await openSite(faults.status(429, headers()));
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);

    expect((await failureOf(web.request(`${site.address}/feed`, aRequest()))).retryAfterMs).toBe(600_000);
    clock.skip(599_000);
    const held = await failureOf(web.request(`${site.address}/page`, aRequest({ kind: "page" })));
    expect(held).toMatchObject({ failure: "rate-limited", retryAfterMs: 1_000 });
    expect(held.message).toMatch(/answered 429$/);
    expect(pages(site)).toHaveLength(1);

    clock.skip(1_000);
    await failureOf(web.request(`${site.address}/feed`, aRequest()));
    expect(pages(site)).toHaveLength(2);
  });

  it("pause for minutes for a feed that refuses, then for up to an hour, but not for the host's other feeds", async () => {
    const site = await openSite((request, response) => {
      (request.url === "/closed" ? faults.status(403) : faults.body("open"))(request, response);
    });
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const read = (): Promise<FetchError> => failureOf(web.request(`${site.address}/closed`, aRequest()));
    const requests = (): number => pages(site).filter((line) => line === "GET /closed").length;

    expect(await read()).toMatchObject({ failure: "refused" });
    await web.request(`${site.address}/open`, aRequest());
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const before = requests();
      clock.skip(minutes * MINUTE_MS - 10_000);
      expect(await read()).toMatchObject({ failure: "refused" });
      expect(requests()).toBe(before);
      clock.skip(10_000);
      await read();
      expect(requests()).toBe(before + 1);
    }
  });

  it.each([250, 500])("retry a mistaken redirect to the same address with a slash after %i ms", async (pauseMs) => {
    let failures = pauseMs / 250;
    const site = await openSite((request, response) => {
      const fault = failures-- > 0 ? faults.redirect(`${request.url}/`, 301) : faults.body("the feed");
      fault(request, response);
    });
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const answer = await web.request(`${site.address}/list.rss`, aRequest({ retriesSlashRedirect: true }));

    expect(answer.body.toString()).toBe("the feed");
    expect(new Set(pages(site))).toEqual(new Set(["GET /list.rss"]));
    expect(clock.slept.at(-1)).toBe(pauseMs);
  });

  it("fail with a server error after three mistaken redirects, without following one", async () => {
    const site = await openSite((request, response) => faults.redirect(`${request.url}/`, 301)(request, response));
    const web = openWeb(new SkippingClock(), [site.address]);
    const error = await failureOf(web.request(`${site.address}/list.rss`, aRequest({ retriesSlashRedirect: true })));

    expect(error.failure).toBe("server-error");
    expect(error.message).toMatch(/\/list\.rss redirects to the same address with a slash, 3 times in a row$/);
    expect(pages(site)).toEqual(Array(3).fill("GET /list.rss"));
  });

  it("pause for all pages after two consecutive refused pages, but not after one", async () => {
    const site = await openSite(faults.status(403));
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const page = (path: string): Promise<unknown> => web.request(site.address + path, aRequest({ kind: "page" }));

    await failureOf(page("/1"));
    await failureOf(page("/2"));
    await failureOf(page("/3"));
    expect(pages(site)).toEqual(["GET /1", "GET /2"]);

    clock.skip(HOUR_MS);
    site.answer = faults.body("open");
    await page("/3");
    expect(pages(site)).toHaveLength(3);
  });
});

function rules(text: string): Fault {
  return faults.body(text, "text/plain");
}

describe("two clients with one queue", () => {
  it("send one request at a time to a host, with the pause of each request", async () => {
    const site = await openSite();
    const clock = new SkippingClock();
    const queue = createHostQueue(clock);
    const [first, second] = [1, 2].map(() => openWeb(clock, [site.address], {}, queue));
    await first?.request(`${site.address}/one`, aRequest());
    await second?.request(`${site.address}/two`, aRequest({ paceMs: 5_000 }));

    expect(pages(site)).toEqual(["GET /one", "GET /two"]);
    // Each client reads the robots rules.
    expect(clock.slept).toEqual([2_000, 5_000, 5_000]);
  });
});

describe("a host that fails or refuses one client", () => {
  it.each<[string, Fault, Partial<WebRequest>, number]>([
    ["fails", faults.status(500), {}, 1],
    ["limits requests", faults.status(429, { "retry-after": "600" }), {}, 1],
    ["refuses a feed", faults.status(403), {}, 1],
    ["refuses two pages", faults.status(403), { kind: "page" }, 2],
  ])("and %s is not contacted by other clients of the queue", async (_, fault, request, attempts) => {
    const site = await openSite(fault);
    const clock = new SkippingClock();
    const queue = createHostQueue(clock);
    const [first, second] = [1, 2].map(() => openWeb(clock, [site.address], {}, queue));
    for (let attempt = 0; attempt < attempts; attempt += 1)
      await failureOf(first?.request(`${site.address}/x`, aRequest({ paceMs: 0, ...request })) ?? Promise.resolve());
    const held = await failureOf(
      second?.request(`${site.address}/x`, aRequest({ paceMs: 0, ...request })) ?? Promise.resolve(),
    );
    expect(held.retryAfterMs).toBeGreaterThan(0);
    expect(pages(site)).toHaveLength(attempts);
  });

  it.each([
    ["fails", faults.status(500)],
    ["limits requests", faults.status(429, { "retry-after": "600" })],
    ["refuses", faults.status(403)],
  ])("and %s is contacted again after the same delay when the system clock is set", async (_, fault) => {
    const site = await openSite(fault);
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const request = (): Promise<FetchError> => failureOf(web.request(`${site.address}/x`, aRequest({ paceMs: 0 })));
    await request();
    const { retryAfterMs } = await request();
    for (const ms of [-30 * DAY_MS, 60 * DAY_MS]) {
      clock.jump(ms);
      expect((await request()).retryAfterMs).toBe(retryAfterMs);
    }
    expect(pages(site)).toHaveLength(1);
    clock.skip(retryAfterMs ?? 0);
    await request();
    expect(pages(site)).toHaveLength(2);
  });
});

describe("the robots rules", () => {
  it("apply to the product of the host's user agent", async () => {
    const site = await openSite();
    AGENTS[new URL(site.address).host] = "splitwatchBot/1.0 (+https://bot.example)";
    site.robots = faults.body(
      "User-agent: splitwatchbot\nDisallow: /private\nUser-agent: *\nDisallow: /",
      "text/plain",
    );
    const web = openWeb(new SkippingClock(), [site.address]);

    expect((await web.request(`${site.address}/feed`, aRequest())).status).toBe(200);
    expect(await failureOf(web.request(`${site.address}/private`, aRequest()))).toMatchObject({ failure: "refused" });
  });

  it.each([
    ["for all", "User-agent: *\nDisallow: /private"],
    ["for splitwatch by name", "User-agent: *\nAllow: /\n\nUser-agent: splitwatch\nDisallow: /private"],
  ])("%s are respected", async (_, text) => {
    const site = await openSite();
    site.robots = rules(text);
    const web = openWeb(new SkippingClock(), [site.address]);

    await web.request(`${site.address}/open`, aRequest());
    const error = await failureOf(web.request(`${site.address}/private/feed`, aRequest()));

    expect(error).toMatchObject({ failure: "refused", message: expect.stringContaining("robots rules of 127.0.0.1") });
    expect(pages(site)).toEqual(["GET /open"]);
  });

  it("are fetched once for concurrent requests", async () => {
    const site = await openSite();
    const web = openWeb(new SkippingClock(), [site.address]);

    await Promise.all([1, 2, 3].map((page) => web.request(`${site.address}/${page}`, aRequest())));

    expect(site.seen.filter((line) => line.endsWith("/robots.txt"))).toHaveLength(1);
  });

  it("are fetched once a day", async () => {
    const site = await openSite();
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    const asked = (): number => site.seen.length - pages(site).length;

    await web.request(`${site.address}/1`, aRequest());
    await web.request(`${site.address}/2`, aRequest());
    expect(asked()).toBe(1);
    clock.skip(DAY_MS);
    await web.request(`${site.address}/3`, aRequest());
    expect(asked()).toBe(2);
  });

  it("are fetched at the host's pace", async () => {
    const site = await openSite();
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);
    await web.request(`${site.address}/1`, aRequest());
    clock.skip(DAY_MS - 4_000);
    await web.request(`${site.address}/2`, aRequest());
    clock.skip(2_000);
    clock.slept.splice(0);

    await web.request(`${site.address}/3`, aRequest({ paceMs: 10_000 }));
    expect(clock.slept).toEqual([8_000, 10_000]);
  });

  it.each([
    ["a longer pause", "User-agent: *\nCrawl-delay: 5", 5_000],
    [
      "a longer pause for splitwatch by name",
      "User-agent: *\nCrawl-delay: 1\n\nUser-agent: splitwatch\nCrawl-delay: 7.5",
      7_500,
    ],
    ["a shorter pause", "User-agent: *\nCrawl-delay: 0.5", 2_000],
    ["a pause of an hour", "User-agent: *\nCrawl-delay: 3600", 20_000],
    ["an invalid pause", "User-agent: *\nCrawl-delay: soon\nCrawl-delay: -3", 2_000],
    ["a pause for another client", "User-agent: otherbot\nCrawl-delay: 9", 2_000],
  ])("may contain %s", async (_, text, paceMs) => {
    const site = await openSite();
    site.robots = rules(text);
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);

    for (const page of ["1", "2"]) await web.request(`${site.address}/${page}`, aRequest());

    expect(clock.slept).toEqual([paceMs, paceMs]);
  });

  it.each([404, 410, 403])("allow everything if their request returns %i", async (status) => {
    const site = await openSite();
    site.robots = faults.status(status);

    expect((await openWeb(new SkippingClock(), [site.address]).request(`${site.address}/x`, aRequest())).status).toBe(
      200,
    );
  });

  it("allow nothing while they cannot be read, and are requested again", async () => {
    const site = await openSite();
    site.robots = faults.status(500);
    const clock = new SkippingClock();
    const web = openWeb(clock, [site.address]);

    const error = await failureOf(web.request(`${site.address}/x`, aRequest()));
    expect(error).toMatchObject({
      failure: "server-error",
      message: expect.stringContaining("robots rules cannot be"),
    });
    expect(pages(site)).toEqual([]);

    site.robots = faults.status(404);
    clock.skip(5_000);
    await web.request(`${site.address}/x`, aRequest());
    expect(pages(site)).toEqual(["GET /x"]);
  });

  it("of the target of a redirect are respected", async () => {
    const other = await openSite();
    other.robots = rules("User-agent: *\nDisallow: /");
    const site = await openSite(faults.redirect(`${other.address}/there`));

    const answer = openWeb(new SkippingClock(), [site.address]).request(`${site.address}/x`, aRequest());

    expect(await failureOf(answer)).toMatchObject({ failure: "refused" });
    expect(pages(other)).toEqual([]);
  });
});
