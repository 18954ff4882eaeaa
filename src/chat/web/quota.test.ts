import { describe, expect, it } from "vitest";
import { ALICE, aRule, BOB, GENERAL, ticker } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { jsonOf, startWebPlatform, type WebPlatformUnderTest } from "../../../test/support/web-platform-under-test.ts";
import type { Answer, Call } from "../../commands/command.ts";
import { TEST_MESSAGE_PREFIX } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { DAY_MS } from "../../domain/time/day.ts";
import { card } from "../../messages/message.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Store } from "../../ports/store.ts";
import { type CommandAnswer, MAX_MESSAGES } from "./page/protocol.ts";
import { createQuota, DEFAULT_LIMITS, MAX_SHARED_BYTES, type QuotaLimits } from "./quota.ts";

const ANSWER: Answer = { cards: [card({ title: "Done" })], shareable: true };

/** Web chat whose commands store data: `watch` about the person, `subscribe` about the destination; `test` posts; others reserve no room. */
async function startWithLimits(limits: Partial<QuotaLimits>, shared = ANSWER): Promise<WebPlatformUnderTest> {
  let tests = 0;
  const under: WebPlatformUnderTest = await startWebPlatform({
    limits: { ...DEFAULT_LIMITS, ...limits },
    async ask(line, call: Call) {
      const { person, destination } = call;
      const stored = line === "watch" || line === "subscribe" ? await call.reserveRoom?.() : true;
      const room = line === "test" ? await call.reservePost?.() : stored;
      if (room !== true) return refused(room);
      if (line === "watch") await under.store.watchlists.add(person, [ticker("ACME")]);
      if (line === "subscribe") await under.store.rules.add({ ...aRule({ destination }), createdBy: person });
      const id = `${TEST_MESSAGE_PREFIX}${++tests}`;
      if (line === "test") await under.store.postings.post(aPosting(id, destination, under.clock.now()));
      if (line === "forget") await under.store.purgePerson(person);
      return ANSWER;
    },
    share: () => Promise.resolve(shared),
  });
  return under;
}

function aPosting(messageId: string, to: Destination, at: number): Omit<Posting, "number"> {
  return { to, messageId, replyTo: null, body: {}, at };
}

function refused(reason: string | undefined): Answer {
  return { cards: [card({ title: "Refused", lines: [reason ?? ""] })], shareable: false };
}

function run(under: WebPlatformUnderTest, name: string, line: string, channel = "general"): Promise<Response> {
  return under.post("/api/command", { name, channel, line });
}

function share(under: WebPlatformUnderTest, channel = "general"): Promise<Response> {
  return under.post("/api/share", { name: "alice", channel, line: "list" });
}

/** The reason for which the command stored nothing; undefined if it ran. */
async function reasonIn(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(200);
  const [answer] = (await jsonOf<CommandAnswer>(response)).cards;
  return answer?.title === "Refused" ? answer.lines[0] : undefined;
}

async function refusalOf(response: Response): Promise<string> {
  const { status, code, detail } = await jsonOf<{ status: number; code: string; detail: string }>(response);
  expect([response.status, status, code]).toEqual([409, 409, "quota-exceeded"]);
  return detail;
}

it("room that two requests for one name have reserved stays reserved until both have ended", async () => {
  const stored: Destination[] = [];
  const quota = createQuota({
    store: { destinations: async () => stored, postings: { count: async () => 0 } } as unknown as Store,
    clock: new ManualClock(),
    limits: { ...DEFAULT_LIMITS, people: 1 },
  });
  const [releaseFirst, releaseSecond] = [await quota.reserve([ALICE]), await quota.reserve([ALICE])];
  releaseFirst();
  await expect(quota.reserve([BOB])).rejects.toThrow(/about 1 names/);
  releaseSecond();
  await expect(quota.reserve([BOB])).resolves.toBeTypeOf("function");
});

describe("the number of names", () => {
  it("is limited: known names keep working, and a name becomes free with forget", async () => {
    const under = await startWithLimits({ people: 2 });
    for (const name of ["alice", "bob"]) expect(await reasonIn(await run(under, name, "watch"))).toBeUndefined();
    expect(await reasonIn(await run(under, "carol", "watch"))).toMatch(/^Data is stored about 2 names.*"forget"/);
    expect((await under.store.destinations("web")).map(({ id }) => id).toSorted()).toEqual(["alice", "bob"]);
    for (const name of ["alice", "bob"]) expect(await reasonIn(await run(under, name, "watch"))).toBeUndefined();

    await run(under, "bob", "forget");
    expect(await reasonIn(await run(under, "carol", "watch"))).toBeUndefined();
  });

  it("counts any name that a user can choose", async () => {
    const under = await startWithLimits({ people: 1 });
    await run(under, "somebody", "watch");
    expect(await reasonIn(await run(under, "alice", "watch"))).toMatch(/^Data is stored about 1 names/);
  });

  it("doesn't count names without stored data", async () => {
    const under = await startWithLimits({ people: 1 });
    for (const name of ["alice", "bob", "carol"])
      expect(await reasonIn(await run(under, name, "list"))).toBeUndefined();
    expect(await reasonIn(await run(under, "dave", "watch"))).toBeUndefined();
  });

  it("is not exceeded by simultaneous requests", async () => {
    const under = await startWithLimits({ people: 3 });
    const names = Array.from({ length: 20 }, (_, n) => `name${n}`);
    const reasons = await Promise.all(names.map(async (name) => reasonIn(await run(under, name, "watch"))));
    expect(reasons.filter((reason) => reason === undefined)).toHaveLength(3);
    expect(await under.store.destinations("web")).toHaveLength(3);
  });

  it("does not keep a new name from commands that store nothing", async () => {
    const under = await startWithLimits({ people: 1, channels: 1 });
    for (const name of ["alice", "bob"]) await run(under, name, "watch");
    await run(under, "alice", "subscribe", "one");
    expect(await reasonIn(await run(under, "carol", "help", "two"))).toBeUndefined();
    expect((await under.store.destinations("web")).map(({ id }) => id).toSorted()).toEqual(["alice", "one"]);
  });
});

