import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backup } from "../../src/cli/backup/backup.ts";
import { restore } from "../../src/cli/backup/restore.ts";
import type { Person } from "../../src/domain/alert/destination.ts";
import type { RunningApp } from "../support/app.ts";
import {
  alertTitles,
  anEstablishedUpstream,
  ESTABLISHED,
  type EstablishedUpstream,
} from "../support/established-upstream.ts";
import { anInvocation } from "../support/recorded-invocation.ts";
import { openIn } from "../support/store-folder.ts";
import { aSplitRow } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

const HELD = aSplitRow({ ticker: "HELD", company: "Held Inc.", ratio: "1:30", ex_date: "2026-03-27" });
const LATE = aSplitRow({ ticker: "LATE", company: "Late Inc.", ratio: "1:40", ex_date: "2026-03-27" });
const HELD_ALERT = expect.stringMatching(/^HELD 1-for-30 reverse split/);
const LATE_ALERT = expect.stringMatching(/^LATE 1-for-40 reverse split/);

let established: EstablishedUpstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
});

afterEach(() => established.end());

/** Restores the app's state into another folder. */
async function movedState(): Promise<string> {
  const folder = dirname(established.dataDir);
  const [from, to] = [established.dataDir, join(folder, "restored")];
  expect(await backup("backup.jsonl", anInvocation(folder, { DATA_DIR: from }))).toBe(0);
  expect(await restore("backup.jsonl", anInvocation(folder, { DATA_DIR: to }))).toBe(0);
  return to;
}

async function show(app: RunningApp, ...rows: readonly unknown[]): Promise<void> {
  established.upstream.splits = [...ESTABLISHED, ...rows];
  await app.poll();
}

it("sends waiting and new alerts once after a restore, and nothing else", async () => {
  const before = await established.startFollowing();
  await before.run("alice", "mute for:2h scope:channel", { channel: "general" });
  before.held = 1;
  await show(before, HELD);
  const dataDir = await movedState();
  await established.stop(before);

  const after = await established.start({ dataDir, held: 1 });
  expect((await alertTitles(after)).channel).toEqual([]);
  after.held = 2;
  await show(after, HELD, LATE);
  after.held = 0;
  await after.run("alice", "unmute scope:channel", { channel: "general" });
  await waitUntil("none waits", async () => (await after.metric("splitwatch_outbox_pending")) === 0);
  await after.poll(2);
  expect((await alertTitles(after)).channel.toSorted()).toEqual([HELD_ALERT, LATE_ALERT]);
});

it("uses the default time zone for one that this runtime doesn't know", async () => {
  const person: Person = { platform: "web", kind: "person", id: "alice" };
  const store = await openIn(established.dataDir);
  await store.destinationSettings.change(person, { timezone: "Mars/Olympus_Mons", digest: true });
  await store.close();

  const app = await established.startFollowing();
  await app.tick("remind");
  expect(JSON.stringify(await app.run("alice", "settings"))).toContain("America/New_York (the default)");
  expect((await app.get("/api/overview")).status).toBe(200);
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
