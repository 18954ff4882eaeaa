import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { SETTINGS_FILES } from "../../test/support/settings-files.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { ConfiguredPlatform, PlatformDefinition } from "../chat/platform-definition.ts";
import { readConfig } from "../config/index.ts";
import { createApp } from "./app.ts";

/** Platform with this start. */
function aPlatform(
  name: string,
  connect: () => Promise<void>,
): { readonly configured: ConfiguredPlatform; stops: number } {
  class SlowPlatform extends ScriptedPlatform {
    override start = connect;
    override stop = async (): Promise<void> => {
      state.stops += 1;
    };
  }
  const definition: PlatformDefinition = {
    name,
    label: name,
    isExternal: false,
    variables: [],
    section: null,
    startupHint: null,
    readSettings: () => ({}),
    connect: async () => ({ platform: new SlowPlatform(name), routes: null }),
    check: async () => [],
  };
  const state = { configured: { definition, settings: {} }, stops: 0 };
  return state;
}

it("polls while a platform connects, and stops all platforms if one of them can't start", async () => {
  const folder = await temporaryFolder();
  const slow = Promise.withResolvers<void>();
  const platforms = [
    aPlatform("slow", () => slow.promise),
    aPlatform("failing", () => Promise.reject(new Error("no connection"))),
  ];
  const config = {
    ...readConfig({
      env: { DATA_DIR: folder.path, PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample },
      folder: folder.path,
      isTerminal: false,
    }),
    platforms: platforms.map(({ configured }) => configured),
  };
  const log = recordedLog();
  const app = createApp(config, {
    clock: new ManualClock(),
    log,
    scheduler: new ManualScheduler(),
    mode: "everything",
  });
  try {
    const started = app.start();
    await waitUntil("both lists are polled", async () => log.count("poll completed") === 2);
    slow.resolve();
    await expect(started).rejects.toThrow("no connection");
  } finally {
    await app.stop();
    await folder.remove();
  }
  expect(platforms.map(({ stops }) => stops)).toEqual([1, 1]);
});
