import { expect } from "vitest";
import { inPages } from "../../../src/lib/collections.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type AppOnDiscord, type DiscordStage, stage } from "./discord-app.ts";
import { faults } from "./faults.ts";
import { textOf } from "./model.ts";
import type { Recorded } from "./rest.ts";
import { traders } from "./traders.ts";
import type { Channel } from "./world.ts";

export const CHANNELS = 200;
export const PEOPLE = 200;

/** Simultaneous commands of the preparation. They and the stand-in use the same core, and each has three seconds. */
const SIMULTANEOUS_COMMANDS = 25;

const OPENING = /^\/users\/@me\/channels$/;
const REFUSED_OPENING = faults.refusal(403, 50_007, "Cannot send messages to this user");

interface Crowd extends DiscordStage {
  readonly app: AppOnDiscord;
  readonly destinations: readonly Channel[];
}

/** 200 channels with a rule each, and 200 people who watch NEWS. `isOpened`: whether their direct messages were opened. */
export async function crowd({ isOpened } = { isOpened: true }): Promise<Crowd> {
  const set = await stage();
  const { discord } = set;
  const { guild, ada } = traders(discord);
  const app = await set.start();
  const channels = Array.from({ length: CHANNELS }, (_, number) => discord.addChannel(guild, `alerts-${number}`));
  const people = Array.from({ length: PEOPLE }, (_, number) => discord.addUser(`person-${number}`, guild));
  for (const some of inPages(channels, SIMULTANEOUS_COMMANDS))
    await Promise.all(some.map((channel) => ada.slash("/splits subscribe", {}, channel)));
  const endRefusals = isOpened ? () => undefined : discord.faults.add(REFUSED_OPENING, { path: OPENING });
  for (const some of inPages(people, SIMULTANEOUS_COMMANDS))
    await Promise.all(some.map((person) => person.slash("/splits watch", { tickers: "NEWS" }, channels[0] ?? "dm")));
  await waitUntil("all were asked", () => discord.requests.filter(isOpening).length === PEOPLE, 20_000);
  endRefusals();
  return { ...set, app, destinations: [...channels, ...people.map(({ direct }) => direct)] };
}

export function isOpening({ path, status }: Recorded): boolean {
  return OPENING.test(path) && status !== null;
}

export function isPosting({ method, path }: Recorded): boolean {
  return method === "POST" && /^\/channels\/\d+\/messages$/.test(path);
}

/** Requires that each destination received the split once, and nothing else. */
export function expectOnceEach({ destinations, discord }: Crowd): void {
  const times = destinations.map(
    (channel) => discord.messages(channel).filter((each) => textOf(each).includes("NEWS 1-for-20")).length,
  );
  expect(times.filter((each) => each !== 1)).toEqual([]);
  expect(destinations.flatMap((channel) => discord.messages(channel))).toHaveLength(destinations.length);
  expect(discord.violations).toEqual([]);
}
