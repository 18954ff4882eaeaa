import type { ConnectPlatform } from "../platform-definition.ts";

/** Connected when there is a token; without one its client is not even loaded. */
export const connectDiscord: ConnectPlatform = async (parts) => {
  const { discord } = parts.config;
  if (discord === null) return null;
  const { createDiscordPlatform } = await import("./platform.ts");
  return { platform: createDiscordPlatform({ ...parts, ...discord }), routes: null };
};
