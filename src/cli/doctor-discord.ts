import { examineDiscord } from "../chat/discord/examine.ts";
import type { Config } from "../config.ts";
import type { Log } from "../ports/log.ts";
import { systemClock } from "../system/clock.ts";
import { channelsWithRules } from "./channels-with-rules.ts";
import type { Finding } from "./finding.ts";

/** Whether Discord takes the token, and lets us post where rules stand. Nothing where no token is set. */
export async function checkDiscord({ discord, dataDir }: Config): Promise<readonly Finding[]> {
  if (discord === null) return [];
  const channels = await channelsWithRules(dataDir, "discord");
  const observations = await examineDiscord({ ...discord, clock: systemClock, log: NO_LOG }, channels);
  return observations.map(({ ok, text }) => ({ ok, text: `discord: ${text}` }));
}

const nothing = (): void => undefined;

/** What goes wrong is told as a finding. */
const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
