import { join } from "node:path";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Installation } from "../../ports/state-records.ts";
import { NO_INSTALLATIONS } from "../../store/lowdb/collections/installations.ts";
import { NO_RULES } from "../../store/lowdb/collections/rules.ts";
import { realDisk } from "../../store/lowdb/files/disk.ts";
import { NAMES } from "../../store/lowdb/files/folder.ts";
import { openJsonFile } from "../../store/lowdb/files/json-file.ts";

/** The channels of a platform that have a rule, once each. */
export async function channelsWithRules(dataDir: string, platform: string): Promise<readonly Destination[]> {
  const { rules } = await stored(join(dataDir, NAMES.rules), NO_RULES);
  const places = rules.map(({ destination }) => destination);
  const channels = places.filter((to) => to.platform === platform && to.kind === "channel");
  return [...new Map(channels.map((to) => [to.id, to])).values()];
}

/** The workspaces of a platform that took splitwatch in by themselves, or have put it out. */
export async function installationsOf(dataDir: string, platform: string): Promise<readonly Installation[]> {
  const { installations } = await stored(join(dataDir, NAMES.installations), NO_INSTALLATIONS);
  return installations.filter((one) => one.platform === platform);
}

/** A file that cannot be read is told of where the store is looked at. */
async function stored<S>(path: string, nothing: S): Promise<S> {
  return openJsonFile(realDisk, path, nothing).then(
    ({ low }) => low.data,
    () => nothing,
  );
}
