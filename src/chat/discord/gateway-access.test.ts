import { expect, it, vi } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { TokenState } from "../token-state.ts";
import { PLATFORM } from "./destinations.ts";
import { type ConnectionEnd, GatewayAccess } from "./gateway-access.ts";

it("begins no attempt after a stop, also if the stop ends the wait for a rejected token", async () => {
  const clock = new ManualClock();
  const tokenState = new TokenState(PLATFORM, { clock, log: SILENT_LOG });
  const access = new GatewayAccess({ tokenState, clock, log: SILENT_LOG });
  tokenState.reject("Discord rejects the token");
  const attempt = vi.fn<() => Promise<ConnectionEnd | null>>(() => new Promise(() => undefined));
  const stopping = new AbortController();
  const repeated = access.repeat(attempt, () => undefined, stopping.signal);
  await expect.poll(() => clock.sleepers).toBe(1);
  stopping.abort();
  await repeated;
  expect(attempt).not.toHaveBeenCalled();
});
