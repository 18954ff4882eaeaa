import { assert, constantFrom, property, string } from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { createXmlParser } from "../../test/support/xml.ts";
import { escapeMarkup, xmlElement } from "./markup.ts";

const parser = createXmlParser();

describe("escapeMarkup", () => {
  it("escapes the characters that end a text or a quoted attribute", () => {
    expect(escapeMarkup(`<a href="x">Tom & Ann's</a>`)).toBe(
      "&lt;a href=&quot;x&quot;&gt;Tom &amp; Ann&#39;s&lt;/a&gt;",
    );
  });

  it("keeps line ends, tabs and characters of any plane", () => {
    expect(escapeMarkup("a\tb\r\nç 株 😀")).toBe("a\tb\r\nç 株 😀");
  });

  it.each(["\u0000", "\u0008", "\u001B", "\uD800", "\uDC00", "\uFFFE", "\uFFFF"])("replaces %j", (character) => {
    expect(escapeMarkup(`a${character}b`)).toBe("a\uFFFDb");
  });
});

describe("xmlElement", () => {
  it("writes attributes and content that a parser reads unchanged", () => {
    const word = string({ unit: constantFrom("a", "<", ">", "&", '"', "'", " ", ";", "#") });
    assert(
      property(word, word, (value, text) => {
        const xml = xmlElement("a", { value }, xmlElement("b", { n: 1 }), xmlElement("c", {}, escapeMarkup(text)));
        expect(XMLValidator.validate(xml)).toBe(true);
        expect(parser.parse(xml)).toEqual({ a: { "@_value": value, b: { "@_n": "1" }, c: text } });
      }),
    );
  });
});
