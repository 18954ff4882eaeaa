import type { ChatPlatform } from "../ports/chat-platform.ts";
import { createWebPlatform } from "./web/platform.ts";

/** Every chat platform, under the name of its folder and of its destinations. */
export const PLATFORMS = {
  web: createWebPlatform,
} as const satisfies Readonly<Record<string, (options: never) => ChatPlatform>>;
