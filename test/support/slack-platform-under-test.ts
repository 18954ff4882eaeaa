import { onTestFinished } from "vitest";
import { createSlackPlatform, type SlackPlatform, type SlackPlatformOptions } from "../../src/chat/slack/platform.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { card } from "../../src/messages/message.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { configuredStore } from "../../src/store/index.ts";
import { type Slack, startSlack } from "../platforms/slack/server/server.ts";
import { temporaryFolder } from "./app.ts";

/** Slack platform of one workspace over Socket Mode, with a real store and a real socket. */
export interface SlackPlatformUnderTest {
  readonly platform: SlackPlatform;
  readonly slack: Slack;
  /** Answer of the store's `mayStillSend`. */
  readonly fence: { isOpen: boolean };
  /** Throws if the platform violated Slack's rules. */
  readonly close: () => Promise<void>;
}

/** Creates the platform without starting it; the caller closes it. */
export async function makeSlackPlatform(options: Partial<SlackPlatformOptions> = {}): Promise<SlackPlatformUnderTest> {
  const slack = await startSlack();
  const folder = await temporaryFolder();
  const store = await configuredStore({ dataDir: folder.path }).open({ clock: systemClock, log: SILENT_LOG });
  const fence = { isOpen: true };
  const platform = createSlackPlatform({
    app: {
      access: { kind: "one", botToken: slack.botToken },
      transport: { kind: "socket", appToken: slack.appToken },
      port: null,
      apiUrl: slack.apiUrl,
    },
    host: "127.0.0.1",
    publicUrl: null,
    serverPort: 0,
    restrictSubscribe: false,
    messagesPerMinute: 300,
    receives: true,
    commands: {
      list: [],
      run: async () => ({ cards: [], shareable: false }),
      runPublicly: async () => ({ cards: [], shareable: false }),
      complete: async () => [],
      completeValue: async () => [],
    },
    screens: {
      problems: async () => [],
      ruleForm: async () => ({ kind: "refused", card: card({ title: "No rule" }) }),
      home: () => Promise.reject(new Error("no home tab in this test")),
      overview: () => Promise.reject(new Error("no side panel in this test")),
      operator: {} as never,
      splitView: () => Promise.reject(new Error("no split view in this test")),
      releaseView: () => Promise.reject(new Error("no release view in this test")),
    },
    store: { ...store, mayStillSend: () => fence.isOpen },
    clock: systemClock,
    log: SILENT_LOG,
    wake: () => undefined,
    ...options,
  });
  return {
    platform,
    slack,
    fence,
    async close() {
      await platform.stop();
      await slack.stop();
      await store.close();
      await folder.remove();
      const { violations } = slack;
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
}

/** Starts the platform, and closes it at the end of the test. */
export async function startSlackPlatform(
  ...given: Parameters<typeof makeSlackPlatform>
): Promise<SlackPlatformUnderTest> {
  const made = await makeSlackPlatform(...given);
  onTestFinished(() => made.close());
  await made.platform.start();
  return made;
}
