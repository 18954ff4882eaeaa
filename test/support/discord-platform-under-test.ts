import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { channelOf, personOf } from "../../src/chat/discord/destinations.ts";
import { createDiscordPlatform, type DiscordPlatformOptions } from "../../src/chat/discord/platform.ts";
import type { Answer } from "../../src/commands/command.ts";
import type { Attempt } from "../../src/domain/alert/delivery.ts";
import type { Destination, Person } from "../../src/domain/alert/destination.ts";
import { card } from "../../src/messages/message.ts";
import type { EditingPlatform } from "../../src/ports/chat-platform.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { configuredStore } from "../../src/store/index.ts";
import { type DiscordStart, type FakeDiscord, startDiscord } from "../platforms/discord/server.ts";
import type { DiscordUser } from "../platforms/discord/user.ts";
import type { Channel, Guild } from "../platforms/discord/world.ts";
import { anAttempt } from "./builders.ts";
import { type RecordedLog, recordedLog } from "./recorded-log.ts";
import { RunningClock } from "./running-clock.ts";

/** Discord platform with a real store and a real socket, and Ada in a server with one channel. */
export interface DiscordPlatformUnderTest {
  readonly platform: EditingPlatform;
  readonly discord: FakeDiscord;
  readonly store: Store;
  readonly clock: RunningClock;
  readonly log: RecordedLog;
  readonly guild: Guild;
  readonly alerts: Channel;
  readonly ada: DiscordUser;
  readonly channel: Destination;
  readonly person: Person;
  /** Answer of the store's `mayStillSend`. */
  readonly fence: { isOpen: boolean };
  /** Number of calls of `wake`. */
  readonly wakes: () => number;
  readonly close: () => Promise<void>;
}

/** Creates the platform without starting it; the caller closes it. Its commands answer with their line. */
export async function makeDiscordPlatform(
  options: Partial<DiscordPlatformOptions> = {},
  start: DiscordStart = {},
): Promise<DiscordPlatformUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-discord-"));
  const clock = new RunningClock();
  const log = recordedLog();
  const store = await configuredStore({ dataDir: dir }).open({ clock, log: SILENT_LOG });
  const discord = await startDiscord({ now: () => clock.now(), ...start });
  const guild = discord.addGuild("Traders");
  const alerts = discord.addChannel(guild, "alerts");
  const ada = discord.addUser("ada", guild);
  const woken = { times: 0 };
  const fence = { isOpen: true };
  const platform = createDiscordPlatform({
    store: { ...store, mayStillSend: () => fence.isOpen },
    receives: true,
    clock,
    log,
    commands: {
      list: [],
      run: answerTo,
      runPublicly: answerTo,
      complete: async () => [],
      completeValue: async () => [],
    },
    wake: () => {
      woken.times += 1;
    },
    token: discord.token,
    apiUrl: discord.apiUrl,
    ...options,
  });
  return {
    platform,
    discord,
    store,
    clock,
    log,
    guild,
    alerts,
    ada,
    channel: channelOf(guild.id, alerts.id),
    person: personOf(ada.id),
    fence,
    wakes: () => woken.times,
    async close() {
      await platform.stop();
      await store.close();
      await discord.stop();
      await rm(dir, { recursive: true });
    },
  };
}

/** Starts the platform, and closes it at the end of the test. */
export async function startDiscordPlatform(
  ...given: Parameters<typeof makeDiscordPlatform>
): Promise<DiscordPlatformUnderTest> {
  const made = await makeDiscordPlatform(...given);
  onTestFinished(() => made.close());
  await made.platform.start();
  return made;
}

/** A message that is ready to be sent. */
export function discordAttempt(
  { platform, clock }: Pick<DiscordPlatformUnderTest, "platform" | "clock">,
  destination: Destination,
  parts: Partial<Attempt> & { readonly title?: string } = {},
): Attempt {
  const { title = "ACME 1-for-20", messageId = "m-0123456789-abcdefghijkl", ...others } = parts;
  const { body } = platform.render({ messageId, to: destination, cards: [card({ title })], events: [], mentions: [] });
  return anAttempt({ messageId, to: destination, body, createdAt: clock.now(), ...others });
}

async function answerTo(line: string): Promise<Answer> {
  return { cards: [card({ title: `Answer to ${line}` })], shareable: line !== "watchlist" };
}
