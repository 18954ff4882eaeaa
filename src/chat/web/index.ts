import type { ConnectPlatform } from "../platform-definition.ts";
import { createWebPlatform } from "./platform.ts";

/** The web chat is always there: it is where a newcomer starts. */
export const connectWeb: ConnectPlatform = async (parts) => {
  const { config, store, clock, log, commands } = parts;
  const platform = createWebPlatform({
    store,
    clock,
    log,
    ask: (line, call) => commands.run(line, call),
    share: (line, call) => commands.runPublicly(line, call),
    complete: (line, call) => commands.complete(line, call),
    overview: () => parts.overview(),
    adminToken: config.adminToken,
    publicUrl: config.publicUrl,
  });
  return { platform, routes: platform.app };
};
