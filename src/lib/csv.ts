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
  let number = 1;
  let start: number | null = text.startsWith("\uFEFF") ? 1 : 0;
  while (start !== null) {
    const lines = recordAt(text, start);
    const record = lines
      .map((line) => line.text)
      .join("\n")
      .slice(0, MAX_RECORD_LENGTH);
    if (record.trim() !== "") yield { line: number, fields: fieldsOf(record, delimiter) };
    number += lines.length;
    start = lines.at(-1)?.next ?? null;
  }
}

interface Line {
  readonly text: string;
  /** Start of the next line; null for the last one. */
  readonly next: number | null;
}

/** Lines of the record that starts at `start`. */
function recordAt(text: string, start: number): readonly Line[] {
  const first = lineAt(text, start);
  if (!hasOpenQuote(first.text)) return [first];
  const lines = [first];
  for (let { next } = first; next !== null && lines.length < MAX_RECORD_LINES; next = lines.at(-1)?.next ?? null) {
    const line = lineAt(text, next);
    lines.push(line);
    if (hasOpenQuote(line.text)) return lines;
  }
  return [first];
}

const LINE_END = /\r\n|\n|\r/g;

function lineAt(text: string, start: number): Line {
  LINE_END.lastIndex = start;
  const end = LINE_END.exec(text);
  return { text: text.slice(start, end?.index), next: end === null ? null : LINE_END.lastIndex };
}

/** Whether the number of quotation marks is odd; a doubled one stands for itself. */
function hasOpenQuote(line: string): boolean {
  let count = 0;
  for (let at = 0; at < line.length; at += 1) if (line[at] === '"') count += 1;
  return count % 2 === 1;
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
