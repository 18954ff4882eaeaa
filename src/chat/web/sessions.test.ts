import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { createSessions, SESSION_LIFETIME_MS } from "./access.ts";

const TOKEN = "correct horse battery staple";

describe("a session's cookie", () => {
  it("is valid in its process, after a restart, and in another process with the same token", () => {
    const clock = new ManualClock();
    const cookie = createSessions(TOKEN, clock).issueCookie();
    expect(createSessions(TOKEN, clock).checkCookie(cookie)).toBe("valid");
  });

  it("does not contain the token and is different each time", () => {
    const sessions = createSessions(TOKEN, new ManualClock());
    const cookie = sessions.issueCookie();
    expect(cookie).not.toContain(TOKEN);
    expect(Buffer.from(cookie.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain("horse");
    expect(sessions.issueCookie()).not.toBe(cookie);
  });

  it("expires after its lifetime and when the token changes", async () => {
    const clock = new ManualClock();
    const sessions = createSessions(TOKEN, clock);
    const cookie = sessions.issueCookie();
    expect(createSessions("another token", clock).checkCookie(cookie)).toBe("invalid");
    await clock.advance(SESSION_LIFETIME_MS - 1);
    expect(sessions.checkCookie(cookie)).toBe("valid");
    await clock.advance(1);
    expect(sessions.checkCookie(cookie)).toBe("invalid");
  });

  it("is invalid if any part of it is modified", () => {
    const sessions = createSessions(TOKEN, new ManualClock());
    const [end = "", random = "", signature = ""] = sessions.issueCookie().split(".");
    const later = (Number.parseInt(end, 36) + 1).toString(36);
    for (const forged of [
      "",
      "..",
      TOKEN,
      `${later}.${random}.${signature}`,
      `${end}.x${random}.${signature}`,
      `${end}.${random}.`,
      `${end}.${random}.${signature.toLowerCase()}x`,
    ]) {
      expect({ forged, verdict: sessions.checkCookie(forged) }).toEqual({ forged, verdict: "invalid" });
    }
  });
});

describe("wrong tokens", () => {
  it("are limited to twenty a minute for each client", async () => {
    const clock = new ManualClock();
    const sessions = createSessions(TOKEN, clock);
    for (let guess = 0; guess < 20; guess += 1) expect(sessions.checkToken(`guess ${guess}`, "A")).toBe("invalid");
    expect(sessions.checkToken("one more", "A")).toBe("rate-limited");
    expect(sessions.checkToken("one more", "B")).toBe("invalid");
    await clock.advance(60_000);
    expect(sessions.checkToken("one more", "A")).toBe("invalid");
  });

  it("block neither the right token nor a session", () => {
    const clock = new ManualClock();
    const cookie = createSessions(TOKEN, clock).issueCookie();
    const sessions = createSessions(TOKEN, clock);
    for (let guess = 0; guess <= 100; guess += 1) sessions.checkToken(`guess ${guess}`, "A");
    expect(sessions.checkToken(TOKEN, "A")).toBe("valid");
    expect(sessions.checkCookie(cookie)).toBe("valid");
  });

  it("don't include requests with the cookie of an old token", () => {
    const clock = new ManualClock();
    const sessions = createSessions(TOKEN, clock);
    const outdated = createSessions("the old token", clock).issueCookie();
    for (let request = 0; request < 50; request += 1) expect(sessions.checkCookie(outdated)).toBe("invalid");
    expect(sessions.checkToken("guess", "A")).toBe("invalid");
  });
});
