import { describe, expect, it } from "vitest";
import { connectableAddress, hostAndPort } from "./host-address.ts";

describe("the address of a host", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1:8080"],
    ["splits.example", "splits.example:8080"],
    ["::1", "[::1]:8080"],
    ["::", "[::]:8080"],
  ])("%s is written as %s", (host, expected) => {
    expect(hostAndPort(host, 8080)).toBe(expected);
  });

  it.each([
    ["http://0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["http://[::]:8080", "http://[::1]:8080"],
    ["http://10.0.0.0:8080", "http://10.0.0.0:8080"],
  ])("%s is reached from here as %s", (address, expected) => {
    expect(connectableAddress(address)).toBe(expected);
  });
});
