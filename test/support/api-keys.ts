import type { ApiKeys } from "../../src/ports/api-keys.ts";
import { FileApiKeys } from "../../src/store/lowdb/api-keys.ts";

/** The API keys of an installation. */
export function apiKeysIn(dataDir: string): ApiKeys {
  return new FileApiKeys(dataDir);
}
