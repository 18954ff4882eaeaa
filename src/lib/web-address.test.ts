import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webAddress } from "./web-address.ts";

/** RFC 3986, section 3, for addresses with a host. */
const URI =
  /^https?:\/\/(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d+)?(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*)*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

describe("a web address", () => {
  it.each([
    ["https://wire.example/acme-1", "https://wire.example/acme-1"],
    ["https://wire.example/50%-off.html", "https://wire.example/50%25-off.html"],
    ["https://wire.example/a|b.html", "https://wire.example/a%7Cb.html"],
    [
      "https://wire.example/a[1]{2}^`.html?x[]=%zz#a#b|c",
      "https://wire.example/a%5B1%5D%7B2%7D%5E%60.html?x%5B%5D=%25zz#a%23b%7Cc",
    ],
    ["https://wire.example/a b?c d", "https://wire.example/a%20b?c%20d"],
    ["https://wire.example/größe/株式", "https://wire.example/gr%C3%B6%C3%9Fe/%E6%A0%AA%E5%BC%8F"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://user:secret@wire.example/x", "https://wire.example/x"],
    ["HTTP://WIRE.example:80/x%2fy", "http://wire.example/x%2fy"],
    ["http://[::1]:8080/x", "http://[::1]:8080/x"],
  ])("%s is written as %s", (text, address) => {
    expect(webAddress(text)).toBe(address);
    expect(address).toMatch(URI);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://wire.example/",
    "/acme-1",
    "https://",
    "https://a{b}.example/",
    "",
  ])("is refused: %s", (text) => {
    expect(webAddress(text)).toBeNull();
  });

  it("conforms to RFC 3986 whatever the text, and doesn't change when it is written again", () => {
    const part = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(part, part, part, (path, query, fragment) => {
        const address = webAddress(`https://wire.example/${path}?${query}#${fragment}`);
        expect(address).toMatch(URI);
        expect(webAddress(address ?? "")).toBe(address);
      }),
    );
  });
});
