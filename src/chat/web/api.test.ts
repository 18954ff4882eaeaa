import { describe, expect, it } from "vitest";
import { ALICE, BOB, GENERAL } from "../../../test/support/builders.ts";
import {
  EMPTY_OVERVIEW,
  jsonOf,
  startWebPlatform,
  type WebPlatformUnderTest,
} from "../../../test/support/web-platform-under-test.ts";
import type { Call } from "../../commands/command.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { card } from "../../messages/message.ts";
import { StoreError } from "../../ports/store.ts";
import { messageBody } from "./body.ts";
import type {
  CommandAnswer,
  FoundMessage,
  Messages,
  OverviewAnswer,
  ProblemBody,
  ShareAnswer,
  SplitAnswer,
  Suggestions,
} from "./page/protocol.ts";

interface Asked {
  readonly line: string;
  readonly call: object;
}

async function postTo(under: WebPlatformUnderTest, destination: Destination, title: string): Promise<number> {
  const body = messageBody([card({ title })], []);
  const posting = { to: destination, messageId: `id-${title}`, replyTo: null, body, at: under.clock.now() };
  return (await under.store.postings.post(posting)).number;
}

async function codeOf(response: Response): Promise<string> {
  return (await jsonOf<ProblemBody>(response)).code;
}

async function titlesAt(under: WebPlatformUnderTest, query: string): Promise<readonly string[]> {
  const answer = await jsonOf<Messages>(await under.request(`/api/messages${query}`));
  return answer.messages.map((message) => message.body.cards[0]?.title ?? "no card");
}

