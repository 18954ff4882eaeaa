import { z } from "zod";
import { namesOfRows } from "../../data-service/rows.ts";
import { OTC } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { csvRecords } from "../../lib/csv.ts";
import { oneLine } from "../../lib/external-text.ts";
import { companyNameOf } from "../company-name.ts";
import { parseFieldDay, parseFieldTime, parseSplitRatio } from "../notations.ts";
import type { Statement } from "../official/statement.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** A page of the list. */
export interface DailyListPage {
  /** One per row; null if the row is not about a reverse split. */
  readonly rows: readonly (ListedSplit | null)[];
  /** Description of the unreadable rows; null: none. */
  readonly problem: string | null;
}

/** A row about a reverse split. */
export interface ListedSplit {
  /** A newer row has a larger number. */
  readonly number: number;
  readonly statement: Statement;
}

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

/** Reads a page in JSON or CSV. Throws a FetchError for any other answer. */
export function readDailyListPage(answer: WebAnswer): DailyListPage {
  const items = rowsOf(answer);
  const parsed = items.map((item) => rowSchema.safeParse(item));
  const invalid = items.filter((_, index) => parsed[index]?.success === false);
  return {
    rows: parsed.map(({ data }) => (data === undefined ? null : splitOf(data))),
    problem: invalid.length === 0 ? null : describeInvalid(invalid, items.length),
  };
}

/** Rows of an answer in JSON or CSV. Status 204 means no rows. Throws a FetchError for an object, which describes an error. */
function rowsOf(answer: WebAnswer): readonly unknown[] {
  if (answer.status === 204) return [];
  const csv = csvRowsOf(answer);
  if (csv !== null) return csv;
  const rows = readJson(answer);
  if (!Array.isArray(rows)) throw unreadable(answer, "expected a JSON array of rows, got another shape");
  if (rows.length > MAX_ROWS) throw unreadable(answer, `more than ${MAX_ROWS} rows`);
  return rows;
}

const MAX_ROWS = 10_000;

/** Rows of an answer in CSV, with columns in any order; null if it has no heading row of the list. */
function csvRowsOf(answer: WebAnswer): readonly unknown[] | null {
  const csv = decodeText(answer.body, answer.header("content-type"));
  if (/^[\s\uFEFF]{0,9}[[{<]/.test(csv)) return null;
  const records = csvRecords(csv);
  const names: readonly string[] = records.next().value?.fields ?? [];
  if (!names.includes("OTCDailyListID")) return null;
  const rows: unknown[] = [];
  for (const { fields } of records) {
    if (rows.length === MAX_ROWS) throw unreadable(answer, `more than ${MAX_ROWS} rows`);
    rows.push(Object.fromEntries(names.map((name, index) => [name, fields[index]])));
  }
  return rows;
}

const NAME_FIELDS = {
  tickers: ["oldSymbolCode", "newSymbolCode"],
  texts: ["oldSecurityDescription", "newSecurityDescription"],
};

function describeInvalid(rows: readonly unknown[], total: number): string {
  return `${rows.length} of ${total} rows have another shape${namesOfRows(rows, NAME_FIELDS)}`;
}

function splitOf(row: Row): ListedSplit | null {
  const statement = statementOf(row);
  return statement === null ? null : { number: Number(row.OTCDailyListID), statement };
}

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
function statementOf(row: Row): Statement | null {
  const { oldSymbolCode, newSymbolCode, reverseSplitRate, exDate, commentText } = row;
  // The new symbol has the suffix D for about twenty business days.
  const ticker = parseTicker(oldSymbolCode) ?? parseTicker(newSymbolCode);
  if (reverseSplitRate.trim() === "" || ticker === undefined) return null;
  const day = parseFieldDay(exDate);
  const rowId = String(row.OTCDailyListID);
  return {
    id: `${ticker} ${day ?? rowId}`,
    url: `https://otce.finra.org/otce/dailyList#${rowId}`,
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
