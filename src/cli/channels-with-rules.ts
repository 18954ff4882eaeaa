import { join } from "node:path";
import type { Destination } from "../core/destination.ts";
import { realDisk } from "../store/lowdb/disk.ts";
import { openJsonFile } from "../store/lowdb/json-file.ts";
import { NO_RULES } from "../store/lowdb/rules.ts";

/** The channels of a platform that have a rule, once each. A file that cannot be read is told of where the store is looked at. */
export async function channelsWithRules(dataDir: string, platform: string): Promise<readonly Destination[]> {
  const { rules } = await openJsonFile(realDisk, join(dataDir, "rules.json"), NO_RULES).then(
    ({ low }) => low.data,
    () => NO_RULES,
  );
  const places = rules.map(({ destination }) => destination);
  const channels = places.filter((to) => to.platform === platform && to.kind === "channel");
  return [...new Map(channels.map((to) => [to.id, to])).values()];
}
