import { afterEach, beforeEach, expect, it } from "vitest";
import { type App, createApp } from "../../src/app/app.ts";
import { type Config, readConfig } from "../../src/config/index.ts";
import { ROLES, type Role } from "../../src/config/roles.ts";
import { addKey } from "../../src/data-service/server/api-keys.ts";
import { createListeners } from "../../src/lib/listeners.ts";
import type { OperatorOverview } from "../../src/messages/operator-view.ts";
import type { Store } from "../../src/ports/store.ts";
import { temporaryFolder, titlesOf, type WebMessage } from "../support/app.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { ManualScheduler } from "../support/manual-scheduler.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type RecordedLog, recordedLog } from "../support/recorded-log.ts";
import { waitForStory } from "../support/sample-story.ts";
import { SETTINGS_FILES } from "../support/settings-files.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Processes with divided work, simulated by apps on one open store, which notifies them of work as a shared store does. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let config: Config;
let store: Store;
let work: ReturnType<typeof createListeners>;
let apps: App[];

interface Process {
  readonly address: string;
  readonly log: RecordedLog;
  readonly app: App;
}

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  config = readConfig({
    env: { DATA_DIR: folder.path, PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample },
    folder: folder.path,
    isTerminal: false,
  });
  store = await config.store.open({ clock, log: recordedLog() });
  work = createListeners();
  apps = [];
});

afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  await store.close();
  await folder.remove();
});

/** The store as one process has it: closing it leaves it open for the others. */
function storeOfProcess(): Store {
  const claims = new Proxy(store.claims, {
    get: (real, name) => (name === "onWork" ? work.add : Reflect.get(real, name).bind(real)),
  });
  const snapshot: Store["snapshot"] = {
    read: () => store.snapshot.read(),
    async commit(change) {
      await store.snapshot.commit(change);
      work.notify();
    },
  };
  return { ...store, claims, snapshot, close: async () => undefined };
}

function start(...roles: readonly Role[]): Promise<Process> {
  return startWith({ ...config, store: { ...config.store, open: async () => storeOfProcess() }, roles });
}

async function startWith(own: Config): Promise<Process> {
  const log = recordedLog();
  const scheduler = new ManualScheduler();
  const app = createApp(own, { clock, log, scheduler, mode: "everything" });
  apps.push(app);
  const { address } = await app.start();
  return { address, log, app };
}

async function post(address: string, line: string): Promise<void> {
  const body = JSON.stringify({ name: "alice", channel: "general", line });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/api/command`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
}

async function textOf(address: string, path: string): Promise<string> {
  return (await fetch(address + path)).text();
}

async function waitForAnnouncements(count: number, { address }: Process): Promise<void> {
  await waitUntil(`${count} announcements are on the page`, async () => {
    await clock.advance(1_000);
    const { messages } = JSON.parse(await textOf(address, "/api/messages?channel=general")) as {
      readonly messages: readonly WebMessage[];
    };
    return (
      titlesOf(messages).filter((title) => title.startsWith("KSTVJ 1-for-40 reverse split, ex date")).length === count
    );
  });
}

it("alerts what one process polls on the page of another, which delivers it", async () => {
  const poller = await start("poll");
  const page = await start("deliver", "web");
  await waitUntil("both lists are polled", () => poller.log.count("poll completed") >= 2);
  await post(page.address, "subscribe");
  await waitForStory(clock, [poller.log]);
  await waitForAnnouncements(1, page);
  expect([page.log.count("poll completed"), poller.log.count("delivery completed")]).toEqual([0, 0]);
  const readiness = await Promise.all(
    [poller, page].map(async ({ address }) => (await fetch(`${address}/readyz`)).status),
  );
  expect(readiness).toEqual([200, 200]);
});

it("polls in one of two equal processes, and in the other one after the first has stopped", async () => {
  const key = await addKey(await config.store.apiKeys(), "tester");
  const first = await start(...ROLES);
  const second = await start(...ROLES);
  await waitUntil("both lists are polled", () => first.log.count("poll completed") >= 2);
  expect(second.log.count("poll completed")).toBe(0);
  const answers = await Promise.all(
    [first, second].map(async ({ address }) => {
      const splits = await fetch(`${address}/v1/splits?apiKey=${key}`);
      return [splits.status, splits.headers.get("etag"), await splits.text(), await textOf(address, "/api/overview")];
    }),
  );
  expect(answers[0]?.[0]).toBe(200);
  expect(answers[1]).toEqual(answers[0]);

  await first.app.stop();
  await waitUntil("the second process polls", () => second.log.count("poll completed") >= 2);
  expect(second.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

it("starts the sample's story in all processes, also again, and continues it in another process", async () => {
  const processes = [await start(...ROLES), await start(...ROLES)] as const;
  const logs = processes.map(({ log }) => log);
  const [first, second] = processes;
  await waitUntil("both lists are polled", () => first.log.count("poll completed") >= 2);
  await post(second.address, "subscribe");
  await waitForStory(clock, logs);
  await waitForAnnouncements(1, second);

  await post(second.address, "test kind:story");
  const poller = await waitForStory(clock, logs, 2);
  await waitForAnnouncements(2, first);
  const [id, ...otherIds] = new Set(logs.map(lastStory));
  expect([(await store.snapshot.read()).source, otherIds]).toEqual([id, []]);

  const [polling, other] = poller === 0 ? processes : [second, first];
  const polls = other.log.count("poll completed");
  await polling.app.stop();
  await waitUntil("the other process polls", () => other.log.count("poll completed") >= polls + 2);
  await waitForAnnouncements(2, other);
  expect((await store.snapshot.read()).source).toBe(id);
});

/** The sample that the process serves since its story started last. */
function lastStory({ lines }: RecordedLog): unknown {
  return lines.findLast(({ event }) => event === "sample story started")?.fields.id;
}

it("shows the operator the roles of all processes, and the roles that none has", async () => {
  const env = { DATABASE_URL: await freshDatabase(), PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample };
  const shared = readConfig({ env, folder: folder.path, isTerminal: false });
  const page = await startWith({ ...shared, roles: ["poll", "web"] });
  const overview = async (): Promise<readonly unknown[]> => {
    const { processes, missingRoles } = JSON.parse(
      await textOf(page.address, "/api/operator/overview"),
    ) as OperatorOverview;
    return [processes.map(({ isThis, roles }) => [isThis, roles]), missingRoles];
  };
  expect(await overview()).toEqual([
    [[true, ["poll", "web"]]],
    ["No running process has the role deliver: alerts wait until one starts."],
  ]);
  await startWith({ ...shared, roles: ["deliver"] });
  expect(await overview()).toEqual([
    [
      [true, ["poll", "web"]],
      [false, ["deliver"]],
    ],
    [],
  ]);
});
