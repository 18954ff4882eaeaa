import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PageAnswers } from "../../src/chat/web/api.ts";
import {
  createWebPlatform,
  type Overview,
  type WebPlatform,
  type WebPlatformOptions,
} from "../../src/chat/web/platform.ts";
import type { Answer } from "../../src/commands/command.ts";
import { card } from "../../src/messages/message.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { configuredStore } from "../../src/store/index.ts";
import { day } from "./builders.ts";
import { ManualClock } from "./manual-clock.ts";
import { operatorViewOf } from "./operator-view.ts";

/** Web chat platform with a real store and without a socket. */
export interface WebPlatformUnderTest {
  readonly platform: WebPlatform;
  readonly store: Store;
  readonly clock: ManualClock;
  /** Sends a request like a browser at the loopback address. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

export const EMPTY_OVERVIEW: Overview = {
  version: "1.2.3",
  source: { name: "Test data", sample: false, note: null, state: "starting", readAt: null, problem: null },
  isSubscribed: false,
  today: day("2026-03-02"),
  closedDays: [],
  splits: [],
  deliveries: { waiting: 0, held: 0, problems: [] },
  sources: [],
};

/** Answers of a page without data. The operator view needs a store. */
export const EMPTY_ANSWERS: Omit<PageAnswers, "operator"> = {
  ask: async () => ({ cards: [], shareable: false }),
  share: async () => ({ cards: [], shareable: false }),
  complete: async () => [],
  isComplete: async () => true,
  overview: async () => EMPTY_OVERVIEW,
  splitView: async (ticker) => ({ ticker, company: "", isSample: false, sections: [], cards: [] }),
  releaseView: async () => null,
};

/** Starts the platform and stops it at the end of the test. Its commands answer with their line. */
export async function startWebPlatform(options: Partial<WebPlatformOptions> = {}): Promise<WebPlatformUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-web-"));
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: dir }).open({ clock, log: SILENT_LOG });
  const platform = createWebPlatform({
    ...EMPTY_ANSWERS,
    // The sources of the page, which need no bundler.
    assetsDir: new URL("../../src/chat/web/page/", import.meta.url),
    store,
    clock,
    log: SILENT_LOG,
    ask: answerTo,
    share: answerTo,
    complete: async (line) => [{ line: `${line}ist `, label: "list", hint: "The current splits" }],
    operator: operatorViewOf(store, clock),
    adminToken: null,
    publicUrl: null,
    ...options,
  });
  await platform.start();
  onTestFinished(async () => {
    await platform.stop();
    await store.close();
    await rm(dir, { recursive: true });
  });

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", "127.0.0.1:8080");
    return platform.app.request(`http://127.0.0.1:8080${path}`, { ...init, headers });
  }

  return {
    platform,
    store,
    clock,
    request,
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** The response's JSON, cast to the expected type. */
export async function jsonOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

async function answerTo(line: string): Promise<Answer> {
  return { cards: [card({ title: `Answer to ${line}` })], shareable: line !== "watchlist" };
}
