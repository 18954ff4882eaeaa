import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { crowd, expectOnceEach, isPosting } from "./crowd.ts";
import { faults } from "./faults.ts";

const PER_SECOND = 50;

it("one split reaches 200 subscribed channels and 200 watchers once each despite a 20 second outage and a broken gateway connection", async () => {
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
});
