import type { EditingPlatform, PlatformHealth } from "../../ports/chat-platform.ts";
import type { PlatformParts } from "../platform-definition.ts";
import { createReplayGuard } from "../replay-guard.ts";
import { rejectedHealth, TokenState } from "../token-state.ts";
import { createApi, type DiscordSettings } from "./api.ts";
import { createAttachmentDownloader } from "./attachment-download.ts";
import { EDIT_LIMIT, limitsOf, PLATFORM } from "./destinations.ts";
import { createDirectChannelOpener } from "./direct-channels.ts";
import { Gateway } from "./gateway.ts";
import type { GatewayListener } from "./gateway-shard.ts";
import { createGuildMembership, type GuildMembership } from "./guild-membership.ts";
import { GuildNames } from "./guild-names.ts";
import { answerInteraction } from "./interactions.ts";
import { createMessageSender } from "./posting.ts";
import { renderMessage } from "./render.ts";
import { createRegistration } from "./slash-command.ts";

export type DiscordPlatformOptions = DiscordSettings &
  Pick<PlatformParts, "store" | "clock" | "log" | "commands" | "receives" | "wake">;

/** Discord: alerts through the REST API, commands through the gateway. */
export function createDiscordPlatform(options: DiscordPlatformOptions): EditingPlatform {
  const { store, clock, log, commands } = options;
  const stopping = new AbortController();
  /** Aborts before `stopping`, while answers may still be sent. */
  const endingRetries = new AbortController();
  const tokenState = new TokenState(PLATFORM, options);
  const api = createApi({ ...options, tokenState, mayPost: () => store.mayStillSend(), rateSlots: store.rateSlots });
  const directChannels = createDirectChannelOpener({ api, store, clock, log, signal: stopping.signal });
  const messageSender = createMessageSender({ api, directChannels, clock });
  /** Aborts when the stop begins, which waits for the changes of memberships. */
  const endingChanges = new AbortController();
  const guildMembership = createGuildMembership({
    ...options,
    signal: stopping.signal,
    endRetries: endingChanges.signal,
  });
  const downloads = createAttachmentDownloader(options.apiUrl);
  const isNew = createReplayGuard(PLATFORM, store.seenRequests, log);
  const answering = { api, directChannels, downloads, isNew, guildNames: new GuildNames() };
  const interactionParts = { ...options, ...answering, signal: endingRetries.signal };
  const pending = new Set<Promise<void>>();
  const registration = createRegistration({ api, clock, log, commands: commands.list, signal: stopping.signal });

  function trackPending(work: Promise<void>): void {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
  }

  const listener: GatewayListener = {
    ...sessionListener(guildMembership, registration),
    interaction: (interaction) => trackPending(answerInteraction(interaction, interactionParts)),
    guildNamed: (guildId, name) => answering.guildNames.set(guildId, name),
  };
  const gateway = new Gateway({ ...options, tokenState, listener });

  return {
    name: PLATFORM,
    showsSample: false,
    start: async () => {
      if (options.receives) await gateway.start();
    },
    async stop() {
      endingChanges.abort();
      await gateway.stop();
      endingRetries.abort();
      await Promise.all(pending);
      stopping.abort();
      api.stop();
      await Promise.all([downloads.close(), registration.ended(), directChannels.idle(), guildMembership.idle()]);
    },
    health(): PlatformHealth {
      if (api.rejection) return rejectedHealth(api.rejection, true);
      const health = options.receives ? gateway.health() : ({ ok: true } as const);
      const { problem } = registration;
      return health.ok && problem !== null ? { ok: true, problem } : health;
    },
    limits: (destination) => limitsOf(destination, api.slotsInUse),
    editLimits: () => [EDIT_LIMIT],
    render: renderMessage,
    ...messageSender,
  };
}

/** What follows the reports of sessions and servers. */
function sessionListener(
  guildMembership: GuildMembership,
  registration: Pick<ReturnType<typeof createRegistration>, "start">,
): Omit<GatewayListener, "interaction" | "guildNamed"> {
  return {
    sessionStarted({ applicationId, guildIds, shard }) {
      guildMembership.sync(guildIds, shard);
      registration.start(applicationId);
    },
    sessionResumed: ({ applicationId }) => registration.start(applicationId),
    guildJoined: (guildId) => guildMembership.joined(guildId),
    guildLeft: (guildId) => guildMembership.left(guildId),
    permissionsChanged: (guildId) => guildMembership.permissionsChanged(guildId),
    idle: () => guildMembership.idle(),
  };
}
