import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { channelDestination } from "../workspace.ts";
import { createLimitScope } from "./rate-limits.ts";

const A = channelDestination("T1", "CA");
const B = channelDestination("T1", "CB");

describe("a rate limit", () => {
  it("applies to the channel, and to the workspace once a second channel is limited", () => {
    const clock = new ManualClock();
    const limitScope = createLimitScope(clock);
    expect(limitScope.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
    expect(limitScope.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
    clock.skip(9_000);
    clock.jump(-3_600_000);
    expect(limitScope.limitKey(B, { retryAfterMs: 10_000 })).toBe("slack:T1");
    clock.skip(10_000);
    expect(limitScope.limitKey(A, { retryAfterMs: 10_000 })).toBe("slack:T1/CA");
  });

  it("in one workspace does not affect another", () => {
    const limitScope = createLimitScope(new ManualClock());
    limitScope.limitKey(A, { retryAfterMs: 10_000 });
    expect(limitScope.limitKey(channelDestination("T2", "CA"), { retryAfterMs: 10_000 })).toBe("slack:T2/CA");
  });
});
