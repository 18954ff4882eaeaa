import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "../../src/chat/web/page/protocol.ts";
import { addDays, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import { startPolling, until, waitForPolls, waitUntilIdle } from "./polling-process.ts";
import { Processes, type SplitwatchProcess } from "./process.ts";
import { readAlerts } from "./seen-alerts.ts";
import { aSplitRow, startUpstream, type Upstream } from "./upstream.ts";
import { ask, readMessages } from "./web-chat.ts";

/** The channels that hear of every split, each by a rule of its own. */
const CHANNELS = ["general", "trading"] as const;

export type AnnouncedTickers = Readonly<Record<(typeof CHANNELS)[number], readonly string[]>>;

/** A built splitwatch, and an upstream that a test lists splits on. */
export class ProcessBench {
  readonly folder: string;
  readonly upstream: Upstream;
  readonly processes = new Processes();
  /** Where the state is kept. A test may move it before the first start. */
  dataDir: string;
  #listed = 0;

  private constructor(folder: string, upstream: Upstream) {
    this.folder = folder;
    this.dataDir = join(folder, "data");
    this.upstream = upstream;
  }

  /** Some splits are listed before anybody looks: nobody is to be told of OLD1 to OLD4. */
  static async open(): Promise<ProcessBench> {
    const folder = await mkdtemp(join(tmpdir(), "splitwatch-process-"));
    const bench = new ProcessBench(folder, await startUpstream());
    for (let number = 1; number <= 4; number += 1) bench.list(`OLD${number}`);
    return bench;
  }

  start(): Promise<SplitwatchProcess> {
    return startPolling(this.processes, this);
  }

  /** Sets the rules by which the channels hear of splits. */
  async subscribe(address: string): Promise<void> {
    for (const channel of CHANNELS) await ask(address, "alice", "subscribe", { channel });
  }

  /** From now on upstream lists it. */
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

  /** Resolves when it has read the list at its start and told all that came of it: what was announced so far. */
  async alertsAfterStart(life: SplitwatchProcess): Promise<AnnouncedTickers> {
    const address = await life.ready;
    await waitForPolls(life, 1);
    await waitUntilIdle(address);
    return this.announced(address);
  }

  /** Lists it, and resolves when every channel has heard of something and nothing more waits. */
  async listAndWait(ticker: string, life: SplitwatchProcess): Promise<AnnouncedTickers> {
    const address = await life.ready;
    this.list(ticker);
    await until(async () => Object.values(await this.announced(address)).every((told) => told.includes(ticker)));
    await waitUntilIdle(address);
    return this.announced(address);
  }

  /** The tickers that were announced, in each channel; anything else that was told stands there in full. */
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
  return readAlerts(messages).map((told) => (told.kind === "announced" ? told.ticker : JSON.stringify(told)));
}
