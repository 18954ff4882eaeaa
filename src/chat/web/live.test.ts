import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { ALICE, anAttempt, BOB, GENERAL } from "../../../test/support/builders.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { startWebPlatform, type WebPlatformUnderTest } from "../../../test/support/web-platform-under-test.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { card } from "../../messages/message.ts";
import { createSessions } from "./access.ts";
import { HEARTBEAT_MS } from "./page/protocol.ts";

interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: { readonly last?: number; readonly messageId?: string };
}

/** Reader of server-sent events, one at a time; returns undefined at the end of the stream. */
function eventReader(response: Response): { next(): Promise<StreamEvent | undefined>; cancel(): Promise<void> } {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async next() {
      while (!text.includes("\n\n")) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
      }
      const end = text.indexOf("\n\n");
      const fields = new Map(
        text
          .slice(0, end)
          .split("\n")
          .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      text = text.slice(end + 2);
      return { id: fields.get("id"), event: fields.get("event"), data: JSON.parse(fields.get("data") ?? "null") };
    },
    cancel: () => reader.cancel(),
  };
}

/** Number of listeners of a signal, and of the signals that depend on it, which Node keeps in an internal set. */
function attachedTo(signal: AbortSignal): number {
  const key = Object.getOwnPropertySymbols(signal).find(({ description }) => description === "kDependantSignals");
  const dependents = key === undefined ? null : (Reflect.get(signal, key) as { readonly size: number } | null);
  return getEventListeners(signal, "abort").length + (dependents?.size ?? 0);
}

async function send(under: WebPlatformUnderTest, destination: Destination, messageId: string): Promise<void> {
  const { body } = under.platform.render({
    messageId,
    to: destination,
    cards: [card({ title: messageId })],
    events: [],
    mentions: [],
  });
  await under.platform.send(anAttempt({ messageId, to: destination, body }));
}

/** Stores a message as the platform of another process does. */
async function postElsewhere({ platform, store }: WebPlatformUnderTest, messageId: string): Promise<void> {
  const { body } = platform.render({ messageId, to: GENERAL, cards: [card({ title: "x" })], events: [], mentions: [] });
  await store.postings.post({ to: GENERAL, messageId, replyTo: null, body, at: 0 });
}

async function openStream(under: WebPlatformUnderTest, query: string, headers: Record<string, string> = {}) {
  const response = await under.request(`/api/stream${query}`, { headers });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  return eventReader(response);
}

