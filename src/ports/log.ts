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
