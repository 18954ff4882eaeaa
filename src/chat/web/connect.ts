import type { ConnectPlatform } from "../parts.ts";
import { createWebPlatform } from "./platform.ts";

/** The web chat is always there: it is where a newcomer starts. */
export const connectWeb: ConnectPlatform = ({ config, store, clock, log, commands, overview }) => {
  const platform = createWebPlatform({
    store,
    clock,
    log,
    ask: (line, call) => commands.ask(line, call),
    complete: (line, call) => commands.complete(line, call),
    overview,
    adminToken: config.adminToken,
    publicUrl: config.publicUrl,
  });
  return { platform, routes: platform.app };
};
