import { discord } from "./discord/index.ts";
import { feed } from "./feed/index.ts";
import type { PlatformDefinition } from "./platform-definition.ts";
import { slack } from "./slack/index.ts";
import { web } from "./web/index.ts";
import { webhook } from "./webhook/index.ts";

/** Every chat platform; each has a folder here. */
export const PLATFORMS: readonly PlatformDefinition[] = [
  slack, // This comment makes the formatter keep one platform per line.
  web,
  discord,
  webhook,
  feed,
];
