import { afterEach, beforeEach, expect, it } from "vitest";
import { alertsIn, startReceiver, type WebhookReceiver } from "../platforms/webhook/receiver.ts";
import { startPolling, stopGracefully, waitForPolls, waitUntilIdle } from "../support/polling-process.ts";
import { freshDatabase } from "../support/postgres.ts";
import type { SplitwatchProcess } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { repetitions } from "../support/soak.ts";
import { waitUntil } from "../support/wait-until.ts";

let bench: ProcessBench;
let receiver: WebhookReceiver;
let store: Readonly<Record<string, string>>;

beforeEach(async () => {
  bench = await ProcessBench.open();
  receiver = await startReceiver();
  store = {};
});

afterEach(async () => {
  await bench.close();
  await receiver.stop();
});

function start(): Promise<SplitwatchProcess> {
  const { folder, dataDir, upstream } = bench;
  const settings = `webhook: { endpoints: { crm: { url: "${receiver.url}" } }, messagesPerMinute: 10000 }\n`;
  const env = { ...store, WEBHOOK_SECRETS: `crm=${receiver.secret}` };
  return startPolling(bench.processes, { folder, dataDir, upstream, settings, env });
}

it.each([
  { where: "in files", rounds: { short: 2, full: 12 }, open: async () => ({}) },
  // The next process waits until the killed one counts as dead.
  {
    where: "in PostgreSQL",
    rounds: { short: 1, full: 12 },
    open: async () => ({ DATABASE_URL: await freshDatabase() }),
  },
])(
  "sends the message of a killed process again with the same id, and no other one twice: state $where",
  async ({ rounds, open }) => {
    store = await open();
    let splitwatch = await start();
    await waitForPolls(splitwatch, 1);
    await waitUntilIdle(await splitwatch.ready);
    const tickers: string[] = [];

    for (let round = 1; round <= repetitions(rounds); round += 1) {
      const before = receiver.received.length;
      const isProcessed = round % 2 === 0;
      receiver.answerTo = () => ({ status: 200, headers: {}, body: "", manner: "silent" });
      receiver.accepts = () => isProcessed;
      tickers.push(`NEW${round}`);
      bench.list(`NEW${round}`);
      await waitUntil("the message arrived", () => receiver.received.length > before);
      expect(await splitwatch.kill()).toEqual({ code: null, signal: "SIGKILL" });
      receiver.answerTo = () => ({ status: 200, headers: {}, body: "" });
      receiver.accepts = () => true;

      splitwatch = await start();
      await waitUntilIdle(await splitwatch.ready);
      const sends = receiver.received.slice(before);
      expect(sends.map(({ id }) => id)).toEqual([sends[0]?.id, sends[0]?.id]);
      expect(sends[1]?.text).toBe(sends[0]?.text);
      expect(alertsIn(receiver.processed).flatMap((alert) => alert.tickers)).toEqual(tickers);
      await waitForPolls(splitwatch, 1);
    }
    await stopGracefully(splitwatch);
    expect(receiver.received.length - receiver.processed.length).toBe(tickers.length);
  },
);
