import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { startWebPlatform } from "../../../test/support/web-platform-under-test.ts";
import type { Sessions as StoredSessions } from "../../ports/store.ts";
import { type BrowserSessions, createSessions, MAX_SESSIONS, SESSION_LIFETIME_MS } from "./access.ts";

const TOKEN = "correct horse battery staple";

let stored: StoredSessions;
let clock: ManualClock;
let sessions: BrowserSessions;

beforeEach(async () => {
  stored = (await startWebPlatform()).store.sessions;
  clock = new ManualClock();
  sessions = sessionsOf();
});

/** Sessions of a process with the same store. */
function sessionsOf(adminToken = TOKEN): BrowserSessions {
  return createSessions({ adminToken, clock, sessions: stored });
}

describe("a session's cookie", () => {
  it("is valid in its process, and in another process with the same store and token", async () => {
    const cookie = await sessions.start();
    expect(await sessions.checkCookie(cookie)).toBe("valid");
    expect(await sessionsOf().checkCookie(cookie)).toBe("valid");
  });

  it("is invalid after the session has ended, in every process; other sessions stay open", async () => {
    const [cookie, other] = [await sessions.start(), await sessions.start()];
    await sessions.end(cookie);
    for (const process of [sessions, sessionsOf()]) {
      expect(await process.checkCookie(cookie)).toBe("invalid");
      expect(await process.checkCookie(other)).toBe("valid");
    }
  });

  it("is random and is not stored", async () => {
    const started: string[] = [];
    const start: StoredSessions["start"] = async (session) => void started.push(JSON.stringify(session));
    const recorded = createSessions({ adminToken: TOKEN, clock, sessions: { ...stored, start } });
    const [cookie, other] = [await recorded.start(), await recorded.start()];
    expect(cookie).toMatch(/^[\w-]{43}$/);
    expect(cookie).not.toBe(other);
    expect(started).toHaveLength(2);
    expect(started.join()).not.toContain(cookie);
  });

  it("expires after its lifetime", async () => {
    const cookie = await sessions.start();
    await clock.advance(SESSION_LIFETIME_MS - 1);
    expect(await sessions.checkCookie(cookie)).toBe("valid");
    await clock.advance(1);
    expect(await sessions.checkCookie(cookie)).toBe("invalid");
  });

  it("is invalid after the token has changed", async () => {
    const cookie = await sessions.start();
    expect(await sessionsOf("another token of this test").checkCookie(cookie)).toBe("invalid");
  });

  it("is invalid if any part of it is modified", async () => {
    const cookie = await sessions.start();
    const otherStart = `${cookie.startsWith("x") ? "y" : "x"}${cookie.slice(1)}`;
    for (const forged of ["", TOKEN, `${cookie}x`, cookie.slice(1), otherStart, cookie.toLowerCase()])
      expect({ forged, check: await sessions.checkCookie(forged) }).toEqual({ forged, check: "invalid" });
  });
});

it("a sign-in above the maximum number of sessions ends the oldest one", async () => {
  const until = clock.now() + SESSION_LIFETIME_MS;
  const [first, second] = [await sessions.start(), await sessions.start()];
  await Promise.all(
    Array.from({ length: MAX_SESSIONS - 2 }, (_, n) => stored.start({ id: `s${n}`, until }, clock.now(), MAX_SESSIONS)),
  );
  expect(await sessions.checkCookie(first)).toBe("valid");
  await sessions.start();
  expect([await sessions.checkCookie(first), await sessions.checkCookie(second)]).toEqual(["invalid", "valid"]);
});

describe("wrong tokens", () => {
  it("are limited to twenty a minute for each client", async () => {
    for (let guess = 0; guess < 20; guess += 1) expect(sessions.checkToken(`guess ${guess}`, "A")).toBe("invalid");
    expect(sessions.checkToken("one more", "A")).toBe("rate-limited");
    expect(sessions.checkToken("one more", "B")).toBe("invalid");
    await clock.advance(60_000);
    expect(sessions.checkToken("one more", "A")).toBe("invalid");
  });

  it("block neither the right token nor a session", async () => {
    const cookie = await sessions.start();
    for (let guess = 0; guess <= 100; guess += 1) sessions.checkToken(`guess ${guess}`, "A");
    expect(sessions.checkToken(TOKEN, "A")).toBe("valid");
    expect(await sessions.checkCookie(cookie)).toBe("valid");
  });

  it("don't include requests with the cookie of an old token", async () => {
    const outdated = await sessionsOf("the old token").start();
    for (let request = 0; request < 50; request += 1) expect(await sessions.checkCookie(outdated)).toBe("invalid");
    expect(sessions.checkToken("guess", "A")).toBe("invalid");
  });
});
