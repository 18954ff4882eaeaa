import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const SECRET = 'p/ss wörd+"1"&x=y';

describe("createRedactor", () => {
  it.each([
    ["as it is", SECRET],
    ["within JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ["as a form field", new URLSearchParams({ k: SECRET }).toString().slice(2)],
    ["in base64", Buffer.from(SECRET).toString("base64").replace(/=+$/, "")],
    ["in base64url", Buffer.from(SECRET).toString("base64url")],
  ])("masks a secret %s", (_, written) => {
    expect(createRedactor([SECRET])(`before ${written} after, and again ${written}.`)).toBe(
      "before *** after, and again ***.",
    );
  });

  it("masks the whole of a secret that begins with another", () => {
    expect(createRedactor(["abc", "abcdef"])("abcdef abc")).toBe("*** ***");
  });

  it("masks the token in a calendar's address, which no configuration knows", () => {
    const token = "0123456789abcdef".repeat(2);
    expect(createRedactor([])(`GET https://x.example/calendar/${token}.ics failed`)).toBe(
      "GET https://x.example/calendar/***.ics failed",
    );
    expect(createRedactor([])("/calendar/all.ics")).toBe("/calendar/all.ics");
  });

  it.each([
    "xoxb-123-456-AbC",
    "xoxp-1234567890",
    "xoxe.xoxb-1-MS0yLUFiQy0x_yz",
    "xoxe-1-My0xLTQ1Ni0x",
    "xapp-1-A012-345-67ef",
  ])("masks %s, which a workspace gave", (token) => {
    expect(createRedactor([])(`{"token":"${token}"} Bearer ${token}`)).toBe('{"token":"***"} Bearer ***');
  });

  it("leaves words about tokens as they are", () => {
    const words = "a bot's token begins with xoxb-, an app's with xapp-; xoxb- and more";
    expect(createRedactor([])(words)).toBe(words);
  });

  it("takes signs of regular expressions for what they are", () => {
    expect(createRedactor(["a.c*"])("abc a.c* accc")).toBe("abc *** accc");
  });

  it.each([
    ["GET /v1/splits?apiKey=someone-elses&exchange=NYSE", "GET /v1/splits?apiKey=***&exchange=NYSE"],
    ['{"url":"http://host/v1/splits?apikey=k1"}', '{"url":"http://host/v1/splits?apikey=***"}'],
  ])("masks any key in an address: %s", (text, expected) => {
    expect(createRedactor([])(text)).toBe(expected);
  });

  it("leaves everything else as it is", () => {
    expect(createRedactor(["", "hidden"])("nothing to see")).toBe("nothing to see");
  });

  it("leaves no secret in any text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!"***".includes(secret) && !secret.includes("*"));
        expect(createRedactor([secret])(`${before}${secret}${after}`)).not.toContain(secret);
      }),
    );
  });
});
