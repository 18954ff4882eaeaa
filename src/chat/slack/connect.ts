import type { ConnectPlatform } from "../parts.ts";

/** Slack runs where there are credentials of one workspace; without them its client is not even loaded. */
export const connectSlack: ConnectPlatform = async ({ config, store, clock, log, commands }) => {
  if (config.slackApp === null) return null;
  const { createSlackPlatform } = await import("./platform.ts");
  const platform = createSlackPlatform({
    app: config.slackApp,
    host: config.host,
    restrictSubscribe: config.slack.restrictSubscribe,
    messagesPerMinute: config.slack.messagesPerMinute,
    commands,
    store,
    clock,
    log,
  });
  return { platform, routes: platform.routes };
};
