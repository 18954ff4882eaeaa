import { type Day, parseDay } from "../../domain/time/day.ts";

/** An article as it is given to be read. Only the text is needed. */
export interface GivenArticle {
  /** The giver's own mark, handed on as it is; undefined: there is none. */
  readonly id: unknown;
  readonly url: string | null;
  readonly heading: string;
  readonly content: string;
  /** Null: not given, or no day. */
  readonly published: Day | null;
}

export type ReadLine = { readonly article: GivenArticle } | { readonly problem: string };

const EXPECTED = 'expected an article record, such as {"heading": "…", "content": "…", "url": "…"}';
const LONGEST_QUOTE = 40;

/** Reads one line of article records. Null stands for a line that is too long. */
export function readArticleLine(text: string | null): ReadLine {
  if (text === null) return { problem: `got a line longer than any article, ${EXPECTED}` };
  const value = parseJson(text);
  if (!isObject(value)) return { problem: `got ${quoted(text)}, ${EXPECTED}` };
  const { id, url, heading, content, date_published } = value;
  const problems = [...textProblem("heading", heading), ...textProblem("content", content)];
  if ([heading, content].every((field) => field === undefined || field === null)) {
    problems.push(`got neither heading nor content, ${EXPECTED}`);
  }
  if (problems.length > 0) return { problem: problems.join("; ") };
  return {
    article: {
      id,
      url: typeof url === "string" ? url : null,
      heading: asText(heading),
      content: asText(content),
      published: parseDay(asText(date_published).slice(0, 10)) ?? null,
    },
  };
}

function textProblem(field: string, value: unknown): string[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  return [`${field}: got ${quoted(JSON.stringify(value))}, expected text`];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quoted(text: string): string {
  return text.length > LONGEST_QUOTE ? `${JSON.stringify(text.slice(0, LONGEST_QUOTE))}…` : JSON.stringify(text);
}
