import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import type { App } from "../app/app.ts";
import type { DataSourceKind } from "../app/data-source.ts";
import { ConfigError } from "../config/index.ts";
import { systemClock } from "../lib/clock.ts";
import { StoreError } from "../ports/store.ts";
import { SOURCES } from "../sources/index.ts";
import { type CreateApp, service, start } from "./start.ts";

/** The sources that the default settings enable. */
const DEFAULT_SOURCES = SOURCES.filter(({ name }) => name !== "occ");

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-start-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

describe("start", () => {
  it("prints the addresses and next steps, and stops with success on a signal", async () => {
    const invocation = anInvocation(folder);
    const app = anApp();
    const code = start(invocation, app.create);
    await app.started;
    expect(invocation.printed).toEqual([
      expect.stringMatching(/^splitwatch \d+\.\d+\.\d+ is running\. Press Ctrl\+C to stop it\.$/),
      "Web chat:      http://127.0.0.1:4711/",
      "Splits from:   sample data (invented companies): no source is reachable yet. Live data starts automatically",
      `State in:      ${join(folder, "data")}`,
      "Next:          run `npx splitwatch doctor` to see why no source can be read",
      "Next:          run `npx splitwatch init`, or set SLACK_BOT_TOKEN and SLACK_APP_TOKEN to connect Slack, or DISCORD_TOKEN to connect Discord",
      "Next:          set ADMIN_TOKEN and HOST to open the web chat to other people",
    ]);
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
    expect(app.calls).toEqual(["create everything", "start", "started", "stop"]);
    expect(invocation.problems).toEqual([]);
  });

  it("prints the remote data service and the public address", async () => {
    const invocation = anInvocation(folder, {
      SPLITS_API_URL: "https://splits.example.com/",
      SPLITS_API_KEY: "hush",
      PUBLIC_URL: "https://watch.example.com",
      ADMIN_TOKEN: "hush-hush-hush-hush",
    });
    const app = anApp({ sourceKind: "external" });
    const code = start(invocation, app.create);
    await app.started;
    expect(invocation.printed.slice(1)).toEqual([
      "Web chat:      https://watch.example.com/",
      "Splits from:   the data service at https://splits.example.com",
      `State in:      ${join(folder, "data")}`,
      expect.stringMatching(/^Next: .*DISCORD_TOKEN/),
    ]);
    invocation.stop({ kind: "signal", signal: "SIGINT" });
    expect(await code).toBe(0);
  });

  it.each([
    ["live", `live sources: ${DEFAULT_SOURCES.map(({ label }) => label).join(", ")}`, 2],
    ["sample", "sample data (invented companies)", 3],
    [
      "empty-until-live",
      "no source yet: none can be read, and sample data isn't shown while a chat platform is connected",
      3,
    ],
  ] as const)("prints the data source: %s", async (sourceKind, words, steps) => {
    const invocation = anInvocation(folder, { SPLITWATCH_CONTACT: "ops@example.com" });
    const app = anApp({ sourceKind });
    const code = start(invocation, app.create);
    await app.started;
    expect(invocation.printed[2]).toBe(`Splits from:   ${words}`);
    expect(invocation.printed.filter((text) => text.startsWith("Next:"))).toHaveLength(steps);
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    await code;
  });

  it("prints an address that a browser can open if it listens on all interfaces", async () => {
    const invocation = anInvocation(folder, { HOST: "0.0.0.0", ADMIN_TOKEN: "hush-hush-hush-hush" });
    const app = anApp({ address: "http://0.0.0.0:4711" });
    const code = start(invocation, app.create);
    await app.started;
    expect(invocation.printed[1]).toBe("Web chat:      http://127.0.0.1:4711/");
    invocation.stop({ kind: "signal", signal: "SIGINT" });
    await code;
  });

  it("stops right after the start if a stop was requested before", async () => {
    const invocation = anInvocation(folder);
    const opening = Promise.withResolvers<void>();
    const app = anApp({ starting: opening.promise });
    const code = start(invocation, app.create);
    invocation.stop({ kind: "signal", signal: "SIGINT" });
    opening.resolve();
    expect(await code).toBe(0);
    expect(app.calls).toEqual(["create everything", "start", "started", "stop"]);
  });

  it("logs the beginning and the end of the stop", async () => {
    const logged = logLines();
    const invocation = anInvocation(folder, { LOG_LEVEL: "info" });
    const app = anApp();
    const code = start(invocation, app.create);
    await app.started;
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
    expect(logged()).toMatchObject([{ msg: "stopping", signal: "SIGTERM" }, { msg: "stopped" }]);
  });

  it("limits the time of a stop to eight seconds", async () => {
    const invocation = anInvocation(folder);
    const app = anApp({ stopping: new Promise(() => undefined) });
    const code = start(invocation, app.create);
    await app.started;
    const sleep = vi.spyOn(systemClock, "sleep").mockResolvedValue();
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
    expect(sleep.mock.calls.map(([ms]) => ms)).toEqual([8_000]);
  });

  it("stops with a failure after an uncaught error and logs it", async () => {
    const logged = logLines();
    const invocation = anInvocation(folder, { LOG_LEVEL: "error" });
    const app = anApp();
    const code = start(invocation, app.create);
    await app.started;
    invocation.stop({ kind: "error", error: new Error("out of the blue") });
    expect(await code).toBe(1);
    expect(app.calls.at(-1)).toBe("stop");
    expect(logged()).toMatchObject([{ level: "error", msg: "uncaught error", error: { message: "out of the blue" } }]);
  });

  it("reports a failed start in one line without secrets and closes all resources", async () => {
    const invocation = anInvocation(folder, { ADMIN_TOKEN: "hush-hush-hush-hush" });
    const failure = new StoreError("/data is in use by another splitwatch (pid 1, token hush-hush-hush-hush)");
    const app = anApp({ starting: Promise.reject(failure) });
    expect(await start(invocation, app.create)).toBe(1);
    expect(invocation.problems).toEqual(["splitwatch: /data is in use by another splitwatch (pid 1, token ***)"]);
    expect(app.calls.at(-1)).toBe("stop");
  });

  it("reports an unusable store in one line, and logs the stack of unexpected errors", async () => {
    const logged = logLines();
    const invocation = anInvocation(folder, { LOG_LEVEL: "error" });
    expect(await start(invocation, anApp({ starting: Promise.reject(new StoreError("no room")) }).create)).toBe(1);
    expect(logged()).toEqual([]);
    const faulty = anApp({ starting: Promise.reject(new TypeError("x is not a function")) });
    expect(await start(invocation, faulty.create)).toBe(1);
    expect(invocation.problems).toEqual(["splitwatch: no room", "splitwatch: x is not a function"]);
    expect(logged()).toMatchObject([{ msg: "start failed", error: { stack: expect.stringContaining("start.test") } }]);
  });

  it("does not create the app with an invalid configuration", async () => {
    const app = anApp();
    await expect(start(anInvocation(folder, { PORT: "x" }), app.create)).rejects.toThrow(ConfigError);
    expect(app.calls).toEqual([]);
  });
});

