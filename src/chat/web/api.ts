import { randomBytes } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import type { Answer, Call } from "../../commands/command.ts";
import type { OperatorView } from "../../commands/operator-view.ts";
import type { Destination, Person } from "../../domain/alert/destination.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { tickerHint } from "../../domain/split/ticker-hint.ts";
import { quoteValue } from "../../lib/error-text.ts";
import { hasMoreValues, parseJson } from "../../lib/json.ts";
import type { ReleaseView } from "../../messages/release-view.ts";
import type { SplitView } from "../../messages/split-view.ts";
import type { Posting } from "../../ports/state-records.ts";
import { decodeAttachedFile } from "../attached-file.ts";
import { hasSessionCookie } from "./access.ts";
import { limitCards, messageBody, toMessage } from "./body.ts";
import { errorResponse, problemOf } from "./error-response.ts";
import { requireSameOrigin } from "./guard.ts";
import { createStreams, type StreamOptions, type StreamPostings } from "./live.ts";
import { createOperatorApi, OPERATOR_LISTS } from "./operator-api.ts";
import {
  type CommandAnswer,
  DEFAULT_CHANNEL,
  type FoundMessage,
  MAX_MESSAGES,
  type Messages,
  type Overview,
  type OverviewAnswer,
  partialLine,
  type ReleaseAnswer,
  type ShareAnswer,
  type SplitAnswer,
  type Start,
  type Suggestion,
  type Suggestions,
  stripPrefix,
} from "./page/protocol.ts";
import { assertShareable, type Quota, QuotaError, SHARED_PREFIX } from "./quota.ts";
import {
  commandRequest,
  completionRequest,
  type MessagesQuery,
  messagesQuery,
  overviewQuery,
  parseRequest,
  queryOf,
  RequestError,
  readerQuery,
  releaseQuery,
  shareRequest,
} from "./requests.ts";

const MAX_BODY_BYTES = 16 * 1024;
/** Maximum number of values in a body, far more than a request needs. Bounds the depth and the time to check the body. */
const MAX_BODY_VALUES = 100;
const TOO_LARGE = "The body is larger than 16 kB.";

/** Maximum body of a command. Allows an imported file of 1 MB, which is sent as base64. */
const MAX_COMMAND_BYTES = 1536 * 1024;

/** Command answers and the sidebar's content. */
export interface PageAnswers {
  /** Runs a command. `line`: command line without `/splits`. */
  ask(line: string, call: Call): Promise<Answer>;
  /** Runs a command if its answer may be shared. */
  share(line: string, call: Call): Promise<Answer>;
  complete(line: string, call: Call): Promise<readonly Suggestion[]>;
  readonly operator: OperatorView;
  /** True if the line is a complete command. */
  isComplete(line: string, call: Call): Promise<boolean>;
  /** Content of the sidebar beside the messages of the destination. */
  overview(destination: Destination): Promise<Overview>;
  splitView(ticker: Ticker, person: Person): Promise<SplitView>;
  /** Null if no release has this address. */
  releaseView(url: string): Promise<ReleaseView | null>;
}

export interface WebApiOptions extends StreamOptions, PageAnswers {
  readonly quota: Quota;
  readonly publicUrl: string | null;
}

export function createApi(options: WebApiOptions): Hono {
  const api = new Hono();
  api.use(requireSameOrigin(options.publicUrl));
  const importLimit = sizeLimit(
    MAX_COMMAND_BYTES,
    "The body is too large: an imported file or text can have at most 1 MB.",
  );
  const defaultLimit = sizeLimit(MAX_BODY_BYTES, TOO_LARGE);
  api.use((c, next) => (c.req.path.endsWith("/command") ? importLimit(c, next) : defaultLimit(c, next)));
  api.on("POST", "*", requireJson);
  api.onError((error) => problemOf(error, options.log));
  api.use(disableCaching);
  const streamPostings = createStreams(options);

  api.post("/command", async (c) => answerCommand(await jsonBody(c), options, c));
  api.post("/complete", async (c) => c.json(await answerCompletion(await jsonBody(c), options)));
  api.post("/share", async (c) => share(await jsonBody(c), options, c));
  api.get("/messages", async (c) =>
    c.json(await listMessages(parseRequest(messagesQuery, queryOf(c.req.url)), options)),
  );
  api.get("/messages/:id", async (c) => findMessage(c.req.param("id"), queryOf(c.req.url), options, c));
  api.get("/stream", (c) => openStream(c, streamPostings));
  api.get("/overview", async (c) => {
    const { channel } = parseRequest(overviewQuery, queryOf(c.req.url));
    return c.json(await answerOverview(channel, c, options));
  });
  api.get("/start", async (c) => c.json(await answerStart(c, options)));
  api.get("/splits/:ticker", async (c) => c.json(await answerSplit(c.req.param("ticker"), c, options)));
  api.get("/releases", async (c) => c.json(await answerRelease(queryOf(c.req.url), options)));

  api.route("/operator", createOperatorApi(options, jsonBody));

  for (const path of ["/command", "/complete", "/share", "/operator/resume"])
    api.all(path, (c) => wrongMethod(c, "POST"));
  for (const path of [
    "/messages",
    "/messages/:id",
    "/stream",
    "/overview",
    "/start",
    "/splits/:ticker",
    "/releases",
    ...OPERATOR_LISTS.map((list) => `/operator/${list}`),
  ])
    api.all(path, (c) => wrongMethod(c, "GET, HEAD"));
  api.all("*", (c) => errorResponse(404, "no-such-path", `${c.req.path.slice(0, 200)}: no such path.`));
  return api;
}

