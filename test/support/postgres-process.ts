import { onTestFinished } from "vitest";
import { BEAT_MS, type DatabaseMembership } from "../../src/store/engines/postgres/membership.ts";
import { openPostgresStore, type PostgresStore } from "../../src/store/engines/postgres/open.ts";
import { ManualClock } from "./manual-clock.ts";
import { addressOf } from "./postgres.ts";
import { type RecordedLog, recordedLog } from "./recorded-log.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/** A process that uses a database. Its clock and its heart stand still unless the test moves them, as those of a frozen process do. */
export interface PostgresProcess {
  readonly store: PostgresStore;
  readonly membership: DatabaseMembership;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
}

export async function openProcess(url: string, clock = new ManualClock()): Promise<PostgresProcess> {
  const log = recordedLog();
  const store = await openPostgresStore({ address: addressOf(url), clock, log });
  onTestFinished(() => store.close());
  return { store, membership: store.membership, clock, log };
}

/** Opens a process whose connections the proxy can observe and interrupt. */
export async function openBehindProxy(url: string): Promise<PostgresProcess & { readonly proxy: TcpProxy }> {
  const address = new URL(url);
  const proxy = await startTcpProxy(Number(address.port));
  onTestFinished(() => proxy.close());
  address.port = String(proxy.port);
  return { ...(await openProcess(address.href)), proxy };
}

/** Lets time pass in the given processes, with their heartbeats. */
export async function live(ms: number, ...processes: readonly PostgresProcess[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += BEAT_MS) {
    for (const { clock } of processes) clock.skip(BEAT_MS);
    for (const { membership } of processes) await membership.beat();
  }
}
