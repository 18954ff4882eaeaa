import { type App, isValidSlackRequest, type Receiver } from "@slack/bolt";
import { Hono, type HonoRequest } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { isJsonObject, parseJson } from "../../../lib/json.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { Transport } from "./connection.ts";

/** The text of a command has at most 40,000 characters, at most 9 bytes each when percent-encoded. The app's views are smaller. */
const MAX_BODY_BYTES = 512 * 1024;

/** A signature has 67 characters. */
const MAX_HEADER_LENGTH = 200;
const MAX_CLOCK_SKEW_MS = 5 * MINUTE_MS;

export interface HttpReceiver {
  readonly receiver: Receiver;
  readonly transport: Transport;
  /** `POST /slack/events` */
  readonly routes: Hono;
}

export interface HttpReceiverParts {
  readonly signingSecret: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Bolt receiver for signed requests. A request that Bolt does not acknowledge is answered with 404. */
export function createHttpReceiver({ signingSecret, clock, log }: HttpReceiverParts): HttpReceiver {
  let app: App | null = null;
  let isOpen = false;
  const routes = new Hono();
  routes.post("/slack/events", async ({ req }, next) => {
    // Doesn't read the body of a request whose headers can't belong to a valid signature.
    if (!hasPlausibleSignature(headersOf(req), clock)) return textResponse(401, "Invalid signature");
    return next();
  });
  routes.use("/slack/events", bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => textResponse(413, "Too large") }));
  routes.post("/slack/events", async ({ req }) => {
    const rawBody = await req.text();
    const header = headersOf(req);
    if (!isSigned(rawBody, header, signingSecret, clock)) return textResponse(401, "Invalid signature");
    const body = readBody(rawBody);
    if (body === null) return textResponse(400, "Invalid request");
    if (body.type === "url_verification") return Response.json({ challenge: String(body.challenge) });
    if (body.ssl_check !== undefined) return textResponse(200, "");
    return app === null || !isOpen
      ? textResponse(503, "Not ready")
      : dispatch(app, body, { retryNumber: header("x-slack-retry-num"), log });
  });
  routes.all("/slack/events", () => textResponse(405, "Use POST", { allow: "POST" }));

  async function setOpen(value: boolean): Promise<void> {
    isOpen = value;
  }

  function init(created: App): void {
    app = created;
  }

  const [open, close] = [(): Promise<void> => setOpen(true), (): Promise<void> => setOpen(false)];
  return {
    receiver: { init, start: open, stop: close },
    transport: { tokenVariable: "SLACK_BOT_TOKEN", open, closed: () => new Promise(() => undefined), close },
    routes,
  };
}

type ReadHeader = (name: string) => string;

/** Reads Slack's headers. A missing one, or one that is longer than Slack's, is empty. */
function headersOf(request: HonoRequest): ReadHeader {
  return (name) => {
    const value = request.header(name) ?? "";
    return value.length > MAX_HEADER_LENGTH ? "" : value;
  };
}

/** Checks the format of the signature, and that its timestamp is within MAX_CLOCK_SKEW_MS of the current time, against replays. */
function hasPlausibleSignature(header: ReadHeader, clock: Clock): boolean {
  const seconds = Number(header("x-slack-request-timestamp"));
  return (
    Math.abs(seconds * 1_000 - clock.now()) <= MAX_CLOCK_SKEW_MS &&
    /^v0=[0-9a-f]{64}$/.test(header("x-slack-signature"))
  );
}

function isSigned(body: string, header: ReadHeader, signingSecret: string, clock: Clock): boolean {
  const seconds = Number(header("x-slack-request-timestamp"));
  const now = clock.now();
  return (
    Number.isInteger(seconds) &&
    isValidSlackRequest({
      signingSecret,
      body,
      headers: { "x-slack-signature": header("x-slack-signature"), "x-slack-request-timestamp": seconds },
      nowMilliseconds: now,
    })
  );
}

/** A slash command is form-encoded, an interaction is JSON in the form field `payload`, an event is JSON. */
function readBody(rawBody: string): Record<string, unknown> | null {
  if (rawBody.startsWith("{")) return readJson(rawBody);
  const form = Object.fromEntries(new URLSearchParams(rawBody));
  return form.payload === undefined ? form : readJson(form.payload);
}

function readJson(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isJsonObject(value) ? { ...value } : null;
}

/**
 * Responds when Bolt acknowledges the request; the work continues afterwards. Bolt rejects a payload of unknown shape, such as a
 * payload without a user, and passes failures of a handler to its error handler.
 */
function dispatch(
  app: App,
  body: Record<string, unknown>,
  { retryNumber, log }: { readonly retryNumber: string; readonly log: Log },
): Promise<Response> {
  return new Promise((resolve) => {
    const ack = async (answer?: unknown): Promise<void> =>
      resolve(answer === undefined || answer === "" ? textResponse(200, "") : Response.json(answer));
    const retryNum = retryNumber === "" ? {} : { retryNum: Number(retryNumber) };
    app.processEvent({ body, ack, ...retryNum }).then(
      () => resolve(textResponse(404, "No handler for this request")),
      (error: unknown) => {
        log.warn("slack request invalid", { error });
        resolve(textResponse(400, "Invalid request"));
      },
    );
  });
}

function textResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });
}
