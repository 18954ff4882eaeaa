import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { Hono } from "hono";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { type CalendarPages, calendarRoutes } from "./calendar-routes.ts";
import { type HttpServer, listen } from "./server.ts";

const TOKEN = "0123456789abcdef0123456789abcdef01234567";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><title>é</title></svg>';

const PAGES: CalendarPages = {
  allSplits: async () => "BEGIN:VCALENDAR\r\nX-A:é\r\nEND:VCALENDAR\r\n",
  watchlist: async (token) => (token === TOKEN ? "BEGIN:VCALENDAR\r\nX-A:own\r\nEND:VCALENDAR\r\n" : null),
  picture: async () => SVG,
};

let server: HttpServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

/** Serves the routes on a real socket. */
async function open(pages: Partial<CalendarPages> = {}) {
  const clock = new ManualClock();
  const log = recordedLog();
  const app = new Hono().route("/", calendarRoutes({ pages: { ...PAGES, ...pages }, clock, log }));
  const started = await listen({ app, host: "127.0.0.1", port: 0, log });
  server = started;
  const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${started.address}${path}`, init);
  return { clock, log, get, address: started.address };
}

describe("the calendar routes", () => {
  it.each([
    ["all.ics", "text/calendar; charset=utf-8", "public, max-age=300"],
    [`${TOKEN}.ics`, "text/calendar; charset=utf-8", "private, no-cache"],
    ["upcoming.svg", "image/svg+xml", "public, max-age=300"],
    ["upcoming.png", "image/png", "public, max-age=300"],
  ])("serve %s with its content type and cache control", async (file, type, cacheControl) => {
    const { get } = await open();
    const response = await get(`/calendar/${file}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
  });

  it("serve the files unchanged, and the picture as a PNG", async () => {
    const { get } = await open();
    expect(await (await get("/calendar/all.ics")).text()).toBe(await PAGES.allSplits());
    expect(await (await get(`/calendar/${TOKEN}.ics`)).text()).toContain("own");
    expect(await (await get("/calendar/upcoming.svg?at=1")).text()).toBe(SVG);
    const png = Buffer.from(await (await get("/calendar/upcoming.png?at=1")).arrayBuffer());
    expect([png.subarray(1, 4).toString("ascii"), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 20, 10]);
  });

  it("draw the picture once for 100 requests at the same time", async () => {
    const drawn = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => drawn.mockRestore());
    const { get } = await open({ picture: async () => SVG.replace("é", "at the same time") });
    const answers = await Promise.all(Array.from({ length: 100 }, () => get("/calendar/upcoming.png")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect(drawn).toHaveBeenCalledTimes(1);
  });

  it.each(["all.ics", `${TOKEN}.ics`, "upcoming.svg", "upcoming.png"])(
    "answer 304 if the copy of %s is current",
    async (file) => {
      const { get } = await open();
      const etag = (await get(`/calendar/${file}`)).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(`/calendar/${file}`, { headers: { "if-none-match": condition } });
        expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
      }
      expect((await get(`/calendar/${file}`, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    },
  );

  it("change the ETag with the content", async () => {
    let content = "one";
    const { get } = await open({ allSplits: async () => content });
    const before = (await get("/calendar/all.ics")).headers.get("etag");
    content = "two";
    expect((await get("/calendar/all.ics")).headers.get("etag")).not.toBe(before);
  });

  it("answer HEAD with the headers of GET, without a body", async () => {
    const { get } = await open();
    for (const file of ["all.ics", `${TOKEN}.ics`, "upcoming.png"]) {
      const [full, head] = [await get(`/calendar/${file}`), await get(`/calendar/${file}`, { method: "HEAD" })];
      expect([head.status, await head.text()]).toEqual([200, ""]);
      for (const name of ["etag", "content-type", "content-length", "cache-control"])
        expect(head.headers.get(name)).toBe(full.headers.get(name));
    }
  });

  it("answer an unknown token like any other unknown path", async () => {
    const { get } = await open();
    const answers = await Promise.all(
      [`${"f".repeat(40)}.ics`, "nothing.ics", "..%2fall.ics", "", TOKEN, `${TOKEN}.ICS`, `x/${TOKEN}.ics`].map(
        async (file) => {
          const response = await get(`/calendar/${file}`);
          const { date: _, ...headers } = Object.fromEntries(response.headers);
          return JSON.stringify([response.status, headers, await response.text()]);
        },
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("404");
    expect(answers[0]).toContain("no-store");
  });

  it.each(["POST", "PUT", "DELETE"])("reject %s", async (method) => {
    const { get } = await open();
    const response = await get("/calendar/all.ics", { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("answer under any Host, because their content is public or protected by a token", async () => {
    const { address } = await open();
    const { port } = new URL(address);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write("GET /calendar/all.ics HTTP/1.1\r\nHost: calendar.example\r\nConnection: close\r\n\r\n"),
      );
      let text = "";
      socket.on("data", (part) => {
        text += part.toString();
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
  });

  it("limit requests per minute and peer", async () => {
    const { get, clock } = await open();
    const ask = async (): Promise<number> => {
      const response = await get("/calendar/nothing.ics");
      await response.arrayBuffer();
      return response.status;
    };
    for (let round = 0; round < 60; round += 1)
      expect(new Set(await Promise.all(Array.from({ length: 10 }, ask)))).toEqual(new Set([404]));
    const refused = await get("/calendar/all.ics");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await clock.advance(60_000);
    expect((await get("/calendar/all.ics")).status).toBe(200);
  });

  it("answer errors as problem+json with a code, like the rest of the server", async () => {
    const { get } = await open({ picture: () => Promise.reject(new Error("the disk is gone")) });
    for (const [path, method, status, code] of [
      ["nothing.ics", "GET", 404, "no-such-path"],
      ["all.ics", "POST", 405, "wrong-method"],
      ["upcoming.svg", "GET", 503, "calendar-failed"],
    ] as const) {
      const response = await get(`/calendar/${path}`, { method });
      expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
      const problem = (await response.json()) as object;
      expect(problem).toEqual({
        type: "about:blank",
        title: expect.any(String),
        status,
        code,
        detail: expect.any(String),
      });
    }
  });

  it("log a failure without the token", async () => {
    const { get, log } = await open({ watchlist: () => Promise.reject(new Error("the disk is gone")) });
    const response = await get(`/calendar/${TOKEN}.ics`);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("disk");
    expect(log.count("calendar failed")).toBe(1);
    expect(JSON.stringify(log.lines)).not.toContain(TOKEN);
  });
});
