import { PLATFORMS } from "../../chat/index.ts";
import type { Config } from "../../config/index.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, off, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Installation, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";

/** Runs the checks of every chat platform. One that is not configured has one result. */
export async function checkPlatforms(config: Config, platforms = PLATFORMS): Promise<readonly CheckResult[]> {
  const records = await readRecords(config);
  const results = platforms.map(async ({ name, startupHint }) => {
    const configured = config.platforms.find(({ definition }) => definition.name === name);
    if (configured === undefined) return withPrefix(name, [off(notConfiguredText(startupHint))]);
    const { definition, settings } = configured;
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

function notConfiguredText(startupHint: string | null): string {
  return startupHint === null ? "not configured" : `not configured; set ${startupHint}`;
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
