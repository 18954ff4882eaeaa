import { discord } from "./discord/index.ts";
import type { PlatformDefinition } from "./platform-definition.ts";
import { slack } from "./slack/index.ts";
import { web } from "./web/index.ts";

/** Every chat platform, one line per folder. */
export const PLATFORMS: readonly PlatformDefinition[] = [
  slack, //
  web,
  discord,
];
