import type { SlackApp, SlackClient } from "../../config/endpoints.ts";

const SHORTEST_KEY = 32;

/** What is wrong with the tokens before Slack is even asked, with what helps; null: nothing that can be seen. */
export function tokenProblem(app: SlackApp): string | null {
  return app.client === null ? oneProblem(app) : manyProblem(app, app.client);
}

/** An app's own credentials, where all of them are there. */
export interface AppCredentials {
  readonly id: string;
  readonly secret: string;
  readonly stateSecret: string;
  readonly encryptionKey: string;
}

export function appCredentials({ client }: SlackApp): AppCredentials | null {
  if (client === null) return null;
  const { id, secret, stateSecret, encryptionKey } = client;
  if (secret === null || stateSecret === null || encryptionKey === null) return null;
  return { id, secret, stateSecret, encryptionKey };
}

function manyProblem({ botToken, appToken, signingSecret }: SlackApp, client: SlackClient): string | null {
  if (botToken !== null) {
    return "SLACK_BOT_TOKEN and SLACK_CLIENT_ID are both set: the one is for one workspace, the other for many; take one away";
  }
  const needed = {
    SLACK_CLIENT_SECRET: client.secret,
    SLACK_STATE_SECRET: client.stateSecret,
    ENCRYPTION_KEY: client.encryptionKey,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length > 0) return `SLACK_CLIENT_ID is set without ${missing.join(" and ")}: set what is missing too`;
  const length = client.encryptionKey?.length ?? 0;
  if (length < SHORTEST_KEY) {
    return `ENCRYPTION_KEY: got ${length} characters, expected at least ${SHORTEST_KEY} (openssl rand -base64 32)`;
  }
  if (appToken === null && signingSecret === null) {
    return "SLACK_CLIENT_ID is set without SLACK_SIGNING_SECRET for HTTP, or SLACK_APP_TOKEN for Socket Mode: set one of them";
  }
  return isBots(appToken) ? APP_IS_BOT : null;
}

const APP_IS_BOT = "SLACK_APP_TOKEN holds a bot's or a person's token (xox): the app's begins with xapp-";

function isBots(token: string | null): boolean {
  return token !== null && /^xox[bp]-/.test(token);
}

function oneProblem({ botToken, appToken, signingSecret }: SlackApp): string | null {
  if (botToken === null) return "SLACK_APP_TOKEN is set without SLACK_BOT_TOKEN: set the bot's token too";
  if (appToken === null && signingSecret === null) {
    return "SLACK_BOT_TOKEN is set alone: set SLACK_APP_TOKEN too for Socket Mode, or SLACK_SIGNING_SECRET for HTTP";
  }
  const botIsApp = botToken.startsWith("xapp-");
  const appIsBot = isBots(appToken);
  if (botIsApp && appIsBot) return "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: the bot's begins with xoxb-";
  if (botIsApp) return "SLACK_BOT_TOKEN holds an app's token (xapp-): the bot's begins with xoxb-";
  return appIsBot ? APP_IS_BOT : null;
}
