import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { type AppOnDiscord, type DiscordStage, stage } from "./discord-app.ts";
import { faults } from "./faults.ts";
import { textOf } from "./model.ts";
import type { Recorded } from "./rest.ts";
import { traders } from "./traders.ts";
import type { Channel } from "./world.ts";

const CHANNELS = 200;
const PEOPLE = 200;
const PER_SECOND = 50;

const OPENING = /^\/users\/@me\/channels$/;
const REFUSED_OPENING = faults.refusal(403, 50_007, "Cannot send messages to this user");

interface Crowd extends DiscordStage {
  readonly app: AppOnDiscord;
  readonly destinations: readonly Channel[];
}

/** 200 channels with a rule each, and 200 people who watch NEWS. `isOpened`: whether their direct messages were opened. */
async function crowd({ isOpened } = { isOpened: true }): Promise<Crowd> {
  const set = await stage();
  const { discord } = set;
  const { guild, ada } = traders(discord);
  const app = await set.start();
  const channels = Array.from({ length: CHANNELS }, (_, number) => discord.addChannel(guild, `alerts-${number}`));
  const people = Array.from({ length: PEOPLE }, (_, number) => discord.addUser(`person-${number}`, guild));
  await Promise.all(channels.map((channel) => ada.slash("/splits subscribe", {}, channel)));
  const endRefusals = isOpened ? () => undefined : discord.faults.add(REFUSED_OPENING, { path: OPENING });
  await Promise.all(people.map((person) => person.slash("/splits watch", { tickers: "NEWS" }, channels[0] ?? "dm")));
  await waitUntil("all were asked", () => discord.requests.filter(isOpening).length === PEOPLE, 20_000);
  endRefusals();
  return { ...set, app, destinations: [...channels, ...people.map(({ direct }) => direct)] };
}

function isOpening({ path, status }: Recorded): boolean {
  return OPENING.test(path) && status !== null;
}

function isPosting({ method, path }: Recorded): boolean {
  return method === "POST" && /^\/channels\/\d+\/messages$/.test(path);
}

/** Prints the rate of these requests, which depends on the machine. `npm run bench -- sending` compares it with the limit. */
function printRate(times: readonly number[]): void {
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  process.stdout.write(`Discord: ${times.length} requests in ${seconds.toFixed(1)} s\n`);
}

function expectOnceEach({ destinations, discord }: Crowd): void {
  const times = destinations.map(
    (channel) => discord.messages(channel).filter((each) => textOf(each).includes("NEWS 1-for-20")).length,
  );
  expect(times.filter((each) => each !== 1)).toEqual([]);
  expect(destinations.flatMap((channel) => discord.messages(channel))).toHaveLength(destinations.length);
  expect(discord.violations).toEqual([]);
}

describe("one split with 200 subscribed channels and 200 watchers", () => {
  it("reaches each of them once without a rejection", async () => {
    const on = await crowd();
    const before = on.discord.requests.length;
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered(30_000);

    expectOnceEach(on);
    const sent = on.discord.requests.slice(before);
    const times = sent.filter(isPosting).map(({ at }) => at);
    printRate(times);
    expect(on.discord.invalid).toEqual([]);
    expect(times).toHaveLength(CHANNELS + PEOPLE);
    expect(sent.filter(isOpening)).toEqual([]);
  }, 90_000);

  it("reaches each of them once without a rejection if direct messages must be opened first", async () => {
    const on = await crowd({ isOpened: false });
    const [before, refused] = [on.discord.requests.length, on.discord.invalid.length];
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered(30_000);

    expectOnceEach(on);
    const times = on.discord.requests
      .slice(before)
      .filter((request) => isPosting(request) || isOpening(request))
      .map(({ at }) => at);
    expect(times).toHaveLength(CHANNELS + 2 * PEOPLE);
    printRate(times);
    expect(on.discord.invalid).toHaveLength(refused);
  }, 90_000);

  it("reaches each of them once despite a 20 second outage and a broken gateway connection", async () => {
    const on = await crowd();
    const before = on.discord.requests.length;
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("some are out", () => on.discord.requests.slice(before).filter(isPosting).length > 60);
    const end = on.discord.faults.add(faults.status(503));
    const outage = { requests: on.discord.requests.length, start: performance.now() };
    on.discord.gateway.drop();
    await pause(20_000);
    const perSecond = ((on.discord.requests.length - outage.requests) * 1_000) / (performance.now() - outage.start);
    end();
    await on.app.delivered(90_000);

    expectOnceEach(on);
    expect(on.discord.invalid).toEqual([]);
    // The attempts during the outage keep the limit.
    expect(perSecond).toBeLessThan(PER_SECOND);
    await waitUntil("the gateway is back", () => on.discord.gateway.connected === 1, 30_000);
  }, 180_000);
});
