import { describe, expect, it } from "vitest";
import { isLoopback } from "./loopback.ts";

describe("a host", () => {
  it.each(["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("%s is loopback", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(["", "127.example.com", "127.0.0.256", "128.0.0.1", "0.0.0.0", "::", "[::2]", "localhost.example.com"])(
    "%j is not loopback",
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
