const MAX_QUOTED_LENGTH = 80;

/** Received value for an error message, as JSON, truncated; "nothing" for undefined. `mask` hides secrets before the cut. */
export function quoteValue(value: unknown, mask: (text: string) => string = String): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(truncate(mask(value)));
  // JSON has no NaN.
  return truncate(mask(typeof value === "number" ? String(value) : JSON.stringify(value)));
}

function truncate(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).replace(/\p{Surrogate}$/u, "")}…` : text;
}
