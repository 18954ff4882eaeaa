import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const SECRET = 'p/ss wörd+"1"&x=y';

describe("createRedactor", () => {
  it.each([
    ["in plain text", SECRET],
    ["in JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ["as a form field", new URLSearchParams({ k: SECRET }).toString().slice(2)],
    ["in base64", Buffer.from(SECRET).toString("base64").replace(/=+$/, "")],
    ["in base64url", Buffer.from(SECRET).toString("base64url")],
  ])("masks a secret %s", (_, encoded) => {
    expect(createRedactor([SECRET])(`before ${encoded} after, and again ${encoded}.`)).toBe(
      "before *** after, and again ***.",
    );
  });

  it("completely masks a secret that starts with another secret", () => {
    expect(createRedactor(["abc", "abcdef"])("abcdef abc")).toBe("*** ***");
  });

  it("masks the token in a calendar URL", () => {
    const token = "0123456789abcdef".repeat(2);
    expect(createRedactor([])(`GET https://x.example/calendar/${token}.ics failed`)).toBe(
      "GET https://x.example/calendar/***.ics failed",
    );
    expect(createRedactor([])("/calendar/all.ics")).toBe("/calendar/all.ics");
  });

  it("masks matches of the credential patterns", () => {
    expect(createRedactor([], [/\btok-\d+/g])("tok-12 and tok-x, tok-3")).toBe("*** and tok-x, ***");
  });

  it("treats special characters of regular expressions literally", () => {
    expect(createRedactor(["a.c*"])("abc a.c* accc")).toBe("abc *** accc");
  });

  it.each([
    ["GET /v1/splits?apiKey=someone-elses&exchange=NYSE", "GET /v1/splits?apiKey=***&exchange=NYSE"],
    ["GET /v1/splits?apiKey=a:b: got 401", "GET /v1/splits?apiKey=***: got 401"],
    ['{"url":"http://host/v1/splits?apikey=k1"}', '{"url":"http://host/v1/splits?apikey=***"}'],
  ])("masks any API key in a URL: %s", (text, expected) => {
    expect(createRedactor([])(text)).toBe(expected);
  });

  it("leaves all other text unchanged", () => {
    expect(createRedactor(["", "hidden"])("nothing to see")).toBe("nothing to see");
  });

  it("masks a short secret as a word, but leaves words that contain it whole", () => {
    const redact = createRedactor(["key", "a"]);
    expect(redact("Unknown key a: the key_ring of a database is read-only; k=key, %20key%20, \\nkey")).toBe(
      "Unknown *** ***: the key_ring of *** database is read-only; k=***, %20***%20, \\n***",
    );
  });

  it("masks every short secret between spaces", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,7}$/), (secret) => {
        expect(createRedactor([secret])(`=== ${secret} ===`)).toBe("=== *** ===");
      }),
    );
  });

  it("masks every secret of 8 characters or more in every text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!"***".includes(secret) && !secret.includes("*"));
        expect(createRedactor([secret])(`${before}${secret}${after}`)).not.toContain(secret);
      }),
    );
  });
});
