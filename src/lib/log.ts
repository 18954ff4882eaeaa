import { createRequire } from "node:module";
import { inspect } from "node:util";
import { pino } from "pino";
import type { prettyFactory } from "pino-pretty";
import type { Log, LogFields, LogFormat, LogLevel } from "../ports/log.ts";
import { loggedLines } from "./log-counts.ts";
import { createRedactor } from "./redact.ts";

/** Output for log lines. Default: standard error, because standard output is for the results of commands. */
export interface LogDestination {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Masked in every line, in every encoding. */
  readonly secrets: readonly string[];
  /** Also masked in every line. */
  readonly credentialPatterns?: readonly RegExp[];
  readonly destination?: LogDestination;
}

/** A log that writes one JSON object per line (`json`), or a readable form (`pretty`). */
export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? process.stderr;
  const redact = createRedactor(options.secrets, options.credentialPatterns);
  const format = options.format === "pretty" ? prettyFormat(destination) : (line: string) => line;
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Redacts the finished JSON line, so that fields, messages and stacks are covered. `pretty` formats the line afterwards,
    // because it undoes some JSON escapes: a secret in its output may match none of the forms that are masked.
    { write: (line: string) => destination.write(escapeInvisible(format(redact(line)))) },
  );
  const write =
    (level: keyof Log): Log[keyof Log] =>
    (event, fields) => {
      if (!logger.isLevelEnabled(level)) return;
      loggedLines[level] += 1;
      logger[level](plainFields(fields), event);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Characters that JSON leaves as they are and that terminals obey: C1 controls, line separators, bidirectional control marks. */
const INVISIBLE = /[\u007F-\u009F\u2028\u2029\p{Bidi_Control}]/gu;

/** Replaces invisible characters with JSON escapes such as `\u009b`. */
function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Loads the formatter only when it is used: most logs are read by programs. */
function prettyFormat(destination: LogDestination): (line: string) => string {
  const pretty = createRequire(import.meta.url)("pino-pretty") as { readonly prettyFactory: typeof prettyFactory };
  return pretty.prettyFactory({ colorize: destination.isTTY === true, translateTime: "SYS:HH:MM:ss" });
}

function plainFields(fields: LogFields = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? describeError(value) : value]),
  );
}

/** Limit of nested causes and errors; causes can be circular. */
const MAX_CAUSES = 5;

function describeError(error: Error, depth = 0): Record<string, unknown> {
  const { cause } = error;
  return {
    type: error.name,
    message: error.message,
    ...("code" in error ? { code: error.code } : {}),
    stack: error.stack,
    // If a host has several addresses, a failed connection has an empty message and one error per address.
    ...(error instanceof AggregateError ? { errors: describeAll(error.errors, depth) } : {}),
    ...(cause === undefined ? {} : { cause: describeCause(cause, depth + 1) }),
  };
}

function describeCause(cause: unknown, depth: number): unknown {
  if (depth > MAX_CAUSES) return "(further causes omitted)";
  return cause instanceof Error ? describeError(cause, depth) : inspect(cause, { depth: 1 });
}

function describeAll(errors: readonly unknown[], depth: number): unknown[] {
  return errors.slice(0, MAX_CAUSES).map((error) => describeCause(error, depth + 1));
}
