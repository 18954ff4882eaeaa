export type LogFields = Readonly<Record<string, unknown>>;

/**
 * `event` is a fixed, short name such as `poll completed`; everything that varies is a field. error: an operator must act.
 * warn: check within days. info: one line per poll and per delivery. Secrets are masked in every line.
 */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const ignore = (): void => undefined;

export const SILENT_LOG: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Settings of the logger; declared here so that the configuration is read without loading the logger. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export const LOG_FORMATS = ["pretty", "json"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];
