import { ADDRESS_EXPECTED, readApiAddress } from "../../config/value-schemas.ts";
import type { PlatformDefinition } from "../platform-definition.ts";
import type { DiscordSettings } from "./api.ts";

export const discord: PlatformDefinition<DiscordSettings> = {
  name: "discord",
  label: "Discord",
  isExternal: true,
  variables: [
    { name: "DISCORD_TOKEN", isSecret: true, isToken: true, comment: "Bot token. Enables Discord. Secret." },
    {
      name: "DISCORD_API_URL",
      comment: "REST base address of a proxy, without a version. The gateway's address is read from there too.",
      example: "http://127.0.0.1:3001/api",
    },
  ],
  section: null,
  startupHint: "DISCORD_TOKEN to connect Discord",
  setup: {
    introduction: async () => [
      "1. Create an application at https://discord.com/developers/applications.",
      "2. On its Bot page, choose Reset Token and copy the token. Leave all privileged intents off.",
    ],
    questions: [{ variable: "DISCORD_TOKEN", text: "Discord bot token" }],
    nextSteps: ["In a Discord channel, run /splits subscribe, then /splits test"],
  },
  readSettings({ variables, read }) {
    const apiUrl = read("DISCORD_API_URL", ADDRESS_EXPECTED, readApiAddress) ?? null;
    return variables.DISCORD_TOKEN === undefined ? null : { token: variables.DISCORD_TOKEN, apiUrl };
  },
  async connect(settings, parts) {
    const { createDiscordPlatform } = await import("./platform.ts");
    return { platform: createDiscordPlatform({ ...settings, ...parts }), routes: null };
  },
  async check(settings, { channels, clock, log }) {
    const { checkDiscord } = await import("./doctor.ts");
    return checkDiscord({ ...settings, clock, log }, channels);
  },
};
