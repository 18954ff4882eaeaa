import { z } from "zod";
import { namesOfRows } from "../../data-service/rows.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { addDays, type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { csvRecords } from "../../lib/csv.ts";
import { oneLine } from "../../lib/external-text.ts";
import { companyNameOf } from "../company-name.ts";
import type { DocumentReading } from "../document-reading.ts";
import { parseFieldDay, parseFieldTime, parseSplitRatio } from "../notations.ts";
import type { Statement, StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import { firstDayToRead, type StatementReaderTools } from "../official/official-source.ts";
import { decodeText } from "../web/decode-text.ts";
import { FetchError, unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { Web, WebAnswer } from "../web/web.ts";

const PATH = "/data/group/otcMarket/name/otcDailyList";

/** Days that the first read of a run covers, and the most days that a later read covers; see `firstDayToRead`. */
const PAST_DAYS = { firstDays: 40, maxDays: 40 } as const;

const PAGE_SIZE = 1_000;
/** About 40 rows are published per day. */
const MAX_PAGES = 10;
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

/** Essential text, which may be empty. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
/** Incidental text: a value of another type is empty. */
const incidentalText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : ""));

const rowSchema = z.object({
  OTCDailyListID: z.union([z.string().regex(/^\d{1,18}$/), z.int().nonnegative()]),
  dailyListDatetime: incidentalText,
  oldSymbolCode: text,
  newSymbolCode: text,
  oldSecurityDescription: incidentalText,
  newSecurityDescription: incidentalText,
  reverseSplitRate: text,
  exDate: text,
  commentText: incidentalText,
});

type Row = z.infer<typeof rowSchema>;

/** Reads the daily list of recent days. */
export function createDailyListReader(
  origin: string,
  { web, clock, everyMs, recordedObservations }: StatementReaderTools,
): StatementReader {
  let lastReadOn: Day | null = null;
  return {
    name: "finra",
    intervalMs: () => everyMs,
    async read(signal) {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      const from = firstDayToRead(today, lastReadOn, PAST_DAYS);
      const rows = await readRows({ web, url: `${origin}${PATH}`, from, to: addDays(today, 1), signal });
      // The range covers at least a week, and a week always has trading days, with about 40 rows each.
      if (rows.length === 0) throw new FetchError("empty", `${PATH}: no rows since ${from}`);
      lastReadOn = today;
      return pollResultOf(rows, new Map([...recordedObservations()].map(({ url, id }) => [url, id])));
    },
  };
}

interface RowsRequest {
  readonly web: Web;
  readonly url: string;
  readonly from: Day;
  readonly to: Day;
  readonly signal: AbortSignal;
}

/** Requests all pages. Throws a FetchError if any page can't be read, because a partial list may lack a correction. */
async function readRows({ web, url, from, to, signal }: RowsRequest): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = {
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
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
    const pageRows = rowsOf(await web.request(url, request));
    rows.push(...pageRows);
    if (pageRows.length < PAGE_SIZE) return rows;
  }
  throw new FetchError("too-large", `${PATH}: ${MAX_PAGES} pages of ${PAGE_SIZE} rows since ${from}, expected fewer`);
}

/** Rows of an answer in JSON or CSV. Status 204 means no rows. Throws a FetchError for an object, which describes an error. */
function rowsOf(answer: WebAnswer): readonly unknown[] {
  if (answer.status === 204) return [];
  const csv = csvRowsOf(answer);
  if (csv !== null) return csv;
  const rows = readJson(answer);
  if (!Array.isArray(rows)) throw unreadable(answer, "expected a JSON array of rows, got another shape");
  return rows;
}

const MAX_CSV_ROWS = MAX_PAGES * PAGE_SIZE;

