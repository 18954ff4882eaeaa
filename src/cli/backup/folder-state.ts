import { basename } from "node:path";
import type { Config } from "../../config/index.ts";
import { formatKeyFile, keyFilePath, readKeys } from "../../data-service/server/key-file.ts";
import type { ApiKey, StateFolder, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";

type StateParts = Pick<Config, "dataDir" | "store">;

/** The configured state: the store's records, and the API keys in DATA_DIR. */
export function folderState(config: StateParts): StateFolder {
  return { name: config.dataDir, dump: () => dump(config), fill: (records) => fill(config, records) };
}

async function* dump({ dataDir: dir, store }: StateParts): AsyncGenerator<StateRecord> {
  const [state, keys] = [await store.readState(), await readKeys(dir)];
  if (state === null && keys.length === 0)
    throw new StoreError(
      `DATA_DIR: got ${dir}, which contains no splitwatch data, expected the DATA_DIR of an installation`,
    );
  yield* state ?? [];
  for (const value of keys) yield { kind: "api-key", value };
}

async function fill({ dataDir: dir, store }: StateParts, records: AsyncIterable<StateRecord>): Promise<void> {
  const keys: ApiKey[] = [];
  const companion = { name: basename(keyFilePath(dir)), text: () => (keys.length > 0 ? formatKeyFile(keys) : null) };
  const options = { holder: `pid ${process.pid}, splitwatch restore`, companion };
  await store.restore(withoutKeys(records, keys), options);
}

/** Removes the API keys, which the data service stores, and collects them in `keys`. */
async function* withoutKeys(records: AsyncIterable<StateRecord>, keys: ApiKey[]): AsyncGenerator<StateRecord> {
  for await (const record of records) {
    if (record.kind === "api-key") keys.push(record.value);
    else yield record;
  }
}
