import { expect, it } from "vitest";
import { anAttempt } from "../../../../test/support/builders.ts";
import { startSlackPlatform } from "../../../../test/support/slack-platform-under-test.ts";
import { HOUR_MS } from "../../../domain/time/day.ts";
import { systemClock } from "../../../lib/clock.ts";
import { card } from "../../../messages/message.ts";
import { channelDestination } from "../workspace.ts";

it("finds a message that was created while the system clock was ahead", async () => {
  const { platform, slack } = await startSlackPlatform();
  const to = channelDestination(slack.workspace.team.id, slack.channel("general").id);
  const messageId = "m-0123456789-abcdefghijkl";
  const { body } = platform.render({ messageId, to, cards: [card({ title: "ACME 1-for-20" })], mentions: [] });
  const attempt = anAttempt({ messageId, to, body, createdAt: systemClock.now() + HOUR_MS });
  const ref = await platform.send(attempt);
  expect(await platform.find(attempt)).toEqual(ref);
});
