import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardsOf, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../support/recorded-log.ts";
import { waitForStory } from "../support/sample-story.ts";
import { waitUntil } from "../support/wait-until.ts";

const MINUTE = 60_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let app: RunningApp;

async function start(log?: RecordedLog): Promise<void> {
  app = await startApp({ dataDir: join(folder.path, "state"), clock, ...(log && { log }) });
}

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
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

/** Waits while time passes. */
async function waitWhileTimePasses(what: string, condition: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, async () => {
    await clock.advance(10_000);
    return condition();
  });
}

const ANNOUNCED = /^\[SAMPLE\] KSTVJ 1-for-40 reverse split, ex date/;

async function waitForAnnouncements(count: number): Promise<void> {
  await waitWhileTimePasses(
    `${count} announcements of KSTVJ`,
    async () => (await alerts()).filter((text) => ANNOUNCED.test(text)).length === count,
  );
}

it("waits for the first subscription", async () => {
  await clock.advance(20 * MINUTE);
  expect(await listedTickers()).not.toContain("KSTVJ");
  expect(await answerTo("subscribe events:all")).toContain("The sample story starts now");
  await waitForStory(clock, [app.log]);
  await waitForAnnouncements(1);
  expect(await answerTo("subscribe exchange:NASDAQ")).toContain("(Replay the sample story: test kind:story)");
});

it("shows the splits of before until the first poll of its start", async () => {
  await waitForPolls();
  await app.stop();
  const lists: Promise<string>[] = [];
  const log = recordedLog();
  const info: RecordedLog["info"] = (event, fields) => {
    log.info(event, fields);
    if (event === "sample story started") lists.push(listedTickers());
  };
  await start({ ...log, info });
  const before = await listedTickers();
  expect(before).toContain("ZRVNK");
  await answerTo("subscribe");
  await waitForStory(clock, [app.log]);
  expect(await Promise.all(lists)).toEqual([before]);
});

it("starts with an imported subscription, and not with imported settings", async () => {
  expect(await answerTo("import ZRVNK")).toContain("The sample story starts now");
  await waitForStory(clock, [app.log]);
  expect(await answerTo("import PLMWK")).toContain("(Replay the sample story: test kind:story)");
  expect(await answerTo('import {"settings":{"reminders":"off"}}')).not.toContain("story");
});

it("shows what is due tomorrow and in effect, among the other alerts", async () => {
  await answerTo("subscribe events:all");
  await waitForStory(clock, [app.log]);
  const startedAt = clock.now();
  const patterns = [
    /KSTVJ 1-for-40 reverse split/,
    /Reminder: ZRVNK .* takes effect tomorrow/,
    /QLMRZ .* in effect today/,
    /PLMWK .* changed/,
    /VLQSK .* cancelled, according to a release/,
  ];
  let missing: readonly RegExp[] = patterns;
  await waitWhileTimePasses("all alerts", async () => {
    const text = (await alerts()).join("\n");
    missing = patterns.filter((pattern) => !pattern.test(text));
    return missing.length === 0 || clock.now() - startedAt > 20 * MINUTE;
  });
  expect(missing).toEqual([]);
});

async function waitForPolls(): Promise<void> {
  await waitUntil("splits and articles are polled", async () => {
    await clock.advance(10_000);
    const polls = app.log.lines.filter(({ event }) => event === "poll completed");
    return new Set(polls.map(({ fields }) => fields.resource)).size === 2;
  });
}

it("has each event of the sample once, at any number of restarts before it starts", async () => {
  await waitForPolls();
  const explanation = await answerTo("why ZRVNK");
  for (let times = 0; times < 2; times += 1) {
    await app.stop();
    clock.skip(5 * MINUTE);
    await start();
    await waitForPolls();
  }
  expect(await answerTo("why ZRVNK")).toBe(explanation);
});

it("has the dates of the day on which it starts", async () => {
  clock.skip(3 * 24 * 60 * MINUTE);
  await answerTo("watch ZRVNK");
  await waitForStory(clock, [app.log]);
  expect(await listedTickers()).toContain("ZRVNK 1-for-20 reverse split | Ex date Fri 6 Mar 2026 (tomorrow)");
});

it("is replayed, with the same alerts again", async () => {
  await answerTo("subscribe");
  await waitForStory(clock, [app.log]);
  await waitForAnnouncements(1);
  expect(await answerTo("test story")).toContain("The sample story starts again");
  expect(await answerTo("test story")).toContain("The sample story has just started");
  await waitForStory(clock, [app.log], 2);
  expect(await listedTickers()).toContain("ZRVNK");
  expect(await listedTickers()).not.toContain("KSTVJ");
  await waitForAnnouncements(2);
});

it("continues after a restart on the same day, and starts again on another day", async () => {
  await answerTo("subscribe");
  await waitForStory(clock, [app.log]);
  await waitForAnnouncements(1);
  await app.stop();
  await start();
  expect(await listedTickers()).toContain("KSTVJ");
  await clock.advance(MINUTE);
  expect((await alerts()).filter((text) => ANNOUNCED.test(text))).toHaveLength(1);
  await app.stop();
  clock.skip(24 * 60 * MINUTE);
  await start();
  await waitForStory(clock, [app.log]);
  await waitForAnnouncements(2);
});
