import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCipher, isSameSecret } from "./secrets.ts";

const cipher = createCipher("a key text chosen by a person");

describe("an encrypted text", () => {
  it("decrypts to the original text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
        expect(cipher.decrypt(cipher.encrypt(text, context), context)).toBe(text);
      }),
    );
  });

  it("reveals nothing of the text and differs each time", () => {
    const [first, second] = [cipher.encrypt("xoxb-token", "T1"), cipher.encrypt("xoxb-token", "T1")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("xoxb-token");
  });

  it("cannot be decrypted with another context", () => {
    expect(cipher.decrypt(cipher.encrypt("xoxb-token", "T1"), "T2")).toBeNull();
  });

  it("cannot be decrypted with another key", () => {
    expect(createCipher("another key, as long as the first one").decrypt(cipher.encrypt("x", "T1"), "T1")).toBeNull();
  });

  it("cannot be decrypted after any character was changed", () => {
    const encrypted = cipher.encrypt("xoxb-token", "T1");
    for (let index = 0; index < encrypted.length - 1; index += 1) {
      const replacement = encrypted[index] === "A" ? "B" : "A";
      expect(
        cipher.decrypt(`${encrypted.slice(0, index)}${replacement}${encrypted.slice(index + 1)}`, "T1"),
      ).toBeNull();
    }
  });

  it.each(["", "v1", "v1.", "v1.AAAA", "v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "{}"])(
    "is rejected if it is malformed: %j",
    (text) => {
      expect(cipher.decrypt(text, "T1")).toBeNull();
    },
  );
});

it.each([
  ["the same text", "s3cret", true],
  ["another case", "S3cret", false],
  ["a prefix", "s3cre", false],
  ["a longer text", "s3cret ", false],
  ["an empty text", "", false],
])("compares a secret with %s", (_, text, isSame) => {
  expect(isSameSecret("s3cret", text)).toBe(isSame);
});
