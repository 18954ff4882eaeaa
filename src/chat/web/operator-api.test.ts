import { describe, expect, it } from "vitest";
import { announced, attemptOf, commitOne } from "../../../test/contract/store-builders.ts";
import { GENERAL } from "../../../test/support/builders.ts";
import { jsonOf, startWebPlatform, type WebPlatformUnderTest } from "../../../test/support/web-platform-under-test.ts";
import type { OperatorMessage, OperatorPage, OperatorQueue, ProblemBody } from "./page/protocol.ts";

const TOKEN = "the-token-of-this-test";
const HOSTILE = '<img src=x onerror="alert(1)">';

async function pausedDesk(under: WebPlatformUnderTest): Promise<typeof GENERAL> {
  const to = { ...GENERAL, id: "desk" };
  await commitOne(under.store, announced("s1"), to);
  await under.store.pauses.pause(to, HOSTILE, under.clock.now());
  return to;
}

describe("the API of the operator's view", () => {
  it("lists settled messages with outcome and link, and finds them by state, destination and ticker", async () => {
    const under = await startWebPlatform();
    for (const [id, ticker] of [
      ["m1", "ACME"],
      ["m2", "BOLT"],
    ] as const) {
      const delivery = await commitOne(under.store, announced(id, { ticker }), { ...GENERAL, id: `desk-${ticker}` });
      await under.store.outbox.saveAttempt(attemptOf(id, [delivery]));
    }
    await under.store.outbox.markSent("m1", { id: "1", link: "https://chat.example/1" }, under.clock.now());
    await under.store.outbox.markFailed("m2", HOSTILE, under.clock.now());
    const list = async (query: string): Promise<readonly OperatorMessage[]> =>
      (await jsonOf<OperatorPage<OperatorMessage>>(await under.request(`/api/operator/messages?${query}`))).items;
    const recent = await list("state=recent");
    expect(recent.map(({ to, failure, link }) => [to.name, failure, link])).toEqual([
      ["#desk-BOLT on the web page", HOSTILE, null],
      ["#desk-ACME on the web page", null, "https://chat.example/1"],
    ]);
    expect(recent[1]?.events).toEqual(["announced: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026"]);
    expect(await list("state=failed")).toEqual([recent[0]]);
    expect(await list("state=recent&destination=DESK-a&ticker=acme")).toEqual([recent[1]]);
    expect(await list("state=recent&destination=&ticker=&after=")).toEqual(recent);
  });

  it("names the ticker of each event", async () => {
    const under = await startWebPlatform();
    await commitOne(under.store, { ...announced("s1", { ticker: "BOLT" }), kind: "effective" }, GENERAL);
    const answer = await under.request("/api/operator/queues?state=waiting");
    const { items } = await jsonOf<OperatorPage<OperatorQueue>>(answer);
    expect(items.map(({ events }) => events)).toEqual([["BOLT in effect"]]);
  });

  it.each([
    ["messages?state=constructor", 'state: got "constructor", expected recent or failed'],
    [`queues?destination=${"x".repeat(401)}`, "destination: expected at most 400 characters"],
    [`../releases?url=${"x".repeat(2_001)}`, "url: got 2001 characters, expected at most 2000"],
  ])("explains what is wrong with %.40s", async (path, detail) => {
    const under = await startWebPlatform();
    const response = await under.request(`/api/operator/${path}`);
    expect([response.status, (await jsonOf<ProblemBody>(response)).detail]).toEqual([400, detail]);
  });

  it("resumes a paused destination, and says if there is none", async () => {
    const under = await startWebPlatform();
    const to = await pausedDesk(under);
    const [queue] = (
      await jsonOf<OperatorPage<OperatorQueue>>(await under.request("/api/operator/queues?state=paused"))
    ).items;
    expect(queue).toMatchObject({ to, waiting: 1, pause: { reason: HOSTILE, refusals: 1 } });
    expect(await under.store.claims.claimDue({ limit: 5, platforms: ["web"] })).toEqual([]);
    const resumed = await under.post("/api/operator/resume", to);
    expect([resumed.status, await resumed.json()]).toEqual([200, { resumed: true }]);
    expect(await under.store.claims.claimDue({ limit: 5, platforms: ["web"] })).toHaveLength(1);
    expect(await (await under.post("/api/operator/resume", { ...to, id: "other" })).json()).toEqual({ resumed: false });
  });

  it.each([
    ["no token", {}],
    ["another token of the same length", { authorization: `Bearer ${TOKEN.replace("t", "u")}` }],
    ["a shorter token", { authorization: `Bearer ${TOKEN.slice(1)}` }],
    ["a longer token", { authorization: `Bearer ${TOKEN}${"x".repeat(5_000)}` }],
    ["a token in another scheme", { authorization: `Basic ${TOKEN}` }],
    ["an invented cookie", { cookie: `splitwatch_session=${"A".repeat(43)}` }],
  ])("refuses everything with %s", async (_, headers) => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const to = await pausedDesk(under);
    for (const path of ["overview", "messages?state=recent", "queues?state=paused", "rules"]) {
      const response = await under.request(`/api/operator/${path}`, { headers });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("desk");
    }
    expect((await under.post("/api/operator/resume", to, headers)).status).toBe(401);
    const page = await under.request("/operator", { headers });
    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining("Sign in to splitwatch")]);
    expect((await under.store.pauses.of(to))?.refusals).toBe(1);
  });

  it("refuses a request of another site, also with a session, and changes nothing", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const to = await pausedDesk(under);
    const form = { method: "POST", body: new URLSearchParams({ token: TOKEN }) };
    const cookie = (await under.request("/login", form)).headers.get("set-cookie")?.split(";")[0] ?? "";
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:9999" },
      { origin: "null" },
    ])
      expect((await under.post("/api/operator/resume", to, { cookie, ...headers })).status).toBe(403);
    const asForm = { cookie, "content-type": "application/x-www-form-urlencoded" };
    expect((await under.post("/api/operator/resume", to, asForm)).status).toBe(415);
    expect((await under.request("/api/operator/resume", { headers: { cookie } })).status).toBe(405);
    expect((await under.store.pauses.of(to))?.refusals).toBe(1);
    expect((await under.post("/api/operator/resume", to, { cookie, "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
  });

  it("is found with a slash at the end of its path", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const response = await under.request("/operator/", { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([response.status, response.headers.get("location")]).toEqual([308, "/operator"]);
  });

  it.each(["/operator", "/operator/"])("leads back from %s after signing in, and to no other address", async (view) => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const form = await under.request(view);
    expect(form.status).toBe(401);
    const action = /action="([^"]+)"/.exec(await form.text())?.[1] ?? "";
    const signIn = (path: string): Promise<Response> =>
      under.request(path, { method: "POST", body: new URLSearchParams({ token: TOKEN }) });
    expect((await signIn(action)).headers.get("location")).toBe("/operator");
    for (const page of ["https://evil.example", "//evil.example", "/operator/../x", "javascript:alert(1)"])
      expect((await signIn(`/login?page=${encodeURIComponent(page)}`)).headers.get("location")).toBe("/");
  });

  it.each([
    ["messages?state=waiting", "state"],
    ["queues?state=recent", "state"],
    ["messages?state=recent&ticker=not%20a%20ticker", "ticker"],
    [`messages?state=recent&ticker=${"A".repeat(9_000)}`, "ticker"],
    [`messages?state=recent&destination=${"x".repeat(401)}`, "destination"],
    ["messages?state=recent&destination=%00", "destination"],
    [`queues?state=paused&after=${"y".repeat(401)}`, "after"],
    ["rules?state=recent", "state"],
    ["rules?limit=1000000", "limit"],
    ["rules?after=1&after=2", "after"],
  ])("names the invalid parameter of %s", async (path, name) => {
    const { request } = await startWebPlatform();
    const response = await request(`/api/operator/${path}`);
    const { code, detail } = await jsonOf<ProblemBody>(response);
    expect([response.status, code]).toEqual([400, "bad-request"]);
    expect(detail).toContain(name);
    expect(detail.length).toBeLessThan(300);
  });

  it.each([
    {},
    { platform: "web", kind: "role", id: "1" },
    { platform: "web", kind: "channel", id: "x".repeat(401) },
    { platform: "web", kind: "channel", id: "1", other: true },
    [],
    null,
  ])("refuses to resume %o", async (body) => {
    const { post } = await startWebPlatform();
    expect((await post("/api/operator/resume", body)).status).toBe(400);
  });

  it("answers within a moment and in small pages with 10,000 paused destinations", async () => {
    const under = await startWebPlatform();
    const event = announced("s1");
    await under.store.snapshot.commit({ patch: null, events: [event], deliveries: [] });
    const ids = Array.from({ length: 10_000 }, (_, n) => `desk${n}`);
    await Promise.all(
      ids.map((id) => under.store.pauses.pause({ ...GENERAL, id }, "no permission", under.clock.now())),
    );
    const seen: string[] = [];
    let after = "";
    do {
      const response = await under.request(`/api/operator/queues?state=paused&after=${encodeURIComponent(after)}`);
      const text = await response.text();
      expect(text.length).toBeLessThan(30_000);
      const page = JSON.parse(text) as OperatorPage<OperatorQueue>;
      seen.push(...page.items.map(({ to }) => to.id));
      after = seen.length < 300 ? (page.next ?? "") : "";
    } while (after !== "");
    expect(seen).toEqual(ids.toSorted().slice(0, 300));
    const overview = await (await under.request("/api/operator/overview")).text();
    expect(JSON.parse(overview)).toMatchObject({ deliveries: { paused: 10_000 } });
    expect(overview.length).toBeLessThan(5_000);
  });
});
