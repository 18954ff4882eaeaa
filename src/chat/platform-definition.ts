import type { Hono } from "hono";
import type { Commands } from "../commands/index.ts";
import type { Overview } from "../commands/overview.ts";
import type { Screens } from "../commands/screens.ts";
import type { Config } from "../config/index.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

/** What a platform is made of. It takes from the configuration what is its own. */
export interface PlatformParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly commands: Commands;
  readonly screens: Screens;
  overview(): Promise<Overview>;
  /** Something that was held back may go out now. */
  wake(): void;
}

export interface ConnectedPlatform {
  readonly platform: ChatPlatform;
  /** What it answers over HTTP; null: nothing. */
  readonly routes: Hono | null;
}

/** Null when the configuration does not ask for the platform. */
export type ConnectPlatform = (parts: PlatformParts) => Promise<ConnectedPlatform | null>;
