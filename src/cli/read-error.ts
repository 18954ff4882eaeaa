/** Explains why a file cannot be read; undefined for other errors. */
export function readingProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return READING_PROBLEMS[error.code] ?? (error.code.startsWith("E") ? error.code : undefined);
}

const READING_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "which doesn't exist",
  ENOTDIR: "which doesn't exist",
  EISDIR: "which is a folder",
  EACCES: "which isn't readable",
  EPERM: "which isn't readable",
};
