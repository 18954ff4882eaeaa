import type { DocumentEntry, DocumentReading } from "../document-reading.ts";
import { parseFieldTime } from "../notations.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { haltStatements, idOf, isBeforeSplit, toEveningHalt } from "./halt-statements.ts";
import { type Halt, readHalts } from "./read-halts.ts";

const ORIGIN = "https://www.nasdaqtrader.com";

/** Reads the feed as one document. Throws a FetchError for any other document. */
export function readHaltsDocument(document: WebAnswer): DocumentReading {
  const halts = readHalts(document);
  const statements = haltStatements(halts, ORIGIN);
  const confirming = new Set(statements.map(({ id }) => id));
  return { document: "feed", statements, entries: halts.map((halt) => entryOf(halt, confirming)) };
}

function entryOf(halt: Halt, confirming: ReadonlySet<string>): DocumentEntry {
  const { symbol, name, market, date, time, reason } = halt;
  const eveningHalt = toEveningHalt(halt);
  return {
    id: `${symbol} ${date} ${time}`,
    title: `${name}, ${market}, ${reason}`,
    publishedAt: parseFieldTime(`${date} ${time}`),
    isFollowed: eveningHalt !== null && isBeforeSplit(halt) && confirming.has(idOf(eveningHalt)),
  };
}
