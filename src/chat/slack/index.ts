import type { ConnectPlatform } from "../platform-definition.ts";

/** Slack runs where there are credentials of one workspace or of an app; without them its client is not even loaded. */
export const connectSlack: ConnectPlatform = async (parts) => {
  const { config, store, clock, log, commands, screens: views } = parts;
  if (config.slackApp === null) return null;
  const { createSlackPlatform } = await import("./platform.ts");
  const platform = createSlackPlatform({
    app: config.slackApp,
    host: config.host,
    publicUrl: config.publicUrl,
    commonPort: config.port,
    restrictSubscribe: config.slack.restrictSubscribe,
    messagesPerMinute: config.slack.messagesPerMinute,
    commands,
    views,
    store,
    clock,
    log,
    wake: () => parts.wake(),
  });
  return { platform, routes: platform.routes };
};
