import { describeStore } from "../../../../test/contract/store-contract.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import type { SharedTime } from "../../shared-time.ts";
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
    const open = async (): Promise<Store> => await openPostgresStore(options);
    let store = await open();
    return {
      address,
      store,
      clock,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      dispose: () => store.close(),
    };
  },
  async ({ clock, address }) => await openPostgresStore({ address, clock, log: SILENT_LOG, sharedTime: timeOf(clock) }),
);
