import { examineSlack } from "../chat/slack/examine.ts";
import type { Config } from "../config.ts";
import type { Log } from "../ports/log.ts";
import { channelsWithRules } from "./channels-with-rules.ts";
import type { Finding } from "./finding.ts";

/** Whether Slack takes the tokens, and lets us post where rules stand. Nothing where no token is set. */
export async function checkSlack({ slackApp, slack, dataDir }: Config): Promise<readonly Finding[]> {
  if (slackApp === null) return [];
  const channels = await channelsWithRules(dataDir, "slack");
  const { restrictSubscribe } = slack;
  const observations = await examineSlack({ app: slackApp, restrictSubscribe, channels, log: NO_LOG });
  return observations.map(({ ok, text }) => ({ ok, text: `slack: ${text}` }));
}

const nothing = (): void => undefined;

/** What goes wrong is told as a finding. */
const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
