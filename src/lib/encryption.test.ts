import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSeal } from "./encryption.ts";

const seal = createSeal("a key that somebody chose, and that is long");

describe("a sealed text", () => {
  it("is opened as what it was, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, about) => {
        expect(seal.open(seal.seal(text, about), about)).toBe(text);
      }),
    );
  });

  it("shows nothing of the text, and is another each time", () => {
    const [first, second] = [seal.seal("xoxb-token", "T1"), seal.seal("xoxb-token", "T1")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("xoxb-token");
  });

  it("can be opened for nothing else than what it was sealed for", () => {
    expect(seal.open(seal.seal("xoxb-token", "T1"), "T2")).toBeNull();
  });

  it("cannot be opened with another key", () => {
    expect(createSeal("another key, as long as the first one").open(seal.seal("x", "T1"), "T1")).toBeNull();
  });

  it("cannot be opened when any of its characters was changed", () => {
    const sealed = seal.seal("xoxb-token", "T1");
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      expect(seal.open(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`, "T1")).toBeNull();
    }
  });

  it.each(["", "v1", "v1.", "v1.AAAA", "v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "{}"])(
    "is not what reads %j",
    (text) => {
      expect(seal.open(text, "T1")).toBeNull();
    },
  );
});
