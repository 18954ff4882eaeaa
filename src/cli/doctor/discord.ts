import { checkDiscord } from "../../chat/discord/doctor.ts";
import type { Config } from "../../config/index.ts";
import { type CheckResult, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { NO_LOG } from "./no-log.ts";
import { channelsWithRules } from "./stored.ts";

/** Whether Discord takes the token, and lets us post where rules stand. Nothing where no token is set. */
export async function checkDiscordPlatform({ discord, dataDir }: Config): Promise<readonly CheckResult[]> {
  if (discord === null) return [];
  const channels = await channelsWithRules(dataDir, "discord");
  const observations = await checkDiscord({ ...discord, clock: systemClock, log: NO_LOG }, channels);
  return withPrefix("discord", observations);
}
