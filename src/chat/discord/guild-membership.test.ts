import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/app.ts";
import { aRule } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { openIn } from "../../../test/support/store-folder.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { type Store, StoreError } from "../../ports/store.ts";
import { channelOf } from "./destinations.ts";
import { createGuildMembership, type GuildMembership, LEFT_REASON } from "./guild-membership.ts";

const OTHER_SERVERS = 40;
const [SERVER, FORBIDDEN, LEFT] = ["1000", "2000", "3000"] as const;

/** Counts the calls of rules and pauses. */
function counting(store: Store, calls: string[]): Pick<Store, "rules" | "pauses"> {
  const counted = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        calls.push(String(name));
        return (Reflect.get(target, name) as () => unknown).bind(target);
      },
    });
  return { rules: counted(store.rules), pauses: counted(store.pauses) };
}

interface Opened {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly stopping: AbortController;
}

async function openStore(): Promise<Opened> {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const store = await openIn(folder.path, { clock });
  const stopping = new AbortController();
  onTestFinished(async () => {
    stopping.abort();
    await store.close();
    await folder.remove();
  });
  return { store, clock, stopping };
}

it("reads and changes only the server of an event, and at the start only what is paused or left", async () => {
  const { store, clock, stopping } = await openStore();
  const others = Array.from({ length: OTHER_SERVERS }, (_, n) => String(5_000 + n));
  for (const server of [SERVER, FORBIDDEN, LEFT, ...others])
    await store.rules.add(aRule({ destination: channelOf(server, "1") }));
  await store.pauses.pause(channelOf(SERVER, "1"), LEFT_REASON, clock.now());
  await store.pauses.pause(channelOf(FORBIDDEN, "1"), "no permission", clock.now());

  const calls: string[] = [];
  const membership = createGuildMembership({
    store: counting(store, calls),
    clock,
    log: SILENT_LOG,
    wake: () => undefined,
    signal: stopping.signal,
    endRetries: stopping.signal,
  });
  async function callsOf(change: (to: GuildMembership) => void): Promise<readonly string[]> {
    calls.length = 0;
    change(membership);
    await membership.idle();
    return [...calls];
  }

  const reads = ["destinations", "on"];
  expect(await callsOf((to) => to.sync([SERVER, FORBIDDEN, ...others], [0, 1]))).toEqual([
    ...reads,
    "pause",
    "resume",
    "retry",
  ]);
  const pauses = await store.pauses.on("discord", "");
  expect(Object.fromEntries(pauses.map(({ to, reason, refusals }) => [to.id, { reason, refusals }]))).toEqual({
    "2000/1": { reason: "no permission", refusals: 0 },
    "3000/1": { reason: LEFT_REASON, refusals: 1 },
  });
  expect(await callsOf((to) => to.left(SERVER))).toEqual([...reads, "pause"]);
  expect(await callsOf((to) => to.joined(SERVER))).toEqual([...reads, "resume"]);
});

it("applies an invitation whose change the store couldn't save, and later changes after it", async () => {
  const { store, clock, stopping } = await openStore();
  for (const server of [SERVER, LEFT]) await store.rules.add(aRule({ destination: channelOf(server, "1") }));
  await store.pauses.pause(channelOf(SERVER, "1"), LEFT_REASON, clock.now());
  const wake = vi.fn<() => void>();
  const { signal } = stopping;
  const membership = createGuildMembership({ store, clock, log: SILENT_LOG, wake, signal, endRetries: signal });
  const destinations = vi.spyOn(store.rules, "destinations").mockRejectedValueOnce(new StoreError("the disk is full"));
  const resume = vi.spyOn(store.pauses, "resume").mockRejectedValueOnce(new StoreError("the disk is full"));
  membership.joined(SERVER);
  membership.left(LEFT);
  await expect.poll(() => clock.sleepers).toBe(1);
  expect(destinations).toHaveBeenCalledTimes(1);
  await clock.advance(500);
  await expect.poll(() => resume.mock.calls.length).toBe(1);
  await expect.poll(() => clock.sleepers).toBe(1);
  expect(wake).not.toHaveBeenCalled();
  await clock.advance(1_000);
  await membership.idle();
  expect(wake).toHaveBeenCalledTimes(1);
  const pauses = await store.pauses.on("discord", "");
  expect(pauses.map(({ to }) => to.id)).toEqual([`${LEFT}/1`]);
});

it("ends the retries of a change when they are aborted", async () => {
  const { store, clock, stopping } = await openStore();
  const { signal } = stopping;
  const log = { ...SILENT_LOG, error: vi.fn<(...given: unknown[]) => void>() };
  const membership = createGuildMembership({ store, clock, log, wake: () => undefined, signal, endRetries: signal });
  vi.spyOn(store.rules, "destinations").mockRejectedValue(new StoreError("the disk is full"));
  membership.joined(SERVER);
  await expect.poll(() => clock.sleepers).toBe(1);
  stopping.abort();
  await membership.idle();
  expect(log.error).toHaveBeenCalledWith("discord membership change failed", { error: expect.any(StoreError) });
});
