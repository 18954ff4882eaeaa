import type { SlackApp } from "./settings.ts";

const APP_IS_BOT = "SLACK_APP_TOKEN holds a bot's or a person's token (xox): the app's begins with xapp-";

/** Which tokens are of another kind than their variables, before Slack is even asked; null: none that can be seen. */
export function tokenKindProblem({ access, inlet }: Pick<SlackApp, "access" | "inlet">): string | null {
  const botIsApp = access.kind === "one" && access.botToken.startsWith("xapp-");
  const appIsBot = inlet.kind === "socket" && /^xox[bp]-/.test(inlet.appToken);
  if (botIsApp && appIsBot) return "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: the bot's begins with xoxb-";
  if (botIsApp) return "SLACK_BOT_TOKEN holds an app's token (xapp-): the bot's begins with xoxb-";
  return appIsBot ? APP_IS_BOT : null;
}
