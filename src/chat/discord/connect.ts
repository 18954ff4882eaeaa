import type { ConnectPlatform } from "../parts.ts";
import { createDiscordPlatform } from "./platform.ts";

/** Connected when there is a token. */
export const connectDiscord: ConnectPlatform = (parts) => {
  const { discord } = parts.config;
  return discord === null ? null : { platform: createDiscordPlatform({ ...parts, ...discord }), routes: null };
};