describe("the number of channels", () => {
  it("is limited: known channels and the default channel keep working", async () => {
    const under = await startWithLimits({ channels: 2 });
    for (const channel of ["one", "two", "general"])
      expect(await reasonIn(await run(under, "alice", "subscribe", channel))).toBeUndefined();
    expect(await reasonIn(await run(under, "alice", "subscribe", "three"))).toMatch(/about 2 channels.*#general/);
    expect(await refusalOf(await share(under, "three"))).toMatch(/about 2 channels/);
    expect(await reasonIn(await run(under, "alice", "subscribe", "two"))).toBeUndefined();
  });

  it("counts channels that only have messages", async () => {
    const under = await startWithLimits({ channels: 1 });
    expect((await share(under, "one")).status).toBe(201);
    await refusalOf(await share(under, "two"));
  });
});

describe("the number of shared answers", () => {
  it("is limited per day, and sharing works again later", async () => {
    const under = await startWithLimits({ postsPerDay: 2 });
    for (const _ of [1, 2]) expect((await share(under)).status).toBe(201);
    expect(await refusalOf(await share(under, "other"))).toMatch(
      /^2 answers and test cards were posted within 24 hours.*later/,
    );
    await under.clock.advance(DAY_MS + 1);
    expect((await share(under)).status).toBe(201);
  });

  it("is limited in total, also after the sharer has been forgotten; nothing is removed for a new one", async () => {
    const under = await startWithLimits({ posts: 2 });
    for (const _ of [1, 2]) await share(under);
    await run(under, "alice", "forget");
    await under.clock.advance(2 * DAY_MS);
    expect(await refusalOf(await share(under))).toMatch(/^2 shared answers and test cards are stored.*90 days/);
    expect(await under.store.postings.list({ to: [GENERAL], after: 0, limit: 10 })).toHaveLength(2);
  });

  it.each([{ postsPerDay: 3 }, { posts: 3 }])("%o is not exceeded by simultaneous requests", async (limits) => {
    const under = await startWithLimits(limits);
    const responses = await Promise.all(Array.from({ length: 10 }, () => share(under)));
    const accepted = responses.filter(({ status }) => status === 201).length;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThanOrEqual(3);
    expect(await under.store.postings.count("", 0)).toBe(accepted);
  });

  it("includes test cards, which are refused like shared answers", async () => {
    const under = await startWithLimits({ postsPerDay: 2 });
    expect((await share(under)).status).toBe(201);
    expect(await reasonIn(await run(under, "bob", "test"))).toBeUndefined();
    expect(await reasonIn(await run(under, "carol", "test", "lobby"))).toMatch(/^2 answers and test cards were posted/);
    await refusalOf(await share(under));
  });

  it("doesn't count alerts", async () => {
    const under = await startWithLimits({ posts: 1 });
    await under.store.postings.post(aPosting("alert", GENERAL, 0));
    expect((await share(under)).status).toBe(201);
  });
});

it("what people request in a day leaves a part of the page's messages to alerts", () => {
  expect(DEFAULT_LIMITS.postsPerDay).toBeLessThan(MAX_MESSAGES);
});

it("an answer above the maximum size can't be shared", async () => {
  const lines = Array.from({ length: 50 }, () => "x".repeat(2_000));
  const under = await startWithLimits({}, { cards: [card({ title: "Long", lines })], shareable: true });
  expect(await refusalOf(await share(under))).toMatch(/has 98 kB, and at most 64 kB can be shared/);
  expect(MAX_SHARED_BYTES).toBe(64 * 1024);
});

it("a completion without a name is nobody's: the name nobody is a name like any other", async () => {
  const seen: Call["person"][] = [];
  const under = await startWebPlatform({
    complete: async (_, { person }) => {
      seen.push(person);
      return [];
    },
  });
  expect((await under.post("/api/complete", { line: "w" })).status).toBe(200);
  expect((await under.post("/api/complete", { line: "w", direct: true })).status).toBe(200);
  expect(seen.map(({ id }) => id)).toEqual(["", ""]);
  expect((await under.post("/api/command", { line: "list" })).status).toBe(400);
  expect((await under.post("/api/command", { name: "", line: "list" })).status).toBe(400);
  expect((await under.post("/api/command", { name: "nobody", line: "list" })).status).toBe(200);
});
