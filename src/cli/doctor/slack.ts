import { runSlackChecks } from "../../chat/slack/doctor.ts";
import type { Config } from "../../config/index.ts";
import { type CheckResult, withPrefix } from "../../lib/check-result.ts";
import { NO_LOG } from "./no-log.ts";
import { channelsWithRules, installationsOf } from "./stored.ts";

/** Whether Slack takes the tokens, and lets us post where rules stand. Nothing where no token is set. */
export async function checkSlack({ slackApp, slack, dataDir, publicUrl }: Config): Promise<readonly CheckResult[]> {
  if (slackApp === null) return [];
  const observations = await runSlackChecks({
    app: slackApp,
    restrictSubscribe: slack.restrictSubscribe,
    channels: await channelsWithRules(dataDir, "slack"),
    installations: await installationsOf(dataDir, "slack"),
    publicUrl,
    log: NO_LOG,
  });
  return withPrefix("slack", observations);
}
