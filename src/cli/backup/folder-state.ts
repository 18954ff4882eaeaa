import { basename } from "node:path";
import { formatKeyFile, keyFilePath, readKeys } from "../../data-service/server/keys.ts";
import type { ApiKey, StateFolder, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { configuredStore } from "../../store/index.ts";

/** The state in DATA_DIR: the store's files, and the API keys beside them. */
export function folderState(dataDir: string): StateFolder {
  return { name: dataDir, dump: () => dumpFolder(dataDir), fill: (records) => fill(dataDir, records) };
}

async function* dumpFolder(dir: string): AsyncGenerator<StateRecord> {
  const [state, keys] = [await configuredStore({ dataDir: dir }).readState(), await readKeys(dir)];
  if (state === null && keys.length === 0)
    throw new StoreError(`DATA_DIR: got ${dir}, which holds no state, expected the folder that splitwatch runs with`);
  yield* state ?? [];
  for (const value of keys) yield { kind: "api-key", value };
}

async function fill(dir: string, records: AsyncIterable<StateRecord>): Promise<void> {
  const keys: ApiKey[] = [];
  const companion = { name: basename(keyFilePath(dir)), text: () => (keys.length > 0 ? formatKeyFile(keys) : null) };
  const options = { holder: `pid ${process.pid}, splitwatch restore`, companion };
  await configuredStore({ dataDir: dir }).restore(withoutKeys(records, keys), options);
}

/** Removes the API keys, which the data service stores, and collects them in `keys`. */
async function* withoutKeys(records: AsyncIterable<StateRecord>, keys: ApiKey[]): AsyncGenerator<StateRecord> {
  for await (const record of records) {
    if (record.kind === "api-key") keys.push(record.value);
    else yield record;
  }
}
