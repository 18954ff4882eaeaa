import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Row = Readonly<Record<string, unknown>>;

/** Folder that the embedded data service reads. */
export interface DataFolder {
  readonly path: string;
  /** Environment that makes the embedded service read this folder. */
  readonly env: { readonly SPLITWATCH_CONFIG: string };
  /** Replaces all rows, given in the format of the data service. */
  write(rows: { readonly splits: readonly Row[]; readonly articles: readonly Row[] }): Promise<void>;
}

/** Creates the empty folder and the settings in `parent`. */
export async function aDataFolder(parent: string): Promise<DataFolder> {
  const path = join(parent, "records");
  const settings = join(parent, "settings.yaml");
  const folder: DataFolder = {
    path,
    env: { SPLITWATCH_CONFIG: settings },
    async write({ splits, articles }) {
      await writeFile(join(path, "splits.jsonl"), jsonLines(splits));
      await writeFile(join(path, "articles.jsonl"), jsonLines(articles));
    },
  };
  await mkdir(path, { recursive: true });
  await writeFile(settings, `service:\n  source: ${JSON.stringify(path)}\n`);
  await folder.write({ splits: [], articles: [] });
  return folder;
}

function jsonLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
