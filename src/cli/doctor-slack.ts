import { examineSlack } from "../chat/slack/examine.ts";
import type { Config } from "../config.ts";
import type { Log } from "../ports/log.ts";
import { channelsWithRules } from "./channels-with-rules.ts";
import type { Finding } from "./finding.ts";
import { slackInstallations } from "./slack-installations.ts";

/** Whether Slack takes the tokens, and lets us post where rules stand. Nothing where no token is set. */
export async function checkSlack({ slackApp, slack, dataDir, publicUrl }: Config): Promise<readonly Finding[]> {
  if (slackApp === null) return [];
  const channels = await channelsWithRules(dataDir, "slack");
  const installations = await slackInstallations(dataDir);
  const { restrictSubscribe } = slack;
  const observations = await examineSlack({
    app: slackApp,
    restrictSubscribe,
    channels,
    installations,
    publicUrl,
    log: NO_LOG,
  });
  return observations.map(({ ok, text }) => ({ ok, text: `slack: ${text}` }));
}

const nothing = (): void => undefined;

/** What goes wrong is told as a finding. */
const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
