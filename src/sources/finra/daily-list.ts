import { addDays, type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import { firstDayToRead, type StatementReaderTools } from "../official/official-source.ts";
import type { Statement } from "../official/statement.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { DailyListPage } from "./read-daily-list.ts";
import { FINRA_READERS } from "./readers.ts";

const PATH = "/data/group/otcMarket/name/otcDailyList";

/** Days that the first read of a run covers, and the most days that a later read covers; see `firstDayToRead`. */
const PAST_DAYS = { firstDays: 40, maxDays: 40 } as const;

const PAGE_SIZE = 1_000;
/** About 40 rows are published per day. */
const MAX_ROWS = 10_000;
/** FINRA permits 20 requests per second and IP address. */
const PACE_MS = 1_000;

const FIELDS = [
  "OTCDailyListID",
  "calendarDay",
  "dailyListDatetime",
  "oldSymbolCode",
  "newSymbolCode",
  "oldSecurityDescription",
  "newSecurityDescription",
  "reverseSplitRate",
  "exDate",
  "commentText",
] as const;

/** Reads the daily list of recent days. */
export function createDailyListReader(
  origin: string,
  { web, reader, clock, everyMs, recordedObservations }: StatementReaderTools,
): StatementReader {
  let lastReadOn: Day | null = null;
  return {
    name: "finra",
    intervalMs: () => everyMs,
    async read(signal) {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      const from = firstDayToRead(today, lastReadOn, PAST_DAYS);
      const pages = await readPages({ web, reader, url: `${origin}${PATH}`, from, to: addDays(today, 1), signal });
      // The range covers at least a week, and a week always has trading days, with about 40 rows each.
      if (pages.every(({ rows }) => rows.length === 0)) throw new FetchError("empty", `${PATH}: no rows since ${from}`);
      lastReadOn = today;
      return pollResultOf(pages, new Map([...recordedObservations()].map(({ url, id }) => [url, id])));
    },
  };
}

interface PagesRequest extends Pick<StatementReaderTools, "web" | "reader"> {
  readonly url: string;
  readonly from: Day;
  readonly to: Day;
  readonly signal: AbortSignal;
}

/** Requests all pages. Throws a FetchError if any page can't be read, because a partial list may lack a correction. */
async function readPages({ web, reader, url, from, to, signal }: PagesRequest): Promise<readonly DailyListPage[]> {
  const pages: DailyListPage[] = [];
  let rowCount = 0;
  while (rowCount < MAX_ROWS) {
    const query = {
      limit: PAGE_SIZE,
      offset: pages.length * PAGE_SIZE,
      fields: FIELDS,
      dateRangeFilters: [{ fieldName: "calendarDay", startDate: from, endDate: to }],
      sortFields: ["-dailyListDatetime"],
    };
    // Without the Accept header, the answer is CSV.
    const headers = { "content-type": "application/json", accept: "application/json" };
    const request = {
      kind: "feed",
      method: "POST",
      headers,
      body: JSON.stringify(query),
      paceMs: PACE_MS,
      signal,
    } as const;
    const page = await reader.read(FINRA_READERS, "readDailyListPage", await web.request(url, request));
    pages.push(page);
    rowCount += page.rows.length;
    if (page.rows.length < PAGE_SIZE) return pages;
  }
  throw new FetchError("too-large", `${PATH}: ${rowCount} rows since ${from}, expected fewer than ${MAX_ROWS}`);
}

/**
 * Makes one statement per symbol and ex date, from the newest row that has both. If FINRA edits a recorded row, the statement
 * keeps the recorded id, so that a new ex date reschedules the split instead of adding a second one.
 */
export function pollResultOf(
  pages: readonly DailyListPage[],
  idByUrl: ReadonlyMap<string, string>,
): StatementPollResult {
  const rows = pages.flatMap((page) => page.rows);
  const newestFirst = rows.filter((row) => row !== null).toSorted((a, b) => b.number - a.number);
  const statements = new Map<string, Statement>();
  for (const { statement } of newestFirst) {
    const id = idByUrl.get(statement.url) ?? statement.id;
    if (!statements.has(id)) statements.set(id, { ...statement, id });
  }
  const problems = pages.flatMap(({ problem }) => problem ?? []);
  const failures = problems.map((problem) => new FetchError("unreadable", `${PATH}: ${problem}`));
  return { items: rows, statements: [...statements.values()], failures };
}
