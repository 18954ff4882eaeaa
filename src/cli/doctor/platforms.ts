import type { Config } from "../../config/index.ts";
import { type CheckResult, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { NO_LOG } from "./no-log.ts";
import { channelsWithRules, installationsOf } from "./stored.ts";

/** Runs the checks of every configured chat platform. */
export async function checkPlatforms({ platforms, dataDir, publicUrl }: Config): Promise<readonly CheckResult[]> {
  const results = platforms.map(async ({ definition, settings }) => {
    const { name } = definition;
    const [channels, installations] = await Promise.all([
      channelsWithRules(dataDir, name),
      installationsOf(dataDir, name),
    ]);
    const context = { clock: systemClock, log: NO_LOG, publicUrl, channels, installations };
    return withPrefix(name, await definition.check(settings, context));
  });
  return (await Promise.all(results)).flat();
}
