import { join } from "node:path";
import { type AppStart, type RunningApp, startApp, temporaryFolder, titlesOf } from "./app.ts";
import { ManualClock } from "./manual-clock.ts";
import { anArticleRow, aSplitRow, startUpstream, type Upstream } from "./upstream.ts";
import type { Fault } from "./upstream-faults.ts";

/** Makes each poll a single request. */
const ONE_TRY = { retries: 0 };

export const KEY = "k3y-that-must-stay-secret";

/** An odd number: half of the list, rounded down, is less than half of the splits. */
export const ESTABLISHED = Array.from({ length: 21 }, (_, index) =>
  aSplitRow({
    ticker: `EST${String.fromCharCode(65 + index)}`,
    company: `Established ${index + 1} Inc.`,
    ratio: `1:${index + 2}`,
    ex_date: `2026-03-${20 + (index % 10)}`,
  }),
);

export const ARTICLES = Array.from({ length: 30 }, (_, index) =>
  anArticleRow({ url: `https://wire.example/established-${index}`, content: "The company (NASDAQ: ESTA) reports." }),
);

export const NO_ALERTS = { channel: [], person: [] };

/** A data service that has been polled for a while, and the apps that poll it. */
export interface EstablishedUpstream {
  readonly upstream: Upstream;
  readonly clock: ManualClock;
  readonly dataDir: string;
  start(changes?: Partial<AppStart>): Promise<RunningApp>;
  /** Starts an app after its first run, with a channel that receives everything and a person who watches ESTA, ESTU and NEWC. */
  startFollowing(changes?: Partial<AppStart>): Promise<RunningApp>;
  stop(app: RunningApp): Promise<void>;
  /** Stops everything that is still running. */
  end(): Promise<void>;
}

export async function anEstablishedUpstream(): Promise<EstablishedUpstream> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, "state");
  const clock = new ManualClock("2026-03-03T15:00Z");
  const upstream = await startUpstream({ key: KEY, splits: ESTABLISHED, articles: ARTICLES });
  const running = new Set<RunningApp>();

  async function start(changes: Partial<AppStart> = {}): Promise<RunningApp> {
    const env = { SPLITS_API_URL: upstream.url, SPLITS_API_KEY: KEY, ...changes.env };
    const app = await startApp({ dataDir, clock, sourceLimits: ONE_TRY, ...changes, env });
    running.add(app);
    return app;
  }

  async function stop(app: RunningApp): Promise<void> {
    running.delete(app);
    await app.stop();
  }

  return {
    upstream,
    clock,
    dataDir,
    start,
    stop,
    async startFollowing(changes) {
      const app = await start(changes);
      await app.run("alice", "subscribe events:all");
      await app.run("alice", "watch ESTA ESTU NEWC");
      await app.poll(4);
      return app;
    },
    async end() {
      for (const app of running) await stop(app);
      await upstream.stop();
      await folder.remove();
    },
  };
}

/** Applies a fault to the list only; requests of single tickers stay correct. */
export function onListOnly(fault: Fault): Fault {
  return (truth, request) => (request.path === "/v1/splits" ? fault(truth, request) : truth);
}

/** The titles of the alerts that the channel and the person received. */
export async function alertTitles(
  app: RunningApp,
): Promise<{ readonly channel: readonly string[]; readonly person: readonly string[] }> {
  return {
    channel: titlesOf(await app.messages("alice", "general")),
    person: titlesOf(await app.messages("alice")),
  };
}
