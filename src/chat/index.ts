import { connectDiscord } from "./discord/connect.ts";
import type { ConnectPlatform } from "./parts.ts";
import { connectSlack } from "./slack/connect.ts";
import { connectWeb } from "./web/connect.ts";

/** Every chat platform, under the name of its folder and of its destinations. */
export const PLATFORMS = {
  slack: connectSlack,
  web: connectWeb,
  discord: connectDiscord,
} as const satisfies Readonly<Record<string, ConnectPlatform>>;
