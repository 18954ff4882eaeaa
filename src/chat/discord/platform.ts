import type { ChatPlatform, PlatformHealth } from "../../ports/chat-platform.ts";
import type { PlatformParts } from "../platform-definition.ts";
import { createApi } from "./api.ts";
import { commandPayloads } from "./commands.ts";
import { TOKEN_REFUSED } from "./delivery-errors.ts";
import { PLATFORM } from "./destinations.ts";
import { createDirect } from "./direct.ts";
import { createDownloads } from "./download.ts";
import { createGateway, type GatewayListener } from "./gateway.ts";
import { createGuildRules } from "./guild-rules.ts";
import { answerInteraction } from "./interactions.ts";
import { limitsOf } from "./limits.ts";
import { createPosting } from "./posting.ts";
import { registerCommands } from "./register.ts";
import { renderMessage } from "./render.ts";

export interface DiscordPlatformOptions extends Pick<PlatformParts, "store" | "clock" | "log" | "commands" | "wake"> {
  readonly token: string;
  /** REST base without a version. Null: Discord's own. */
  readonly apiUrl: string | null;
}

/** Discord: alerts by its REST interface, questions by its gateway. */
export function createDiscordPlatform(options: DiscordPlatformOptions): ChatPlatform {
  const { store, clock, log, commands } = options;
  const stopping = new AbortController();
  const api = createApi(options);
  const direct = createDirect({ api, store, clock, log, signal: stopping.signal });
  const posting = createPosting({ api, direct, clock });
  const guildRules = createGuildRules(options);
  const downloads = createDownloads(options.apiUrl);
  const pending = new Set<Promise<void>>();
  let registering: Promise<void> | null = null;

  function underWay(work: Promise<void>): void {
    const held = work.finally(() => pending.delete(held));
    pending.add(held);
  }

  const listener: GatewayListener = {
    begun({ applicationId, guildIds, shard }) {
      guildRules.sync(guildIds, shard);
      const registration = { applicationId, commands: commandPayloads(commands.list), signal: stopping.signal };
      registering ??= registerCommands({ api, clock, log, ...registration });
    },
    interaction: (interaction) =>
      underWay(answerInteraction(interaction, { api, direct, downloads, commands, store, clock, log })),
    guildJoined: (guildId) => guildRules.joined(guildId),
    guildLeft: (guildId) => guildRules.left(guildId),
  };
  const gateway = createGateway({ ...options, listener });

  return {
    name: PLATFORM,
    showsSample: false,
    start: () => gateway.start(),
    async stop() {
      await gateway.stop();
      await Promise.all(pending);
      stopping.abort();
      api.stop();
      await downloads.close();
      await registering;
      await direct.idle();
      await guildRules.idle();
    },
    health: (): PlatformHealth => (api.refused ? { ok: false, reason: TOKEN_REFUSED } : gateway.health()),
    limits: limitsOf,
    render: renderMessage,
    send: (attempt) => posting.send(attempt),
    find: (attempt) => posting.find(attempt),
  };
}
