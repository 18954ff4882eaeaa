import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardsOf, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";

const MINUTE = 60_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: RunningApp;

async function start(): Promise<void> {
  app = await startApp({ dataDir: join(folder.path, "state") });
}

beforeEach(async () => {
  folder = await temporaryFolder();
  await start();
});

afterEach(async () => {
  await app.stop();
  await folder.remove();
});

async function alerts(): Promise<readonly string[]> {
  return cardsOf(await app.messages("alice", "general")).map(cardText);
}

async function answerTo(line: string): Promise<string> {
  return (await app.run("alice", line, { channel: "general" })).map(cardText).join("\n");
}

async function listedTickers(): Promise<string> {
  return answerTo("list when:all");
}

it("waits for the first subscription", async () => {
  await app.clock.advance(20 * MINUTE);
  expect(await listedTickers()).not.toContain("KSTVJ");
  expect(await answerTo("subscribe events:all")).toContain("The sample story starts now");
  await app.clock.advance(30_000);
  await expect.poll(alerts).toContainEqual(expect.stringMatching(/^\[SAMPLE\] KSTVJ 1-for-40 reverse split, ex date/));
  expect(await answerTo("subscribe exchange:NASDAQ")).toContain("(Replay the sample story: test kind:story)");
});

it("shows what is due tomorrow and in effect, among the other alerts", async () => {
  await answerTo("subscribe events:all");
  for (let minute = 0; minute < 17; minute += 1) await app.clock.advance(MINUTE);
  const patterns = [
    /KSTVJ 1-for-40 reverse split/,
    /Reminder: ZRVNK .* takes effect tomorrow/,
    /QLMRZ .* in effect today/,
    /PLMWK .* changed/,
    /VLQSK .* cancelled, according to a release/,
  ];
  await expect
    .poll(async () => {
      const text = (await alerts()).join("\n");
      return patterns.filter((pattern) => !pattern.test(text));
    })
    .toEqual([]);
});

it("has the dates of the day on which it starts", async () => {
  app.clock.skip(3 * 24 * 60 * MINUTE);
  await answerTo("watch ZRVNK");
  await expect.poll(listedTickers).toContain("ZRVNK 1-for-20 reverse split | Ex date Fri 6 Mar 2026 (tomorrow)");
});

it("is replayed, with the same alerts again", async () => {
  await answerTo("subscribe");
  await app.clock.advance(10_000);
  expect(await answerTo("test story")).toContain("The sample story has just started");
  await app.clock.advance(30_000);
  await expect.poll(async () => (await alerts()).length).toBe(1);
  expect(await answerTo("test story")).toContain("The sample story starts again");
  await expect.poll(listedTickers).toContain("ZRVNK");
  expect(await listedTickers()).not.toContain("KSTVJ");
  await app.clock.advance(30_000);
  const announced = /^\[SAMPLE\] KSTVJ .* ex date/;
  await expect.poll(async () => (await alerts()).filter((text) => announced.test(text)).length).toBe(2);
});

it("starts with the app if there are subscriptions already", async () => {
  await answerTo("watch ZRVNK");
  await app.stop();
  await start();
  await app.clock.advance(30_000);
  await expect.poll(listedTickers).toContain("KSTVJ");
});
