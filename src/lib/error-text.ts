import { cutText } from "./external-text.ts";

/** Message of a thrown value, which need not be an Error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Error of a file that is larger than its reader accepts. */
export class FileTooLargeError extends Error {
  override readonly name = "FileTooLargeError";
  readonly maxBytes: number;

  constructor(path: string, maxBytes: number) {
    super(`${path} is larger than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Error of a pipe, a socket or a device where a file is expected. */
export class NotRegularFileError extends Error {
  override readonly name = "NotRegularFileError";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

const NOT_REGULAR = "is not a regular file";

/** Problem text for a missing file, which some callers accept. */
export const MISSING_FILE = "doesn't exist";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: MISSING_FILE,
  ENOTDIR: MISSING_FILE,
  EISDIR: "is a folder",
  // Opening a socket.
  ENXIO: NOT_REGULAR,
  EACCES: "isn't readable",
  EPERM: "isn't readable",
};

/** Reason why a file cannot be read, worded to follow its name (`is a folder`); undefined for errors without a code. */
export function fileReadProblem(error: unknown): string | undefined {
  if (error instanceof FileTooLargeError) return `is larger than ${error.maxBytes} bytes`;
  if (error instanceof NotRegularFileError) return NOT_REGULAR;
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return PROBLEMS[error.code] ?? (error.code.startsWith("E") ? `can't be read (${error.code})` : undefined);
}

/** With the "…" of a truncated value. */
const MAX_QUOTED_LENGTH = 81;

/** Received value for an error message, as JSON, truncated; "nothing" for undefined. `mask` hides secrets before the truncation. */
export function quoteValue(value: unknown, mask: (text: string) => string = String): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(cutText(mask(value), MAX_QUOTED_LENGTH));
  // JSON has no NaN.
  return cutText(mask(typeof value === "number" ? String(value) : JSON.stringify(value)), MAX_QUOTED_LENGTH);
}
