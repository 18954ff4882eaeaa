import type { Config } from "../../config/index.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Installation, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";

/** Runs the checks of every configured chat platform. */
export async function checkPlatforms(config: Config): Promise<readonly CheckResult[]> {
  const records = config.platforms.length > 0 ? await readRecords(config) : [];
  const results = config.platforms.map(async ({ definition, settings }) => {
    const { name } = definition;
    const context = {
      clock: systemClock,
      log: SILENT_LOG,
      publicUrl: config.publicUrl,
      channels: channelsWithRules(records, name),
      installations: installationsOf(records, name),
    };
    return withPrefix(name, await definition.check(settings, context));
  });
  return (await Promise.all(results)).flat();
}

/** No records if the state cannot be read: the store's own check reports that. */
async function readRecords(config: Config): Promise<readonly StateRecord[]> {
  try {
    return [...((await config.store.readState()) ?? [])];
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** Returns each channel of the platform that has a rule once. */
function channelsWithRules(records: readonly StateRecord[], platform: string): readonly Destination[] {
  const destinations = records.flatMap((record) => (record.kind === "rule" ? [record.value.destination] : []));
  const channels = destinations.filter((to) => to.platform === platform && to.kind === "channel");
  return [...new Map(channels.map((to) => [to.id, to])).values()];
}

/** Returns the self-installed workspaces, including removed ones that are still stored. */
function installationsOf(records: readonly StateRecord[], platform: string): readonly Installation[] {
  return records.flatMap(({ kind, value }) => (kind === "installation" && value.platform === platform ? [value] : []));
}
