import { z } from "zod";
import { quoteValue } from "../../lib/error-text.ts";
import { NAME_FORM, parseName } from "./page/name.ts";

/** An invalid request; the message names the field. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

const name = z.string().transform((text, context) => {
  const parsed = parseName(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: "custom", message: `got ${quoteValue(text)}, expected ${NAME_FORM}` });
  return z.NEVER;
});

/** `direct`: the destination is the requester's direct messages; otherwise the channel. */
const destination = { name, channel: name.optional(), direct: z.boolean().optional() };

const sentFile = z.strictObject({ name: z.string().max(200), base64: z.base64() });

export type SentFile = Readonly<z.infer<typeof sentFile>>;

/** Without a name, suggestions contain nothing personal. */
export const completionRequest = z.strictObject({ ...destination, name: name.optional(), line: z.string() });
export const commandRequest = z.strictObject({ ...destination, line: z.string(), file: sentFile.optional() });

export type CompletionRequest = Readonly<z.input<typeof completionRequest>>;

/** Body of `POST /api/command`, as a client sends it. */
export type CommandBody = Readonly<z.input<typeof commandRequest>>;

export const shareRequest = z.strictObject({ name, channel: name.optional(), line: z.string() });

const number = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

/** Selects a channel's messages and, with `name`, that person's direct messages. */
export const messagesQuery = z.strictObject({
  channel: name.optional(),
  name: name.optional(),
  after: number.optional(),
});

export type MessagesQuery = Readonly<z.infer<typeof messagesQuery>>;

/** The reader of a message or of the view of a split, which offers to watch the split. */
export const readerQuery = z.strictObject({ name: name.optional() });

export const overviewQuery = z.strictObject({ channel: name.optional() });

const MAX_URL_LENGTH = 2_000;

export const releaseQuery = z.strictObject({ url: z.string().max(MAX_URL_LENGTH) });

/** Validates a request; throws a RequestError that names the first problem. */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.length ? issue.path.join(".") : "request";
  throw new RequestError(`${path}: ${issue?.message ?? "is invalid"}`);
}

/** Returns the query parameters; throws a RequestError for a repeated one. */
export function queryOf(url: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const [key, value] of new URL(url).searchParams) {
    if (Object.hasOwn(query, key)) throw new RequestError(`${key}: got more than one value, expected one`);
    query[key] = value;
  }
  return query;
}

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys")
    return `${issue.keys.map((key) => quoteValue(key)).join(", ")} is not a known field`;
  if (issue.code === "invalid_value") return `got ${quoteValue(issue.input)}, expected ${issue.values.join(" or ")}`;
  if (issue.code === "too_big" && typeof issue.input === "string")
    return `got ${issue.input.length} characters, expected at most ${issue.maximum}`;
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined
    ? `is missing, expected ${issue.expected}`
    : `got ${quoteValue(issue.input)}, expected ${issue.expected}`;
}
