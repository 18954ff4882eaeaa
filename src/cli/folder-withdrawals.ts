import { articleOf, readSplitList } from "../data-service/client/records.ts";
import type { ArticleRow, SplitRow } from "../data-service/schema.ts";
import { indexArticles } from "../domain/article/evidence.ts";
import { followWithoutEvent } from "../domain/diff/split-step.ts";
import { applyWithdrawals } from "../domain/diff/withdrawal.ts";
import type { SplitId, SplitRecord } from "../domain/split/split.ts";
import { dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { groupBy } from "../lib/collections.ts";
import { withdrawalNotes } from "../messages/withdrawal-notes.ts";
import type { ArticleReader } from "../ports/article-reader.ts";
import { mentionsSplit } from "../sources/split-keywords.ts";

/** Most releases that are read, newest first. */
const MAX_READ = 500;

/** Withdrawals in the releases of a folder whose splits its list still has, as sentences without a period. */
export async function folderWithdrawals(
  rows: { readonly splits: readonly SplitRow[]; readonly articles: readonly ArticleRow[] },
  reader: ArticleReader,
  at: Instant,
): Promise<readonly string[]> {
  const today = dayInZone(at, MARKET_ZONE);
  const records = (await recordsOf(rows.splits)).filter(({ exDate }) => exDate >= today);
  if (records.length === 0) return [];
  const listed = groupBy(records, ({ ticker }) => ticker);
  const newest = rows.articles
    .filter(({ heading, content }) => mentionsSplit(`${heading}\n${content}`))
    .toSorted((a, b) => (a.date_published < b.date_published ? 1 : -1))
    .slice(0, MAX_READ);
  const read = await Promise.all(
    newest.flatMap((row) => articleOf(row) ?? []).map((one) => reader.read(one, listed, at)),
  );
  const known = read.filter((article) => article !== null);
  const releases = indexArticles(known);
  const splits = records.map((record, index) => followWithoutEvent(`${index}` as SplitId, record, { at, today }));
  return withdrawalNotes(applyWithdrawals(known, splits, { releases, today }), releases, today);
}

async function recordsOf(rows: readonly SplitRow[]): Promise<readonly SplitRecord[]> {
  const list = await readSplitList(Buffer.from(JSON.stringify({ data: rows })), (text) => text);
  return list.ok ? list.value.records : [];
}
