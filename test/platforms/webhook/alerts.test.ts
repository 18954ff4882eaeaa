import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { webhookBodySchema } from "../../../src/chat/webhook/message.ts";
import type { RunningApp } from "../../support/app.ts";
import { ESTABLISHED } from "../../support/established-upstream.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startBench, type WebhookBench } from "./bench.ts";
import { alertsIn, expectedSignature } from "./receiver.ts";

const README = readFileSync(new URL("../../../src/chat/webhook/README.md", import.meta.url), "utf8");

let bench: WebhookBench;

beforeEach(async () => {
  bench = await startBench("[ { exchanges: [NASDAQ], minRatio: 10 } ]");
});

afterEach(() => bench.end());

const NEW = [
  aSplitRow({ ticker: "NEWA", ratio: "1:20" }),
  aSplitRow({ ticker: "NEWB", ratio: "1:5" }),
  aSplitRow({ ticker: "NEWC", ratio: "1:20", exchange: "NYSE" }),
];

async function listNew(app: RunningApp, rows: readonly unknown[] = NEW): Promise<void> {
  bench.established.upstream.splits = [...ESTABLISHED, ...rows];
  await app.poll();
}

/** The code block of the README that contains the text. */
function blockWith(text: string): string {
  const blocks = [...README.matchAll(/^ *```\w+\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) => block);
  return blocks.find((block) => block.includes(text)) ?? "";
}

const hasShellTools = ["openssl", "curl", "od", "base64"].every(
  (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0,
);

describe("a webhook", () => {
  it("gets a test when it is new, and then each alert that its rules match, once and signed", async () => {
    const { receiver, established } = bench;
    const app = await bench.start();
    await app.poll(4);
    expect(receiver.received.map(({ alerts }) => alerts.map(({ kind, test }) => [kind, test]))).toEqual([
      [["test", true]],
    ]);
    await listNew(app);
    await app.poll(3);
    expect(alertsIn(receiver.received)).toMatchObject([
      { kind: "announced", tickers: ["NEWA"], splits: [{ ratio: "1:20", ex_date: "2026-03-10" }] },
    ]);
    for (const message of receiver.received) {
      expect(message.method).toBe("POST");
      expect(message.headers["content-type"]).toBe("application/json");
      expect(message.headers["webhook-signature"]).toBe(expectedSignature(message, receiver.secret));
      expect(webhookBodySchema.parse(JSON.parse(message.text)).id).toBe(message.id);
    }
    expect(Number(receiver.received.at(-1)?.headers["webhook-timestamp"])).toBeLessThan(app.clock.now() / 1_000);
    expect(await app.metric("splitwatch_deliveries_total", 'platform="webhook",outcome="sent"')).toBe(2);

    await established.stop(app);
    const restarted = await bench.start();
    await restarted.poll(2);
    expect(receiver.received).toHaveLength(2);
  });

  it("gets what happened while it didn't answer, with the same id each time, also after a restart", async () => {
    const { receiver, established } = bench;
    const app = await bench.start();
    await app.poll(4);
    receiver.answerTo = () => ({ status: 503, headers: {}, body: "" });
    app.held = Number.NaN;
    await listNew(app);
    await waitUntil("the alert was sent", () => alertsIn(receiver.received).length === 1);
    await established.stop(app);
    const restarted = await bench.start({ held: Number.NaN });
    await waitUntil("the alert was sent again", async () => {
      await restarted.clock.advance(1_000);
      return alertsIn(receiver.received).length > 1;
    });
    receiver.answerTo = () => ({ status: 200, headers: {}, body: "ok" });
    await waitUntil("the alert was accepted", async () => {
      await restarted.clock.advance(1_000);
      return (await restarted.metric("splitwatch_outbox_pending")) === 0;
    });
    const sends = receiver.received.filter((message) => alertsIn([message]).length > 0);
    expect(new Set(sends.map(({ id, text }) => `${id} ${text}`)).size).toBe(1);
    expect(new Set(sends.map(({ headers }) => headers["webhook-timestamp"])).size).toBeGreaterThan(1);
    expect(alertsIn(receiver.processed)).toMatchObject([{ tickers: ["NEWA"] }]);
  });

  it("gets each of many alerts in full, in few messages", async () => {
    const { receiver } = bench;
    const app = await bench.start();
    await app.poll(4);
    const tickers = Array.from({ length: 9 }, (_, index) => `MANY${String.fromCharCode(65 + index)}`);
    await listNew(
      app,
      tickers.map((ticker) => aSplitRow({ ticker })),
    );
    const alerts = alertsIn(receiver.received);
    expect(alerts.flatMap((alert) => alert.tickers).toSorted()).toEqual(tickers);
    expect(alerts.every(({ splits }) => splits.length === 1)).toBe(true);
    expect(receiver.received.length).toBeLessThan(4);
  });

  it("is verified by the code in the README, which refuses changed and old messages", async () => {
    const { receiver, established } = bench;
    const app = await bench.start();
    await app.poll(4);
    const path = join(established.dataDir, "..", "verify.mjs");
    await writeFile(path, blockWith("isFromSplitwatch"));
    const { isFromSplitwatch } = (await import(pathToFileURL(path).href)) as {
      readonly isFromSplitwatch: (headers: Readonly<Record<string, unknown>>, body: string, secret: string) => boolean;
    };
    const [message] = receiver.received;
    if (message === undefined) throw new Error("no message");
    const { headers, text } = message;
    const { secret } = receiver;
    // The app's clock is not the system clock.
    expect(isFromSplitwatch(headers, text, secret)).toBe(false);
    const now = String(Math.floor(Date.now() / 1_000));
    const renewed = { ...message, headers: { ...headers, "webhook-timestamp": now } };
    const signature = `v1,AAAA ${expectedSignature(renewed, secret)}`;
    const signed = { ...renewed.headers, "webhook-signature": signature };
    expect(isFromSplitwatch(signed, text, secret)).toBe(true);
    expect(isFromSplitwatch(signed, `${text} `, secret)).toBe(false);
    expect(isFromSplitwatch({ ...signed, "webhook-id": "other" }, text, secret)).toBe(false);
    expect(isFromSplitwatch(signed, text, `whsec_${Buffer.alloc(32).toString("base64")}`)).toBe(false);
    expect(isFromSplitwatch({}, text, secret)).toBe(false);
  });

  it.skipIf(!hasShellTools)("can be tried with the commands in the README", async () => {
    const { receiver } = bench;
    const key = await promisify(execFile)("sh", ["-c", blockWith("openssl rand")]);
    expect(Buffer.from(key.stdout.trim().replace("whsec_", ""), "base64")).toHaveLength(32);
    const env = { PATH: process.env.PATH, SECRET: receiver.secret, URL: receiver.url };
    await promisify(execFile)("sh", ["-ec", blockWith("curl")], { env });
    const [message] = receiver.received;
    expect(message?.headers["webhook-signature"]).toBe(message && expectedSignature(message, receiver.secret));
  });
});