/** Rows of an answer in CSV, with columns in any order; null if it has no heading row of the list. */
function csvRowsOf(answer: WebAnswer): readonly unknown[] | null {
  const csv = decodeText(answer.body, answer.header("content-type"));
  if (/^[\s\uFEFF]{0,9}[[{<]/.test(csv)) return null;
  const records = csvRecords(csv);
  const names: readonly string[] = records.next().value?.fields ?? [];
  if (!names.includes("OTCDailyListID")) return null;
  const rows: unknown[] = [];
  for (const { fields } of records) {
    if (rows.length === MAX_CSV_ROWS) throw unreadable(answer, `more than ${MAX_CSV_ROWS} rows`);
    rows.push(Object.fromEntries(names.map((name, index) => [name, fields[index]])));
  }
  return rows;
}

/** Reads an answer as one document. Throws a FetchError for any other document. */
export function readDailyListDocument(document: WebAnswer): DocumentReading {
  const { statements, failures } = pollResultOf(rowsOf(document), new Map());
  return { document: "daily list", statements, refusals: failures.map(({ message }) => message) };
}

/**
 * Makes one statement per symbol and ex date, from the newest row that has both. If FINRA edits a recorded row, the statement
 * keeps the recorded id, so that a new ex date reschedules the split instead of adding a second one.
 */
function pollResultOf(items: readonly unknown[], idByUrl: ReadonlyMap<string, string>): StatementPollResult {
  const parsed = items.map((item) => rowSchema.safeParse(item));
  const rows = parsed.flatMap(({ data }) => data ?? []);
  const newestFirst = rows.toSorted((a, b) => Number(b.OTCDailyListID) - Number(a.OTCDailyListID));
  const statements = new Map<string, Statement>();
  for (const row of newestFirst) {
    const statement = statementOf(row, idByUrl);
    if (statement !== null && !statements.has(statement.id)) statements.set(statement.id, statement);
  }
  const invalid = items.filter((_, index) => parsed[index]?.success === false);
  return { items, statements: [...statements.values()], failures: shapeFailures(invalid, items.length) };
}

const NAME_FIELDS = {
  tickers: ["oldSymbolCode", "newSymbolCode"],
  texts: ["oldSecurityDescription", "newSecurityDescription"],
};

function shapeFailures(rows: readonly unknown[], total: number): readonly FetchError[] {
  if (rows.length === 0) return [];
  const problem = `${rows.length} of ${total} rows have another shape${namesOfRows(rows, NAME_FIELDS)}`;
  return [new FetchError("unreadable", `${PATH}: ${problem}`)];
}

const OTC = parseExchange("OTC") ?? null;

/**
 * Words that show that something other than the split is cancelled (`old symbol deleted`), or that nothing is cancelled
 * (`not`). Exception: a `symbol change` or `CUSIP change` is usually cancelled together with the split.
 */
const OTHER_OBJECT = String.raw`\b(?:symbols?|cusips?|shares?|certificates?|fractions?|not)\b(?! changes?\b)`;
const CANCELLED = String.raw`(?:cancell?ed|rescinded|withdrawn|deleted)\b`;
const SPLIT = String.raw`(?:splits?|consolidations?|roll-?backs?|actions?)\b`;
const CANCELLATIONS = [
  // `reverse split has been cancelled`
  new RegExp(String.raw`\b${SPLIT}(?:(?!${OTHER_OBJECT}).){0,80}?\b${CANCELLED}`, "i"),
  // `cancellation of the previously announced reverse split`
  new RegExp(
    String.raw`^(?:(?!${OTHER_OBJECT}).){0,200}?\b(?:cancel(?:s|l?ed|lation)?|rescind(?:s|ed)|withdr(?:aws?|ew|awn)|deleted?)[\s:-]+(?:(?:of|the|its|this|previously|announced|pending|planned|reverse|stock|share|corporate|\d+[-:]for[-:]\d+|\d+:\d+)\s+){0,8}${SPLIT}`,
    "i",
  ),
  // `cancelled by the issuer`
  /^\W*(?:has been )?(?:cancell?ed|rescinded|withdrawn)(?: by (?:the )?(?:issuer|company))?\W*$/i,
];
const MAX_COMMENT_LENGTH = 2_000;

/** True if a comment says that the split itself, and not a symbol or CUSIP, is cancelled. */
function isCancellation(comment: string): boolean {
  const clauses = comment.slice(0, MAX_COMMENT_LENGTH).split(/[.;,](?:\s|$)|\n/);
  return clauses.some((clause) => CANCELLATIONS.some((pattern) => pattern.test(clause)));
}

/** Null for a row without a valid symbol or a reverse split, such as the later row that removes the suffix D from the symbol. */
function statementOf(row: Row, idByUrl: ReadonlyMap<string, string>): Statement | null {
  const { oldSymbolCode, newSymbolCode, reverseSplitRate, exDate, commentText } = row;
  // The new symbol has the suffix D for about twenty business days.
  const ticker = parseTicker(oldSymbolCode) ?? parseTicker(newSymbolCode);
  if (reverseSplitRate.trim() === "" || ticker === undefined) return null;
  const day = parseFieldDay(exDate);
  const rowId = String(row.OTCDailyListID);
  const url = `https://otce.finra.org/otce/dailyList#${rowId}`;
  return {
    id: idByUrl.get(url) ?? `${ticker} ${day ?? rowId}`,
    url,
    kind: isCancellation(commentText) ? "cancelled" : "announced",
    listings: [{ ticker, exchange: OTC }],
    company: companyOf(row),
    ratio: parseSplitRatio(reverseSplitRate),
    exDate: day,
    newCusip: null,
    evidence: {
      ratio: `reverseSplitRate: ${reverseSplitRate}`,
      ...(exDate && { exDate: `exDate: ${exDate}` }),
      ticker: `oldSymbolCode: ${oldSymbolCode}, newSymbolCode: ${newSymbolCode}`,
      ...(commentText && { kind: `commentText: ${commentText}` }),
    },
    publishedAt: parseFieldTime(row.dailyListDatetime),
  };
}

const MAX_DESCRIPTION_LENGTH = 300;

/** Company name: the description without the kind of security, as in `Brandvale Lithium Corp. Common Stock`. */
function companyOf({ oldSecurityDescription, newSecurityDescription }: Row): string | null {
  const description = oneLine(oldSecurityDescription || newSecurityDescription, MAX_DESCRIPTION_LENGTH);
  return companyNameOf(description) || null;
}
