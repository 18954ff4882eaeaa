import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/config/index.ts";
import type { Store } from "../../src/ports/store.ts";
import type { PostgresStore } from "../../src/store/engines/postgres/open.ts";
import { freshDatabase } from "./postgres.ts";
import { runSql } from "./postgres-databases.ts";
import { waitUntil } from "./wait-until.ts";

/** Databases by the data folder of the app that uses them, across its restarts. */
const databases = new Map<string, Promise<string>>();

/** Address of the database that replaces the files in the folder; null in the projects that test the files. */
function databaseOf(dataDir: string): Promise<string> | null {
  if (process.env.STORE_UNDER_TEST !== "postgres") return null;
  const known = databases.get(dataDir) ?? freshDatabase();
  databases.set(dataDir, known);
  return known;
}

/** Environment of the store under test for the app with this data folder: tests of the whole app run with each store. */
export async function storeEnv(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const url = await databaseOf(dataDir);
  return url === null ? {} : { DATABASE_URL: url };
}

export interface ObservedStore {
  /** The configuration to start the app with. */
  readonly config: Config;
  /**
   * Makes the app able to send messages, which after a skip of the clock it is not before its next heartbeat: it looks like one that
   * was suspended.
   */
  readonly alive: () => Promise<void>;
  /** Number of deliveries that wait to be sent, without the work of the metrics page. */
  readonly waitingCount: () => Promise<number>;
}

export function observeStore(config: Config): ObservedStore {
  let opened: Store | null = null;
  const open: Config["store"]["open"] = async (options) => {
    opened = await config.store.open(options);
    return opened;
  };
  return {
    config: { ...config, store: { ...config.store, open } },
    alive: async () => {
      if (opened?.mayStillSend() === false && "membership" in opened) await (opened as PostgresStore).membership.beat();
      await waitUntil("the app may send messages", () => opened?.mayStillSend() !== false);
    },
    waitingCount: async () => {
      if (opened === null) throw new Error("the store is not open");
      return opened.outbox.waitingCount();
    },
  };
}

/** Names of the files or tables with the app's state that contain the word. */
export async function storedPartsNaming(word: string, dataDir: string): Promise<readonly string[]> {
  const url = await databaseOf(dataDir);
  return url === null ? filesNaming(word, dataDir) : tablesNaming(word, url);
}

async function filesNaming(word: string, dataDir: string): Promise<readonly string[]> {
  const names = (await readdir(dataDir)).filter((name) => !name.startsWith("lock."));
  const found: string[] = [];
  for (const name of names) {
    // A file that is being replaced disappears.
    const bytes = await readFile(join(dataDir, name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(word)) found.push(name);
  }
  return found;
}

/** Contain a person who was purged for a while: messages that are being rendered may name them, and their limits still apply. */
const TEMPORARY: readonly string[] = ["purged_people", "rate_slots"];

async function tablesNaming(word: string, url: string): Promise<readonly string[]> {
  const [tables] = await runSql(url, "select relname as name from pg_stat_user_tables");
  const all: readonly string[] = tables?.rows.map((row: { readonly name: string }) => row.name) ?? [];
  const names = all.filter((name) => !TEMPORARY.includes(name));
  const counts = await runSql(
    url,
    ...names.map((name) => `select count(*)::int as count from ${name} as row where strpos(row::text, '${word}') > 0`),
  );
  return names.filter((_, index) => counts[index]?.rows[0].count > 0);
}
