import { describeStore } from "../../../../test/contract/store-contract.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import type { SharedTime } from "../../process-clock.ts";
import { openPostgresStore } from "./open.ts";

/** The processes of a test share the test's clock, and their time is not that of the database. */
function timeOf(clock: ManualClock): SharedTime {
  return { now: () => 1_000_000_000 + clock.monotonic() };
}

describeStore(
  "PostgreSQL",
  async () => {
    const address = addressOf(await freshDatabase());
    const clock = new ManualClock();
    const options = { address, clock, log: SILENT_LOG, sharedTime: timeOf(clock), roles: ["poll", "deliver"] };
    const open = async (configuredRules: readonly Rule[] = []): Promise<Store> =>
      await openPostgresStore({ ...options, configuredRules });
    let store = await open();
    return {
      address,
      store,
      clock,
      reopen: async (configuredRules) => {
        await store.close();
        store = await open(configuredRules);
        return store;
      },
      dispose: () => store.close(),
    };
  },
  async ({ clock, address }) => await openPostgresStore({ address, clock, log: SILENT_LOG, sharedTime: timeOf(clock) }),
);
