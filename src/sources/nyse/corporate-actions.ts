import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import { firstDayToRead, type StatementReaderTools } from "../official/official-source.ts";
import type { Statement } from "../official/statement.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { ActionsPage } from "./read-actions.ts";
import { NYSE_READERS } from "./readers.ts";

const PATH = "/api/nyseservice/v1/corpax/";

/** First action date that a poll covers, in days before today: see `firstDayToRead`. */
const PAST_DAYS = { firstDays: 7, maxDays: 67 } as const;
/** Last action date that a poll covers, in days after today. */
const DAYS_AHEAD = 60;

const PAGE_SIZE = 100;
/** About 1,700 actions take place per year. */
const MAX_PAGES = 20;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
/** Other pages of this host refuse clients after about 40 requests in 4 minutes. */
const PACE_MS = 6_000;
/** Factor of the poll interval at night, at weekends and on holidays. */
const QUIET_FACTOR = 4;

/** Creates a reader of the actions of the last days and the coming weeks. */
export function createCorporateActionsReader(
  origin: string,
  { web, reader, clock, everyMs, lastReadAt }: StatementReaderTools,
): StatementReader {
  let lastReadOn = lastReadAt === null ? null : dayInZone(lastReadAt, MARKET_ZONE);
  return {
    name: "nyse",
    intervalMs: (now) => pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs }),
    async read(signal) {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      const window = { from: firstDayToRead(today, lastReadOn, PAST_DAYS), to: addDays(today, DAYS_AHEAD) };
      const url = (page: number): string =>
        `${origin}${PATH}?action_date__gte=${window.from}&action_date__lte=${window.to}&page=${page}&page_size=${PAGE_SIZE}`;
      const read = await readPages({ web, reader, url, signal });
      if (read.failures.length === 0) lastReadOn = today;
      return pollResultOf(read);
    },
  };
}

/** The pages of a poll. */
interface Pages {
  readonly pages: readonly ActionsPage[];
  readonly failures: readonly FetchError[];
}

interface PagesRequest extends Pick<StatementReaderTools, "web" | "reader"> {
  readonly url: (page: number) => string;
  readonly signal: AbortSignal;
}

/** Requests the pages in order, up to the first unreadable page. Throws a FetchError if that is the first page. */
async function readPages({ web, reader, url, signal }: PagesRequest): Promise<Pages> {
  const pages: ActionsPage[] = [];
  const request = {
    kind: "feed",
    headers: { accept: "application/json" },
    maxBytes: MAX_PAGE_BYTES,
    paceMs: PACE_MS,
    signal,
  } as const;
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    try {
      const page = await reader.read(NYSE_READERS, "readActionsPage", await web.request(url(number), request));
      pages.push(page);
      if (!page.hasNext) return { pages, failures: [] };
    } catch (error) {
      if (number === 1 || signal.aborted) throw error;
      return { pages, failures: [toFetchError(error)] };
    }
  }
  const problem = `${PATH}: more than ${MAX_PAGES} pages of ${PAGE_SIZE} rows, the others were not read`;
  return { pages, failures: [new FetchError("too-large", problem)] };
}

export function pollResultOf({ pages, failures }: Pages): StatementPollResult {
  const rows = pages.flatMap((page) => page.rows);
  const problems = pages.flatMap(({ problem }) => problem ?? []);
  const shapeFailures = problems.map((problem) => new FetchError("unreadable", `${PATH}: ${problem}`));
  return { items: rows, statements: latestStatements(rows), failures: [...failures, ...shapeFailures] };
}

/** Statements of the latest row of each market event. A row that moves to the next page between two requests is read twice. */
function latestStatements(rows: ActionsPage["rows"]): readonly Statement[] {
  const actions = rows.filter((row) => row !== null);
  const oldestFirst = actions.toSorted((a, b) => (a.updatedAt ?? 0) - (b.updatedAt ?? 0));
  const latest = new Map(oldestFirst.map(({ event, statement }) => [event, statement]));
  return [...latest.values()].filter((statement) => statement !== null);
}
