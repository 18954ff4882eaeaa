import type { ConnectPlatform } from "../parts.ts";
import { createSlackPlatform } from "./platform.ts";

/** Slack runs where there are credentials of one workspace. */
export const connectSlack: ConnectPlatform = ({ config, store, clock, log, commands }) => {
  if (config.slackApp === null) return null;
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
