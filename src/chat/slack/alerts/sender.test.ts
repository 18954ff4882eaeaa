import { expect, it } from "vitest";
import type { Slack } from "../../../../test/platforms/slack/server/server.ts";
import { anAttempt } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { RunningClock } from "../../../../test/support/running-clock.ts";
import { startSlackPlatform } from "../../../../test/support/slack-platform-under-test.ts";
import type { Attempt } from "../../../domain/alert/delivery.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import { HOUR_MS } from "../../../domain/time/day.ts";
import { card } from "../../../messages/message.ts";
import { StoreError } from "../../../ports/store.ts";
import { CallError } from "../web-api.ts";
import { channelDestination, type Workspaces } from "../workspace.ts";
import { renderMessage } from "./render.ts";
import { createSender } from "./sender.ts";

/** A message to the destination. */
function attemptTo(to: Destination, createdAt?: number): Attempt {
  const messageId = "m-0123456789-abcdefghijkl";
  const { body } = renderMessage({
    messageId,
    to,
    cards: [card({ title: "ACME 1-for-20" })],
    events: [],
    mentions: [],
  });
  return anAttempt({ messageId, to, body, ...(createdAt !== undefined && { createdAt }) });
}

/** A message to a channel of the workspace. */
function attemptIn(slack: Slack, createdAt = Date.now()): Attempt {
  return attemptTo(channelDestination(slack.workspace.team.id, slack.channel("general").id), createdAt);
}

it.each([
  ["was ahead when it was created", HOUR_MS, 0],
  ["is ahead since before it was created", 2 * HOUR_MS, 2 * HOUR_MS],
])("finds a message if the system clock %s", async (_, createdAheadMs, nowAheadMs) => {
  const clock = new RunningClock({ start: new Date().toISOString() });
  const { platform, slack } = await startSlackPlatform({ clock });
  const attempt = attemptIn(slack, clock.now() + createdAheadMs);
  const ref = await platform.send(attempt);
  clock.jump(nowAheadMs);
  expect(await platform.find(attempt)).toEqual(ref);
});

it("posts nothing while another process may have taken over, and can read", async () => {
  const { platform, slack, fence } = await startSlackPlatform();
  const attempt = attemptIn(slack);
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
  const attempt = attemptIn(slack);
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
    const sending = createSender(workspaces, new ManualClock()).send(attemptTo(to));
    await expect(sending).rejects.toMatchObject({ failure: "retry", message: expect.stringContaining("database") });
  },
);
