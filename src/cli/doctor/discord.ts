import { examineDiscord } from "../../chat/discord/doctor.ts";
import type { Config } from "../../config/index.ts";
import { type Finding, under } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { NO_LOG } from "./no-log.ts";
import { channelsWithRules } from "./stored.ts";

/** Whether Discord takes the token, and lets us post where rules stand. Nothing where no token is set. */
export async function checkDiscord({ discord, dataDir }: Config): Promise<readonly Finding[]> {
  if (discord === null) return [];
  const channels = await channelsWithRules(dataDir, "discord");
  const observations = await examineDiscord({ ...discord, clock: systemClock, log: NO_LOG }, channels);
  return under("discord", observations);
}
