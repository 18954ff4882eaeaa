export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Lines of one record: a quoted field may contain line breaks. */
const MAX_RECORD_LINES = 20;
/** In characters; no row of a list is longer. */
const MAX_RECORD_LENGTH = 100_000;

/**
 * Yields the records of a CSV text (RFC 4180) without its empty lines. A quotation mark that is not closed within
 * MAX_RECORD_LINES lines is read as text of its line. A record is cut at MAX_RECORD_LENGTH.
 * @param delimiter One character.
 */
export function* csvRecords(text: string, delimiter = ","): Generator<CsvRecord> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  let next = 0;
  while (next < lines.length) {
    const first = next;
    next = recordEnd(lines, first);
    const record = lines.slice(first, next).join("\n").slice(0, MAX_RECORD_LENGTH);
    if (record.trim() !== "") yield { line: first + 1, fields: fieldsOf(record, delimiter) };
  }
}

/** Index after the last line of the record that starts at `first`. */
function recordEnd(lines: readonly string[], first: number): number {
  let isOpen = hasOpenQuote(lines[first] ?? "");
  let end = first + 1;
  while (isOpen && end < Math.min(lines.length, first + MAX_RECORD_LINES)) {
    isOpen = !hasOpenQuote(lines[end] ?? "");
    end += 1;
  }
  return isOpen ? first + 1 : end;
}

/** Whether the number of quotation marks is odd; a doubled one stands for itself. */
function hasOpenQuote(line: string): boolean {
  let isOpen = false;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}

function fieldsOf(record: string, delimiter: string): readonly string[] {
  const fields: string[] = [];
  let at = 0;
  while (at <= record.length) {
    const quoteEnd = record[at] === '"' ? closingQuote(record, at) : -1;
    const end = positionOf(delimiter, record, Math.max(at, quoteEnd));
    const isQuoted = quoteEnd > 0 && record.slice(quoteEnd + 1, end).trim() === "";
    fields.push(isQuoted ? record.slice(at + 1, quoteEnd).replaceAll('""', '"') : record.slice(at, end).trim());
    at = end + 1;
  }
  return fields;
}

/** Position of the quotation mark that ends the field; -1: none. */
function closingQuote(record: string, start: number): number {
  let at = record.indexOf('"', start + 1);
  while (at >= 0 && record[at + 1] === '"') at = record.indexOf('"', at + 2);
  return at;
}

function positionOf(delimiter: string, record: string, start: number): number {
  const at = record.indexOf(delimiter, start);
  return at < 0 ? record.length : at;
}
