import { afterEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/time/day.ts";
import { StoreError } from "../../../src/ports/store.ts";
import { SqlPauses } from "../../../src/store/collections/pauses.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import { inviteApp, unarchive } from "./server/events.ts";
import type { SlackTeam } from "./server/team.ts";
import type { SlackChannel } from "./server/workspace.ts";
import { notificationText } from "./users/message-text.ts";
import type { Via } from "./users/user.ts";

let bench: SlackBench;

afterEach(() => bench.close());

const NEWS = aSplitRow({ ticker: "NEWS" });
const VIA = ["socket", "http"] as const;

/** Opens a channel with the default rule. */
async function open(kind: SlackChannel["kind"], start: BenchOptions = {}): Promise<SlackChannel> {
  bench = await SlackBench.open({
    now: MONDAY,
    splits: [ACME, BRAVO],
    slack: { channels: ["desk", "other"] },
    ...start,
  });
  const { slack, via } = bench;
  for (const name of ["desk", "other"]) await slack.user("ada").slash("subscribe", { channel: name, via });
  return Object.assign(slack.channel("desk"), { kind });
}

/** Lists a split; resolves when the channel is paused and the other one has the alert. */
async function listNews(): Promise<void> {
  bench.upstream.splits = [ACME, BRAVO, NEWS];
  await bench.run("poll-splits");
  await bench.until("the channel is paused", () => bench.log.count("destination paused") === 1);
  await bench.until("the other channel has its alert", () => bench.slack.messages("other").length === 1);
}

function alerts(): readonly string[] {
  return bench.slack.messages("desk").map((message) => notificationText(message).slice(0, 4));
}

function tries(channel: SlackChannel): number {
  return bench.slack.calls.filter(({ method, args }) => method === "chat.postMessage" && args.channel === channel.id)
    .length;
}

function leave(channel: SlackChannel): void {
  channel.botIsMember = false;
}

function archive(channel: SlackChannel): void {
  channel.archived = true;
}

const sendJoin = (channel: SlackChannel, team: SlackTeam = bench.slack): Promise<void> =>
  bench.slack.sendEvent(team, inviteApp(team.workspace, channel), { via: bench.via });
const sendUnarchive = (channel: SlackChannel): Promise<void> =>
  bench.slack.sendEvent(bench.slack, unarchive(channel), { via: bench.via });

describe.each(VIA)("with the optional scopes, over %s", (via: Via) => {
  it.each([
    ["a private channel that invites splitwatch again", "private", leave, sendJoin],
    ["a private channel that is unarchived", "private", archive, sendUnarchive],
    ["a public channel that is unarchived", "public", archive, sendUnarchive],
  ] as const)("%s gets its waiting alert immediately", async (_, kind, end, sendReturn) => {
    const channel = await open(kind, { via });
    end(channel);
    await listNews();
    await sendReturn(channel);
    await bench.allDelivered();
    expect(alerts()).toEqual(["NEWS"]);
    expect(tries(channel)).toBe(2);
  });

  it("a channel whose return the store couldn't save gets its waiting alert when it can", async () => {
    const channel = await open("public", { via });
    archive(channel);
    await listNews();
    const resume = vi.spyOn(SqlPauses.prototype, "resume").mockRejectedValueOnce(new StoreError("the disk is full"));
    await sendUnarchive(channel);
    await bench.allDelivered();
    expect(alerts()).toEqual(["NEWS"]);
    expect(resume).toHaveBeenCalledTimes(2);
    resume.mockRestore();
  });

  it("another member who joins a channel starts no try", async () => {
    const channel = await open("public", { via });
    archive(channel);
    await listNews();
    const join = { ...inviteApp(bench.slack.workspace, channel), user: bench.slack.user("bob").id };
    await bench.slack.sendEvent(bench.slack, join, { via });
    await bench.stop();
    expect(tries(channel)).toBe(1);
  });
});

describe.each(VIA)("without the optional scopes, over %s", (via: Via) => {
  it("a channel that comes back gets its waiting alert within five minutes", async () => {
    const channel = await open("private", { via });
    for (const scope of ["channels:read", "groups:read"]) bench.slack.scopes.delete(scope);
    leave(channel);
    await listNews();
    await sendJoin(channel);
    await bench.stop();
    expect(tries(channel)).toBe(1);
    await bench.start();
    bench.clock.skip(5 * MINUTE_MS);
    await bench.allDelivered();
    expect(alerts()).toEqual(["NEWS"]);
  });
});

it("a channel that Slack refuses is tried every five minutes for a day, then after an hour and longer", async () => {
  const channel = await open("private");
  leave(channel);
  await listNews();
  /** Lets the time pass; resolves when the refusals are saved. */
  const pass = async (ms: number, refusals: number): Promise<void> => {
    bench.clock.skip(ms);
    await bench.run("poll-splits");
    await bench.until("it was refused again", () => bench.log.count("destination still paused") === refusals);
  };
  for (let refusals = 1; refusals <= 12; refusals += 1) await pass(5 * MINUTE_MS, refusals);
  await pass(23 * HOUR_MS, 13);
  bench.clock.skip(HOUR_MS - MINUTE_MS);
  bench.upstream.splits = [ACME, BRAVO, NEWS, aSplitRow({ ticker: "MORE" })];
  await bench.run("poll-splits");
  await bench.until("the other channel has its alert", () => bench.slack.messages("other").length === 2);
  expect(tries(channel)).toBe(14);
  await pass(MINUTE_MS, 14);
});
