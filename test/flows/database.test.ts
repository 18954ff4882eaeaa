import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type App, createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/index.ts";
import type { Role } from "../../src/config/roles.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { Readiness } from "../../src/pipeline/readiness.ts";
import { temporaryFolder } from "../support/app.ts";
import { KEY } from "../support/established-upstream.ts";
import { ManualScheduler } from "../support/manual-scheduler.ts";
import { freshDatabase } from "../support/postgres.ts";
import { startStopwatch } from "../support/process-time.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { RunningClock } from "../support/running-clock.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { aSplitRow, startUpstream, type Upstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Whole apps on a PostgreSQL database, each with its own clock, which runs. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let upstream: Upstream;
let apps: App[];

beforeEach(async () => {
  folder = await temporaryFolder();
  upstream = await startUpstream({ key: KEY, splits: [aSplitRow()] });
  apps = [];
});

afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  await upstream.stop();
  await folder.remove();
});

interface Process {
  readonly clock: RunningClock;
  readonly scheduler: ManualScheduler;
  readyz(): Promise<{ readonly status: number } & Pick<Readiness, "checks">>;
  metrics(): Promise<string>;
}

async function start(databaseUrl: string, roles: readonly Role[], startsAt = "2026-03-02T14:00:00Z"): Promise<Process> {
  const env = { DATABASE_URL: databaseUrl, PORT: "0", SPLITS_API_URL: upstream.url, SPLITS_API_KEY: KEY };
  const config = readConfig({ env, folder: folder.path, isTerminal: false });
  const clock = new RunningClock({ start: startsAt });
  const scheduler = new ManualScheduler();
  const app = createApp({ ...config, roles }, { clock, log: recordedLog(), scheduler, mode: "everything" });
  apps.push(app);
  const { address } = await app.start();
  return {
    clock,
    scheduler,
    async readyz() {
      const response = await fetch(`${address}/readyz`);
      return { status: response.status, checks: ((await response.json()) as Readiness).checks };
    },
    async metrics() {
      const response = await fetch(`${address}/metrics`);
      expect(response.status).toBe(200);
      return response.text();
    },
  };
}

async function polled(process: Process): Promise<void> {
  await waitUntil("the first poll has ended", () => process.scheduler.hasCaughtUp);
  await waitUntil("the process is ready", async () => (await process.readyz()).status === 200);
}

describe.each([
  ["two hours ahead", 2 * HOUR_MS],
  ["two hours behind", -2 * HOUR_MS],
])("a process whose clock is %s", (_, differenceMs) => {
  async function startBoth(): Promise<readonly [Process, Process]> {
    const url = await freshDatabase();
    const poller = await start(url, ["poll", "deliver"]);
    const other = await start(url, ["web"], new Date(poller.clock.now() + differenceMs).toISOString());
    await polled(poller);
    return [poller, other];
  }

  it("is ready while another one polls, and reports the true age of the data", async () => {
    const [poller, other] = await startBoth();
    expect((await other.readyz()).status).toBe(200);
    const ages = await Promise.all([poller, other].map(async (process) => ageIn(await process.metrics())));
    for (const age of ages) expect(age).toBeLessThan(60);
  });

  it("reports when the polls of the other one have stopped", async () => {
    const both = await startBoth();
    for (const { clock } of both) clock.skip(8 * MINUTE_MS);
    for (const process of both) {
      const { status, checks } = await process.readyz();
      expect([status, checks.splits?.detail]).toEqual([503, expect.stringContaining("the next poll is overdue")]);
      expect(ageIn(await process.metrics())).toBeGreaterThan(7 * 60);
    }
  });
});

function ageIn(page: string): number {
  return Number(/^splitwatch_data_age_seconds (\S+)$/m.exec(page)?.[1]);
}

async function startBehindProxy(): Promise<readonly [Process, TcpProxy]> {
  const url = new URL(await freshDatabase());
  const proxy = await startTcpProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  const process = await start(url.href, ["poll", "deliver", "web"]);
  await polled(process);
  return [process, proxy];
}

describe("while the database is away", () => {
  it.each([
    ["refuses connections", "cut"],
    ["doesn't answer", "withhold"],
  ] as const)("a process whose database %s isn't ready, says why within seconds, and recovers", async (_, decision) => {
    const [process, proxy] = await startBehindProxy();
    proxy.decide = () => decision;
    if (decision === "cut") proxy.dropConnections();
    for (let requests = 0; requests < 5; requests += 1) {
      const elapsedMs = startStopwatch();
      const { status, checks } = await process.readyz();
      expect([status, checks.store]).toEqual([503, { ok: false, detail: expect.stringMatching(/database|no answer/) }]);
      expect(elapsedMs()).toBeLessThan(5_000);
    }
    const page = await process.metrics();
    expect(page).toContain('splitwatch_polls_total{resource="splits",outcome="complete"}');
    for (const gauge of ["splitwatch_data_age_seconds", "splitwatch_outbox_pending"])
      expect(page).not.toMatch(new RegExp(`^${gauge} `, "m"));

    proxy.decide = () => "forward";
    proxy.dropConnections();
    await waitUntil("the process is ready again", async () => (await process.readyz()).status === 200);
    expect(await process.metrics()).toMatch(/^splitwatch_data_age_seconds /m);
  });
});