describe("service", () => {
  it("runs the data service alone and explains how to create a key", async () => {
    const invocation = anInvocation(folder);
    const app = anApp();
    const code = service(invocation, app.create);
    await app.started;
    expect(app.calls).toEqual(["create service", "start", "started"]);
    expect(invocation.printed).toContain("Data service:  http://127.0.0.1:4711/v1/splits");
    expect(invocation.printed.at(-1)).toBe("Next:          create an API key with `npx splitwatch keys add NAME`");
    invocation.stop({ kind: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
  });
});

/** An app that only records its calls. `started` resolves when the lines after its start are printed. */
function anApp(
  options: { address?: string; sourceKind?: DataSourceKind; starting?: Promise<void>; stopping?: Promise<void> } = {},
) {
  const calls: string[] = [];
  const running = Promise.withResolvers<void>();
  const app: App = {
    async start() {
      calls.push("start");
      await options.starting;
      calls.push("started");
      setImmediate(() => running.resolve());
      return {
        address: options.address ?? "http://127.0.0.1:4711",
        sourceKind: options.sourceKind ?? "sample-until-live",
      };
    },
    async stop() {
      calls.push("stop");
      await options.stopping;
    },
  };
  const create: CreateApp = (_, { mode }) => {
    calls.push(`create ${mode}`);
    return app;
  };
  return { create, calls, started: running.promise };
}

/** What the log writes from now on. */
function logLines(): () => unknown[] {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => JSON.parse(String(text)));
}
