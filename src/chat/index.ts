import { connectDiscord } from "./discord/index.ts";
import type { ConnectPlatform } from "./platform-definition.ts";
import { connectSlack } from "./slack/index.ts";
import { connectWeb } from "./web/index.ts";

/** Every chat platform, under the name of its folder and of its destinations. */
export const PLATFORMS = {
  slack: connectSlack,
  web: connectWeb,
  discord: connectDiscord,
} as const satisfies Readonly<Record<string, ConnectPlatform>>;
