import { describe, expect, it } from "vitest";
import type { Log, LogFormat, LogLevel } from "../ports/log.ts";
import { createLog } from "./log.ts";

const SECRET = "k3y/with+signs";

describe("createLog", () => {
  it("writes one JSON line per call with the level, the time, the event and its fields", () => {
    const { log, lines } = capture();
    log.info("poll complete", { resource: "splits", records: 12 });
    expect(lines()).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? "")).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      msg: "poll complete",
      resource: "splits",
      records: 12,
    });
  });

  it.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["silent", []],
  ] as const)("at level %s writes %j", (level, written) => {
    const { log, lines } = capture({ level });
    for (const method of ["debug", "info", "warn", "error"] as const) log[method]("something");
    expect(lines().map((line) => JSON.parse(line).level)).toEqual(written);
  });

  it("doesn't read the fields of a line that its level omits", () => {
    const { log, lines } = capture({ level: "info" });
    const fields = Object.defineProperty({}, "costly", { enumerable: true, get: () => expect.unreachable() });
    log.debug("request answered", fields);
    expect(lines()).toEqual([]);
  });

  it("writes an error with its causes", () => {
    const { log, lines } = capture();
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const error = new TypeError("cannot poll", { cause: new Error("no answer", { cause: refused }) });
    log.error("poll failed", { error });
    const { error: logged } = JSON.parse(lines()[0] ?? "");
    expect(logged).toMatchObject({
      type: "TypeError",
      message: "cannot poll",
      stack: expect.stringContaining("log.test.ts"),
      cause: { message: "no answer", cause: { message: "connect ECONNREFUSED", code: "ECONNREFUSED" } },
    });
  });

  it("writes each error of an AggregateError", () => {
    const { log, lines } = capture();
    log.error("connect failed", { error: new AggregateError([new Error("by IPv6"), new Error("by IPv4")]) });
    expect(JSON.parse(lines()[0] ?? "").error.errors).toMatchObject([{ message: "by IPv6" }, { message: "by IPv4" }]);
  });

  it.each(["json", "pretty"] as const)("escapes characters that terminals obey: %s", (format) => {
    const { log, lines } = capture({ format });
    const text = "a\u001B[2J\u009B31m\u202Eb\u2028c\u061Cd\u007F\nlevel: forged";
    log.warn("poll failed", { text, error: new Error(text) });
    const written = lines().join("\n");
    expect(written).toContain(String.raw`a\u001b[2J\u009b31m\u202eb\u2028c\u061cd\u007f\nlevel: forged`);
    expect(written).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u);
  });

  it("survives circular causes, circular fields and values that JSON cannot represent", () => {
    const { log, lines } = capture();
    const error = new Error("round");
    error.cause = error;
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    log.error("unexpected fields", {
      error,
      circle,
      big: 10n,
      nothing: undefined,
      strange: new Error("x", { cause: circle }),
    });
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ msg: "unexpected fields", error: { message: "round" } });
  });

  it.each([
    ["the event", (log: Log) => log.info(`event-${SECRET}`)],
    ["a field", (log: Log) => log.info("event", { text: `before ${SECRET} after` })],
    ["a field within a field", (log: Log) => log.info("event", { a: { b: [{ c: SECRET }] } })],
    ["the name of a field", (log: Log) => log.info("event", { [SECRET]: 1 })],
    ["an error's message", (log: Log) => log.error("event", { error: new Error(`bad key ${SECRET}`) })],
    ["an error's cause", (log: Log) => log.error("event", { error: new Error("x", { cause: new Error(SECRET) }) })],
    ["a cause that is no error", (log: Log) => log.error("event", { error: new Error("x", { cause: { SECRET } }) })],
    [
      "an address",
      (log: Log) => log.info("event", { url: `http://host/v1/splits?k=${encodeURIComponent(SECRET)}&x=1` }),
    ],
    ["base64", (log: Log) => log.info("event", { header: Buffer.from(SECRET).toString("base64") })],
  ] as const)("masks a secret in %s", (_, write) => {
    for (const format of ["json", "pretty"] as const) {
      const { log, text } = capture({ format });
      write(log);
      expect(text()).toContain("***");
      expect(text()).not.toContain(SECRET);
      expect(text()).not.toContain(encodeURIComponent(SECRET));
      expect(text()).not.toContain(Buffer.from(SECRET).toString("base64"));
    }
  });

  it("masks a secret that JSON and the terminal encode differently", () => {
    const secret = 'quote" and \\ slash';
    for (const format of ["json", "pretty"] as const) {
      const { log, text } = capture({ format, secrets: [secret] });
      log.info(`event ${secret}`, { field: secret });
      expect(text()).not.toContain("quote");
    }
  });

  it("writes the readable form on request, in color only on a terminal", () => {
    const plain = capture({ format: "pretty" });
    plain.log.warn("feed late", { minutes: 7 });
    expect(plain.text()).toMatch(/^\[\d{2}:\d{2}:\d{2}\] WARN: feed late\n {4}minutes: 7\n$/);
    const coloured = capture({ format: "pretty", isTTY: true });
    coloured.log.warn("feed late");
    expect(coloured.text()).toContain("\u001b[");
  });
});

function capture(options: { level?: LogLevel; format?: LogFormat; secrets?: string[]; isTTY?: boolean } = {}) {
  let text = "";
  const log = createLog({
    level: options.level ?? "debug",
    format: options.format ?? "json",
    secrets: options.secrets ?? [SECRET],
    destination: {
      isTTY: options.isTTY ?? false,
      write: (line) => {
        text += line;
      },
    },
  });
  return { log, text: () => text, lines: () => text.split("\n").slice(0, -1) };
}
