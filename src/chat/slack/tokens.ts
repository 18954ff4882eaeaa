import type { SlackApp } from "../../config/endpoints.ts";

/** What is wrong with the tokens before Slack is even asked, with what helps; null: nothing that can be seen. */
export function tokenProblem({ botToken, appToken, signingSecret }: SlackApp): string | null {
  if (botToken === null) return "SLACK_APP_TOKEN is set without SLACK_BOT_TOKEN: set the bot's token too";
  if (appToken === null && signingSecret === null) {
    return "SLACK_BOT_TOKEN is set alone: set SLACK_APP_TOKEN too for Socket Mode, or SLACK_SIGNING_SECRET for HTTP";
  }
  const botIsApp = botToken.startsWith("xapp-");
  const appIsBot = appToken !== null && /^xox[bp]-/.test(appToken);
  if (botIsApp && appIsBot) return "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: the bot's begins with xoxb-";
  if (botIsApp) return "SLACK_BOT_TOKEN holds an app's token (xapp-): the bot's begins with xoxb-";
  if (appIsBot) return "SLACK_APP_TOKEN holds a bot's or a person's token (xox): the app's begins with xapp-";
  return null;
}
