import type { Log, LogFields } from "../../src/ports/log.ts";

export interface LogLine {
  readonly level: keyof Log;
  readonly event: string;
  readonly fields: LogFields;
}

export interface RecordedLog extends Log {
  readonly lines: readonly LogLine[];
  /** Number of lines with this event. */
  count(event: string): number;
  /** The whole log with stacks and causes of errors, before redaction. */
  text(): string;
}

/** Log that a test can read. */
export function recordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const counts = new Map<string, number>();
  const record =
    (level: keyof Log) =>
    (event: string, fields: LogFields = {}): void => {
      lines.push({ level, event, fields });
      counts.set(event, (counts.get(event) ?? 0) + 1);
    };
  return {
    lines,
    count: (event) => counts.get(event) ?? 0,
    debug: record("debug"),
    info: record("info"),
    warn: record("warn"),
    error: record("error"),
    text: () => lines.map((line) => JSON.stringify(line, spelledOut)).join("\n"),
  };
}

function spelledOut(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
