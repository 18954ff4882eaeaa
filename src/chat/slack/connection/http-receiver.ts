import { type App, isValidSlackRequest, type Receiver } from "@slack/bolt";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";

export interface HttpReceiver extends Receiver {
  /** `POST /slack/events` */
  readonly routes: Hono;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Takes signed requests, wherever its routes are mounted. A request that nobody acknowledges is answered with 404. */
export function createHttpReceiver(signingSecret: string, clock: Clock): HttpReceiver {
  let app: App | null = null;
  let open = false;
  const routes = new Hono();
  routes.use("/slack/events", bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => plainAnswer(413, "Too large") }));
  routes.post("/slack/events", async ({ req }) => {
    const raw = await req.text();
    if (!isSigned(raw, (name) => req.header(name) ?? "", signingSecret, clock)) return plainAnswer(401, "Not signed");
    const body = readBody(raw);
    if (body === null) return plainAnswer(400, "Not understood");
    if (body.type === "url_verification") return Response.json({ challenge: String(body.challenge) });
    if (body.ssl_check !== undefined) return plainAnswer(200, "");
    return app === null || !open ? plainAnswer(503, "Not ready") : hand(app, body, req.header("x-slack-retry-num"));
  });
  routes.all("/slack/events", () => plainAnswer(405, "Only POST", { allow: "POST" }));
  return {
    routes,
    init(made) {
      app = made;
    },
    async start() {
      open = true;
    },
    async stop() {
      open = false;
    },
  };
}

/** Old timestamps are refused, so that a request cannot be played again later; and so are those of tomorrow. */
function isSigned(body: string, header: (name: string) => string, signingSecret: string, clock: Clock): boolean {
  const seconds = Number(header("x-slack-request-timestamp"));
  const now = clock.now();
  const ahead = seconds * 1_000 - now;
  return (
    Number.isInteger(seconds) &&
    ahead <= MAX_CLOCK_SKEW_MS &&
    isValidSlackRequest({
      signingSecret,
      body,
      headers: { "x-slack-signature": header("x-slack-signature"), "x-slack-request-timestamp": seconds },
      nowMilliseconds: now,
    })
  );
}

/** A slash command is a form, an interaction is JSON in a form's field, an event is JSON. */
function readBody(raw: string): Record<string, unknown> | null {
  if (raw.startsWith("{")) return readJson(raw);
  const form = Object.fromEntries(new URLSearchParams(raw));
  return form.payload === undefined ? form : readJson(form.payload);
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The answer goes out with the acknowledgement; the work goes on behind it. */
function hand(app: App, body: Record<string, unknown>, retry: string | undefined): Promise<Response> {
  return new Promise((resolve) => {
    const ack = async (answer?: unknown): Promise<void> =>
      resolve(answer === undefined || answer === "" ? plainAnswer(200, "") : Response.json(answer));
    const handed = app.processEvent({ body, ack, ...(retry === undefined ? {} : { retryNum: Number(retry) }) });
    void handed.then(
      () => resolve(plainAnswer(404, "Nothing here takes that")),
      () => resolve(plainAnswer(500, "Failed")),
    );
  });
}

function plainAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });
}
