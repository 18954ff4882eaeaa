import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { channelAt } from "../workspace.ts";
import { createRateWatch } from "./rate-watch.ts";

const A = channelAt("T1", "CA");
const B = channelAt("T1", "CB");

describe("a rate limit", () => {
  it("is taken for the channel's, and for the workspace's once a second channel meets it too", () => {
    const clock = new ManualClock();
    const watch = createRateWatch(clock);
    expect(watch.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
    expect(watch.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
    clock.skip(9_000);
    expect(watch.limitKey(B, { retryAfterMs: 10_000 })).toBe("slack:T1");
    clock.skip(10_000);
    expect(watch.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
  });

  it("in one workspace says nothing of another", () => {
    const watch = createRateWatch(new ManualClock());
    watch.limitKey(A, { retryAfterMs: 10_000 });
    expect(watch.limitKey(channelAt("T2", "CA"), { retryAfterMs: 10_000 })).toBe("slack:T2/CA");
  });
});
