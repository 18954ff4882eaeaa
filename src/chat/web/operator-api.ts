import { type Context, Hono } from "hono";
import { z } from "zod";
import type { OperatorView } from "../../commands/operator-view.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { quoteValue } from "../../lib/error-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OperatorOverviewAnswer, ResumeAnswer } from "./page/protocol.ts";
import { parseRequest, queryOf } from "./requests.ts";

/** Items of a page. */
const PAGE_SIZE = 30;

/** Longer than every id and cursor. */
const MAX_TEXT_LENGTH = 400;

/** A text without control characters, which no id contains and not every store accepts. */
const text = z
  .string()
  .max(MAX_TEXT_LENGTH, `expected at most ${MAX_TEXT_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, "expected no control characters");

const optionalText = text
  .transform((value) => (value === "" ? null : value))
  .optional()
  .transform((value) => value ?? null);

const ticker = z
  .string()
  .transform((value, context) => {
    const parsed = value.trim() === "" ? null : parseTicker(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: "custom", message: `got ${quoteValue(value)}, expected a ticker such as ACME` });
    return z.NEVER;
  })
  .optional()
  .transform((value) => value ?? null);

const page = { destination: optionalText, after: optionalText };

/** `state`: all (default) or failed messages, or destinations with waiting deliveries (default) or a pause. */
const messagesQuery = z.strictObject({ ...page, ticker, state: z.enum(["recent", "failed"]).default("recent") });
const queuesQuery = z.strictObject({ ...page, ticker, state: z.enum(["waiting", "paused"]).default("waiting") });
const rulesQuery = z.strictObject(page);
const resumeRequest = z.strictObject({ platform: text, kind: z.enum(["channel", "person"]), id: text });

export const OPERATOR_LISTS = ["overview", "messages", "queues", "rules"] as const;

export interface OperatorApiOptions {
  readonly operator: OperatorView;
  readonly clock: Clock;
}

/** API of the operator's view; mounted under `/api/operator`. `readJson` returns the body of a request. */
export function createOperatorApi(
  { operator: view, clock }: OperatorApiOptions,
  readJson: (c: Context) => Promise<unknown>,
): Hono {
  const api = new Hono();
  api.get("/overview", async (c) =>
    c.json({ ...(await view.overview()), now: clock.now() } satisfies OperatorOverviewAnswer),
  );
  api.get("/messages", async (c) => {
    const { state, ...request } = parseRequest(messagesQuery, queryOf(c.req.url));
    return c.json(await view.messages({ ...request, failedOnly: state === "failed", limit: PAGE_SIZE }));
  });
  api.get("/queues", async (c) =>
    c.json(await view.queues({ ...parseRequest(queuesQuery, queryOf(c.req.url)), limit: PAGE_SIZE })),
  );
  api.get("/rules", async (c) =>
    c.json(await view.rules({ ...parseRequest(rulesQuery, queryOf(c.req.url)), limit: PAGE_SIZE })),
  );
  api.post("/resume", async (c) =>
    c.json({
      resumed: await view.resume(parseRequest(resumeRequest, await readJson(c))),
    } satisfies ResumeAnswer),
  );
  return api;
}
