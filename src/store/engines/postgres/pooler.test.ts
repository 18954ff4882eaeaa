import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { startTcpProxy } from "../../../../test/support/tcp-proxy.ts";
import { type PoolOrder, startTransactionPooler } from "../../../../test/support/transaction-pooler.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { StoreSettingError } from "../../../ports/store.ts";
import { checkDatabase } from "./check.ts";
import { migrateDatabase, openPostgresStore } from "./open.ts";
import type { DatabaseAddress } from "./settings.ts";

/** Address of the same database at another port of this machine. */
function atPort(url: string, port: number): DatabaseAddress {
  return addressOf(Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href);
}

async function pooledAddress(order: PoolOrder): Promise<DatabaseAddress> {
  const url = await freshDatabase();
  const pooler = await startTransactionPooler(Number(new URL(url).port), order);
  onTestFinished(() => pooler.close());
  return atPort(url, pooler.port);
}

const open = (address: DatabaseAddress): Promise<unknown> =>
  openPostgresStore({ address, clock: new ManualClock(), log: SILENT_LOG });

it.each<PoolOrder>(["last used", "longest idle"])(
  "refuses a pooler in transaction mode that reuses the connection %s, at the start and in doctor",
  async (order) => {
    const address = await pooledAddress(order);
    const problem = `DATABASE_URL: the pooler at ${address.server} pools by transaction; set it to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly`;
    await expect(open(address)).rejects.toThrow(new StoreSettingError(problem));
    await expect(migrateDatabase(address)).rejects.toThrow(problem);
    expect((await checkDatabase(address))[0]).toEqual({ status: "fail", text: problem });
  },
);

it("accepts a proxy that keeps a connection of the server for each of its own", async () => {
  const url = await freshDatabase();
  const proxy = await startTcpProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const store = await openPostgresStore({
    address: atPort(url, proxy.port),
    clock: new ManualClock(),
    log: SILENT_LOG,
  });
  expect(store.health()).toBeNull();
  await store.close();
});
