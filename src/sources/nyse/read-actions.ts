import { z } from "zod";
import { namesOfRows } from "../../data-service/rows.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { parseFieldDay, parseFieldTime } from "../notations.ts";
import type { Statement } from "../official/statement.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** A page of the list. */
export interface ActionsPage {
  /** One per row; null if the row is not about a reverse split. */
  readonly rows: readonly (SplitAction | null)[];
  readonly hasNext: boolean;
  /** Description of the unreadable rows; null: none. */
  readonly problem: string | null;
}

/** A row about a reverse split. */
export interface SplitAction {
  readonly event: string;
  readonly updatedAt: Instant | null;
  /** Null for a warrant, right, unit or preferred share. */
  readonly statement: Statement | null;
}

const optionalText = z.string().nullish();
/** Incidental text: a value of another type is empty. */
const incidentalText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : ""));

/** Ten times the rows that a poll requests per page. */
const MAX_ROWS = 1_000;

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

const REVERSE_SPLIT =
  /\breverse[\s_-]+(?:(?:stock|share|unit|ads|adr)[\s_-]+)?splits?\b|\b(?:stock|share)[\s_-]+consolidation\b/i;

/** Reads a page. Throws a FetchError for a page without rows, because the days that a poll covers have about 300 actions. */
export function readActionsPage(answer: WebAnswer): ActionsPage {
  const parsed = pageSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected a JSON object with the rows in `results`, got another shape");
  const { results, next } = parsed.data;
  if (results.length === 0) throw unreadable(answer, "the list is empty");
  if (results.length > MAX_ROWS) throw unreadable(answer, `got ${results.length} rows, expected at most ${MAX_ROWS}`);
  const rows = results.map((row) => rowSchema.safeParse(row));
  const invalid = results.filter((_, index) => rows[index]?.success === false);
  return {
    rows: rows.map(({ data }) => (data && REVERSE_SPLIT.test(data.action_type) ? actionOf(data) : null)),
    hasNext: Boolean(next),
    problem: invalid.length === 0 ? null : describeInvalid(invalid, results.length),
  };
}

const NAME_FIELDS = { tickers: ["issue_symbol"], texts: ["issuer_name", "market_event"] };

function describeInvalid(rows: readonly unknown[], total: number): string {
  return `${rows.length} of ${total} rows have no market_event or action_type${namesOfRows(rows, NAME_FIELDS)}`;
}

function actionOf(row: Row): SplitAction {
  return { event: row.market_event, updatedAt: parseFieldTime(row.updated_at), statement: parseStatement(row) };
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