describe("the live stream", () => {
  it("is refused while the maximum number of streams is open", async () => {
    const under = await startWebPlatform({ maxStreams: 2 });
    const streams = [await openStream(under, "?channel=general"), await openStream(under, "?name=alice")];
    for (const stream of streams) await stream.next();
    const response = await under.request("/api/stream");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await response.json()).toMatchObject({ code: "too-many-streams" });
    await streams[0]?.cancel();
    await waitUntil("the next stream is accepted", async () => (await under.request("/api/stream")).status === 200);
  });

  it("leaves nothing attached to its request at each heartbeat", async () => {
    const under = await startWebPlatform();
    const request = new Request("http://127.0.0.1:8080/api/stream", { headers: { host: "127.0.0.1:8080" } });
    const stream = eventReader(await under.platform.app.request(request));
    await stream.next();
    for (let beats = 0; beats < 10; beats += 1) {
      await waitUntil("the stream waits", () => under.clock.sleepers > 0);
      await under.clock.advance(HEARTBEAT_MS);
      expect(await stream.next()).toMatchObject({ event: "heartbeat" });
    }
    expect(attachedTo(request.signal)).toBeLessThan(3);
    await stream.cancel();
    await waitUntil("the stream has ended", () => attachedTo(request.signal) === 0);
  });

  it("starts with new messages only and reports its position", async () => {
    const under = await startWebPlatform();
    await send(under, GENERAL, "before");
    const stream = await openStream(under, "?channel=general");
    expect(await stream.next()).toMatchObject({ event: "ready", data: { last: 1 } });
    await send(under, GENERAL, "after");
    expect(await stream.next()).toMatchObject({ id: "2", event: "message", data: { messageId: "after" } });
  });

  it("sends only the channel's messages and the reader's direct messages", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "?channel=general&name=alice");
    await stream.next();
    await send(under, BOB, "to bob");
    await send(under, { ...GENERAL, id: "other" }, "elsewhere");
    await send(under, ALICE, "to alice");
    await send(under, GENERAL, "to all");
    expect((await stream.next())?.data.messageId).toBe("to alice");
    expect((await stream.next())?.data.messageId).toBe("to all");
  });

  it("sends shared answers", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "");
    await stream.next();
    await under.post("/api/share", { name: "bob", line: "list" });
    expect(await stream.next()).toMatchObject({ event: "message", data: { body: { shared: { by: "bob" } } } });
  });

  it.each([
    ["its last event's id", "?after=0", { "last-event-id": "1" }],
    ["the cursor in the URL", "?after=1", {}],
    ["the cursor in the URL if the id is invalid", "?after=1", { "last-event-id": "garbage" }],
  ])("resumes after %s without losing or repeating messages", async (_, query, headers) => {
    const under = await startWebPlatform();
    for (const messageId of ["one", "two", "three"]) await send(under, GENERAL, messageId);
    const stream = await openStream(under, query, headers);
    expect((await stream.next())?.event).toBe("ready");
    expect((await stream.next())?.data.messageId).toBe("two");
    expect((await stream.next())?.data.messageId).toBe("three");
    await send(under, GENERAL, "four");
    expect((await stream.next())?.data.messageId).toBe("four");
  });

  it("sends a message once even if it was posted twice", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "");
    await stream.next();
    await send(under, GENERAL, "same");
    await send(under, GENERAL, "same");
    await send(under, GENERAL, "next");
    expect((await stream.next())?.data.messageId).toBe("same");
    expect((await stream.next())?.data.messageId).toBe("next");
  });

  it("sends a message as soon as the store reports it", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "");
    await stream.next();
    await postElsewhere(under, "foreign");
    expect((await stream.next())?.data.messageId).toBe("foreign");
  });

  it("sends heartbeats while idle, then messages that the store didn't report", async () => {
    const under = await startWebPlatform();
    vi.spyOn(under.store.postings, "onPosted").mockReturnValue(() => undefined);
    const stream = await openStream(under, "");
    await stream.next();
    const heartbeat = stream.next();
    await waitForSleepers(under, 1);
    await postElsewhere(under, "foreign");
    await under.clock.advance(HEARTBEAT_MS);
    expect(await heartbeat).toMatchObject({ event: "heartbeat" });
    expect((await stream.next())?.data.messageId).toBe("foreign");
  });

  it("ends at sign-out, also for other readers of the session, and not for other sessions", async () => {
    const adminToken = "the-token-of-this-test";
    const under = await startWebPlatform({ adminToken });
    const signedIn = async (): Promise<{ readonly cookie: string }> => {
      const body = new URLSearchParams({ token: adminToken });
      const response = await under.request("/login", { method: "POST", body });
      return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    };
    const [mine, other] = [await signedIn(), await signedIn()];
    const ending = [await openStream(under, "", mine), await openStream(under, "?name=alice", mine)];
    const continuing = [
      await openStream(under, "", other),
      await openStream(under, "", { authorization: `Bearer ${adminToken}` }),
    ];
    for (const stream of [...ending, ...continuing]) await stream.next();
    const ends = ending.map((stream) => stream.next());
    await waitForSleepers(under, 4);

    await under.request("/logout", { method: "POST", headers: mine });
    expect(await Promise.all(ends)).toEqual([undefined, undefined]);
    await send(under, GENERAL, "after");
    for (const stream of continuing) expect((await stream.next())?.data.messageId).toBe("after");
  });

  it("isn't woken by the sign-out of a session that doesn't exist", async () => {
    const adminToken = "the-token-of-this-test";
    const under = await startWebPlatform({ adminToken });
    const stream = await openStream(under, "", { authorization: `Bearer ${adminToken}` });
    await stream.next();
    await waitForSleepers(under, 1);
    const reads = vi.spyOn(under.store.postings, "list");
    for (const headers of [{}, { cookie: "splitwatch_session=invented" }])
      expect((await under.request("/logout", { method: "POST", headers })).status).toBe(303);
    await send(under, GENERAL, "after");
    expect((await stream.next())?.data.messageId).toBe("after");
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it("ends at the next heartbeat if another process ended the session", async () => {
    const adminToken = "the-token-of-this-test";
    const under = await startWebPlatform({ adminToken });
    const other = createSessions({ adminToken, clock: under.clock, sessions: under.store.sessions });
    const cookie = await other.start();
    const stream = await openStream(under, "", { cookie: `splitwatch_session=${cookie}` });
    await stream.next();
    const heartbeat = stream.next();
    await waitForSleepers(under, 1);
    await other.end(cookie);
    await under.clock.advance(HEARTBEAT_MS);
    expect(await heartbeat).toMatchObject({ event: "heartbeat" });
    expect(await stream.next()).toBeUndefined();
  });

  it("ends when the platform stops", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "");
    await stream.next();
    const end = stream.next();
    await under.platform.stop();
    expect(await end).toBeUndefined();
  });

  it("releases its resources when the reader disconnects", async () => {
    const under = await startWebPlatform();
    const stream = await openStream(under, "");
    await stream.next();
    const end = stream.next();
    await waitForSleepers(under, 1);
    await stream.cancel();
    expect(await end).toBeUndefined();
    await waitForSleepers(under, 0);
  });

  it("is not opened by a HEAD request", async () => {
    const under = await startWebPlatform();
    const response = await under.request("/api/stream", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(under.clock.sleepers).toBe(0);
  });

  it("rejects an invalid reader name", async () => {
    const under = await startWebPlatform();
    expect((await under.request("/api/stream?name=a%20b")).status).toBe(400);
  });
});

/** Waits until this number of streams sleep. */
function waitForSleepers(under: WebPlatformUnderTest, count: number): Promise<void> {
  return waitUntil(`${count} streams sleep`, () => under.clock.sleepers === count);
}
