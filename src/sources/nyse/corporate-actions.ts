import { z } from "zod";
import { namesOfRows } from "../../data-service/rows.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { addDays, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { DocumentReading } from "../document-reading.ts";
import { parseFieldDay, parseFieldTime } from "../notations.ts";
import type { Statement, StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import { firstDayToRead, type StatementReaderTools } from "../official/official-source.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { FetchError, toFetchError, unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { Web, WebAnswer } from "../web/web.ts";

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

const optionalText = z.string().nullish();
/** Incidental text: a value of another type is empty. */
const incidentalText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : ""));

const pageSchema = z.object({ next: optionalText, results: z.array(z.unknown()) });

const rowSchema = z.object({
  market_event: z.union([z.string().regex(/^[\w-]{1,100}$/), z.number()]).transform(String),
  action_type: z.string(),
  action_date: optionalText,
  action_status: optionalText,
  issue_symbol: optionalText,
  issuer_name: incidentalText,
  updated_at: incidentalText,
});

type Row = z.infer<typeof rowSchema>;

/** Creates a reader of the actions of the last days and the coming weeks. */
export function createCorporateActionsReader(
  origin: string,
  { web, clock, everyMs, lastReadAt }: StatementReaderTools,
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
      const pages = await readPages(web, url, signal);
      if (pages.failures.length === 0) lastReadOn = today;
      return pollResultOf(pages);
    },
  };
}

interface Pages {
  readonly results: readonly unknown[];
  readonly failures: readonly FetchError[];
}

/** Requests the pages in order, up to the first unreadable page. Throws a FetchError if that is the first page. */
async function readPages(web: Web, url: (page: number) => string, signal: AbortSignal): Promise<Pages> {
  const results: unknown[] = [];
  const request = {
    kind: "feed",
    headers: { accept: "application/json" },
    maxBytes: MAX_PAGE_BYTES,
    paceMs: PACE_MS,
    signal,
  } as const;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    try {
      const answer = parsePage(await web.request(url(page), request));
      results.push(...answer.results);
      if (!answer.next) return { results, failures: [] };
    } catch (error) {
      if (page === 1 || signal.aborted) throw error;
      return { results, failures: [toFetchError(error)] };
    }
  }
  const problem = `${PATH}: more than ${MAX_PAGES} pages of ${PAGE_SIZE} rows, the others were not read`;
  return { results, failures: [new FetchError("too-large", problem)] };
}

/** Parses a page. Throws a FetchError for a page without rows, because the days that a poll covers have about 300 actions. */
function parsePage(answer: WebAnswer): z.infer<typeof pageSchema> {
  const parsed = pageSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected a JSON object with the rows in `results`, got another shape");
  if (parsed.data.results.length === 0) throw unreadable(answer, "the list is empty");
  return parsed.data;
}

const REVERSE_SPLIT =
  /\breverse[\s_-]+(?:(?:stock|share|unit|ads|adr)[\s_-]+)?splits?\b|\b(?:stock|share)[\s_-]+consolidation\b/i;

function pollResultOf({ results, failures }: Pages): StatementPollResult {
  const parsed = results.map((row) => rowSchema.safeParse(row));
  const rows = parsed.flatMap(({ data }) => (data && REVERSE_SPLIT.test(data.action_type) ? [data] : []));
  const statements = latestRows(rows).flatMap((row) => parseStatement(row) ?? []);
  const invalid = results.filter((_, index) => parsed[index]?.success === false);
  return { items: results, statements, failures: [...failures, ...shapeFailures(invalid, results.length)] };
}

/** Reads a page of the list as one document. Throws a FetchError for any other document, and for an empty page. */
export function readCorporateActionsDocument(document: WebAnswer): DocumentReading {
  const { statements, failures } = pollResultOf({ results: parsePage(document).results, failures: [] });
  return { document: "corporate actions", statements, refusals: failures.map(({ message }) => message) };
}

const NAME_FIELDS = { tickers: ["issue_symbol"], texts: ["issuer_name", "market_event"] };

function shapeFailures(rows: readonly unknown[], total: number): readonly FetchError[] {
  if (rows.length === 0) return [];
  const problem = `${rows.length} of ${total} rows have no market_event or action_type${namesOfRows(rows, NAME_FIELDS)}`;
  return [new FetchError("unreadable", `${PATH}: ${problem}`)];
}

/** The latest row of each market event. A row that moves to the next page between two requests is read twice. */
function latestRows(rows: readonly Row[]): readonly Row[] {
  const updatedAt = (row: Row): Instant => parseFieldTime(row.updated_at) ?? 0;
  const oldestFirst = rows.toSorted((a, b) => updatedAt(a) - updatedAt(b));
  return [...new Map(oldestFirst.map((row) => [row.market_event, row])).values()];
}

const CANCELLATION = /\bcancel|\brescind|\bwithdr[ae]w/i;
const POSTPONEMENT = /\bpostpone|\bdelay|\bdefer/i;

/** Parses a row; null for a warrant, right, unit or preferred share. The list states neither exchange nor ratio. */
function parseStatement(row: Row): Statement | null {
  const { market_event: event, action_date: date, action_status: status, issue_symbol: symbol, issuer_name } = row;
  const ticker = parseShareSymbol(symbol ?? "");
  if (ticker === null) return null;
  return {
    id: event,
    url: `https://www.nyse.com/corporate-actions#${encodeURIComponent(event)}`,
    kind: kindOf(`${row.action_type} ${status ?? ""}`),
    listings: [{ ticker, exchange: null }],
    company: issuer_name.trim() || null,
    ratio: null,
    exDate: parseFieldDay(date ?? ""),
    newCusip: null,
    evidence: {
      kind: `action_type: ${row.action_type}${status ? `, action_status: ${status}` : ""}`,
      ...(date && { exDate: `action_date: ${date}` }),
      ticker: `issue_symbol: ${symbol}`,
      ...(issuer_name && { company: `issuer_name: ${issuer_name}` }),
    },
    publishedAt: parseFieldTime(row.updated_at),
  };
}

function kindOf(status: string): Statement["kind"] {
  if (CANCELLATION.test(status)) return "cancelled";
  return POSTPONEMENT.test(status) ? "postponed" : "announced";
}

const OTHER_SECURITY_PATTERN = /[ ./-](?:WS|WT|W|U|UN|R|RT|PR?[A-Z]?)(?:[ ./-]?[A-Z])?$/;

/** Parses the symbol of a common share, such as `BRK B` or `BRK.B`; null for other securities. */
function parseShareSymbol(symbol: string): Ticker | null {
  const normalized = symbol.trim().toUpperCase();
  if (OTHER_SECURITY_PATTERN.test(normalized)) return null;
  return parseTicker(normalized.replace(/\s+/g, ".")) ?? null;
}
