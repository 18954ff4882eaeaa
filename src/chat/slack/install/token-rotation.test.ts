import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { openIn, StoreFolders } from "../../../../test/support/store-folder.ts";
import type { OAuthAccess } from "./oauth-access.ts";
import { createRegistry, createVault } from "./registry.ts";
import { RotatingTokens } from "./token-rotation.ts";

const TEAM = "T012345";

it("renews an expired token once, although two processes need it at the same moment", async () => {
  const clock = new ManualClock("2026-03-02T14:00:00Z");
  const folders = new StoreFolders();
  const store = await openIn(await folders.make(), { clock });
  onTestFinished(async () => {
    await store.close();
    await folders.removeAll();
  });
  const { installations, jobs } = store;
  const registry = createRegistry(installations, createVault("a key of sixteen characters"), clock);
  const expired = { refreshToken: "refresh-0", renewAt: clock.now() - 2, endsAt: clock.now() - 1 };
  await registry.install(TEAM, { botToken: "token-0", rotation: expired, botName: "splitwatch", url: null });
  const used: string[] = [];
  const access: OAuthAccess = {
    redeem: () => Promise.reject(new Error("no code is redeemed here")),
    renew: async (refreshToken) => {
      used.push(refreshToken);
      const rotation = {
        refreshToken: `refresh-${used.length}`,
        renewAt: clock.now() + 1_000,
        endsAt: clock.now() + 2_000,
      };
      return { botToken: `token-${used.length}`, rotation, team: { id: TEAM, name: "Traders" }, isOrgWide: false };
    },
  };
  const tokensOf = (): RotatingTokens =>
    new RotatingTokens({ registry, access, jobs, clock, stopping: new AbortController().signal, log: recordedLog() });
  const processes = [tokensOf(), tokensOf(), tokensOf()];
  const tokens = await Promise.all(processes.map((process) => process.current(TEAM)));
  expect(tokens).toEqual(["token-1", "token-1", "token-1"]);
  expect(used).toEqual(["refresh-0"]);
});
