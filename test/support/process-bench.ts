import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "../../src/chat/web/page/protocol.ts";
import { addDays, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import { startPolling, waitForPolls, waitUntilIdle } from "./polling-process.ts";
import { Processes, type SplitwatchProcess } from "./process.ts";
import { readAlerts } from "./seen-alerts.ts";
import { aSplitRow, startUpstream, type Upstream } from "./upstream.ts";
import { waitUntil } from "./wait-until.ts";
import { ask, readMessages } from "./web-chat-client.ts";

/** Channels that receive every split, each with one rule. */
const CHANNELS = ["general", "trading"] as const;

export type AnnouncedTickers = Readonly<Record<(typeof CHANNELS)[number], readonly string[]>>;

/** The built splitwatch, and an upstream whose list the test extends. */
export class ProcessBench {
  readonly folder: string;
  readonly upstream: Upstream;
  readonly processes = new Processes();
  /** State folder. A test can change it before the first start. */
  dataDir: string;
  #listed = 0;

  private constructor(folder: string, upstream: Upstream) {
    this.folder = folder;
    this.dataDir = join(folder, "data");
    this.upstream = upstream;
  }

  /** Lists OLD1 to OLD4 before the first poll, so that they make no alerts. */
  static async open(): Promise<ProcessBench> {
    const folder = await mkdtemp(join(tmpdir(), "splitwatch-process-"));
    const bench = new ProcessBench(folder, await startUpstream());
    for (let number = 1; number <= 4; number += 1) bench.list(`OLD${number}`);
    return bench;
  }

  start(): Promise<SplitwatchProcess> {
    return startPolling(this.processes, this);
  }

  /** Subscribes the channels to splits. */
  async subscribe(address: string): Promise<void> {
    for (const channel of CHANNELS) await ask(address, "alice", "subscribe", { channel });
  }

  /** Adds the split to the upstream's list. */
  list(ticker: string): void {
    this.#listed += 1;
    const today = dayInZone(Date.now(), MARKET_ZONE);
    const row = aSplitRow({
      ticker,
      company: `${ticker} Holdings Inc.`,
      ratio: `1:${this.#listed + 1}`,
      ex_date: addDays(today, 30),
      date_announced: today,
    });
    this.upstream.splits = [...this.upstream.splits, row];
  }

  /** Waits for the first poll of the process and its alerts, and returns the announced tickers. */
  async alertsAfterStart(splitwatch: SplitwatchProcess): Promise<AnnouncedTickers> {
    const address = await splitwatch.ready;
    await waitForPolls(splitwatch, 1);
    await waitUntilIdle(address);
    return this.announced(address);
  }

  /** Lists the ticker, waits until every channel has received it and nothing is pending, and returns the announced tickers. */
  async listAndWait(ticker: string, splitwatch: SplitwatchProcess): Promise<AnnouncedTickers> {
    const address = await splitwatch.ready;
    this.list(ticker);
    await waitUntil("every channel has received the alert", async () =>
      Object.values(await this.announced(address)).every((tickers) => tickers.includes(ticker)),
    );
    await waitUntilIdle(address);
    return this.announced(address);
  }

  /** Announced tickers per channel; other alerts are included as JSON. */
  async announced(address: string): Promise<AnnouncedTickers> {
    const [general, trading] = await Promise.all(CHANNELS.map((channel) => readMessages(address, { channel })));
    return { general: tickersIn(general), trading: tickersIn(trading) };
  }

  async close(): Promise<void> {
    await this.processes.endAll();
    await this.upstream.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function tickersIn(messages: readonly Message[] = []): readonly string[] {
  return readAlerts(messages).map((alert) => (alert.kind === "announced" ? alert.ticker : JSON.stringify(alert)));
}
