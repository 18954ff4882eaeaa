import { join, resolve } from "node:path";
import { errorMessage, quoteValue } from "../../lib/error-text.ts";
import { repeat } from "../../lib/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { readArticleRow, readSplitRow } from "../rows.ts";
import { ARTICLES_FILE, type ArticleRow, SPLITS_FILE, type SplitRow } from "../schema.ts";
import { type FollowedFile, followFile } from "./followed-file.ts";
import { type CatalogContent, type CatalogSource, EMBEDDED_NAME, type WritableCatalog } from "./served-catalog.ts";

/** Polling costs two `stat` calls. Change notifications don't work on every file system. */
const CHECK_INTERVAL_MS = 250;

/** Error of a folder that can't be used as a source. The message is for the operator. */
export class SourceFolderError extends Error {
  override readonly name = "SourceFolderError";
}

export interface FolderSourceOptions {
  readonly folder: string;
  readonly catalog: WritableCatalog;
  readonly clock: Clock;
  readonly log: Log;
}

/** Fills the catalog from a folder with splits.jsonl and articles.jsonl, and follows these files until it is stopped. */
export async function startFolderSource(options: FolderSourceOptions): Promise<CatalogSource> {
  const { folder, catalog, clock, log } = options;
  const [splits, articles] = await openFiles(folder, clock);

  const problems = (): readonly string[] => [...splits.problems(), ...articles.problems()];

  function publish(): void {
    catalog.replace(contentOf(splits, articles));
    const current = problems();
    const fields = { splits: splits.rows.length, articles: articles.rows.length };
    if (current.length === 0) log.info("source folder read", fields);
    else log.warn("source folder read", { ...fields, problems: current.length, firstProblem: current[0] });
  }

  async function refresh(): Promise<void> {
    const changes = await Promise.all([splits.refresh(), articles.refresh()]);
    if (changes.includes(true)) publish();
  }

  publish();
  return {
    id: `folder:${resolve(folder)}`,
    name: EMBEDDED_NAME,
    sample: false,
    problems,
    readError: () => splits.readError() ?? articles.readError(),
    backfilledRows: () => new Set(),
    stop: repeat(refresh, {
      everyMs: CHECK_INTERVAL_MS,
      clock,
      onFailure: (error) => log.warn("source folder not followed", { error }),
    }),
  };
}

async function openFiles(
  folder: string,
  clock: Clock,
): Promise<[splits: FollowedFile<SplitRow>, articles: FollowedFile<ArticleRow>]> {
  const [splits, articles] = await Promise.allSettled([
    followFile(join(folder, SPLITS_FILE), readSplitRow, clock),
    followFile(join(folder, ARTICLES_FILE), readArticleRow, clock),
  ]);
  if (splits.status === "fulfilled" && articles.status === "fulfilled") return [splits.value, articles.value];
  const reasons = [splits, articles].flatMap((result) =>
    result.status === "rejected" ? [errorMessage(result.reason)] : [],
  );
  const expected = `a folder with ${SPLITS_FILE} and ${ARTICLES_FILE}`;
  throw new SourceFolderError(
    `service.source: got ${quoteValue(folder)}, expected ${expected} (${reasons.join("; ")})`,
  );
}

/** Removes duplicates: of several articles with the same URL the last line is used, and identical splits count once. */
function contentOf(splits: FollowedFile<SplitRow>, articles: FollowedFile<ArticleRow>): CatalogContent {
  return {
    splits: [...new Map(splits.rows.map((row) => [JSON.stringify(row), row])).values()],
    articles: [...new Map(articles.rows.map((row) => [row.url, row])).values()],
  };
}
