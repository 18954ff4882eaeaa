import { join } from "node:path";
import type { Installation } from "../core/installation.ts";
import { realDisk } from "../store/lowdb/disk.ts";
import { NO_INSTALLATIONS } from "../store/lowdb/installations.ts";
import { openJsonFile } from "../store/lowdb/json-file.ts";

/** The workspaces that are stored. A file that cannot be read is told of where the store is looked at. */
export async function slackInstallations(dataDir: string): Promise<readonly Installation[]> {
  const { installations } = await openJsonFile(realDisk, join(dataDir, "installations.json"), NO_INSTALLATIONS).then(
    ({ low }) => low.data,
    () => NO_INSTALLATIONS,
  );
  return installations.filter(({ platform }) => platform === "slack");
}
