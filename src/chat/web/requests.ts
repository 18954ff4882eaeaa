import { z } from "zod";
import { NAME_FORM, parseName } from "./page/protocol.ts";

/** What came in was not what is expected; `message` names it. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

const name = z.string().transform((text, context) => {
  const parsed = parseName(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: "custom", message: `got ${shown(text)}, expected ${NAME_FORM}` });
  return z.NEVER;
});

const place = { name, channel: name.optional(), direct: z.boolean().optional() };

export const completionRequest = z.strictObject({ ...place, line: z.string() });
export const commandRequest = completionRequest.extend({
  file: z.strictObject({ name: z.string().max(200), base64: z.base64() }).optional(),
});
export const shareRequest = z.strictObject({ name, channel: name.optional(), line: z.string() });

const number = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

/** Whose messages: those of the channel, and those to the person where one is named. */
export const messagesQuery = z.strictObject({
  channel: name.optional(),
  name: name.optional(),
  after: number.optional(),
});

export const messageQuery = z.strictObject({ name: name.optional() });

/** `unchecked` in the shape of `schema`; a RequestError names the first thing that is wrong. */
export function parseRequest<T>(schema: z.ZodType<T>, unchecked: unknown): T {
  const result = schema.safeParse(unchecked, { error: describeIssue });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.length ? issue.path.join(".") : "request";
  throw new RequestError(`${where}: ${issue?.message ?? "not understood"}`);
}

/** The query parameters; one that is given twice is a mistake that nobody should have to guess about. */
export function queryOf(url: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const [key, value] of new URL(url).searchParams) {
    if (Object.hasOwn(query, key)) throw new RequestError(`${key}: given twice, expected once`);
    query[key] = value;
  }
  return query;
}

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return `${issue.keys.map((key) => shown(key)).join(", ")} is not known here`;
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined
    ? `is missing, expected ${issue.expected}`
    : `got ${shown(issue.input)}, expected ${issue.expected}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
