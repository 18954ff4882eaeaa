/** Why a file cannot be read, in words; undefined for an error of another kind. */
export function readingProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return READING_PROBLEMS[error.code] ?? (error.code.startsWith("E") ? error.code : undefined);
}

const READING_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "which is not there",
  ENOTDIR: "which is not there",
  EISDIR: "which is a folder",
  EACCES: "which may not be read",
  EPERM: "which may not be read",
};
