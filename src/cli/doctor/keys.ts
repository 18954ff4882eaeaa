import { stat } from "node:fs/promises";
import { listKeys } from "../../data-service/server/keys.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";

/** Checks the file of API keys. No result if DATA_DIR doesn't exist. */
export async function checkKeys(dataDir: string): Promise<readonly CheckResult[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (!folder?.isDirectory()) return [];
  try {
    const active = (await listKeys(dataDir)).filter(({ revoked }) => revoked === null);
    return [pass(`API keys: ${active.length} active`)];
  } catch (error) {
    return [fail(`API keys: ${error instanceof Error ? error.message : String(error)}`)];
  }
}
