import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../config/index.ts";
import { type HttpServer, listen } from "../http/server.ts";
import type { CheckResult } from "../lib/check-result.ts";
import { systemClock } from "../lib/clock.ts";
import type { Clock } from "../ports/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { checkRunning } from "./doctor-running.ts";

const USABLE = { ok: true, detail: "usable" };
const NOT_POLLED = { ok: false, detail: "not polled yet" };

let server: HttpServer;

afterEach(() => server.close());

describe("the check of a running process", () => {
  it("waits until the first polls of a started process have ended", async () => {
    const { result, waitedMs } = await check((attempt) =>
      attempt < 4
        ? Response.json({ ready: false, checks: { store: USABLE, articles: NOT_POLLED } }, { status: 503 })
        : Response.json({ ready: true, checks: { store: USABLE, articles: USABLE } }),
    );
    expect(result).toEqual({ status: "pass", text: `running: splitwatch at ${server.address} is ready` });
    expect(waitedMs).toBe(3 * 250);
  });

  it("warns of the problems of a process that is ready", async () => {
    const discord = { ok: true, detail: "connected", problem: "commands not registered" };
    const { result } = await check(() => Response.json({ ready: true, checks: { store: USABLE, discord } }));
    expect(result).toEqual({
      status: "warn",
      text: `running: splitwatch at ${server.address} is ready, but not completely: discord: commands not registered`,
    });
  });

  it.each([
    {
      answer: {
        ready: false,
        checks: { store: USABLE, splits: NOT_POLLED, discord: { ok: false, detail: "no token" } },
      },
      shown: "splits: not polled yet; discord: no token",
    },
    { answer: { ready: false, problems: ["x".repeat(400)] }, shown: `{"ready":false,"problems":["${"x".repeat(272)}` },
  ])("names what is not ready after five seconds: $shown", async ({ answer, shown }) => {
    const { result, waitedMs } = await check(() => Response.json(answer, { status: 503 }));
    expect(result).toEqual({ status: "fail", text: `running: splitwatch at ${server.address} is not ready: ${shown}` });
    expect(waitedMs).toBe(5_000);
  });
});

/** Result for a server that gives `answer` to each attempt, on a clock whose sleeps take no time. */
async function check(
  answer: (attempt: number) => Response,
): Promise<{ readonly result: CheckResult; readonly waitedMs: number }> {
  let attempts = 0;
  server = await listen({
    app: {
      fetch: () => {
        attempts += 1;
        return answer(attempts);
      },
    },
    host: "127.0.0.1",
    port: 0,
    log: SILENT_LOG,
  });
  let waitedMs = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => waitedMs,
    sleep: async (ms) => {
      waitedMs += ms;
    },
  };
  const { port } = new URL(server.address);
  const config = readConfig({ env: { PORT: port }, folder: import.meta.dirname, isTerminal: false });
  return { result: await checkRunning(config, clock), waitedMs };
}