function sizeLimit(maxSize: number, detail: string): MiddlewareHandler {
  return bodyLimit({ maxSize, onError: () => errorResponse(413, "too-large", detail) });
}

/** Maximum length of the command shown above its answer. */
const MAX_ECHO_LENGTH = 4_000;

async function answerCommand(body: unknown, options: WebApiOptions, c: Context): Promise<Response> {
  const request = parseRequest(commandRequest, body);
  const line = stripPrefix(request.line);
  if (line.length > MAX_BODY_BYTES && !/^import\b/i.test(line)) return errorResponse(413, "too-large", TOO_LARGE);
  const call = callOf(request);
  const { cards, shareable } = await withReservations(options.quota, (reservations) =>
    options.ask(line, {
      ...call,
      ...fileOf(request),
      reserveRoom: () => reservations.tryReserve(call),
      reservePost: () => reservations.tryReservePost(),
    }),
  );
  const answer = { line: line.slice(0, MAX_ECHO_LENGTH), cards: limitCards(cards), shareable };
  return c.json(answer satisfies CommandAnswer);
}

function fileOf({ file }: z.infer<typeof commandRequest>): Pick<Call, "fetchAttachment"> {
  if (file === undefined) return {};
  return { fetchAttachment: async () => decodeAttachedFile(file.name, Buffer.from(file.base64, "base64")) };
}

async function answerCompletion(body: unknown, options: WebApiOptions): Promise<Suggestions> {
  const request = parseRequest(completionRequest, body);
  const line = partialLine(request.line);
  const call = callOf(request);
  const [suggestions, isComplete] = await Promise.all([options.complete(line, call), options.isComplete(line, call)]);
  return { suggestions, isComplete };
}

/** Runs the command again and posts the result: an answer sent by the page could be forged. */
async function share(body: unknown, options: WebApiOptions, c: Context): Promise<Response> {
  const request = parseRequest(shareRequest, body);
  const line = stripPrefix(request.line);
  const call = callOf(request);
  return withReservations(options.quota, async (reservations) => {
    await reservations.reserve(call);
    await reservations.reservePost();
    const answer = await options.share(line, call);
    if (answer.isOverLimit === true) throw new QuotaError(answer.cards.flatMap(({ lines }) => lines).join(" "));
    if (!answer.shareable) return notShareable(line);
    const shared = messageBody(answer.cards, [], { by: "", line });
    assertShareable(shared);
    const { number, messageId } = await options.postings.post({
      to: call.destination,
      messageId: `${SHARED_PREFIX}${randomBytes(12).toString("base64url")}`,
      replyTo: null,
      body: shared,
      sharedBy: call.person,
      at: options.clock.now(),
    });
    return c.json({ number, messageId } satisfies ShareAnswer, 201);
  });
}

function notShareable(line: string): Response {
  const detail = `The answer to "${line.slice(0, 80)}" is only for you and can't be shared.`;
  return errorResponse(409, "not-shareable", detail);
}

/** Reservations of one request. */
interface Reservations {
  /** Reserves room for data about the call's person and destination; throws a QuotaError if there is none. */
  reserve(call: Call): Promise<void>;
  /** Like `reserve`, but returns the user-facing reason if there is no room. */
  tryReserve(call: Call): Promise<true | string>;
  /** Reserves room for a shared answer or a test card; throws a QuotaError if there is none. */
  reservePost(): Promise<void>;
  /** Like `reservePost`, but returns the user-facing reason if there is no room. */
  tryReservePost(): Promise<true | string>;
}

/** Runs work that may store data, and releases its reservations afterward. */
async function withReservations<R>(quota: Quota, work: (reservations: Reservations) => Promise<R>): Promise<R> {
  const releases: (() => void)[] = [];
  const reserve = async ({ person, destination }: Call): Promise<void> => {
    releases.push(await quota.reserve([person, destination]));
  };
  const reservePost = async (): Promise<void> => {
    releases.push(await quota.reservePost());
  };
  try {
    return await work({
      reserve,
      tryReserve: (call) => reserve(call).then(() => true, reasonOf),
      reservePost,
      tryReservePost: () => reservePost().then(() => true, reasonOf),
    });
  } finally {
    for (const release of releases) release();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof QuotaError) return error.message;
  throw error;
}

