export type LogFields = Readonly<Record<string, unknown>>;

/**
 * `event` is a fixed name in kebab-case; everything that varies is a field. error: someone must act. warn: look this week.
 * info: one line per poll and per delivery. Secrets are taken out of every line before it is written.
 */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
