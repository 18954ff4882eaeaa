import { resolve } from "node:path";
import { makeFolder } from "../../../lib/durable-file.ts";
import type { ApiKeys } from "../../../ports/api-keys.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { SqlApiKeys } from "../../collections/api-keys.ts";
import { SqliteDatabase } from "./database.ts";
import { asStoreError, findDatabase } from "./folder.ts";
import { openFolder } from "./open.ts";

/** `dir`: DATA_DIR. Another process may use the folder: the keys have their own connection. */
export function apiKeysIn(dir: string): ApiKeys {
  return new SqlApiKeys({
    connect: () =>
      asStoreError(dir, async () => {
        const path = await findDatabase(dir);
        return path === null ? null : new SqliteDatabase(path, SILENT_LOG);
      }),
    prepare: () =>
      asStoreError(dir, async () => {
        await makeFolder(resolve(dir));
        return openFolder(dir, SILENT_LOG);
      }),
  });
}