async function listMessages({ after = 0, ...reader }: MessagesQuery, options: WebApiOptions): Promise<Messages> {
  const postings = await options.postings.list({ to: readableDestinations(reader), after, limit: MAX_MESSAGES });
  return { messages: postings.map(toMessage), last: postings.at(-1)?.number ?? after };
}

/** Reports other people's direct messages as not found. */
async function findMessage(id: string, query: unknown, options: WebApiOptions, c: Context): Promise<Response> {
  const { name } = parseRequest(readerQuery, query);
  const posting = await options.postings.find(id);
  if (posting === null || !mayRead(posting, name))
    return errorResponse(404, "no-such-message", "This message doesn't exist or was removed.");
  return c.json({ message: toMessage(posting) } satisfies FoundMessage);
}

function mayRead(posting: Posting, name: string | undefined): boolean {
  return posting.to.kind === "channel" || posting.to.id === name;
}

function openStream(c: Context, streamPostings: StreamPostings): Promise<Response> {
  const { after, ...reader } = parseRequest(messagesQuery, queryOf(c.req.url));
  const resumeAt = /^\d{1,15}$/.exec(c.req.header("last-event-id") ?? "")?.[0];
  return streamPostings({
    destinations: readableDestinations(reader),
    after: resumeAt === undefined ? after : Number(resumeAt),
    c,
  });
}

async function answerOverview(
  channel: string | undefined,
  c: Context,
  options: WebApiOptions,
): Promise<OverviewAnswer> {
  const overview = await options.overview(channelNamed(channel));
  return { ...overview, now: options.clock.now(), signedIn: hasSessionCookie(c) };
}

async function answerStart(c: Context, options: WebApiOptions): Promise<Start> {
  const query = parseRequest(messagesQuery, queryOf(c.req.url));
  const [listed, overview] = await Promise.all([
    listMessages(query, options),
    answerOverview(query.channel, c, options),
  ]);
  return { ...listed, overview };
}

async function answerSplit(text: string, c: Context, options: WebApiOptions): Promise<SplitAnswer> {
  const { name } = parseRequest(readerQuery, queryOf(c.req.url));
  const ticker = parseTicker(text);
  if (ticker === undefined) {
    const hint = tickerHint(text);
    const expected = `expected a ticker${hint === undefined ? "" : `. ${hint}`}`;
    throw new RequestError(`ticker: got ${quoteValue(text)}, ${expected}`);
  }
  const view = await options.splitView(ticker, name === undefined ? ANONYMOUS : personNamed(name));
  const sections = view.sections.map(({ steps, cards }) => ({ steps, cards: limitCards(cards) }));
  return { ...view, sections, cards: limitCards(view.cards) };
}

async function answerRelease(query: unknown, options: WebApiOptions): Promise<ReleaseAnswer> {
  return { release: await options.releaseView(parseRequest(releaseQuery, query).url) };
}

/** Answers change and may be personal. The stream sets `Cache-Control` itself. */
const disableCaching: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("cache-control", "no-store");
};

const requireJson: MiddlewareHandler = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return next();
  return errorResponse(
    415,
    "wrong-content-type",
    `Content-Type: got "${type.slice(0, 100)}", expected application/json.`,
  );
};

async function jsonBody(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (hasMoreValues(text, MAX_BODY_VALUES))
    throw new RequestError(`body: got more than ${MAX_BODY_VALUES} values, expected the fields of this request`);
  const body = parseJson(text);
  if (body === undefined) throw new RequestError("body: isn't valid JSON");
  return body;
}

function callOf(request: {
  name?: string | undefined;
  channel?: string | undefined;
  direct?: boolean | undefined;
}): Call {
  const person = request.name === undefined ? ANONYMOUS : personNamed(request.name);
  const destination = request.direct === true ? person : channelNamed(request.channel);
  return { person, destination, isOperator: true, mayManage: async () => true, hints: { file: "select Import" } };
}

function readableDestinations(reader: {
  name?: string | undefined;
  channel?: string | undefined;
}): readonly Destination[] {
  const channel = channelNamed(reader.channel);
  return reader.name === undefined ? [channel] : [channel, personNamed(reader.name)];
}

/** The person of a request without a name. A user's name can't be empty, so no data is stored about this person. */
const ANONYMOUS = personNamed("");

function personNamed(name: string): Person {
  return { platform: "web", kind: "person", id: name };
}

function channelNamed(name: string = DEFAULT_CHANNEL): Destination {
  return { platform: "web", kind: "channel", id: name };
}

function wrongMethod(c: Context, allow: string): Response {
  return errorResponse(405, "wrong-method", `${c.req.method} isn't allowed here, expected ${allow}.`, { allow });
}
