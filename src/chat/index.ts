import type { ConnectPlatform } from "./parts.ts";
import { connectWeb } from "./web/connect.ts";

/** Every chat platform, under the name of its folder and of its destinations. */
export const PLATFORMS = {
  web: connectWeb,
} as const satisfies Readonly<Record<string, ConnectPlatform>>;
