import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import type { DeliveryError } from "../../../ports/chat-platform.ts";
import type { TokenKindProblem } from "../settings.ts";
import { SingleWorkspace } from "../single-workspace.ts";
import { CallError, type CallFailure, type WebApi } from "../web-api.ts";
import { Connection, type Transport } from "./connection.ts";

const IDENTITY = { team_id: "T1", user: "splitbot", url: "https://x.slack.com/" };
const DOWN: CallFailure = { kind: "unreachable", detail: "no connection (ECONNREFUSED)" };
const REFUSED: CallFailure = { kind: "refused", code: "invalid_auth", needed: null };

function callError(failure: CallFailure): CallError {
  return new CallError("test", failure, null);
}

/** Connection whose first calls and openings fail with these failures. Later ones succeed. */
function aConnection({
  calls = [],
  openings = [],
  problem = null,
}: {
  calls?: CallFailure[];
  openings?: CallFailure[];
  problem?: TokenKindProblem | null;
} = {}) {
  const clock = new ManualClock();
  const log = recordedLog();
  const lifecycle: { end?: () => void } = {};
  let openCount = 0;
  const api: WebApi = {
    async call(_method, _args, shape) {
      const failure = calls.shift();
      if (failure) throw callError(failure);
      return shape.parse(IDENTITY);
    },
  };
  let closed: Promise<void> = Promise.resolve();
  const transport: Transport = {
    tokenVariable: "SLACK_APP_TOKEN",
    async open() {
      const failure = openings.shift();
      if (failure) throw callError(failure);
      openCount += 1;
      closed = new Promise((resolve) => {
        lifecycle.end = resolve;
      });
    },
    closed: () => closed,
    close: async () => lifecycle.end?.(),
  };
  let wakes = 0;
  const wake = (): void => {
    wakes += 1;
  };
  const workspace = new SingleWorkspace(api, { clock, log, wake });
  const connection = new Connection({ identity: workspace, transport, clock, log, problem });
  return {
    connection,
    workspace,
    clock,
    log,
    breakConnection: () => lifecycle.end?.(),
    openCount: () => openCount,
    wakes: () => wakes,
  };
}

const MEMBER = { teamId: "T1", homeId: "T1", userId: "U1" };

