import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { RunningApp } from "../support/app.ts";
import {
  alertTitles,
  anEstablishedUpstream,
  ESTABLISHED,
  type EstablishedUpstream,
} from "../support/established-upstream.ts";
import { aSplitRow, lies } from "../support/upstream.ts";

const SECOND_MS = 1_000;
const NEWCOMER = aSplitRow({ ticker: "NEWC", company: "Newcomer Ltd.", ex_date: "2026-04-02" });
const LATER = aSplitRow({ ticker: "NEWD", company: "Later Ltd.", ex_date: "2026-04-03" });

let established: EstablishedUpstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  app = await established.startFollowing();
});

afterEach(() => established.end());

/** The tickers of the channel's alerts, in their order. */
async function alerted(): Promise<readonly string[]> {
  return (await alertTitles(app)).channel.map((title) => title.slice(0, 4));
}

async function isReady(): Promise<boolean> {
  return (await app.get("/readyz")).status === 200;
}

function show(...rows: readonly unknown[]): void {
  established.upstream.splits = [...ESTABLISHED, ...rows];
}

it.each([
  ["back 30 seconds", -30 * SECOND_MS, DAY_MS],
  ["back an hour for ten seconds", -HOUR_MS, 10 * SECOND_MS],
  ["back an hour", -HOUR_MS, DAY_MS],
  ["forward a day for a minute", DAY_MS, MINUTE_MS],
  ["forward an hour", HOUR_MS, DAY_MS],
])("every change is alerted once when the clock is set %s", async (_, jumpMs, lastsMs) => {
  const { clock } = established;
  show(NEWCOMER);
  await app.poll();
  clock.jump(jumpMs);
  show(NEWCOMER, LATER);
  await app.tick("poll-splits");
  await app.tick("poll-articles");
  expect(await isReady()).toBe(true);
  expect(await alerted()).toEqual(["NEWC", "NEWD"]);
  if (lastsMs < DAY_MS) {
    clock.skip(lastsMs);
    clock.jump(-jumpMs);
  }
  await app.tick("prune");
  await app.poll(10);
  show({ ...NEWCOMER, ratio: "1:35" }, LATER);
  await app.poll();
  expect(await isReady()).toBe(true);
  expect(await alerted()).toEqual(["NEWC", "NEWD", "NEWC"]);
});

it("a reminder is sent once when the clock is a day ahead at its time and then correct again", async () => {
  const { clock } = established;
  const ofNewcomer = async (): Promise<readonly string[]> =>
    (await alertTitles(app)).channel.filter((title) => title.includes("NEWC"));
  show(NEWCOMER);
  await app.poll();
  clock.setTo("2026-03-31T13:00:00Z");
  await app.tick("remind");
  expect(await ofNewcomer()).toHaveLength(1);
  for (const jumpMs of [DAY_MS, -DAY_MS]) {
    clock.jump(jumpMs);
    await app.tick("remind");
  }
  clock.skip(DAY_MS);
  await app.tick("remind");
  expect(await ofNewcomer()).toHaveLength(2);
});

it("the data is stale, and the app not ready, in time after the clock is set back during an outage", async () => {
  const { clock, upstream } = established;
  upstream.injectFault(lies.status(500));
  await app.poll();
  clock.jump(-DAY_MS);
  await app.poll(16);
  const splits = ((await app.get("/readyz")).json as { checks: { splits: { ok: boolean } } }).checks.splits;
  expect(splits.ok).toBe(false);
  upstream.clearFault();
  await app.poll();
  expect(await isReady()).toBe(true);
  clock.skip(8 * MINUTE_MS);
  expect(await isReady()).toBe(false);
});
