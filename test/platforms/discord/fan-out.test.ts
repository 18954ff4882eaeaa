import { describe, expect, it } from "vitest";
import { CHANNELS, crowd, expectOnceEach, isOpening, isPosting, PEOPLE } from "./crowd.ts";

/** Prints the rate of these requests, which depends on the machine. `npm run bench -- sending` compares it with the limit. */
function printRate(times: readonly number[]): void {
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  process.stdout.write(`Discord: ${times.length} requests in ${seconds.toFixed(1)} s\n`);
}

describe("one split with 200 subscribed channels and 200 watchers", () => {
  it("reaches each of them once without a rejection", async () => {
    const on = await crowd();
    const before = on.discord.requests.length;
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();

    expectOnceEach(on);
    const sent = on.discord.requests.slice(before);
    const times = sent.filter(isPosting).map(({ at }) => at);
    printRate(times);
    expect(on.discord.invalid).toEqual([]);
    expect(times).toHaveLength(CHANNELS + PEOPLE);
    expect(sent.filter(isOpening)).toEqual([]);
  });

  it("reaches each of them once without a rejection if direct messages must be opened first", async () => {
    const on = await crowd({ isOpened: false });
    const [before, refused] = [on.discord.requests.length, on.discord.invalid.length];
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();

    expectOnceEach(on);
    const times = on.discord.requests
      .slice(before)
      .filter((request) => isPosting(request) || isOpening(request))
      .map(({ at }) => at);
    expect(times).toHaveLength(CHANNELS + 2 * PEOPLE);
    printRate(times);
    expect(on.discord.invalid).toHaveLength(refused);
  });
});
