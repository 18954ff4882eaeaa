import type { PlatformDefinition } from "../platform-definition.ts";
import { readSlackSettings, SLACK_VARIABLES, type SlackSection, type SlackSettings, slackSection } from "./settings.ts";

export const slack: PlatformDefinition<SlackSettings, SlackSection> = {
  name: "slack",
  label: "Slack",
  isExternal: true,
  variables: SLACK_VARIABLES,
  section: slackSection,
  startupHint: "SLACK_BOT_TOKEN and SLACK_APP_TOKEN to connect Slack",
  setup: {
    introduction: async () => [
      "1. Open this link, select your workspace and create the app:",
      `   ${(await import("./manifest.ts")).createAppLink()}`,
      "2. Under Install App, install it to the workspace and copy the Bot User OAuth Token (xoxb-...).",
      "3. Under Basic Information, generate an app-level token (xapp-...) with the scope connections:write.",
    ],
    questions: [
      {
        variable: "SLACK_BOT_TOKEN",
        text: "Slack bot token (xoxb-...)",
        form: { pattern: /^(xoxe\.)?xoxb-/, expected: "a bot token, which begins with xoxb-" },
      },
      {
        variable: "SLACK_APP_TOKEN",
        text: "Slack app-level token (xapp-...)",
        form: { pattern: /^xapp-/, expected: "an app-level token, which begins with xapp-" },
      },
    ],
    nextSteps: [
      "In a Slack channel, run /splits subscribe, then /splits test (private channels: /invite @splitwatch first)",
    ],
  },
  // Bot, user, app-level and refresh tokens. With OAuth, Slack issues them at run time, so they are in no variable.
  credentialPattern: /\b(?:xox[a-z]|xapp)(?:\.xox[a-z])?-[\w-]{8,}/g,
  readSettings: readSlackSettings,
  async connect(settings, { server, store, clock, log, commands, screens, receives, wake }) {
    const { createSlackPlatform } = await import("./platform.ts");
    const { app, restrictSubscribe, messagesPerMinute } = settings;
    const platform = createSlackPlatform({
      app,
      host: server.host,
      publicUrl: server.publicUrl,
      serverPort: server.port,
      restrictSubscribe,
      messagesPerMinute,
      commands,
      screens,
      store,
      clock,
      log,
      receives,
      wake,
    });
    return { platform, routes: platform.routes };
  },
  async check({ app, restrictSubscribe }, context) {
    const { runSlackChecks } = await import("./doctor.ts");
    return runSlackChecks({ app, restrictSubscribe, ...context });
  },
};
