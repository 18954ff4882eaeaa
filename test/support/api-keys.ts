import type { ApiKeys } from "../../src/ports/api-keys.ts";
import { SqlApiKeys } from "../../src/store/collections/api-keys.ts";
import { keyConnections } from "../../src/store/engines/sqlite/key-connections.ts";

/** The API keys of an installation. */
export function apiKeysIn(dataDir: string): ApiKeys {
  return new SqlApiKeys(keyConnections(dataDir));
}
