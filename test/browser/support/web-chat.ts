import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createWebPlatform,
  type Overview,
  type WebPlatform,
  type WebPlatformOptions,
} from "../../../src/chat/web/platform.ts";
import type { Destination } from "../../../src/domain/alert/destination.ts";
import type { Rule } from "../../../src/domain/settings/rule.ts";
import { type HttpServer, listen } from "../../../src/http/server.ts";
import type { Card } from "../../../src/messages/message.ts";
import type { ReleaseView } from "../../../src/messages/release-view.ts";
import type { SplitView } from "../../../src/messages/split-view.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { SILENT_LOG } from "../../../src/ports/log.ts";
import type { Store } from "../../../src/ports/store.ts";
import { configuredStore } from "../../../src/store/index.ts";
import { anAttempt, day } from "../../support/builders.ts";
import { type OperatorParts, operatorViewOf } from "../../support/operator-view.ts";
import { createFakeCommands, type FakeCommands } from "./fake-commands.ts";

/** Web chat on a real port with a real store. */
export interface WebChat {
  readonly address: string;
  readonly platform: WebPlatform;
  readonly store: Store;
  readonly commands: FakeCommands;
  /** Content of the side panel. */
  overview: Overview;
  /** Views of splits by ticker. */
  splits: Readonly<Record<string, SplitView>>;
  /** Views of releases by address. */
  releases: Readonly<Record<string, ReleaseView>>;
  /** Delivers cards as the pipeline does. */
  deliver(
    destination: Destination,
    cards: readonly Card[],
    parts?: { mentions?: readonly string[]; replyTo?: string },
  ): Promise<string>;
  /** Stops the server and closes its connections; `back` restarts it on the same port. */
  disconnect(): Promise<{ back(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface WebChatOptions {
  readonly assetsDir: URL;
  readonly commands?: FakeCommands;
  readonly overview?: Overview;
  readonly splits?: WebChat["splits"];
  readonly releases?: WebChat["releases"];
  readonly adminToken?: string;
  readonly configuredRules?: readonly Rule[];
  /** Parts of what the operator view shows. */
  readonly operator?: OperatorParts;
}

/** Real time, like the browser's. */
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

export const CALM: Overview = {
  version: "0.0.0-test",
  source: { name: "Test data", sample: false, note: null, state: "fresh", readAt: Date.now(), problem: null },
  isSubscribed: false,
  today: day("2026-03-06"),
  closedDays: [],
  splits: [],
  deliveries: { waiting: 0, held: 0, problems: [] },
  sources: [],
};

export async function startWebChat(options: WebChatOptions): Promise<WebChat> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-web-"));
  const { configuredRules = [] } = options;
  const store = await configuredStore({ dataDir: dir }).open({ clock, log: SILENT_LOG, configuredRules });
  const commands = options.commands ?? createFakeCommands();
  const platformOptions: WebPlatformOptions = {
    store,
    clock,
    log: SILENT_LOG,
    ask: (line, call) => commands.ask(line, call),
    share: (line, call) => commands.ask(line, call),
    complete: (line, call) => commands.complete(line, call),
    isComplete: (line) => commands.isComplete(line),
    overview: async () => chat.overview,
    operator: operatorViewOf(store, clock, options.operator),
    splitView: async (ticker) =>
      chat.splits[ticker] ?? { ticker, company: "", isSample: false, sections: [], cards: [] },
    releaseView: async (url) => chat.releases[url] ?? null,
    adminToken: options.adminToken ?? null,
    publicUrl: null,
    assetsDir: options.assetsDir,
  };
  const platform = createWebPlatform(platformOptions);
  await platform.start();
  let server = await serve(platform, 0);
  const { address } = server;

  const chat: WebChat = {
    address,
    platform,
    store,
    commands,
    overview: options.overview ?? CALM,
    splits: options.splits ?? {},
    releases: options.releases ?? {},
    async deliver(destination, cards, { mentions = [], replyTo } = {}) {
      const messageId = randomBytes(9).toString("base64url");
      const { body } = platform.render({ messageId, to: destination, cards, events: [], mentions });
      const answered = replyTo === undefined ? null : { id: replyTo, link: null };
      await platform.send(anAttempt({ messageId, to: destination, body, replyTo: answered, createdAt: clock.now() }));
      return messageId;
    },
    async disconnect() {
      await server.close();
      return {
        async back() {
          server = await serve(platform, Number(new URL(address).port));
        },
      };
    },
    async stop() {
      await platform.stop();
      await server.close();
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
  return chat;
}

function serve({ app }: WebPlatform, port: number): Promise<HttpServer> {
  return listen({ app, host: "127.0.0.1", port, log: SILENT_LOG, limits: { drainTimeoutMs: 50 } });
}