describe("POST /api/command", () => {
  it("returns the cards and the line without its prefix", async () => {
    const { post } = await startWebPlatform();
    const response = await post("/api/command", { name: "alice", line: " /splits list exchange:NYSE " });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      line: "list exchange:NYSE",
      shareable: true,
      cards: [{ title: "Answer to list exchange:NYSE", tone: "plain" }],
    });
  });

  it.each([
    [
      { name: "Alice", channel: "#General" },
      { person: ALICE, destination: GENERAL },
    ],
    [{ name: "alice" }, { person: ALICE, destination: GENERAL }],
    [
      { name: "bob", channel: "general", direct: false },
      { person: BOB, destination: GENERAL },
    ],
    [
      { name: "alice", channel: "general", direct: true },
      { person: ALICE, destination: ALICE },
    ],
    [
      { name: "alice", direct: true },
      { person: ALICE, destination: ALICE },
    ],
  ])("resolves the caller and the destination of %j", async (who, call) => {
    const calls: Asked[] = [];
    const { post } = await startWebPlatform({
      ask: async (line, callerContext) => {
        calls.push({ line, call: { ...callerContext, mayManage: await callerContext.mayManage() } });
        return { cards: [], shareable: false };
      },
    });
    await post("/api/command", { ...who, line: "list" });
    expect(calls).toEqual([
      {
        line: "list",
        call: {
          ...call,
          isOperator: true,
          mayManage: true,
          reserveRoom: expect.any(Function),
          reservePost: expect.any(Function),
          hints: { file: "select Import" },
        },
      },
    ]);
  });

  it("truncates a card's texts to the page's limits", async () => {
    const { post } = await startWebPlatform({
      ask: async () => ({ cards: [card({ title: "x".repeat(5_000), link: "javascript:alert(1)" })], shareable: false }),
    });
    const answer = await jsonOf<CommandAnswer>(await post("/api/command", { name: "alice", line: "list" }));
    expect(answer.cards[0]).toMatchObject({ title: `${"x".repeat(299)}…`, link: null });
  });

  it.each([
    [{ line: "list" }, "name: is missing, expected string"],
    [{ name: 5, line: "list" }, "name: got 5, expected string"],
    [{ name: "a b", line: "list" }, 'name: got "a b", expected 1 to 32 letters, digits, - _ or .'],
    [{ name: "", line: "list" }, 'name: got "", expected 1 to 32 letters'],
    [{ name: "x".repeat(100), line: "list" }, `name: got "${"x".repeat(80)}…", expected 1 to 32 letters`],
    [{ name: "alice", channel: "a/b", line: "list" }, 'channel: got "a/b", expected 1 to 32 letters'],
    [{ name: "alice", direct: "yes", line: "list" }, 'direct: got "yes", expected boolean'],
    [{ name: "alice" }, "line: is missing, expected string"],
    [{ name: "alice", line: ["list"] }, 'line: got ["list"], expected string'],
    [{ name: "alice", line: "list", chanel: "x" }, '"chanel" is not a known field'],
    [[], "request: got [], expected object"],
    ["null", "request: got null, expected object"],
    ["{", "body: isn't valid JSON"],
    ["", "body: isn't valid JSON"],
  ])("rejects %j and names the problem", async (body, detail) => {
    const { post } = await startWebPlatform();
    const response = await post("/api/command", body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Bad request",
      status: 400,
      code: "bad-request",
      detail: expect.stringContaining(detail),
    });
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
    "rejects the content type %j",
    async (type) => {
      const { post } = await startWebPlatform();
      const response = await post("/api/command", { name: "alice", line: "list" }, { "content-type": type });
      expect([response.status, await codeOf(response)]).toEqual([415, "wrong-content-type"]);
    },
  );

  it("accepts JSON with a charset", async () => {
    const { post } = await startWebPlatform();
    const type = { "content-type": "application/json; charset=utf-8" };
    expect((await post("/api/command", { name: "alice", line: "list" }, type)).status).toBe(200);
  });

  it.each([
    ["/api/share", 17_000],
    ["/api/complete", 17_000],
    ["/api/command", 17_000],
    ["/api/command", 1_600_000],
  ])("%s rejects a body of %i bytes", async (path, bytes) => {
    const { post } = await startWebPlatform();
    const response = await post(path, { name: "alice", line: "x".repeat(bytes) });
    expect([response.status, await codeOf(response)]).toEqual([413, "too-large"]);
  });

  it.each([
    [Buffer.from("ACME\nGLOBX"), { kind: "text", text: "ACME\nGLOBX" }],
    [Buffer.from("PK\u0003\u0004"), { kind: "not-text", format: "a zip archive or a spreadsheet" }],
    [Buffer.alloc(1024 * 1024 + 1, "A"), { kind: "too-large" }],
  ])("passes the attached file to the command", async (bytes, expected) => {
    const calls: Call[] = [];
    const { post } = await startWebPlatform({
      ask: async (_line, call) => {
        calls.push(call);
        return { cards: [], shareable: false };
      },
    });
    const file = { name: "list.txt", base64: bytes.toString("base64") };
    await post("/api/command", { name: "alice", line: "import", file });
    expect(await calls[0]?.fetchAttachment?.()).toEqual({ ...expected, name: "list.txt" });
  });

  it("rejects a file that is not base64", async () => {
    const { post } = await startWebPlatform();
    const response = await post("/api/command", { name: "alice", line: "import", file: { name: "a", base64: "%" } });
    expect([response.status, await codeOf(response)]).toEqual([400, "bad-request"]);
  });

  it("reports an internal error without details", async () => {
    const { post } = await startWebPlatform({
      ask: () => Promise.reject(new Error("secret internals at /home/x")),
    });
    const response = await post("/api/command", { name: "alice", line: "list" });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });

  it("reports a store failure with Retry-After", async () => {
    const { post } = await startWebPlatform({ ask: () => Promise.reject(new StoreError("disk full")) });
    const response = await post("/api/command", { name: "alice", line: "watch ACME" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

describe("POST /api/complete", () => {
  it("returns suggestions for a partial line and keeps its trailing space", async () => {
    const lines: string[] = [];
    const { post } = await startWebPlatform({
      complete: async (line) => {
        lines.push(line);
        return [{ line: "show ACME", label: "ACME", hint: "Acme Robotics Inc." }];
      },
    });
    const answer = await (await post("/api/complete", { name: "alice", line: "/splits show " })).json();
    expect(lines).toEqual(["show "]);
    expect(answer).toEqual({
      suggestions: [{ line: "show ACME", label: "ACME", hint: "Acme Robotics Inc." }],
      isComplete: true,
    });
  });

  it("says whether the line can be run, without its prefix", async () => {
    const { post } = await startWebPlatform({ isComplete: async (line) => line === "list" });
    const isComplete = async (line: string) =>
      (await jsonOf<Suggestions>(await post("/api/complete", { line }))).isComplete;
    expect([await isComplete("/splits list"), await isComplete("/splits li")]).toEqual([true, false]);
  });
});

describe("POST /api/share", () => {
  it("reruns the line and posts the answer to the channel", async () => {
    const under = await startWebPlatform();
    const response = await under.post("/api/share", { name: "alice", channel: "general", line: "list" });
    expect(response.status).toBe(201);
    const { messageId } = await jsonOf<ShareAnswer>(response);
    const { messages } = await jsonOf<Messages>(await under.request("/api/messages?channel=general"));
    expect(messages).toMatchObject([
      {
        messageId,
        to: { kind: "channel", id: "general" },
        body: { cards: [{ title: "Answer to list" }], shared: { by: "alice", line: "list" } },
      },
    ]);
  });

  it("rejects cards from the page", async () => {
    const under = await startWebPlatform();
    const response = await under.post("/api/share", { name: "alice", line: "list", cards: [{ title: "forged" }] });
    expect(response.status).toBe(400);
    expect(await titlesAt(under, "")).toEqual([]);
  });

  it("rejects a private command without running it", async () => {
    const calls: string[] = [];
    const under = await startWebPlatform({
      ask: async (line) => {
        calls.push(line);
        return { cards: [], shareable: true };
      },
    });
    const response = await under.post("/api/share", { name: "alice", line: "watchlist" });
    expect([response.status, await codeOf(response), calls]).toEqual([409, "not-shareable", []]);
    expect(await titlesAt(under, "")).toEqual([]);
  });
});

describe("GET /api/messages", () => {
  it("returns only the channel's messages and the reader's direct messages", async () => {
    const under = await startWebPlatform();
    await postTo(under, GENERAL, "to all");
    await postTo(under, ALICE, "to alice");
    await postTo(under, BOB, "to bob");
    await postTo(under, { ...GENERAL, id: "other" }, "elsewhere");
    expect(await titlesAt(under, "?channel=general&name=alice")).toEqual(["to all", "to alice"]);
    expect(await titlesAt(under, "?name=bob")).toEqual(["to all", "to bob"]);
    expect(await titlesAt(under, "?channel=Other")).toEqual(["elsewhere"]);
    expect(await titlesAt(under, "")).toEqual(["to all"]);
  });

  it("resumes after a cursor and returns the next cursor", async () => {
    const under = await startWebPlatform();
    const first = await postTo(under, GENERAL, "one");
    const second = await postTo(under, GENERAL, "two");
    expect(await titlesAt(under, `?after=${first}`)).toEqual(["two"]);
    const answer = await (await under.request(`/api/messages?after=${second}`)).json();
    expect(answer).toEqual({ messages: [], last: second });
  });

  it("returns at most the newest 300", async () => {
    const under = await startWebPlatform();
    await Promise.all(Array.from({ length: 310 }, (_, index) => postTo(under, GENERAL, `m${index}`)));
    const titles = await titlesAt(under, "");
    expect(titles).toHaveLength(300);
  });

  it.each([
    ["?channel=a%20b", "channel: got"],
    ["?name=", "name: got"],
    ["?after=-1", "after: expected a whole number"],
    ["?after=x", "after: expected a whole number"],
    ["?channel=a&channel=b", "channel: got more than one value"],
    ["?chanel=a", '"chanel" is not a known field'],
  ])("rejects %s", async (query, detail) => {
    const { request } = await startWebPlatform();
    const response = await request(`/api/messages${query}`);
    expect(response.status).toBe(400);
    expect((await jsonOf<ProblemBody>(response)).detail).toContain(detail);
  });
});

describe("GET /api/messages/{id}", () => {
  it("finds a message in any channel and a direct message to the reader", async () => {
    const under = await startWebPlatform();
    await postTo(under, { ...GENERAL, id: "other" }, "far");
    await postTo(under, ALICE, "mine");
    const answer = await jsonOf<FoundMessage>(await under.request("/api/messages/id-far"));
    expect(answer.message).toMatchObject({ messageId: "id-far", to: { kind: "channel", id: "other" } });
    expect((await under.request("/api/messages/id-mine?name=alice")).status).toBe(200);
  });

  it.each(["/api/messages/id-mine", "/api/messages/id-mine?name=bob", "/api/messages/nothing"])(
    "returns 404 for %s",
    async (path) => {
      const under = await startWebPlatform();
      await postTo(under, ALICE, "mine");
      const response = await under.request(path);
      expect([response.status, await codeOf(response)]).toEqual([404, "no-such-message"]);
    },
  );
});

describe("GET /api/start", () => {
  it("returns what GET /api/messages and GET /api/overview return", async () => {
    const under = await startWebPlatform();
    await postTo(under, GENERAL, "one");
    await postTo(under, ALICE, "two");
    const messages = await jsonOf<Messages>(await under.request("/api/messages?name=alice"));
    const overview = await jsonOf<OverviewAnswer>(await under.request("/api/overview"));
    expect(await (await under.request("/api/start?name=alice")).json()).toEqual({ ...messages, overview });
    expect(messages.messages).toHaveLength(2);
  });
});

describe("GET /api/overview", () => {
  it("returns the side panel's data with the server's time", async () => {
    const under = await startWebPlatform();
    const answer = await (await under.request("/api/overview")).json();
    expect(answer).toEqual({ ...EMPTY_OVERVIEW, now: under.clock.now(), signedIn: false });
  });
});

describe("GET /api/overview?channel=", () => {
  it.each([
    ["/api/overview?channel=desk", "desk"],
    ["/api/start?channel=desk&name=alice", "desk"],
    ["/api/overview", "general"],
  ])("%s is about the channel %s", async (path, channel) => {
    const asked: Destination[] = [];
    const { request } = await startWebPlatform({
      overview: async (destination) => {
        asked.push(destination);
        return EMPTY_OVERVIEW;
      },
    });
    await request(path);
    expect(asked).toEqual([{ platform: "web", kind: "channel", id: channel }]);
  });
});

describe("GET /api/splits/{ticker}", () => {
  it("returns the view for the person, with the cards within the page's limits", async () => {
    const asked: unknown[] = [];
    const cards = [card({ title: "x".repeat(400), link: "javascript:alert(1)" })];
    const { request } = await startWebPlatform({
      splitView: async (ticker, person) => {
        asked.push([ticker, person]);
        return { ticker, company: "", isSample: false, sections: [{ steps: [], cards }], cards };
      },
    });
    const view = await jsonOf<SplitAnswer>(await request("/api/splits/brk%2Fb?name=Alice"));
    await request("/api/splits/ACME");
    expect(asked).toEqual([
      ["BRK.B", ALICE],
      ["ACME", { ...ALICE, id: "" }],
    ]);
    const limited = { title: `${"x".repeat(299)}…`, link: null };
    expect(view).toMatchObject({ sections: [{ cards: [limited] }], cards: [limited] });
  });

  it("rejects what isn't a ticker", async () => {
    const { request } = await startWebPlatform();
    const response = await request(`/api/splits/${"x".repeat(500)}`);
    expect([response.status, (await jsonOf<ProblemBody>(response)).detail]).toEqual([
      400,
      expect.stringMatching(/^ticker: got "x{80}…", expected a ticker$/),
    ]);
  });
});

describe("GET /api/releases", () => {
  it("returns null for an unknown address, and refuses a missing or too long one", async () => {
    const { request } = await startWebPlatform();
    expect(await (await request("/api/releases?url=https://wire.example/1")).json()).toEqual({ release: null });
    expect((await request("/api/releases")).status).toBe(400);
    expect((await request(`/api/releases?url=${"x".repeat(2_001)}`)).status).toBe(400);
  });
});

describe("the API", () => {
  it.each([
    ["GET", "/api/command", "POST"],
    ["DELETE", "/api/messages", "GET, HEAD"],
    ["PUT", "/api/stream", "GET, HEAD"],
  ])("rejects %s %s and names the allowed methods", async (method, path, allow) => {
    const { request } = await startWebPlatform();
    const response = await request(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  it("returns 404 for an unknown path", async () => {
    const { request } = await startWebPlatform();
    const response = await request("/api/secrets");
    expect([response.status, await codeOf(response)]).toEqual([404, "no-such-path"]);
  });
});

describe("every answer of the API", () => {
  it.each([
    ["GET", "/api/overview", 200],
    ["GET", "/api/messages", 200],
    ["GET", "/api/messages/unknown", 404],
    ["GET", "/api/stream", 200],
    ["POST", "/api/command", 200],
    ["DELETE", "/api/overview", 405],
    ["GET", "/api/nothing", 404],
  ])("isn't stored by browsers and proxies: %s %s", async (method, path, status) => {
    const { request } = await startWebPlatform();
    const body = JSON.stringify({ name: "alice", line: "list" });
    const json = { headers: { "content-type": "application/json" }, body };
    const response = await request(path, { method, ...(method === "POST" ? json : {}) });
    expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
    await response.body?.cancel();
  });
});
