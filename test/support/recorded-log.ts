import type { Log, LogFields } from "../../src/ports/log.ts";

export interface LogLine {
  readonly level: keyof Log;
  readonly event: string;
  readonly fields: LogFields;
}

export interface RecordedLog extends Log {
  readonly lines: readonly LogLine[];
  /** All that was said, errors with their stacks and causes, before anything is taken out of it. */
  text(): string;
}

/** A log that a test reads. */
export function recordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const record =
    (level: keyof Log) =>
    (event: string, fields: LogFields = {}): void =>
      void lines.push({ level, event, fields });
  return {
    lines,
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