describe("the connection to Slack", () => {
  it("reads the workspace, and is healthy until it stops", async () => {
    const { connection, workspace } = aConnection();
    expect(connection.health).toEqual({ ok: false, reason: "Slack isn't connected yet" });
    await connection.start();
    expect(connection.health).toEqual({ ok: true });
    const expectedWorkspace = { teamId: "T1", botName: "splitbot", url: "https://x.slack.com/" };
    expect(await workspace.find(MEMBER)).toMatchObject({ workspace: expectedWorkspace });
    await connection.stop();
    expect(connection.health.ok).toBe(false);
  });

  it("reopens immediately after it closes, and with a delay if that repeats", async () => {
    const { connection, clock, breakConnection, openCount } = aConnection();
    await connection.start();
    for (let ends = 1; ends < 5; ends++) {
      breakConnection();
      await clock.advance(0);
      expect(openCount()).toBe(ends + 1);
    }
    breakConnection();
    await clock.advance(0);
    expect(openCount()).toBe(6);
    breakConnection();
    await clock.advance(0);
    expect(openCount()).toBe(6);
    await clock.advance(1_000);
    expect(openCount()).toBe(7);
    await connection.stop();
  });

  it("survives outages at startup and later, and reports Slack as unreachable", async () => {
    const { connection, workspace, clock, log, breakConnection } = aConnection({
      calls: [DOWN, DOWN],
      openings: [DOWN],
    });
    await connection.start();
    expect(connection.health).toEqual({ ok: false, reason: expect.stringContaining("ECONNREFUSED") });
    expect(await workspace.find(MEMBER)).toBeNull();
    await clock.advance(1_000);
    await expect(workspace.forDelivery("T1")).rejects.toMatchObject({ failure: "retry" });
    await clock.advance(2_000);
    expect(await workspace.find(MEMBER)).not.toBeNull();
    expect(connection.health.ok).toBe(false);
    await clock.advance(4_000);
    expect(connection.health).toEqual({ ok: true });
    expect(log.count("slack unreachable")).toBe(3);
    breakConnection();
    await connection.stop();
  });

  it.each([
    ["SLACK_BOT_TOKEN", { calls: [REFUSED] }, "broken-credentials"],
    ["SLACK_APP_TOKEN", { openings: [REFUSED] }, null],
  ] as const)(
    "reports once that %s is refused, tries it with longer delays, and recovers",
    async (variable, refusal, expected) => {
      const failures = structuredClone<object>(refusal) as { calls?: CallFailure[]; openings?: CallFailure[] };
      const { connection, workspace, clock, log } = aConnection(failures);
      const list = failures.calls ?? failures.openings ?? [];
      const since = clock.now();
      await connection.start();
      for (const delay of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000]) {
        const rejected = { since, retryAt: clock.now() + delay, blocksSending: expected !== null };
        const reason = expect.stringContaining(`${variable} (invalid_auth)`);
        expect(connection.health).toEqual({ ok: false, reason, rejected });
        await clock.advance(delay - 1);
        list.push(REFUSED);
        await clock.advance(1);
        expect(list).toEqual([]);
      }
      // Alerts need only the bot token.
      const failure = await workspace.forDelivery("T1").then(
        () => null,
        (error: DeliveryError) => error.failure,
      );
      expect(failure).toBe(expected);
      expect(log.lines.map(({ level, event }) => [level, event])).toEqual([["error", "slack credentials rejected"]]);
      await clock.advance(600_000);
      expect(connection.health).toEqual({ ok: true });
      expect(await workspace.forDelivery("T1")).toMatchObject({ workspace: { teamId: "T1" } });
      await connection.stop();
    },
  );

  it("tries a bot token that Slack refused later with a request that posts nothing", async () => {
    const failures: CallFailure[] = [];
    const { connection, workspace, clock } = aConnection({ calls: failures });
    await connection.start();
    const connected = await workspace.forDelivery("T1");
    const refused = await workspace.handleRefusedToken(connected, callError(REFUSED));
    expect(refused).toMatchObject({ failure: "broken-credentials", retryAfterMs: 30_000 });
    failures.push(DOWN);
    await expect(workspace.forDelivery("T1")).rejects.toMatchObject({ retryAfterMs: 30_000 });
    expect(failures).toHaveLength(1);
    clock.skip(30_000);
    await expect(workspace.forDelivery("T1")).rejects.toMatchObject({ failure: "retry" });
    clock.skip(30_000);
    await workspace.forDelivery("T1");
    expect(connection.health).toEqual({ ok: true });
    await connection.stop();
  });

  it("tries a bot token that Slack refused later even if no alert is due, with longer delays", async () => {
    const failures: CallFailure[] = [];
    const { connection, workspace, clock, openCount, wakes } = aConnection({ calls: failures });
    await connection.start();
    await clock.advance(11_000);
    await workspace.handleRefusedToken(await workspace.forDelivery("T1"), callError(REFUSED));
    for (const delay of [30_000, 60_000]) {
      expect(connection.health).toMatchObject({ ok: false, rejected: { retryAt: clock.now() + delay } });
      failures.push(REFUSED);
      await clock.advance(delay - 1);
      expect(failures).toHaveLength(1);
      await clock.advance(1);
      expect(failures).toHaveLength(0);
    }
    await clock.advance(120_000);
    expect([connection.health, openCount(), wakes()]).toEqual([{ ok: true }, 1, 1]);
    await connection.stop();
  });

  it("sends alerts if only the app token is of the wrong kind, and names that token", async () => {
    const text = "SLACK_APP_TOKEN contains a bot token";
    const { connection, workspace, clock, log, openCount } = aConnection({
      calls: [DOWN],
      problem: { text, isBotToken: false },
    });
    await connection.start();
    await clock.advance(1_000);
    expect(await workspace.forDelivery("T1")).toMatchObject({ workspace: { teamId: "T1" } });
    const rejected = { retryAt: null, blocksSending: false };
    expect(connection.health).toMatchObject({ ok: false, reason: text, rejected });
    expect([openCount(), log.count("slack credentials rejected")]).toEqual([0, 1]);
    await workspace.handleRefusedToken(await workspace.forDelivery("T1"), callError(REFUSED));
    expect(connection.health).toMatchObject({ rejected: { blocksSending: true } });
    await clock.advance(60_000);
    expect(connection.health).toMatchObject({ reason: text });
    await connection.stop();
    expect(clock.sleepers).toBe(0);
  });

  it("limits the duration of start and stop", async () => {
    const { connection, clock } = aConnection();
    const pendingCall = Promise.withResolvers<void>();
    const slow = new Connection({
      identity: new SingleWorkspace(
        { call: () => pendingCall.promise.then(() => Promise.reject(callError(DOWN))) },
        { clock, log: recordedLog(), wake: () => undefined },
      ),
      transport: {
        tokenVariable: "",
        open: async () => undefined,
        closed: async () => undefined,
        close: async () => undefined,
      },
      clock,
      log: recordedLog(),
      problem: null,
    });
    const start = slow.start();
    await clock.advance(5_000);
    await start;
    expect(slow.health.ok).toBe(false);
    const stop = slow.stop();
    await clock.advance(0);
    await clock.advance(2_000);
    await stop;
    pendingCall.resolve();
    await connection.stop();
  });
});
