import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "../../test/support/recorded-log.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { SETTINGS_FILES } from "../../test/support/settings-files.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { PlatformDefinition } from "../chat/platform-definition.ts";
import { web } from "../chat/web/index.ts";
import { readConfig } from "../config/index.ts";
import type { Role } from "../config/roles.ts";
import type { PlatformHealth } from "../ports/chat-platform.ts";
import type { JobName, Jobs, Stoppable } from "../ports/jobs.ts";
import { createApp } from "./app.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Jobs of a store that other processes use too: the test decides which this process holds. */
class GrantedJobs implements Jobs {
  readonly #held = new Map<string, Stoppable>();
  readonly #starts = new Map<string, (name: string) => Promise<Stoppable>>();

  /** The requested jobs. */
  get requested(): readonly string[] {
    return [...this.#starts.keys()].toSorted();
  }

  lead(names: JobName, startPart: (name: string) => Promise<Stoppable>): () => Promise<void> {
    const name = typeof names === "string" ? names : names[0];
    this.#starts.set(name, startPart);
    return async () => {
      this.#starts.delete(name);
      await this.revoke(name);
    };
  }

  async grant(name: string): Promise<void> {
    const part = await this.#starts.get(name)?.(name);
    if (part) this.#held.set(name, part);
  }

  async revoke(name: string): Promise<void> {
    const part = this.#held.get(name);
    this.#held.delete(name);
    await part?.stop();
  }
}

interface Started {
  readonly jobs: GrantedJobs;
  readonly log: RecordedLog;
  readonly chat: { starts: number; receives: boolean | null };
  /** Texts of the answer to `status` on the page. */
  readonly statusAnswer: () => Promise<string>;
  readonly status: (path: string) => Promise<number>;
  /** Names of the checks of /readyz. */
  readonly checks: () => Promise<readonly string[]>;
}

/** Starts the app with these roles, on the sample data and with a chat platform outside the process. */
async function start(...roles: readonly Role[]): Promise<Started> {
  const folder = await temporaryFolder();
  closers.push(() => folder.remove());
  const chat: Started["chat"] = { starts: 0, receives: null };
  class Chat extends ScriptedPlatform {
    override health = (): PlatformHealth => (chat.starts > 0 ? { ok: true } : { ok: false, reason: "not connected" });
    override start = async (): Promise<void> => {
      chat.starts += 1;
    };
  }
  const definition: PlatformDefinition = {
    name: "chat",
    label: "Chat",
    isExternal: true,
    variables: [],
    section: null,
    startupHint: null,
    readSettings: () => ({}),
    async connect(_, { receives }) {
      chat.receives = receives;
      return { platform: new Chat("chat"), routes: null };
    },
    check: async () => [],
  };
  const base = readConfig({
    env: { DATA_DIR: folder.path, PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample },
    folder: folder.path,
    isTerminal: false,
  });
  const jobs = new GrantedJobs();
  const store: typeof base.store = {
    ...base.store,
    open: async (options) => ({ ...(await base.store.open(options)), jobs }),
  };
  const platforms = [web, definition].map((one) => ({ definition: one, settings: {} }));
  const log = recordedLog();
  const config = { ...base, store, roles, platforms };
  const app = createApp(config, {
    clock: new ManualClock(),
    log,
    scheduler: new ManualScheduler(),
    mode: "everything",
  });
  closers.push(() => app.stop());
  const { address } = await app.start();
  return {
    jobs,
    log,
    chat,
    status: async (path) => (await fetch(address + path)).status,
    async statusAnswer() {
      const body = JSON.stringify({ name: "alice", channel: "general", line: "status" });
      const headers = { "content-type": "application/json" };
      return (await fetch(`${address}/api/command`, { method: "POST", headers, body })).text();
    },
    async checks() {
      const readiness = (await (await fetch(`${address}/readyz`)).json()) as { readonly checks: object };
      return Object.keys(readiness.checks);
    },
  };
}

it("polls while it holds the job, stops when it loses it, and polls again when it has it back", async () => {
  const { jobs, log } = await start("poll", "deliver", "chat", "web", "service");
  expect([jobs.requested, log.count("poll completed")]).toEqual([["poll"], 0]);
  await jobs.grant("poll");
  await waitUntil("both lists are polled", () => log.count("poll completed") === 2);
  await jobs.revoke("poll");
  await jobs.grant("poll");
  await waitUntil("both lists are polled again", () => log.count("poll completed") === 4);
});

it("serves only the data service with that role, and is ready without polls", async () => {
  const { chat, jobs, status, checks } = await start("service");
  expect(await Promise.all(["/v1/openapi.json", "/", "/calendar/all.ics", "/healthz"].map(status))).toEqual([
    200, 404, 404, 200,
  ]);
  expect([chat.starts, jobs.requested, await checks()]).toEqual([0, [], ["store", "source"]]);
});

it("sends on all platforms without receiving commands, with the role of deliveries only", async () => {
  const { chat, jobs, status, checks } = await start("deliver");
  expect(await Promise.all(["/v1/openapi.json", "/", "/calendar/all.ics"].map(status))).toEqual([404, 404, 404]);
  expect([chat, jobs.requested]).toEqual([{ starts: 1, receives: false }, []]);
  expect(await checks()).toEqual(["store", "source", "splits", "articles", "web", "chat"]);
});

it("serves the page and calendars with the role of the page only", async () => {
  const { chat, status, checks, statusAnswer } = await start("web");
  expect(await Promise.all(["/v1/openapi.json", "/", "/calendar/all.ics"].map(status))).toEqual([404, 200, 200]);
  expect([chat.starts, chat.receives, await checks()]).toEqual([
    0,
    false,
    ["store", "source", "splits", "articles", "web"],
  ]);
  const answer = await statusAnswer();
  expect(answer).toContain("cards");
  expect(answer).not.toContain("not connected");
});

it("polls its own data service without the role of the service, which then accepts no other key", async () => {
  const { jobs, log, status, chat } = await start("poll");
  await jobs.grant("poll");
  await waitUntil("both lists are polled", () => log.count("poll completed") === 2);
  expect(await status("/v1/splits?apiKey=sw_unknown")).toBe(401);
  expect(chat.starts).toBe(0);
});
