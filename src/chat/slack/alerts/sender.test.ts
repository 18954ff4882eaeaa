import { expect, it } from "vitest";
import { anAttempt } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { RunningClock } from "../../../../test/support/running-clock.ts";
import { startSlackPlatform } from "../../../../test/support/slack-platform-under-test.ts";
import { HOUR_MS } from "../../../domain/time/day.ts";
import { card } from "../../../messages/message.ts";
import { StoreError } from "../../../ports/store.ts";
import { CallError } from "../web-api.ts";
import { channelDestination, type Workspaces } from "../workspace.ts";
import { renderMessage } from "./render.ts";
import { createSender } from "./sender.ts";

it.each([
  ["was ahead when it was created", HOUR_MS, 0],
  ["is ahead since before it was created", 2 * HOUR_MS, 2 * HOUR_MS],
])("finds a message if the system clock %s", async (_, createdAheadMs, nowAheadMs) => {
  const clock = new RunningClock({ start: new Date().toISOString() });
  const { platform, slack } = await startSlackPlatform({ clock });
  const to = channelDestination(slack.workspace.team.id, slack.channel("general").id);
  const messageId = "m-0123456789-abcdefghijkl";
  const { body } = platform.render({
    messageId,
    to,
    cards: [card({ title: "ACME 1-for-20" })],
    events: [],
    mentions: [],
  });
  const attempt = anAttempt({ messageId, to, body, createdAt: clock.now() + createdAheadMs });
  const ref = await platform.send(attempt);
  clock.jump(nowAheadMs);
  expect(await platform.find(attempt)).toEqual(ref);
});

it("posts nothing while another process may have taken over, and can read", async () => {
  const { platform, slack, fence } = await startSlackPlatform();
  const channel = slack.channel("general");
  const to = channelDestination(slack.workspace.team.id, channel.id);
  const messageId = "m-0123456789-abcdefghijkl";
  const { body } = platform.render({
    messageId,
    to,
    cards: [card({ title: "ACME 1-for-20" })],
    events: [],
    mentions: [],
  });
  const attempt = anAttempt({ messageId, to, body, createdAt: Date.now() });
  fence.isOpen = false;

  await expect(platform.send(attempt)).rejects.toMatchObject({
    failure: "retry",
    message: expect.stringContaining("database"),
  });
  expect(slack.calls.filter(({ method }) => method === "chat.postMessage")).toEqual([]);
  expect(await platform.find(attempt)).toBe("not-found");
  fence.isOpen = true;
  expect(await platform.send(attempt)).toEqual(await platform.find(attempt));
});

it("sends without a connection for commands in a process that only sends", async () => {
  const { platform, slack } = await startSlackPlatform({ receives: false });
  const to = channelDestination(slack.workspace.team.id, slack.channel("general").id);
  const messageId = "m-0123456789-abcdefghijkl";
  const { body } = platform.render({
    messageId,
    to,
    cards: [card({ title: "ACME 1-for-20" })],
    events: [],
    mentions: [],
  });
  const attempt = anAttempt({ messageId, to, body, createdAt: Date.now() });
  expect(await platform.send(attempt)).toEqual(await platform.find(attempt));
  expect([platform.health(), platform.routes]).toEqual([{ ok: true }, null]);
  expect(slack.calls.filter(({ method }) => method === "apps.connections.open")).toEqual([]);
});

const fail = (): Promise<never> => Promise.reject(new StoreError("no connection"));

it.each(["forDelivery", "call", "handleRefusedToken"] as const)(
  "retries a message that was not sent because the store failed in %s",
  async (failing) => {
    const refusal = new CallError("chat.postMessage", { kind: "refused", code: "token_revoked", needed: null }, null);
    const call = failing === "call" ? fail : (): Promise<never> => Promise.reject(refusal);
    const connected = { workspace: { teamId: "T1", botName: "splitwatch", url: null }, api: { call } };
    const workspaces = {
      forDelivery: failing === "forDelivery" ? fail : async () => connected,
      handleRefusedToken: fail,
    } as unknown as Workspaces;
    const to = channelDestination("T1", "C1");
    const { body } = renderMessage({
      messageId: "m-1",
      to,
      cards: [card({ title: "ACME 1-for-20" })],
      events: [],
      mentions: [],
    });
    const sending = createSender(workspaces, new ManualClock()).send(anAttempt({ messageId: "m-1", to, body }));
    await expect(sending).rejects.toMatchObject({ failure: "retry", message: expect.stringContaining("database") });
  },
);
