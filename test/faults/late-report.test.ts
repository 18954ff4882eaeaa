import { afterEach, beforeEach, expect, it } from "vitest";
import { readFolder } from "../../src/store/engines/sqlite/state.ts";
import { announced, attemptOf, commitOne, T0 } from "../contract/store-builders.ts";
import { GENERAL } from "../support/builders.ts";
import { openIn, StoreFolders } from "../support/store-folder.ts";
import { describeLateAlerts } from "./late-report.ts";

const KEY = "web:channel:general";

let folders: StoreFolders;

function at(seconds: number): string {
  return new Date(T0 + seconds * 1_000).toISOString();
}

beforeEach(() => {
  folders = new StoreFolders();
});

afterEach(() => folders.removeAll());

function line(seconds: number, fields: Readonly<Record<string, unknown>>) {
  return { level: "info", time: at(seconds), msg: "delivery completed", ...fields };
}

it("describes the attempt, the pause and the log of a destination with waiting alerts", async () => {
  const dataDir = await folders.make();
  const store = await openIn(dataDir);
  const delivery = await commitOne(store, { ...announced("s1"), at: T0 });
  await store.outbox.saveAttempt(
    attemptOf("m1", [delivery], {
      state: "uncertain",
      sends: 1,
      notBefore: T0 + 7_201_000,
      delayMs: 1_000,
      problem: "lost",
    }),
  );
  await store.pauses.pause(GENERAL, "no permission", T0);
  const log = [
    line(-5, { to: KEY, message: "before it was due" }),
    line(1, { to: KEY, message: "m0" }),
    line(2, { to: "web:channel:other" }),
    line(3, { msg: "poll completed" }),
    line(4, { msg: "system clock changed", level: "warn" }),
  ];
  const report = await describeLateAlerts({ state: readFolder(dataDir), log, now: T0 + 60_000 });
  await store.close();

  expect(report).toEqual([
    `${KEY}: 1 waiting, the oldest due ${at(0)} (60 s ago)`,
    `  attempt m1: uncertain, sent 1 times, not before ${at(7_201)} (in 7141 s), delay 1000 ms: lost`,
    `  paused, retry ${at(300)} (in 240 s), delay 300000 ms: no permission`,
    `  ${JSON.stringify(log[1])}`,
    `  ${JSON.stringify(log[4])}`,
  ]);
});

it("describes nothing when nothing is waiting", async () => {
  const dataDir = await folders.make();
  await (await openIn(dataDir)).close();
  expect(await describeLateAlerts({ state: readFolder(dataDir), log: [line(1, { to: KEY })], now: T0 })).toEqual([]);
});
