import { afterEach, describe, expect, it } from "vitest";
import { parseProxy, proxyFor, useProxies } from "./proxies.ts";

afterEach(() => useProxies({}));

/** Name of the proxy for an address; null for a direct connection. */
function nameFor(address: string): string | null {
  return proxyFor(new URL(address))?.name ?? null;
}

describe("the proxy of an address", () => {
  it("is chosen by its protocol, and named without credentials", () => {
    useProxies({ HTTPS_PROXY: "http://user:secret@secure.example:3128", HTTP_PROXY: "plain.example" });
    expect(["https:", "wss:", "http:", "ws:"].map((protocol) => nameFor(`${protocol}//a.example/`))).toEqual([
      "HTTPS_PROXY (secure.example:3128)",
      "HTTPS_PROXY (secure.example:3128)",
      "HTTP_PROXY (plain.example:80)",
      "HTTP_PROXY (plain.example:80)",
    ]);
  });

  it("is HTTP_PROXY for https if HTTPS_PROXY isn't set, and none if neither is", () => {
    useProxies({ HTTP_PROXY: "https://proxy.example" });
    expect(nameFor("https://a.example/")).toBe("HTTP_PROXY (proxy.example:443)");
    useProxies({ HTTPS_PROXY: "http://proxy.example" });
    expect(nameFor("http://a.example/")).toBeNull();
    useProxies({});
    expect(nameFor("https://a.example/")).toBeNull();
  });

  it.each([
    ["a.example", "https://a.example/", true],
    ["a.example", "https://b.a.example/", true],
    ["a.example", "https://ba.example/", false],
    [".a.example", "https://b.a.example:8443/", true],
    ["*.a.example", "https://b.a.example/", true],
    ["A.EXAMPLE", "https://a.example/", true],
    ["b.example, a.example", "https://a.example/", true],
    ["b.example a.example", "https://a.example/", true],
    ["a.example:443", "https://a.example/", true],
    ["a.example:443", "http://a.example/", false],
    ["a.example:8080", "http://a.example:8080/", true],
    ["*", "https://a.example/", true],
    ["", "https://a.example/", false],
    [".", "https://a.example/", false],
    ["127.0.0.1", "http://127.0.0.1:3000/", true],
    ["10.0.0.0/8", "http://10.1.2.3/", true],
    ["10.0.0.0/8", "http://11.1.2.3/", false],
    ["10.0.0.0/99", "http://10.1.2.3/", false],
    ["10.0.0.0/8", "http://10.example/", false],
    ["::1", "http://[::1]:3000/", true],
    ["[::1]", "http://[::1]:3000/", true],
    ["[::1]:3000", "http://[::1]:3000/", true],
    ["fd00::/8", "http://[fd00::7]/", true],
  ])("with NO_PROXY %j and the address %s: excluded is %s", (list, address, isExcluded) => {
    useProxies({ HTTP_PROXY: "http://proxy.example:3128", NO_PROXY: list });
    expect(nameFor(address) === null).toBe(isExcluded);
  });

  it.each(["", "http://", "socks5://proxy.example:1080", "http://proxy.example:port", "a b"])(
    "can't be %j",
    (address) => expect(parseProxy(address)).toBeNull(),
  );
});
